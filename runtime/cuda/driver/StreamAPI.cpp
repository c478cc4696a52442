// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's functions about streams and events. The handles are the runtime API's.

#include "Driver.h"

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
