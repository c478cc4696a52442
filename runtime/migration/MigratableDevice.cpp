// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens a migratable device, suspends its work, and answers what the core asks of it.

#include "migration/MigratableDevice.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "core/trace/Trace.h"
#include "migration/MigratableCode.h"
#include "migration/MigratableQueue.h"
#include "migration/MigrationExtension.h"

#include <utility>

namespace het::core {

MigratableDevice::MigratableDevice(Device &device, MigrationExtension &extension)
    : backends(extension), sharing(device, extension), replayLog(device), loss(*this),
      migration(*this), owner(device), layer(extension) {}

MigratableDevice::~MigratableDevice() = default;

Runtime &MigratableDevice::runtime() const { return layer.runtime(); }

void MigratableDevice::open(Backend &home, MemoryManager &memory) {
  memory.countManaged(layer.managedMemory());
  replayLog.forget();
  sharing.forget();
  backends.reset(home, owner.name());
  decision.set("the program began there");
  std::lock_guard<std::mutex> lock(mutex);
  failure = Fault();
  failed = false;
  place.set(home);
  if (parking && home.parks()) // it is paused
    home.abi().setParking(home.handle(), 1);
}

void MigratableDevice::close() {
  migration.forget();
  backends.close();
}

std::unique_lock<std::mutex> MigratableDevice::hold() {
  return std::unique_lock<std::mutex>(moving);
}

std::unique_lock<std::mutex> MigratableDevice::tryToHold() {
  return std::unique_lock<std::mutex>(moving, std::try_to_lock);
}

Result<std::unique_ptr<Queue>> MigratableDevice::createQueue(const std::string &name) {
  return std::unique_ptr<Queue>(std::make_unique<MigratableQueue>(owner, name));
}

Result<std::shared_ptr<Event>> MigratableDevice::createEvent() {
  return std::shared_ptr<Event>(std::make_shared<MigratableEvent>());
}

std::unique_ptr<KernelCode> MigratableDevice::createCode(Kernel &kernel) {
  return std::make_unique<MigratableCode>(kernel, *this);
}

std::string MigratableDevice::loweringOptions(const Backend &backend) const {
  if (!backend.parks())
    return "";
  const uint32_t work = layer.settings().pollInterval;
  return work ? "parkable=" + std::to_string(work) : "parkable";
}

Status MigratableDevice::pin(uint64_t address, uint64_t size, bool isNew) {
  return backends.pin(address, size, isNew);
}

Status MigratableDevice::setLimit(uint32_t limit, uint64_t value) {
  return backends.setLimit(limit, value);
}

bool MigratableDevice::sharesHostMemory() const {
  return backends.primary().sharesHostMemory() && active().sharesHostMemory();
}

/// Neither goes meanwhile to where it does not reach the other.
bool MigratableDevice::setAccess(Device &one, Device &other, bool isGiven) {
  // In the order of their places, so that nobody waits in a circle.
  Device *first = &one, *second = &other;
  if (second->index() < first->index())
    std::swap(first, second);
  std::unique_lock<std::mutex> stays = of(*first).hold();
  std::unique_lock<std::mutex> staysToo = of(*second).hold();
  if (isGiven && !one.reaches(other))
    return false;
  of(one).sharing.noteAccess(isGiven);
  of(other).sharing.noteAccess(isGiven);
  return true;
}

bool MigratableDevice::isInUse() {
  std::unique_lock<std::mutex> stays = hold();
  return loss.hasCheckpoint() || owner.memory().used();
}

unsigned MigratableDevice::track() const {
  Trace *trace = Trace::get();
  return trace ? trace->track(owner.index(), owner.name(), "moves") : 0;
}

void MigratableDevice::fail(int32_t kind, const std::string &message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (failed)
    return;
  failure = {kind, message};
  failed.store(true, std::memory_order_release);
}

Fault MigratableDevice::fault() {
  if (hasFailed()) {
    std::lock_guard<std::mutex> lock(mutex);
    return failure;
  }
  Backend &backend = active();
  Fault found = backend.fault();
  if (loss.isHidden(found.kind))
    return {};
  return found.kind == HET_FAULT_LOST ? loss.fault(backend) : found;
}

int32_t MigratableDevice::faultKind() {
  if (hasFailed())
    return fault().kind;
  const int32_t kind = active().faultKind();
  return loss.isHidden(kind) ? int32_t(HET_FAULT_NONE) : kind;
}

void MigratableDevice::remove(Module &module) {
  // A move, a checkpoint or a recovery uses kernels of the module.
  std::unique_lock<std::mutex> stays = hold();
  replayLog.breakOff("a package was unloaded");
  work.remove(module);
}

void MigratableDevice::suspend() {
  TraceScope scope(track(), "park");
  parking = true;
  if (active().parks())
    active().abi().setParking(active().handle(), 1);
  gate.close();
}

void MigratableDevice::letGoOn() {
  // That of the backend it was on has been set off before.
  if (active().parks())
    active().abi().setParking(active().handle(), 0);
  parking = false;
  gate.open();
}

Status MigratableDevice::whileParked(const std::function<Status(Backend &)> &use) {
  std::unique_lock<std::mutex> stays = hold();
  if (!active().parks())
    return unsupported("can not be parked: " + active().name() + " can not park kernels",
                       owner.name());
  if (!paused)
    suspend();
  Status status;
  if (Fault found = active().fault(); found.kind)
    status = unavailable("has a fault: " + found.message, active().name());
  else
    status = use(active());
  if (!paused)
    letGoOn();
  return status;
}

Status MigratableDevice::pause() {
  std::unique_lock<std::mutex> stays = hold();
  if (paused)
    return unavailable("is paused already", owner.name());
  if (!active().parks())
    return unsupported("can not be paused: " + active().name() + " can not park kernels",
                       owner.name());
  suspend();
  paused = true;
  decision.set("it was paused");
  return Status::success();
}

Status MigratableDevice::resume() {
  std::unique_lock<std::mutex> stays = hold();
  if (!paused)
    return unavailable("is not paused", owner.name());
  letGoOn();
  paused = false;
  decision.set("it was resumed");
  return Status::success();
}

} // namespace het::core
