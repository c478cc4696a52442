// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events: threads of Support, for a driver that has none of its own.
// Everything is done but launches, which fail at once.

#include "NullDevice.h"

#include <cstring>

using het::target::report;
using het::target::success;

static int32_t createQueue(HetDevice *, HetQueue **queue, HetStatus *status) {
  *queue = new HetQueue;
  return success(status);
}

static void destroyQueue(HetQueue *queue) { delete queue; }

static int32_t enqueueCopy(HetQueue *queue, uint64_t to, uint64_t from,
                           size_t size, HetStatus *status) {
  queue->queue.push([=] {
    std::memmove(reinterpret_cast<void *>(to),
                 reinterpret_cast<const void *>(from), size);
  });
  return success(status);
}

static int32_t enqueueFill(HetQueue *queue, uint64_t to, uint32_t pattern,
                           uint32_t patternBytes, size_t size,
                           HetStatus *status) {
  queue->queue.push([=] {
    auto *memory = reinterpret_cast<uint8_t *>(to);
    for (size_t at = 0; at + patternBytes <= size; at += patternBytes)
      std::memcpy(memory + at, &pattern, patternBytes);
  });
  return success(status);
}

static int32_t enqueueLaunch(HetQueue *, const HetLaunch *, HetStatus *status) {
  return report(status, HET_UNSUPPORTED,
                "the target 'null' runs no kernels; choose another device with "
                "HET_DEVICES");
}

static int32_t enqueueCall(HetQueue *queue, void (*call)(void *), void *data,
                           HetStatus *status) {
  queue->queue.push([=] { call(data); });
  return success(status);
}

static int32_t enqueueSignal(HetQueue *queue, HetEvent *event,
                             HetStatus *status) {
  queue->queue.signal(event->state);
  return success(status);
}

static int32_t enqueueWait(HetQueue *queue, HetEvent *event,
                           HetStatus *status) {
  queue->queue.wait(event->state);
  return success(status);
}

static void synchronize(HetQueue *queue) { queue->queue.synchronize(); }
static int32_t isIdle(HetQueue *queue) { return queue->queue.isIdle(); }

static int32_t createEvent(HetDevice *, HetEvent **event, HetStatus *status) {
  *event = new HetEvent;
  return success(status);
}

static void destroyEvent(HetEvent *event) { delete event; }
static void waitEvent(HetEvent *event) { event->state->waitLatest(); }
static int32_t isEventDone(HetEvent *event) { return event->state->isDone(); }

static int32_t eventElapsed(HetEvent *from, HetEvent *to, int64_t *nanoseconds,
                            HetStatus *status) {
  *nanoseconds = static_cast<int64_t>(to->state->time()) -
                 static_cast<int64_t>(from->state->time());
  return success(status);
}

void het::null::fillInQueues(HetDeviceABI &table) {
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
