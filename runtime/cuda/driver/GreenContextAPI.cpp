// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: parts of devices. The devices here are not to be parted, so the smallest
// part is a whole one: a green context is a context of its own with all of its device.

#include "Driver.h"

#include "../Stream.h"

using namespace het::cuda;
using namespace het::cuda::driver;

/// What a green context is made of.
struct CUdevResourceDesc_st {
  CUdevResource resource;
};

struct CUgreenCtx_st {
  CUcontext context;
};

static CUdevResource allOf(const Device &device) {
  CUdevResource resource = {};
  resource.type = CU_DEV_RESOURCE_TYPE_SM;
  resource.sm.smCount = static_cast<unsigned>(device.properties.multiProcessorCount);
  return resource;
}

static CUresult describe(const Device &device, CUdevResource *resource,
                         CUdevResourceType type) {
  if (!resource)
    return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_DEV_RESOURCE_TYPE_SM)
    return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  *resource = allOf(device);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *resource,
                                CUdevResourceType type) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  return validDevice(device) ? describe(*deviceAt(device), resource, type)
                             : CUDA_ERROR_INVALID_DEVICE;
}
HET_CATCH

CUresult cuCtxGetDevResource(CUcontext context, CUdevResource *resource,
                             CUdevResourceType type) try {
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  return context->isDestroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                              : describe(context->device, resource, type);
}
HET_CATCH

CUresult cuDevSmResourceSplitByCount(CUdevResource *result, unsigned *groups,
                                     const CUdevResource *input, CUdevResource *remaining,
                                     unsigned flags, unsigned least) try {
  if (!groups || !input || input->type != CU_DEV_RESOURCE_TYPE_SM || (flags & ~3u) ||
      least > input->sm.smCount)
    return CUDA_ERROR_INVALID_VALUE;
  if (!result) {
    *groups = 1;
    return CUDA_SUCCESS;
  }
  if (!*groups)
    return CUDA_ERROR_INVALID_VALUE;
  *groups = 1;
  *result = *input;
  if (remaining) {
    *remaining = {};
    remaining->type = CU_DEV_RESOURCE_TYPE_INVALID;
  }
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *result, CUdevResource *resources,
                                   unsigned count) try {
  if (!result || !resources || count != 1)
    return CUDA_ERROR_INVALID_VALUE;
  if (resources->type != CU_DEV_RESOURCE_TYPE_SM)
    return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  // Descriptions have no end; there are as many as there are sizes of devices.
  static std::mutex *mutex = new std::mutex;
  static auto *all = new std::map<unsigned, CUdevResourceDesc_st>;
  std::lock_guard<std::mutex> lock(*mutex);
  CUdevResourceDesc_st &known = (*all)[resources->sm.smCount];
  known.resource = *resources;
  *result = &known;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuGreenCtxCreate(CUgreenCtx *result, CUdevResourceDesc description,
                          CUdevice device, unsigned flags) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!result || !description || flags != CU_GREEN_CTX_DEFAULT_STREAM)
    return CUDA_ERROR_INVALID_VALUE;
  if (!validDevice(device))
    return CUDA_ERROR_INVALID_DEVICE;
  if (description->resource.sm.smCount != allOf(*deviceAt(device)).sm.smCount)
    return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  auto made = std::make_unique<CUgreenCtx_st>();
  made->context = new CUctx_st{*deviceAt(device), 0, false};
  made->context->green = made.get();
  *result = made.release();
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuGreenCtxDestroy(CUgreenCtx green) try {
  if (!green)
    return CUDA_ERROR_INVALID_CONTEXT;
  CUresult error = cuCtxDestroy(green->context);
  if (!error)
    delete green;
  return error;
}
HET_CATCH

CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green) try {
  if (!context || !green)
    return CUDA_ERROR_INVALID_VALUE;
  *context = green->context;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuGreenCtxGetDevResource(CUgreenCtx green, CUdevResource *resource,
                                  CUdevResourceType type) try {
  return green ? cuCtxGetDevResource(green->context, resource, type)
               : CUDA_ERROR_INVALID_CONTEXT;
}
HET_CATCH

/// Makes a context the current one for a call.
template <typename Call> static CUresult inside(CUcontext context, Call call) {
  if (CUresult error = cuCtxPushCurrent(context))
    return error;
  CUresult result = call();
  CUresult popped = cuCtxPopCurrent(nullptr);
  return result ? result : popped;
}

CUresult cuGreenCtxRecordEvent(CUgreenCtx green, CUevent event) try {
  if (!green)
    return CUDA_ERROR_INVALID_CONTEXT;
  return inside(green->context, [&] { return cuCtxRecordEvent(green->context, event); });
}
HET_CATCH

CUresult cuGreenCtxWaitEvent(CUgreenCtx green, CUevent event) try {
  if (!green)
    return CUDA_ERROR_INVALID_CONTEXT;
  return inside(green->context, [&] { return cuCtxWaitEvent(green->context, event); });
}
HET_CATCH

CUresult cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx green, unsigned flags,
                                int priority) try {
  if (!green)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!stream || flags != CU_STREAM_NON_BLOCKING)
    return CUDA_ERROR_INVALID_VALUE;
  return inside(green->context,
                [&] { return cuStreamCreateWithPriority(stream, flags, priority); });
}
HET_CATCH

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green) try {
  if (!context || !green)
    return CUDA_ERROR_INVALID_VALUE;
  CUcontext found = nullptr;
  if (CUresult error = cuStreamGetCtx(stream, &found))
    return error;
  *green = found->green;
  *context = found->green ? nullptr : found;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *green) try {
  CUcontext context = nullptr;
  return cuStreamGetCtx_v2(stream, &context, green);
}
HET_CATCH
