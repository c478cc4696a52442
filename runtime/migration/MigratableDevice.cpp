// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends of a migratable device, and what all of them are told. Moving itself is in
// Move.cpp.

#include "migration/MigratableDevice.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "core/trace/Trace.h"
#include "migration/MigratableCode.h"
#include "migration/MigratableQueue.h"
#include "migration/MigrationExtension.h"
#include "migration/memory/PinnedMemory.h"

#include <utility>

namespace het::core {

MigratableDevice::MigratableDevice(Device &device, MigrationExtension &extension)
    : replayLog(device), device(device), layer(extension) {}

MigratableDevice::~MigratableDevice() = default;

Runtime &MigratableDevice::runtime() const { return layer.runtime(); }

Result<std::unique_ptr<Queue>> MigratableDevice::createQueue(const std::string &name) {
  return std::unique_ptr<Queue>(std::make_unique<MigratableQueue>(device, name));
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

bool MigratableDevice::sharesHostMemory() const {
  return home->sharesHostMemory() && active().sharesHostMemory();
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
  of(one).noteAccess(isGiven);
  of(other).noteAccess(isGiven);
  return true;
}

void MigratableDevice::open(Backend &backend, MemoryManager &memory) {
  memory.countManaged(layer.managedMemory());
  replayLog.forget();
  forgetManaged();
  std::lock_guard<std::mutex> lock(mutex);
  home = &backend;
  homeKey = Runtime::backendKey(device.name());
  failure = Fault();
  failed = false;
  pinned.clear();
  limits.clear();
  last = {"the program began there", std::chrono::system_clock::now()};
  now = home;
  if (parking && home->parks()) // it is paused
    home->abi().setParking(home->handle(), 1);
}

void MigratableDevice::close() {
  mover.forget();
  std::lock_guard<std::mutex> lock(mutex);
  planned.clear();
  others.clear();
  unfit.clear();
}

Result<Backend *> MigratableDevice::openBackend(const std::string &name) {
  const size_t mark = name.find('#');
  if (mark != std::string::npos &&
      (mark + 1 == name.size() ||
       name.find_first_not_of("0123456789", mark + 1) != std::string::npos))
    return invalid(
        foundExpected("device", "'" + name + "'", "a number behind #", "as in host#2"));
  const std::string key = Runtime::backendKey(name.substr(0, mark)) +
                          (mark == std::string::npos ? "" : name.substr(mark));
  std::lock_guard<std::mutex> lock(mutex);
  if (key == homeKey)
    return home;
  for (const Other &other : others)
    if (other.key == key)
      return other.backend.get();
  Result<std::unique_ptr<Backend>> opened =
      runtime().openBackend(name.substr(0, mark), name);
  if (!opened.ok())
    return opened.status();
  Backend *backend = others.emplace_back(Other{key, opened.take()}).backend.get();
  equip(*backend);
  return backend;
}

/// Gives a backend the settings that the program has asked of the device so far. With the
/// mutex held.
void MigratableDevice::equip(Backend &backend) {
  for (auto [limit, value] : limits)
    if (Status status = backend.setLimit(limit, value); !status.ok())
      unfit[&backend] = status.text();
  if (pinners().back() == &backend)
    for (auto &[address, range] : pinned)
      if (backend.pin(address, range.size).ok())
        range.by.insert(&backend);
}

/// Whether a backend of this device reaches what any device has pinned.
bool MigratableDevice::reachesAllPinned(const Backend &backend) {
  for (size_t index = 0; index < runtime().deviceCount(); ++index) {
    MigratableDevice &one = MigratableDevice::of(runtime().device(index));
    std::lock_guard<std::mutex> lock(one.mutex);
    // Memory that other devices pin is not pinned for this one's backends.
    if (!(&one != this && backend.sharesHostMemory()) && !one.reachesPinned(backend))
      return false;
  }
  return true;
}

/// With the mutex held.
bool MigratableDevice::reachesPinned(const Backend &backend) {
  for (auto &[address, range] : pinned) {
    bool reaches = false;
    for (Backend *by : range.by)
      reaches |= &by->target() == &backend.target();
    if (!reaches)
      return false;
  }
  return true;
}

/// One backend of each target, the primary first. With the mutex held.
std::vector<Backend *> MigratableDevice::pinners() {
  std::vector<Backend *> list = {home};
  for (const Other &other : others) {
    bool isNew = true;
    for (Backend *known : list)
      isNew &= &known->target() != &other.backend->target();
    if (isNew)
      list.push_back(other.backend.get());
  }
  return list;
}

Status MigratableDevice::pin(uint64_t address, uint64_t size, bool isNew) {
  std::lock_guard<std::mutex> lock(mutex);
  if (Status status = home->pin(address, size); !status.ok())
    return status;
  layer.pinnedMemory().add(address, size, isNew);
  Pinned &range = pinned[address] = {size, {home}};
  for (Backend *backend : pinners())
    if (backend != home && backend->pin(address, size).ok())
      range.by.insert(backend);
  return Status::success();
}

bool MigratableDevice::isHostMemory() {
  if (!active().sharesHostMemory())
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  bool is = home->sharesHostMemory();
  for (const Other &other : others)
    is &= other.backend->sharesHostMemory();
  return is;
}

unsigned MigratableDevice::track() const {
  Trace *trace = Trace::get();
  return trace ? trace->track(device.index(), device.name(), "moves") : 0;
}

Decision MigratableDevice::decision() {
  std::lock_guard<std::mutex> lock(mutex);
  return last;
}

void MigratableDevice::decide(const std::string &why) {
  std::lock_guard<std::mutex> lock(mutex);
  last = {why, std::chrono::system_clock::now()};
}

Status MigratableDevice::unpin(uint64_t address) {
  layer.pinnedMemory().remove(address);
  std::lock_guard<std::mutex> lock(mutex);
  auto range = pinned.find(address);
  if (range == pinned.end())
    return home->unpin(address); // which says what is wrong
  Status first;
  for (Backend *backend : range->second.by)
    if (Status status = backend->unpin(address); !status.ok() && first.ok())
      first = std::move(status);
  pinned.erase(range);
  return first;
}

Status MigratableDevice::setLimit(uint32_t limit, uint64_t value) {
  std::lock_guard<std::mutex> lock(mutex);
  if (Status status = home->setLimit(limit, value); !status.ok())
    return status;
  for (const Other &other : others)
    if (Status status = other.backend->setLimit(limit, value); !status.ok())
      unfit[other.backend.get()] = status.text();
  limits[limit] = value;
  return Status::success();
}

void MigratableDevice::setDestinations(std::vector<Backend *> backends) {
  std::lock_guard<std::mutex> lock(mutex);
  planned = std::move(backends);
}

std::vector<Backend *> MigratableDevice::destinations() {
  std::lock_guard<std::mutex> lock(mutex);
  return planned;
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
  if (isHidden(found.kind))
    return {};
  return found.kind == HET_FAULT_LOST ? lossFault(backend) : found;
}

int32_t MigratableDevice::faultKind() {
  if (hasFailed())
    return fault().kind;
  const int32_t kind = active().abi().fault(active().handle(), nullptr);
  return isHidden(kind) ? int32_t(HET_FAULT_NONE) : kind;
}

void MigratableDevice::add(MigratableQueue &queue) {
  std::lock_guard<std::mutex> lock(mutex);
  queues.insert(&queue);
}

void MigratableDevice::remove(MigratableQueue &queue) {
  std::lock_guard<std::mutex> lock(mutex);
  queues.erase(&queue);
}

void MigratableDevice::add(Module &module) {
  std::lock_guard<std::mutex> lock(mutex);
  modules.insert(&module);
}

void MigratableDevice::remove(Module &module) {
  // A move, a checkpoint or a recovery uses kernels of the module.
  std::unique_lock<std::mutex> stays = hold();
  replayLog.breakOff("a package was unloaded");
  std::unique_lock<std::mutex> lock(mutex);
  released.wait(lock, [&] { return used != &module; });
  modules.erase(&module);
}

/// Uses one after the other, without the lock; those that come meanwhile, too.
Status MigratableDevice::forEachModule(const std::function<Status(Module &)> &use) {
  std::set<Module *> seen;
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    Module *next = nullptr;
    for (Module *module : modules)
      if (seen.insert(module).second) {
        next = module;
        break;
      }
    if (!next)
      return Status::success();
    used = next;
    lock.unlock();
    Status status = use(*next);
    lock.lock();
    used = nullptr;
    released.notify_all();
    if (!status.ok())
      return status;
  }
}

} // namespace het::core
