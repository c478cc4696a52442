// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime API's functions that record events, wait for them and measure time.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "Stream.h"

#include "core/Executor.h"

using namespace het::cuda;

static constexpr unsigned eventFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

/// An event that other processes can open. Streams wait for it on their own threads,
/// which a device that moves must stop.
static cudaError_t createShared(Device &device, unsigned flags, cudaEvent_t *event) {
  if (!device.device.executor().keepsMemory())
    HET_NOT_SUPPORTED("cudaEventInterprocess on a device that moves");
  het::Result<std::shared_ptr<SharedSignal>> signal = SharedSignal::create();
  if (!signal.ok())
    return translate(signal.status(), cudaErrorMemoryAllocation);
  if (cudaError_t error = device.createEvent(flags, event))
    return error;
  (*event)->shared = signal.take();
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) try {
  if (!event || (flags & ~eventFlags))
    return remember(cudaErrorInvalidValue);
  if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))
    return remember(cudaErrorInvalidValue);
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return remember(error);
  if (flags & cudaEventInterprocess)
    return remember(createShared(*device, flags, event));
  return remember(device->createEvent(flags, event));
}
HET_CATCH

cudaError_t cudaEventCreate(cudaEvent_t *event) try {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
HET_CATCH

cudaError_t cudaEventDestroy(cudaEvent_t event) try {
  if (!event)
    return remember(cudaErrorInvalidResourceHandle);
  cudaError_t refused = beginCall();
  return remember(refused ? refused : event->device.destroyEvent(event));
}
HET_CATCH

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle,
                                     unsigned flags) try {
  if (!event)
    return remember(cudaErrorInvalidResourceHandle);
  if (flags & ~cudaEventRecordExternal)
    return remember(cudaErrorInvalidValue);
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return remember(error);
  if (stream->ordinal() != event->device.ordinal)
    return remember(cudaErrorInvalidResourceHandle);
  bool external = (flags & cudaEventRecordExternal) != 0;
  return remember(submit(stream, RecordOperation{event->shared_from_this(), external}));
}
HET_CATCH

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) try {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
HET_CATCH

/// Fails in a host function, and for an event whose last record is part of a capture:
/// it has not happened, and asking spoils the capture.
static cudaError_t refuseQuestion(cudaEvent_t event) {
  if (cudaError_t refused = beginCall())
    return refused;
  std::lock_guard<std::mutex> lock(captureState().mutex);
  if (!event->point.capture)
    return cudaSuccess;
  event->point.capture->invalidated = true;
  return cudaErrorCapturedEvent;
}

template <typename Use> static cudaError_t with(cudaEvent_t event, Use use) {
  if (!event)
    return remember(cudaErrorInvalidResourceHandle);
  cudaError_t refused = refuseQuestion(event);
  return remember(refused ? refused : use(*event));
}

cudaError_t cudaEventQuery(cudaEvent_t event) try {
  return with(event, [](CUevent_st &event) { return event.query(); });
}
HET_CATCH

cudaError_t cudaEventSynchronize(cudaEvent_t event) try {
  return with(event, [](CUevent_st &event) { return event.synchronize(); });
}
HET_CATCH

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                 cudaEvent_t end) try {
  if (!milliseconds)
    return remember(cudaErrorInvalidValue);
  if (!start || !end || (start->flags & cudaEventDisableTiming) ||
      (end->flags & cudaEventDisableTiming))
    return remember(cudaErrorInvalidResourceHandle);
  cudaError_t refused = refuseQuestion(start);
  if (!refused)
    refused = refuseQuestion(end);
  return remember(refused ? refused : end->elapsed(*start, *milliseconds));
}
HET_CATCH

cudaError_t cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start,
                                    cudaEvent_t end) try {
  return cudaEventElapsedTime(milliseconds, start, end);
}
HET_CATCH
