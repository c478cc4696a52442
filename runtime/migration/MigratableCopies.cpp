// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of a migratable queue: those of its device's memory join its launches,
// those that concern other devices, too, are carried out alone.

#include "core/Device.h"
#include "core/Runtime.h"
#include "migration/MigratableDevice.h"
#include "migration/MigratableQueue.h"

#include <algorithm>

namespace het::core {

namespace {

/// Is inside the gates of all devices that work concerns: the stream's, and those whose
/// memory it touches. In the order of their places, so that nobody waits in a circle.
class InsideAll {
public:
  InsideAll(Device &device, const DeviceWork &work) {
    Runtime &runtime = MigratableDevice::of(device).runtime();
    to = ownerOf(runtime, work.to);
    if (work.kind != DeviceWork::Kind::Fill)
      from = ownerOf(runtime, work.from);
    Device *all[] = {&device, to, from};
    std::sort(std::begin(all), std::end(all), [](Device *a, Device *b) {
      return (a ? a->index() + 1 : 0) < (b ? b->index() + 1 : 0);
    });
    for (Device *one : all)
      if (one && (devices.empty() || devices.back() != one)) {
        MigratableDevice::of(*one).gate.enter();
        devices.push_back(one);
      }
  }
  ~InsideAll() {
    for (Device *one : devices)
      MigratableDevice::of(*one).gate.leave();
  }
  InsideAll(const InsideAll &) = delete;
  InsideAll &operator=(const InsideAll &) = delete;

  std::vector<Device *> devices;
  Device *to = nullptr, *from = nullptr; ///< Whose memory; null: the host's.

private:
  static Device *ownerOf(Runtime &runtime, uint64_t address) {
    return runtime.ownerOf(reinterpret_cast<const void *>(address));
  }
};

} // namespace

/// Carries out work on another device's backend, whose queues this one may not keep.
static Status carryOutOn(Backend &backend, const DeviceWork &work) {
  HetQueue *queue = nullptr;
  HetStatus status = {};
  if (backend.abi().createQueue(backend.handle(), &queue, &status) != HET_OK)
    return toStatus(status, backend.name());
  Status done;
  if (work.enqueue(backend.abi(), queue, &status) != HET_OK)
    done = toStatus(status, backend.name());
  if (Status waited = backend.wait(queue); done.ok())
    done = std::move(waited);
  backend.abi().destroyQueue(queue);
  return done;
}

/// The backend of a device's memory, where others may not reach that.
static Backend *keeperOf(Device *device) {
  return device && !MigratableDevice::of(*device).backends.shareHostMemory()
             ? &MigratableDevice::of(*device).active()
             : nullptr;
}

/// Work with memory that this device's backend does not reach. False: it reaches it.
bool MigratableQueue::carryOutElsewhere(const DeviceWork &work, Device *ofTo,
                                        Device *ofFrom) {
  Backend *to = keeperOf(ofTo), *from = keeperOf(ofFrom);
  // Backends of one target copy among each other.
  auto areNear = [](Backend *a, Backend *b) {
    return !a || !b || &a->target() == &b->target();
  };
  if (areNear(&migratable.active(), to) && areNear(&migratable.active(), from))
    return false;
  Status done;
  if (!areNear(to, from)) {
    Bytes between(work.bytes());
    done = carryOutOn(*from, work.packedTo(between.data()));
    if (done.ok())
      done = carryOutOn(*to, work.packedFrom(between.data()));
  } else {
    done = carryOutOn(to ? *to : *from, work);
  }
  if (!done.ok() && !(to && to->isLost()) && !(from && from->isLost()))
    migratable.fail(HET_FAULT_UNSUPPORTED, done.text());
  return true;
}

/// It is done, unless there is a fault: then nobody asks the journals.
static void note(const DeviceWork &work, const std::vector<Device *> &devices) {
  for (Device *one : devices)
    if (!MigratableDevice::of(*one).active().hasFault())
      MigratableDevice::of(*one).replayLog.add(work);
}

Status MigratableQueue::pushAlone(const DeviceWork &work) {
  return push([=] {
    for (;;) {
      MigratableDevice *of = nullptr;
      Backend *lost = nullptr;
      {
        InsideAll inside(owner, work);
        if (!carryOutElsewhere(work, inside.to, inside.from))
          carryOut(work);
        if (migratable.hasFailed())
          return;
        for (Device *one : inside.devices)
          if (Backend &backend = MigratableDevice::of(*one).active(); backend.isLost()) {
            of = &MigratableDevice::of(*one);
            lost = &backend;
          }
        if (!lost)
          return note(work, inside.devices);
      }
      if (of->loss.goOnAfter(*lost))
        continue;
      if (of != &migratable)
        migratable.fail(HET_FAULT_LOST,
                        "a copy with a lost device: " + of->fault().message);
      return;
    }
  });
}

/// Where the backend is lost it is open whether the work is done by another.
void MigratableQueue::carryOut(const DeviceWork &work) {
  Backend &backend = migratable.active();
  BackendPlace *place = placeOn(backend);
  if (!place)
    return;
  TraceScope scope(track, !Trace::get() ? "" : work.name());
  if (Trace::get())
    scope.arguments = work.traced().add("on", backend.name());
  HetStatus status = {};
  const bool isGiven = work.enqueue(backend.abi(), place->queue, &status) == HET_OK;
  backend.abi().synchronize(place->queue);
  if (!isGiven && !backend.isLost())
    migratable.fail(HET_FAULT_UNSUPPORTED, backend.name() + ": " + status.message);
}

/// Whether no gate but this device's keeps it.
bool MigratableQueue::isOfThisDevice(const DeviceWork &work) const {
  auto isOther = [&](uint64_t address) {
    Device *of = migratable.runtime().ownerOf(reinterpret_cast<const void *>(address));
    return of && of != &owner;
  };
  return !isOther(work.to) &&
         (work.kind == DeviceWork::Kind::Fill || !isOther(work.from));
}

Status MigratableQueue::add(const DeviceWork &work) {
  makeRoom();
  return isOfThisDevice(work) ? join({nullptr, work}) : pushAlone(work);
}

} // namespace het::core
