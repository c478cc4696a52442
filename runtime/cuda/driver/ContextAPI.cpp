// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: start, contexts, and how runtime errors are spelled here.

#include "Driver.h"

#include "../HostFunction.h"
#include "../Stream.h"
#include "../ThreadState.h"

using namespace het::cuda;
using namespace het::cuda::driver;

namespace {

struct Primary {
  CUctx_st *context = nullptr;
  unsigned retained = 0; ///< How often, and not released.
  bool isUsed = false;   ///< By the runtime API.
};

/// The primary context of each device; made once, kept for ever.
struct Primaries {
  std::mutex mutex;
  std::map<int, Primary> byDevice;
};
Primaries &primaries() {
  static Primaries *instance = new Primaries;
  return *instance;
}

/// With the mutex held.
Primary &primaryOf(int device) {
  Primary &entry = primaries().byDevice[device];
  if (!entry.context)
    entry.context = new CUctx_st{*deviceAt(device), 0, true};
  return entry;
}

void makeCurrent(CUcontext context) {
  if (context)
    setCurrentOrdinal(context->device.ordinal);
}

/// Whether the calling thread's stack can take another context.
bool hasRoom() { return threadState().contextCount < ThreadState::maxContexts; }

/// The calling thread has room for it.
void push(CUcontext context) {
  ThreadState &thread = threadState();
  ++context->uses;
  thread.contexts[thread.contextCount++] = context;
  makeCurrent(context);
}

/// Takes the current context, which there is, from the calling thread.
CUcontext pop() {
  ThreadState &thread = threadState();
  CUcontext top = thread.contexts[--thread.contextCount];
  top->release();
  return top;
}

} // namespace

namespace het::cuda::driver {

bool initialised() { return devicesAreKnown(); }

CUcontext currentContext() {
  const ThreadState &thread = threadState();
  return thread.contextCount ? thread.contexts[thread.contextCount - 1] : nullptr;
}

CUcontext keepCurrentContext() {
  CUcontext context = currentContext();
  if (context)
    ++context->uses;
  return context;
}

void releaseContext(CUcontext context) { context->release(); }

CUcontext contextOf(const CUstream_st &stream) {
  if (stream.context)
    return stream.context;
  CUcontext current = currentContext();
  if (current && &current->device == &stream.device)
    return current;
  std::lock_guard<std::mutex> lock(primaries().mutex);
  return primaryOf(stream.ordinal()).context;
}

void makePrimaryCurrent(int device) {
  CUcontext context = nullptr;
  {
    std::lock_guard<std::mutex> lock(primaries().mutex);
    Primary &primary = primaryOf(device);
    primary.isUsed = true;
    primary.context->isReset = false;
    context = primary.context;
  }
  if (threadState().contextCount)
    pop();
  push(context);
}

void forgetPrimary(int device) {
  std::lock_guard<std::mutex> lock(primaries().mutex);
  Primary &primary = primaryOf(device);
  if (std::exchange(primary.isUsed, false))
    primary.context->isReset = true;
}

void releaseContexts() {
  while (threadState().contextCount)
    pop();
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

CUresult beginThrough(cudaError_t &before) {
  if (CUresult error = requireContext())
    return error;
  before = cudaGetLastError();
  return CUDA_SUCCESS;
}

CUresult beginStarted(cudaError_t &before) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  before = cudaGetLastError();
  return CUDA_SUCCESS;
}

CUresult endThrough(cudaError_t error, cudaError_t before) {
  CUresult result = convert(error);
  cudaGetLastError();
  remember(before);
  return result;
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

CUresult cuInit(unsigned flags) try {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (deviceCount() == 0)
    return convert(noDeviceError());
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuDriverGetVersion(int *version) try {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  if (!validDevice(device))
    return CUDA_ERROR_INVALID_DEVICE;
  if (cudaError_t error = deviceAt(device)->fault())
    return convert(error);
  if (!hasRoom())
    return CUDA_ERROR_OUT_OF_MEMORY;
  *context = new CUctx_st{*deviceAt(device), flags, false};
  return cuCtxPushCurrent_v2(*context);
}
HET_CATCH

CUresult cuCtxDestroy_v2(CUcontext context) try {
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
HET_CATCH

CUresult cuCtxPushCurrent_v2(CUcontext context) try {
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context->isDestroyed)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (!hasRoom())
    return CUDA_ERROR_OUT_OF_MEMORY;
  push(context);
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxPopCurrent_v2(CUcontext *context) try {
  if (!currentContext())
    return CUDA_ERROR_INVALID_CONTEXT;
  CUcontext top = pop();
  if (context)
    *context = top;
  makeCurrent(currentContext());
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxSetCurrent(CUcontext context) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (context && context->isDestroyed)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (currentContext())
    pop();
  if (context)
    return cuCtxPushCurrent_v2(context);
  makeCurrent(currentContext());
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxGetCurrent(CUcontext *context) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = currentContext();
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxGetDevice(CUdevice *device) try {
  if (CUresult error = requireContext())
    return error;
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  *device = currentContext()->device.ordinal;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxGetFlags(unsigned *flags) try {
  if (CUresult error = requireContext())
    return error;
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = currentContext()->flags;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxSetFlags(unsigned flags) try {
  if (CUresult error = requireContext())
    return error;
  if (flags & ~unsigned(CU_CTX_FLAGS_MASK))
    return CUDA_ERROR_INVALID_VALUE;
  currentContext()->flags = flags;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!id)
    return CUDA_ERROR_INVALID_VALUE;
  if (!context)
    context = currentContext();
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context->isDestroyed)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  *id = context->id;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxGetApiVersion(CUcontext, unsigned *version) try {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = 3020; // the version of contexts, which has not changed since 3.2
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxSynchronize() try {
  return through([] { return cudaDeviceSynchronize(); });
}
HET_CATCH

CUresult cuCtxSetLimit(CUlimit limit, size_t value) try {
  return through(
      [&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}
HET_CATCH

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) try {
  return through(
      [&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}
HET_CATCH

CUresult cuCtxSetCacheConfig(CUfunc_cache config) try {
  return through(
      [&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}
HET_CATCH

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) try {
  return through([&] {
    return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache *>(config));
  });
}
HET_CATCH

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) try {
  return through([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
HET_CATCH

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) try {
  if (!peer)
    return CUDA_ERROR_INVALID_CONTEXT;
  return through([&] { return cudaDeviceEnablePeerAccess(peer->device.ordinal, flags); });
}
HET_CATCH

CUresult cuCtxDisablePeerAccess(CUcontext peer) try {
  if (!peer)
    return CUDA_ERROR_INVALID_CONTEXT;
  return through([&] { return cudaDeviceDisablePeerAccess(peer->device.ordinal); });
}
HET_CATCH

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!validDevice(device))
    return CUDA_ERROR_INVALID_DEVICE;
  if (cudaError_t refused = refuseCaller())
    return convert(refused);
  return convert(deviceAt(device)->reset());
}
HET_CATCH

/// Checks a device for the functions of primary contexts.
static CUresult checkDevice(CUdevice device) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  return validDevice(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) try {
  if (CUresult error = checkDevice(device))
    return error;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  if (cudaError_t error = deviceAt(device)->fault())
    return convert(error);
  std::lock_guard<std::mutex> lock(primaries().mutex);
  Primary &entry = primaryOf(device);
  ++entry.retained;
  *context = entry.context;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) try {
  if (CUresult error = checkDevice(device))
    return error;
  std::lock_guard<std::mutex> lock(primaries().mutex);
  Primary &entry = primaryOf(device);
  if (entry.retained == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  --entry.retained;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) try {
  if (CUresult error = checkDevice(device))
    return error;
  std::lock_guard<std::mutex> lock(primaries().mutex);
  primaryOf(device).context->flags = flags;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) try {
  if (CUresult error = checkDevice(device))
    return error;
  if (!flags || !active)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard<std::mutex> lock(primaries().mutex);
  const Primary &entry = primaryOf(device);
  *flags = entry.context->flags;
  *active = entry.retained || entry.isUsed;
  return CUDA_SUCCESS;
}
HET_CATCH
