// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that are the same whatever a queue is.

#include "SoftwareQueueFunctions.h"

namespace het::target {

void fillMemory(uint64_t to, uint32_t pattern, uint32_t patternBytes, size_t size) {
  auto *memory = reinterpret_cast<uint8_t *>(to);
  if (patternBytes == 1) {
    std::memset(memory, static_cast<int>(pattern), size);
    return;
  }
  for (size_t at = 0; at + patternBytes <= size; at += patternBytes)
    std::memcpy(memory + at, &pattern, patternBytes);
}

void fillInSoftwareEvents(HetDeviceABI &table) {
  table.createEvent = [](HetDevice *, HetEvent **event, HetStatus *status) {
    *event = new HetEvent;
    return success(status);
  };
  table.destroyEvent = [](HetEvent *event) { delete event; };
  table.waitEvent = [](HetEvent *event) {
    if (std::shared_ptr<Signal> latest = event->event.latest())
      latest->wait();
    flushOutput();
  };
  table.isEventDone = [](HetEvent *event) -> int32_t {
    std::shared_ptr<Signal> latest = event->event.latest();
    return !latest || latest->isReached();
  };
  table.eventElapsed = [](HetEvent *from, HetEvent *to, int64_t *nanoseconds,
                          HetStatus *status) {
    auto timeOf = [](HetEvent *event) -> int64_t {
      std::shared_ptr<Signal> latest = event->event.latest();
      return latest ? static_cast<int64_t>(latest->time()) : 0;
    };
    *nanoseconds = timeOf(to) - timeOf(from);
    return success(status);
  };
}

} // namespace het::target
