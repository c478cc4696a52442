// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of a movable queue: those of its device's memory join its launches,
// those that concern other devices, too, are carried out alone.

#include "MovableQueue.h"
#include "Movement.h"
#include "het/Runtime/Device.h"
#include "het/Runtime/Runtime.h"

#include <algorithm>

namespace het::core {

namespace {

/// Is inside the gates of all devices that work concerns: the stream's, and those whose
/// memory it touches. In the order of their places, so that nobody waits in a circle.
class InsideAll {
public:
  InsideAll(Device &device, const DeviceWork &work) {
    Runtime &runtime = device.movement()->runtime();
    Device *devices[] = {&device, ownerOf(runtime, work.to),
                         work.kind == DeviceWork::Kind::Fill
                             ? nullptr
                             : ownerOf(runtime, work.from)};
    std::sort(std::begin(devices), std::end(devices), [](Device *a, Device *b) {
      return (a ? a->index() + 1 : 0) < (b ? b->index() + 1 : 0);
    });
    Device *previous = nullptr;
    for (Device *one : devices)
      if (one && one != std::exchange(previous, one)) {
        gates[count] = &one->movement()->gate;
        gates[count++]->enter();
      }
  }
  ~InsideAll() {
    while (count)
      gates[--count]->leave();
  }

private:
  static Device *ownerOf(Runtime &runtime, uint64_t address) {
    return runtime.ownerOf(reinterpret_cast<const void *>(address));
  }

  Gate *gates[3];
  unsigned count = 0;
};

} // namespace

void MovableQueue::pushAlone(const DeviceWork &work) {
  push([=] {
    for (;;) {
      Backend *lost = nullptr;
      {
        InsideAll inside(owner, work);
        if (carryOut(work))
          return;
        lost = &movement.present();
      }
      if (!movement.goOnAfterLoss(*lost))
        return;
    }
  });
}

/// False: the backend is lost, and it is open whether the work is done by another.
bool MovableQueue::carryOut(const DeviceWork &work) {
  Backend &backend = movement.present();
  if (Place *place = placeOn(backend)) {
    TraceScope scope(track, !Trace::get() ? "" : work.name());
    if (Trace::get())
      scope.arguments = work.traced().add("on", backend.name());
    HetStatus status = {};
    const bool isGiven = work.enqueue(backend.abi(), place->queue, &status) == HET_OK;
    backend.abi().synchronize(place->queue);
    if (!isGiven && !backend.isLost())
      movement.fail(HET_FAULT_UNSUPPORTED, backend.name() + ": " + status.message);
  }
  if (movement.hasFailed())
    return true;
  if (backend.isLost())
    return false;
  if (!backend.hasFault())
    movement.journal.add(work);
  return true;
}

/// What it is taken to take: a move waits for those under way. By a bus that is not slow,
/// and by a memory that is not fast.
PlainFeed::Time MovableQueue::timeOf(const DeviceWork &work) const {
  constexpr uint64_t busBytes = 16, memoryBytes = 512; // a nanosecond
  auto isOfDevice = [&](uint64_t address) {
    return movement.runtime().ownerOf(reinterpret_cast<const void *>(address));
  };
  const bool isInside = work.kind == DeviceWork::Kind::Fill ||
                        (isOfDevice(work.to) && isOfDevice(work.from));
  return std::chrono::microseconds(5) +
         PlainFeed::Time(work.bytes() / (isInside ? memoryBytes : busBytes));
}

/// Whether no gate but this device's keeps it.
bool MovableQueue::isOfThisDevice(const DeviceWork &work) const {
  auto isOther = [&](uint64_t address) {
    Device *of = movement.runtime().ownerOf(reinterpret_cast<const void *>(address));
    return of && of != &owner;
  };
  return !isOther(work.to) &&
         (work.kind == DeviceWork::Kind::Fill || !isOther(work.from));
}

void MovableQueue::put(const DeviceWork &work) {
  if (isOfThisDevice(work))
    join({nullptr, work});
  else
    pushAlone(work);
}

void MovableQueue::copy(void *to, const void *from, size_t size) {
  put(DeviceWork::copy(to, from, size));
}

void MovableQueue::copyRows(void *to, size_t toPitch, const void *from,
                            size_t fromPitch, size_t width, size_t rows) {
  put(DeviceWork::copyRows(to, toPitch, from, fromPitch, width, rows));
}

void MovableQueue::fill(void *to, uint32_t pattern, unsigned patternBytes,
                        size_t size) {
  put(DeviceWork::fill(to, pattern, patternBytes, size));
}

} // namespace het::core
