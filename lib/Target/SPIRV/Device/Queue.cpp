// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events.

#include "SPIRVDevice.h"

#include <cstring>

namespace het::spirv {
namespace {

int32_t createQueue(HetDevice *device, HetQueue **out, HetStatus *status) {
  cl_int error = CL_SUCCESS;
  cl_command_queue commands = device->cl.clCreateCommandQueueWithProperties(
      device->context, device->candidate.device, nullptr, &error);
  if (error)
    return report(status, HET_UNAVAILABLE,
                  "clCreateCommandQueueWithProperties: error " + std::to_string(error));
  *out = new HetQueue(device);
  (*out)->commands = commands;
  return success(status);
}

void destroyQueue(HetQueue *queue) {
  const OpenCL &cl = queue->device->cl;
  cl_command_queue commands = queue->commands;
  queue->queue.synchronize();
  delete queue;
  cl.clReleaseCommandQueue(commands);
  host::flushOutput();
}

int32_t enqueueCopy(HetQueue *queue, uint64_t to, uint64_t from, size_t size,
                    HetStatus *status) {
  queue->queue.push([=] {
    if (!queue->device->hasFault())
      std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from),
                   size);
  });
  return success(status);
}

int32_t enqueueFill(HetQueue *queue, uint64_t to, uint32_t pattern,
                    uint32_t patternBytes, size_t size, HetStatus *status) {
  queue->queue.push([=] {
    auto *memory = reinterpret_cast<uint8_t *>(to);
    if (queue->device->hasFault())
      return;
    if (patternBytes == 1) {
      std::memset(memory, static_cast<int>(pattern), size);
      return;
    }
    for (size_t i = 0; i + patternBytes <= size; i += patternBytes)
      std::memcpy(memory + i, &pattern, patternBytes);
  });
  return success(status);
}

int32_t enqueueCall(HetQueue *queue, void (*call)(void *), void *data,
                    HetStatus *status) {
  queue->queue.push([=] { call(data); });
  return success(status);
}

int32_t enqueueSignal(HetQueue *queue, HetEvent *event, HetStatus *status) {
  queue->queue.signal(event->state);
  return success(status);
}

int32_t enqueueWait(HetQueue *queue, HetEvent *event, HetStatus *status) {
  queue->queue.wait(event->state);
  return success(status);
}

void synchronize(HetQueue *queue) {
  queue->queue.synchronize();
  host::flushOutput();
}

int32_t isIdle(HetQueue *queue) { return queue->queue.isIdle(); }

int32_t createEvent(HetDevice *, HetEvent **event, HetStatus *status) {
  *event = new HetEvent;
  return success(status);
}

void destroyEvent(HetEvent *event) { delete event; }

void waitEvent(HetEvent *event) {
  event->state->waitLatest();
  host::flushOutput();
}

int32_t isEventDone(HetEvent *event) { return event->state->isDone(); }

int32_t eventElapsed(HetEvent *from, HetEvent *to, int64_t *nanoseconds,
                     HetStatus *status) {
  *nanoseconds = static_cast<int64_t>(to->state->time()) -
                 static_cast<int64_t>(from->state->time());
  return success(status);
}

} // namespace

void fillInQueues(HetDeviceABI &table) {
  table.createQueue = createQueue;
  table.destroyQueue = destroyQueue;
  table.enqueueCopy = enqueueCopy;
  table.enqueueFill = enqueueFill;
  table.enqueueLaunch = enqueueLaunch;
  table.enqueueCall = enqueueCall;
  table.enqueueSignal = enqueueSignal;
  table.enqueueWait = enqueueWait;
  table.synchronize = synchronize;
  table.isIdle = isIdle;
  table.createEvent = createEvent;
  table.destroyEvent = destroyEvent;
  table.waitEvent = waitEvent;
  table.isEventDone = isEventDone;
  table.eventElapsed = eventElapsed;
}

} // namespace het::spirv
