// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API over the same devices, streams, events and kernels as the
// runtime API. A driver context is a name for a device here: all contexts of a
// device share its memory and streams, and the current context of a thread is
// its current device in the runtime API. A thread that uses the runtime API first has the
// primary context of its device.

#ifndef HET_RUNTIME_CUDA_DRIVER_DRIVER_H
#define HET_RUNTIME_CUDA_DRIVER_DRIVER_H

#include "../Api.h"
#include "../Context.h"
#include "../Module.h"

#include <map>
#include <memory>
#include <string>

struct CUctx_st {
  het::cuda::Device &device;
  unsigned flags = 0;
  bool primary = false;
  std::atomic<bool> isReset{false}; ///< The runtime API has not used it since.
  /// It may still be the current one of threads, which must not use it.
  std::atomic<bool> isDestroyed{false};
  /// Places in threads' stacks, and 1 until it is destroyed.
  std::atomic<unsigned> uses{1};

  void release() {
    if (--uses == 0)
      delete this;
  }
};

/// A kernel of a module.
struct CUfunc_st {
  CUmod_st *module = nullptr;
  std::string name;
  het::cuda::Function function;
};

/// What was loaded in a context of a device. After a reset of that device it is an empty
/// shell, and so are its functions, until the program unloads it.
struct CUmod_st {
  explicit CUmod_st(het::cuda::Device &device) : device(device) {}

  het::cuda::Device &device;
  std::atomic<bool> isLost{false}; ///< Its device was reset.
  het::cuda::Binary binary;
  het::Bytes image; ///< The package, if it was copied from the caller.
  std::mutex mutex; ///< Guards what follows.
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
  std::map<std::string, het::cuda::Variable> variables;
};

namespace het::cuda::driver {

/// Whether cuInit was called.
bool initialised();

/// The calling thread's context; null if it has none.
CUcontext currentContext();

/// CUDA_ERROR_NOT_INITIALIZED or CUDA_ERROR_INVALID_CONTEXT, unless this thread
/// may make calls that need a context.
CUresult requireContext();

/// Makes the primary context of a device the calling thread's current one, in place of
/// the one that is, as any call of the runtime API does first.
void makePrimaryCurrent(int device);

/// The runtime API uses the primary context of a device no more, which is reset.
void forgetPrimary(int device);

/// Forgets what modules have on a device, before it is reset.
void forgetModules(Device &device);

/// Takes all contexts from the calling thread.
void releaseContexts();

/// The driver's code for a failure of the runtime API.
CUresult convert(cudaError_t error);

/// Calls a function of the runtime API for the driver API: with a context, and
/// without a trace in the thread's last error.
template <typename Call> CUresult through(Call call) {
  if (CUresult error = requireContext())
    return error;
  cudaError_t before = cudaGetLastError();
  CUresult result = convert(call());
  cudaGetLastError();
  remember(before);
  return result;
}

inline void *pointerOf(CUdeviceptr address) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}
inline CUdeviceptr addressOf(const void *pointer) {
  return static_cast<CUdeviceptr>(reinterpret_cast<uintptr_t>(pointer));
}

} // namespace het::cuda::driver

#endif // HET_RUNTIME_CUDA_DRIVER_DRIVER_H
