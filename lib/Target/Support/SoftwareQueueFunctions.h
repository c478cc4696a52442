// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of TargetABI.h's table that are the same for all targets with software
// queues. A target's HetQueue has a member `queue`, a SoftwareQueue, and its devices
// share the process's memory.

#ifndef HET_LIB_TARGET_SUPPORT_SOFTWAREQUEUEFUNCTIONS_H
#define HET_LIB_TARGET_SUPPORT_SOFTWAREQUEUEFUNCTIONS_H

#include "DeviceOutput.h"
#include "SoftwareQueue.h"

#include <cstring>

namespace het::target {

/// Repeats the pattern as often as it fits.
void fillMemory(uint64_t to, uint32_t pattern, uint32_t patternBytes, size_t size);

/// Fills in the functions of events, which need no queue.
void fillInSoftwareEvents(HetDeviceABI &table);

/// All but createQueue and enqueueLaunch. `Queue` is HetQueue, complete.
template <class Queue> void fillInSoftwareQueues(HetDeviceABI &table) {
  table.destroyQueue = [](Queue *queue) {
    delete queue;
    flushOutput();
  };
  table.enqueueCopy = [](Queue *queue, uint64_t to, uint64_t from, size_t size,
                         HetStatus *status) {
    return report(status, queue->queue.push([=] {
      std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from),
                   size);
    }));
  };
  table.enqueueFill = [](Queue *queue, uint64_t to, uint32_t pattern,
                         uint32_t patternBytes, size_t size, HetStatus *status) {
    return report(
        status, queue->queue.push([=] { fillMemory(to, pattern, patternBytes, size); }));
  };
  table.enqueueCall = [](Queue *queue, void (*call)(void *), void *data,
                         HetStatus *status) {
    return report(status, queue->queue.push([=] { call(data); }));
  };
  table.enqueueSignal = [](Queue *queue, HetEvent *event, HetStatus *status) {
    return report(status, queue->queue.signal(event->event));
  };
  table.enqueueWait = [](Queue *queue, HetEvent *event, HetStatus *status) {
    return report(status, queue->queue.wait(event->event));
  };
  table.synchronize = [](Queue *queue) {
    queue->queue.synchronize();
    flushOutput();
  };
  table.isIdle = [](Queue *queue) -> int32_t { return queue->queue.isIdle(); };
  fillInSoftwareEvents(table);
}

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_SOFTWAREQUEUEFUNCTIONS_H
