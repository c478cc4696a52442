// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end: a function of ours hands its arguments to NVIDIA's function of
// the same name. Descriptors are ours, and NVIDIA's are made of them for each call.

#ifndef HET_LIBS_CUDNN_VENDOR_H
#define HET_LIBS_CUDNN_VENDOR_H

#include "Library.h"
#include "common/Vendor.h"

#include <cstring>
#include <utility>
#include <vector>

namespace het::dnn {

/// NVIDIA's cuDNN, of version 8 or 9, whose statuses are other numbers.
struct VendorApi {
  using Handle = cudnnHandle_t;
  using Result = int;
  static constexpr const char *create = "cudnnCreate", *destroy = "cudnnDestroy",
                              *setStream = "cudnnSetStream";
  static libs::Vendor &vendor();
  static const char *textOf(int status);
};

class VendorHandle : public libs::VendorHandleOf<VendorApi> {};

/// A status of NVIDIA's as version 8 has it.
cudnnStatus_t statusOf(int theirs);
/// A failed call of the runtime.
cudnnStatus_t convert(cudaError_t error);

/// One call of NVIDIA's, and its descriptors for ours.
class VendorCall {
public:
  explicit VendorCall(const cudnnContext &handle) : handle(handle) {}
  VendorCall(const VendorCall &) = delete;
  ~VendorCall();

  // Null for null.
  cudnnTensorDescriptor_t operator()(const cudnnTensorStruct *ours);
  cudnnFilterDescriptor_t operator()(const cudnnFilterStruct *ours);
  cudnnConvolutionDescriptor_t operator()(const cudnnConvolutionStruct *ours);
  cudnnPoolingDescriptor_t operator()(const cudnnPoolingStruct *ours);
  cudnnActivationDescriptor_t operator()(const cudnnActivationStruct *ours);
  cudnnLRNDescriptor_t operator()(const cudnnLRNStruct *ours);
  cudnnOpTensorDescriptor_t operator()(const cudnnOpTensorStruct *ours);
  cudnnReduceTensorDescriptor_t operator()(const cudnnReduceTensorStruct *ours);

  /// Puts work into the handle's stream; nothing where kernels are to do it, which have
  /// what NVIDIA's does not support.
  template <class... Parameters>
  std::optional<cudnnStatus_t> run(libs::VendorFunction &function,
                                   Parameters... parameters) {
    return call(
        function,
        [&](const auto &work) {
          return libs::workByVendor(*handle.vendor, handle.stream, convert, work);
        },
        parameters...);
  }
  /// Of what puts nothing into a stream.
  template <class... Parameters>
  std::optional<cudnnStatus_t> ask(libs::VendorFunction &function,
                                   Parameters... parameters) {
    return call(
        function,
        [&](const auto &work) { return libs::askVendor(*handle.vendor, convert, work); },
        parameters...);
  }

private:
  template <class Give, class... Parameters>
  std::optional<cudnnStatus_t> call(libs::VendorFunction &function, const Give &give,
                                    Parameters... parameters) {
    using Function = int(cudnnHandle_t, Parameters...);
    auto *const place = reinterpret_cast<Function *>(function.get(VendorApi::vendor()));
    if (!place || !isWhole)
      return std::nullopt;
    const auto status = give([&] { return place(handle.vendor->get(), parameters...); });
    const auto said = status ? std::optional(statusOf(*status)) : std::nullopt;
    return said == CUDNN_STATUS_NOT_SUPPORTED ? std::nullopt : said;
  }
  template <class Descriptor, class Set>
  Descriptor made(const char *kind, bool isThere, const Set &set);

  const cudnnContext &handle;
  bool isWhole = true; ///< All descriptors could be made.
  std::vector<std::pair<const char *, void *>> descriptors; ///< By their kinds.
};

/// Algorithms that NVIDIA's library has listed.
template <class Perf> void convertStatuses(const int *count, Perf *results) {
  for (int i = 0; count && results && i < *count; ++i) {
    int theirs = 0; // no enumerator of ours, maybe
    std::memcpy(&theirs, &results[i].status, sizeof(theirs));
    results[i].status = statusOf(theirs);
  }
}

} // namespace het::dnn

/// Hands the parameters of a function to the function of that name in NVIDIA's library,
/// if that is the handle's back end, and returns what it says. Descriptors are given as
/// theirs(xDesc). HET_VENDOR_ASK is for what puts nothing into a stream.
#define HET_VENDOR_BY(how, after, name, ...)                                             \
  do {                                                                                   \
    if (!handle || !handle->vendor)                                                      \
      break;                                                                             \
    static het::libs::VendorFunction function{#name};                                    \
    het::dnn::VendorCall theirs(*handle);                                                \
    if (const auto status = theirs.how(function, __VA_ARGS__)) {                         \
      after;                                                                             \
      return *status;                                                                    \
    }                                                                                    \
  } while (false)
#define HET_VENDOR(name, ...) HET_VENDOR_BY(run, , name, __VA_ARGS__)
#define HET_VENDOR_ASK(name, ...) HET_VENDOR_BY(ask, , name, __VA_ARGS__)

#endif // HET_LIBS_CUDNN_VENDOR_H
