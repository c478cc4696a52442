// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's functions about streams and events. The handles are the runtime API's.

#include "Driver.h"

using namespace het::cuda;
using namespace het::cuda::driver;

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return through([&] { return cudaStreamCreateWithFlags(stream, flags); });
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  return through([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return through([&] { return cudaStreamDestroy(stream); });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return through([&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUstream stream) {
  return through([&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  return through([&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  return through([&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  return through([&] { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  return through([&] { return cudaStreamGetDevice(stream, device); });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return through([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                             unsigned flags) {
  // The two kinds of callback differ in the name of the code's type alone.
  return through([&] {
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback),
                                 data, flags);
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  return through([&] { return cudaLaunchHostFunc(stream, function, data); });
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return through([&] { return cudaEventCreateWithFlags(event, flags); });
}

CUresult cuEventDestroy_v2(CUevent event) {
  return through([&] { return cudaEventDestroy(event); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return through([&] { return cudaEventRecord(event, stream); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return through([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventQuery(CUevent event) {
  return through([&] { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
  return through([&] { return cudaEventSynchronize(event); });
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return through([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
