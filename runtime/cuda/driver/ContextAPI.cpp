// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: start, contexts, and how runtime errors are spelled here.

#include "Driver.h"

#include "../HostFunction.h"

using namespace het::cuda;
using namespace het::cuda::driver;

namespace {

constexpr unsigned deepest = 64;

/// The calling thread's contexts, the current one last. Trivially destructible,
/// so that it serves during static destruction.
struct Stack {
  CUcontext contexts[deepest];
  unsigned depth;
};
thread_local Stack stack;

std::atomic<bool> started{false};

/// The primary context of each device; made once, kept for ever.
struct Primaries {
  std::mutex mutex;
  std::map<int, std::pair<CUctx_st *, unsigned>> byDevice; ///< With its count.
};
Primaries &primaries() {
  static Primaries *instance = new Primaries;
  return *instance;
}

std::pair<CUctx_st *, unsigned> &primaryOf(int device) {
  auto &entry = primaries().byDevice[device];
  if (!entry.first)
    entry.first = new CUctx_st{*deviceAt(device), 0, true};
  return entry;
}

void makeCurrent(CUcontext context) {
  if (context)
    setCurrentOrdinal(context->device.ordinal);
}

} // namespace

namespace het::cuda::driver {

bool initialised() { return started.load(std::memory_order_relaxed); }

CUcontext currentContext() {
  if (stack.depth)
    return stack.contexts[stack.depth - 1];
  return nullptr;
}

CUresult requireContext() {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (cudaError_t refused = refuseCaller())
    return convert(refused);
  CUcontext context = currentContext();
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context->isDestroyed)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (currentOrdinal() != context->device.ordinal)
    makeCurrent(context);
  return CUDA_SUCCESS;
}

CUresult convert(cudaError_t error) {
  switch (error) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidMemcpyDirection:
  case cudaErrorInvalidChannelDescriptor:
  case cudaErrorInvalidHostPointer:
  case cudaErrorInvalidDevicePointer:
    return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  default:
    return static_cast<CUresult>(error); // the other numbers agree
  }
}

} // namespace het::cuda::driver

CUresult cuInit(unsigned flags) {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (deviceCount() == 0)
    return convert(noDeviceError());
  started.store(true, std::memory_order_relaxed);
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  if (!validDevice(device))
    return CUDA_ERROR_INVALID_DEVICE;
  if (cudaError_t error = deviceAt(device)->fault())
    return convert(error);
  *context = new CUctx_st{*deviceAt(device), flags, false};
  return cuCtxPushCurrent_v2(*context);
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  if (!context || context->primary)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (cudaError_t refused = refuseCaller())
    return convert(refused);
  if (context->isDestroyed.exchange(true))
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  cudaError_t error = context->device.synchronize();
  if (currentContext() == context)
    cuCtxPopCurrent_v2(nullptr);
  context->release();
  return convert(error);
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context->isDestroyed)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (stack.depth == deepest)
    return CUDA_ERROR_OUT_OF_MEMORY;
  ++context->uses;
  stack.contexts[stack.depth++] = context;
  makeCurrent(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  if (stack.depth == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  CUcontext top = stack.contexts[--stack.depth];
  if (context)
    *context = top;
  top->release();
  makeCurrent(currentContext());
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (context && context->isDestroyed)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (stack.depth)
    stack.contexts[--stack.depth]->release();
  return context ? cuCtxPushCurrent_v2(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = currentContext();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  if (CUresult error = requireContext())
    return error;
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  *device = currentContext()->device.ordinal;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags) {
  if (CUresult error = requireContext())
    return error;
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = currentContext()->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext, unsigned *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = 3020; // the version of contexts, which has not changed since 3.2
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
  return through([] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return through(
      [&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  return through(
      [&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return through(
      [&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  return through([&] {
    return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache *>(config));
  });
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return through([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  if (!peer)
    return CUDA_ERROR_INVALID_CONTEXT;
  return through([&] { return cudaDeviceEnablePeerAccess(peer->device.ordinal, flags); });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  if (!peer)
    return CUDA_ERROR_INVALID_CONTEXT;
  return through([&] { return cudaDeviceDisablePeerAccess(peer->device.ordinal); });
}

/// Checks a device for the functions of primary contexts.
static CUresult checkDevice(CUdevice device) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  return validDevice(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (CUresult error = checkDevice(device))
    return error;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  if (cudaError_t error = deviceAt(device)->fault())
    return convert(error);
  std::lock_guard<std::mutex> lock(primaries().mutex);
  auto &entry = primaryOf(device);
  ++entry.second;
  *context = entry.first;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  if (CUresult error = checkDevice(device))
    return error;
  std::lock_guard<std::mutex> lock(primaries().mutex);
  auto &entry = primaryOf(device);
  if (entry.second == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  --entry.second;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  if (CUresult error = checkDevice(device))
    return error;
  std::lock_guard<std::mutex> lock(primaries().mutex);
  primaryOf(device).first->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  if (CUresult error = checkDevice(device))
    return error;
  if (!flags || !active)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard<std::mutex> lock(primaries().mutex);
  auto &entry = primaryOf(device);
  *flags = entry.first->flags;
  *active = entry.second != 0;
  return CUDA_SUCCESS;
}
