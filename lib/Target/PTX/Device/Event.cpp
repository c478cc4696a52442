// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events are the driver's: recording one again, waiting for its latest record and
// destroying it early mean there what the target interface asks for.

#include "Queue.h"

#include <cmath>
#include <memory>

namespace het::ptx {
namespace {

int32_t createEvent(HetDevice *device, HetEvent **out, HetStatus *status) {
  auto event = std::make_unique<HetEvent>();
  event->device = device;
  CUresult result = enter(*device);
  if (result == CUDA_SUCCESS)
    result = device->driver.cuEventCreate(&event->event, CU_EVENT_DEFAULT);
  if (result)
    return device->check(result, HET_UNAVAILABLE, device->text() + ": an event", status);
  *out = event.release();
  return success(status);
}

void destroyEvent(HetEvent *event) {
  HetDevice &device = *event->device;
  enter(device);
  device.failed(device.driver.cuEventDestroy(event->event));
  delete event;
}

int32_t enqueueSignal(HetQueue *queue, HetEvent *event, HetStatus *status) {
  if (queue->device != event->device)
    return report(status, HET_INVALID,
                  "signal: found an event of " + event->device->text() +
                      ", expected one of " + queue->device->text());
  return enqueue(queue, "signal", status, [=](const Driver &driver, CUstream stream) {
    return driver.cuEventRecord(event->event, stream);
  });
}

/// Whether the event has been reached, as far as its own device knows.
CUresult query(HetEvent &event) {
  HetDevice &device = *event.device;
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS)
    result = device.driver.cuEventQuery(event.event);
  device.checkWait(result);
  return result;
}

/// An error may be that of the event's device: then the queue goes on, for what it
/// would wait for never comes.
int32_t enqueueWait(HetQueue *queue, HetEvent *event, HetStatus *status) {
  if (event->device->hasFault())
    return success(status);
  return enqueue(queue, "wait", status, [=](const Driver &driver, CUstream stream) {
    CUresult result = driver.cuStreamWaitEvent(stream, event->event, 0);
    if (result && queue->device != event->device && isFatal(query(*event)))
      return CUDA_SUCCESS;
    return result;
  });
}

void waitEvent(HetEvent *event) {
  HetDevice &device = *event->device;
  if (device.hasFault())
    return;
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS)
    result = device.driver.cuEventSynchronize(event->event);
  device.checkWait(result);
}

int32_t isEventDone(HetEvent *event) {
  return event->device->hasFault() || query(*event) != CUDA_ERROR_NOT_READY;
}

int32_t eventElapsed(HetEvent *from, HetEvent *to, int64_t *nanoseconds,
                     HetStatus *status) {
  HetDevice &device = *from->device;
  float milliseconds = 0;
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS)
    result = device.driver.cuEventElapsedTime(&milliseconds, from->event, to->event);
  if (result)
    return device.check(result, HET_INVALID,
                        device.text() + ": the time between two events", status);
  *nanoseconds = std::llround(double(milliseconds) * 1e6);
  return success(status);
}

} // namespace

void fillInEvents(HetDeviceABI &table) {
  table.createEvent = createEvent;
  table.destroyEvent = destroyEvent;
  table.enqueueSignal = enqueueSignal;
  table.enqueueWait = enqueueWait;
  table.waitEvent = waitEvent;
  table.isEventDone = isEventDone;
  table.eventElapsed = eventElapsed;
}

} // namespace het::ptx
