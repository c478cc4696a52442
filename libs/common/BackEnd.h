// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who carries out the functions of a library on a device: kernels of ours, a library of
// the device's vendor, or one of the host's (docs/design/libraries.md).

#ifndef HET_LIBS_COMMON_BACKEND_H
#define HET_LIBS_COMMON_BACKEND_H

#include "het/Base/Status.h"

#include <cuda_runtime_api.h>
#include <functional>
#include <memory>
#include <optional>

namespace het::libs {

enum class BackEnd { Vendor, Host, Portable };

/// The back ends that a library has beside its kernels. Each opens what it needs for the
/// calling thread's device, or says what is missing; one that is empty is not built.
struct BackEndOffers {
  std::function<Status()> vendor, host;
  /// The vendor's is taken only where HET_LIBRARIES names it: it has not passed on a GPU.
  bool isVendorOnRequest = false;
};

/// The first back end of HET_LIBRARIES that a device can have; says in the log which it
/// is, and why not those before it. Fails where it can have none of them. `library` is
/// NVIDIA's name of it, for messages.
Result<BackEnd> chooseBackEnd(const char *library, int device,
                              const BackEndOffers &offers);

/// The host's back end of a library that has none: its kernels.
inline Status kernelsOnHost() { return Status::success(); }

/// How an attempt to put work into a stream ended.
enum class Given { Yes, UseKernels, Failed };

/// What a function returns after such an attempt: `whenGiven`, a failure of the runtime
/// as `convert` says it, or nothing where kernels are to do the work.
template <class Result, class Convert>
std::optional<Result> resultOf(Given given, Result whenGiven, int error,
                               const Convert &convert) {
  switch (given) {
  case Given::Yes:
    return whenGiven;
  case Given::UseKernels:
    return std::nullopt;
  case Given::Failed:
    break;
  }
  return convert(static_cast<cudaError_t>(error));
}

/// Enqueues `work`, which a stream of the host device calls at its turn. UseKernels: the
/// stream is capturing. Failed: as `error`, a cudaError_t, says.
Given giveToHost(CUstream_st *stream, std::function<void()> work, int &error);

/// Calls `work` now with the vendor's stream behind a stream of ours and its context
/// current (het/native.h). UseKernels: the stream is capturing.
Given giveToVendor(CUstream_st *stream, void (*work)(void *stream, void *data),
                   void *data, int &error);
template <class Work>
Given giveToVendor(CUstream_st *stream, const Work &work, int &error) {
  return giveToVendor(
      stream,
      [](void *native, void *data) { (*static_cast<const Work *>(data))(native); },
      const_cast<Work *>(&work), error);
}

/// Where a function of the vendor's puts its work.
struct VendorStream {
  void *native;
  void *workspace; ///< Of a captured call; null: the library's own may be used.
  bool isRecorded; ///< Then the stream is there for this call alone.
};

/// The same for a call that may be captured: it is recorded then, with a workspace of
/// that size. `work` returns whether it has put in what is to stay. UseKernels: the work
/// can not be recorded.
Given giveOrRecord(CUstream_st *stream, size_t workspaceSize,
                   bool (*work)(const VendorStream &stream, void *data), void *data,
                   int &error);
template <class Work>
Given giveOrRecord(CUstream_st *stream, size_t workspaceSize, const Work &work,
                   int &error) {
  return giveOrRecord(
      stream, workspaceSize,
      [](const VendorStream &place, void *data) {
        return (*static_cast<const Work *>(data))(place);
      },
      const_cast<Work *>(&work), error);
}

} // namespace het::libs

#endif // HET_LIBS_COMMON_BACKEND_H
