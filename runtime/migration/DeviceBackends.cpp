// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens a device's backends, and tells each of them of limits and pinned memory.

#include "migration/DeviceBackends.h"
#include "core/Device.h"
#include "core/Runtime.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"
#include "migration/memory/PinnedMemory.h"

#include <utility>

namespace het::core {

void DeviceBackends::reset(Backend &primary, const std::string &name) {
  std::lock_guard<std::mutex> lock(mutex);
  home = &primary;
  homeKey = Runtime::backendKey(name);
  pinned.clear();
  limits.clear();
}

void DeviceBackends::close() {
  std::lock_guard<std::mutex> lock(mutex);
  planned.clear();
  others.clear();
  unfit.clear();
}

Result<Backend *> DeviceBackends::open(const std::string &name) {
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
      layer.runtime().openBackend(name.substr(0, mark), name);
  if (!opened.ok())
    return opened.status();
  Backend *backend = others.emplace_back(Other{key, opened.take()}).backend.get();
  equip(*backend);
  return backend;
}

/// Gives a backend the settings that the program has asked of the device so far. With the
/// mutex held.
void DeviceBackends::equip(Backend &backend) {
  for (auto [limit, value] : limits)
    if (Status status = backend.setLimit(limit, value); !status.ok())
      unfit[&backend] = status.text();
  if (pinners().back() == &backend)
    for (auto &[address, range] : pinned)
      if (backend.pin(address, range.size).ok())
        range.by.insert(&backend);
}

void DeviceBackends::setDestinations(std::vector<Backend *> backends) {
  std::lock_guard<std::mutex> lock(mutex);
  planned = std::move(backends);
}

std::vector<Backend *> DeviceBackends::destinations() {
  std::lock_guard<std::mutex> lock(mutex);
  return planned;
}

/// One backend of each target, the primary first. With the mutex held.
std::vector<Backend *> DeviceBackends::pinners() {
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

Status DeviceBackends::pin(uint64_t address, uint64_t size, bool isNew) {
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

Status DeviceBackends::unpin(uint64_t address) {
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

Status DeviceBackends::setLimit(uint32_t limit, uint64_t value) {
  std::lock_guard<std::mutex> lock(mutex);
  if (Status status = home->setLimit(limit, value); !status.ok())
    return status;
  for (const Other &other : others)
    if (Status status = other.backend->setLimit(limit, value); !status.ok())
      unfit[other.backend.get()] = status.text();
  limits[limit] = value;
  return Status::success();
}

/// Whether a backend reaches what this device has pinned.
bool DeviceBackends::reachesPinned(const Backend &backend) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[address, range] : pinned) {
    bool reaches = false;
    for (Backend *by : range.by)
      reaches |= &by->target() == &backend.target();
    if (!reaches)
      return false;
  }
  return true;
}

std::string DeviceBackends::blocker(const Backend &backend) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto reason = unfit.find(&backend); reason != unfit.end())
      return reason->second;
  }
  for (size_t index = 0; index < layer.runtime().deviceCount(); ++index) {
    DeviceBackends &one = MigratableDevice::of(layer.runtime().device(index)).backends;
    // Memory that other devices pin is not pinned for this one's backends.
    if (!(&one != this && backend.sharesHostMemory()) && !one.reachesPinned(backend))
      return "it can not reach memory of the host that is pinned";
  }
  return "";
}

bool DeviceBackends::shareHostMemory() {
  std::lock_guard<std::mutex> lock(mutex);
  bool is = home->sharesHostMemory();
  for (const Other &other : others)
    is &= other.backend->sharesHostMemory();
  return is;
}

} // namespace het::core
