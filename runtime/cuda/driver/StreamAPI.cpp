// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's functions about streams and events. The handles are the runtime API's.

#include "Driver.h"

#include "../Stream.h"

using namespace het::cuda;
using namespace het::cuda::driver;

CUresult cuStreamCreate(CUstream *stream, unsigned flags) try {
  return through([&] { return cudaStreamCreateWithFlags(stream, flags); });
}
HET_CATCH

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) try {
  return through([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
HET_CATCH

CUresult cuStreamDestroy_v2(CUstream stream) try {
  return through([&] { return cudaStreamDestroy(stream); });
}
HET_CATCH

CUresult cuStreamSynchronize(CUstream stream) try {
  return through([&] { return cudaStreamSynchronize(stream); });
}
HET_CATCH

CUresult cuStreamQuery(CUstream stream) try {
  return through([&] { return cudaStreamQuery(stream); });
}
HET_CATCH

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) try {
  return through([&] { return cudaStreamGetFlags(stream, flags); });
}
HET_CATCH

CUresult cuStreamGetPriority(CUstream stream, int *priority) try {
  return through([&] { return cudaStreamGetPriority(stream, priority); });
}
HET_CATCH

CUresult cuStreamGetId(CUstream stream, unsigned long long *id) try {
  return through([&] { return cudaStreamGetId(stream, id); });
}
HET_CATCH

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) try {
  return through([&] { return cudaStreamGetDevice(stream, device); });
}
HET_CATCH

CUresult cuStreamGetCtx(CUstream handle, CUcontext *context) try {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    CUstream_st *stream = nullptr;
    if (cudaError_t error = resolveStream(handle, stream))
      return error;
    *context = contextOf(*stream);
    return (*context)->isDestroyed ? cudaErrorContextIsDestroyed : cudaSuccess;
  });
}
HET_CATCH

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t length,
                                unsigned flags) try {
  return through([&] {
    return cudaStreamAttachMemAsync(stream, pointerOf(address), length, flags);
  });
}
HET_CATCH

// Attributes of streams are laid out alike in the two APIs.

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID id,
                              const CUstreamAttrValue *value) try {
  return through([&] {
    return cudaStreamSetAttribute(
        stream, static_cast<cudaLaunchAttributeID>(id),
        reinterpret_cast<const cudaLaunchAttributeValue *>(value));
  });
}
HET_CATCH

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID id,
                              CUstreamAttrValue *value) try {
  return through([&] {
    return cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(id),
                                  reinterpret_cast<cudaLaunchAttributeValue *>(value));
  });
}
HET_CATCH

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) try {
  return through([&] { return cudaStreamCopyAttributes(to, from); });
}
HET_CATCH

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) try {
  return through([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
HET_CATCH

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                             unsigned flags) try {
  // The two kinds of callback differ in the name of the code's type alone.
  return through([&] {
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback),
                                 data, flags);
  });
}
HET_CATCH

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) try {
  return through([&] { return cudaLaunchHostFunc(stream, function, data); });
}
HET_CATCH

CUresult cuEventCreate(CUevent *event, unsigned flags) try {
  return through([&] { return cudaEventCreateWithFlags(event, flags); });
}
HET_CATCH

CUresult cuEventDestroy_v2(CUevent event) try {
  return through([&] { return cudaEventDestroy(event); });
}
HET_CATCH

CUresult cuEventRecord(CUevent event, CUstream stream) try {
  return through([&] { return cudaEventRecord(event, stream); });
}
HET_CATCH

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) try {
  return through([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
HET_CATCH

CUresult cuEventQuery(CUevent event) try {
  return through([&] { return cudaEventQuery(event); });
}
HET_CATCH

CUresult cuEventSynchronize(CUevent event) try {
  return through([&] { return cudaEventSynchronize(event); });
}
HET_CATCH

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) try {
  return through([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
HET_CATCH

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) try {
  return cuEventElapsedTime(milliseconds, start, end);
}
HET_CATCH
