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
#include "../Operation.h"

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
  /// Places in threads' stacks, streams, and 1 until it is destroyed.
  std::atomic<unsigned> uses{1};
  std::atomic<unsigned> attached{0}; ///< By cuCtxAttach.
  CUgreenCtx green = nullptr;        ///< Whose context it is; null: it is of its own.
  const unsigned long long id = nextId();

  static unsigned long long nextId() {
    static std::atomic<unsigned long long> last{0};
    return ++last;
  }

  void release() {
    if (--uses == 0)
      delete this;
  }
};

namespace het::cuda::driver {

struct Reference; ///< Of textures (TextureReferenceAPI.cpp).

/// What the functions of CUDA 1 to 3 set one by one before cuLaunch.
struct LaunchInParts {
  dim3 block;
  unsigned sharedBytes = 0;
  unsigned argumentBytes = 0; ///< As cuParamSetSize says; 0: all that was set.
  Bytes arguments;
};

} // namespace het::cuda::driver

/// A kernel by a handle: of a module, or one that host code has registered. The handle is
/// a CUkernel, too, and a stub for the runtime API (listFunction).
struct CUfunc_st {
  CUmod_st *module = nullptr; ///< Null for a registered kernel.
  std::string name;
  std::unique_ptr<het::cuda::Function> own; ///< Of a module's kernel.
  het::cuda::Function *function = nullptr;
  std::mutex mutex; ///< Guards `parts`.
  het::cuda::driver::LaunchInParts parts;
};

/// What was loaded in a context of a device. After a reset of that device it is an empty
/// shell, and so are its functions, until the program unloads it.
struct CUmod_st {
  explicit CUmod_st(het::cuda::Device &device) : device(device) {}

  het::cuda::Device &device;
  std::atomic<bool> isLost{false}; ///< Its device was reset.
  bool isLibrary = false; ///< Of no context: it is no device's more than another's.
  het::cuda::Binary binary;
  het::Bytes image; ///< The package, if it was copied from the caller.
  std::mutex mutex; ///< Guards what follows.
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
  std::map<std::string, het::cuda::Variable> variables;
  std::map<std::string, std::shared_ptr<het::cuda::driver::Reference>> references;
};

namespace het::cuda::driver {

/// Whether cuInit was called, or a function of the runtime API that does the same.
bool initialised();

/// The calling thread's context; null if it has none.
CUcontext currentContext();

/// CUDA_ERROR_NOT_INITIALIZED or CUDA_ERROR_INVALID_CONTEXT, unless this thread
/// may make calls that need a context.
CUresult requireContext();

/// The same, kept until releaseContext().
CUcontext keepCurrentContext();
void releaseContext(CUcontext context);

/// The context that is the stream's: where it was made, or for a device's own stream the
/// current one.
CUcontext contextOf(const CUstream_st &stream);

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

/// The handle of a kernel, which is made at the first question. Null for null.
CUfunction handleOf(Function *function);

/// Finds a module that can be used, for a thread with a context.
CUresult findModule(CUmodule handle, std::shared_ptr<CUmod_st> &module);

/// An attribute of a loaded kernel.
CUresult attributeOf(LoadedKernel &kernel, const Device &device,
                     CUfunction_attribute attribute, int &value);

/// Loads the kernel on the current device and hands it to `use`.
template <typename Use> CUresult withKernel(CUfunction function, Use use) {
  if (CUresult error = requireContext())
    return error;
  if (!function)
    return CUDA_ERROR_INVALID_HANDLE;
  Device &device = currentContext()->device;
  LoadedKernel *kernel = nullptr;
  if (cudaError_t error = load(*function->function, device, kernel))
    return convert(error);
  return use(*kernel, device);
}

/// Begins and ends a call of the runtime API that is to leave the thread's last error as
/// it was, which `before` keeps; out of line, since hundreds of functions do so.
CUresult beginThrough(cudaError_t &before);
CUresult beginStarted(cudaError_t &before); ///< Needs no context.
CUresult endThrough(cudaError_t error, cudaError_t before);

/// Calls a function of the runtime API for the driver API: with a context, and
/// without a trace in the thread's last error.
template <typename Call> CUresult through(Call call) {
  cudaError_t before = cudaSuccess;
  CUresult error = beginThrough(before);
  return error ? error : endThrough(call(), before);
}

/// The same for calls that need no context.
template <typename Call> CUresult whenStarted(Call call) {
  cudaError_t before = cudaSuccess;
  CUresult error = beginStarted(before);
  return error ? error : endThrough(call(), before);
}

/// The runtime API's form of a launch; null for null. It refers to the driver's.
inline const cudaLaunchConfig_t *configOf(const CUlaunchConfig *from,
                                          cudaLaunchConfig_t &config) {
  static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
  if (!from)
    return nullptr;
  config = {{from->gridDimX, from->gridDimY, from->gridDimZ},
            {from->blockDimX, from->blockDimY, from->blockDimZ},
            from->sharedMemBytes,
            from->hStream,
            reinterpret_cast<cudaLaunchAttribute *>(from->attrs),
            from->numAttrs};
  return &config;
}

inline void *pointerOf(CUdeviceptr address) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}
inline CUdeviceptr addressOf(const void *pointer) {
  return static_cast<CUdeviceptr>(reinterpret_cast<uintptr_t>(pointer));
}

// An array of the driver API is one of the runtime API.
inline cudaArray_t arrayOf(CUarray handle) {
  return reinterpret_cast<cudaArray_t>(handle);
}
inline CUarray handleOf(cudaArray_t array) { return reinterpret_cast<CUarray>(array); }

/// The format of an array's elements; false if no array has it.
bool toRuntime(CUarray_format format, unsigned channels, cudaChannelFormatDesc &result);
void toDriver(const cudaChannelFormatDesc &format, CUarray_format &result,
              unsigned &channels);

/// Sets what the driver's flags say of a texture.
void setFlags(cudaTextureDesc &texture, unsigned flags);

/// Fills `copy` with a checked copy of a box.
cudaError_t makeBox(const CUDA_MEMCPY3D *params, CopyOperation &copy);

} // namespace het::cuda::driver

#endif // HET_RUNTIME_CUDA_DRIVER_DRIVER_H
