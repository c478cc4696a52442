// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: contexts that are counted (cuCtxAttach), those with a share of a device,
// and hints about shared memory and caches.

#include "Driver.h"

#include "../Stream.h"

using namespace het::cuda;
using namespace het::cuda::driver;

CUresult cuCtxAttach(CUcontext *context, unsigned flags) try {
  if (CUresult error = requireContext())
    return error;
  if (!context || flags)
    return CUDA_ERROR_INVALID_VALUE;
  *context = currentContext();
  ++(*context)->attached;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxDetach(CUcontext context) try {
  if (CUresult error = requireContext())
    return error;
  if (!context || context != currentContext())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context->attached) {
    --context->attached;
    return CUDA_SUCCESS;
  }
  return cuCtxDestroy(context);
}
HET_CATCH

/// A context has the whole of its device.
CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *shares, int count,
                        unsigned flags, CUdevice device) try {
  if (count < 0 || (count && !shares))
    return CUDA_ERROR_INVALID_VALUE;
  return count ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY
               : cuCtxCreate(context, flags, device);
}
HET_CATCH

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned flags,
                        CUdevice device) try {
  if (!params)
    return cuCtxCreate(context, flags, device);
  if (params->cigParams)
    HET_NOT_SUPPORTED_DRIVER("cuCtxCreate_v4 with a graphics context");
  return cuCtxCreate_v3(context, params->execAffinityParams,
                        params->numExecAffinityParams, flags, device);
}
HET_CATCH

CUresult cuCtxGetExecAffinity(CUexecAffinityParam *result, CUexecAffinityType type) try {
  if (CUresult error = requireContext())
    return error;
  if (!result || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT)
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
}
HET_CATCH

CUresult cuDeviceGetExecAffinitySupport(int *supported, CUexecAffinityType type,
                                        CUdevice device) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!supported || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT)
    return CUDA_ERROR_INVALID_VALUE;
  if (!validDevice(device))
    return CUDA_ERROR_INVALID_DEVICE;
  *supported = 0;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) try {
  return through([&] {
    return cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig *>(config));
  });
}
HET_CATCH

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) try {
  return through([&] {
    return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config));
  });
}
HET_CATCH

cudaError_t cudaCtxResetPersistingL2Cache() try {
  // Which lines of a cache stay is a hint that nobody has taken.
  return remember(currentDeviceError());
}
HET_CATCH

CUresult cuCtxResetPersistingL2Cache() try {
  return through([] { return cudaCtxResetPersistingL2Cache(); });
}
HET_CATCH

/// Makes `event` come after all that the device was given so far.
static cudaError_t recordAll(Device &device, CUevent_st &event) {
  cudaStream_t meeting = nullptr;
  if (cudaError_t error = device.createStream(cudaStreamNonBlocking, 0, &meeting))
    return error;
  cudaError_t error = joinStreams(device, *meeting);
  if (!error)
    error = meeting->record(event);
  device.destroyStream(meeting);
  return error;
}

/// A context's event and its device: which both may be those of the current thread.
static CUresult checkEvent(CUcontext &context, CUevent event) {
  if (CUresult error = requireContext())
    return error;
  if (!context)
    context = currentContext();
  if (!event || &event->device != &context->device)
    return CUDA_ERROR_INVALID_HANDLE;
  return context->isDestroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

/// Whatever was given to a device comes before what the legacy stream gets.
CUresult cuCtxRecordEvent(CUcontext context, CUevent event) try {
  if (CUresult error = checkEvent(context, event))
    return error;
  return through([&] {
    if (cudaError_t refused = refuseIfAnyCapturing(context->device.ordinal))
      return refused;
    return recordAll(context->device, *event);
  });
}
HET_CATCH

CUresult cuCtxWaitEvent(CUcontext context, CUevent event) try {
  if (CUresult error = checkEvent(context, event))
    return error;
  return through([&] {
    if (cudaError_t refused = refuseIfAnyCapturing(context->device.ordinal))
      return refused;
    return holdStreams(context->device, *event);
  });
}
HET_CATCH
