// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records completed work from one checkpoint to the next, and breaks off where effects
// escape.

#include "migration/checkpoint/ReplayLog.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "het/Base/Log.h"
#include "migration/MigratableDevice.h"
#include "migration/MigratableQueue.h"
#include "migration/MigrationExtension.h"
#include "migration/memory/PinnedMemory.h"

#include <cstring>

namespace het::core {

void ReplayLog::begin(Checkpoint file, const EscapeCount &before,
                      const std::string &inside) {
  std::lock_guard<std::mutex> lock(mutex);
  checkpoint.emplace(std::move(file));
  list.clear();
  keptBytes = 0;
  then = before;
  broken.clear();
  // Escapes are counted from now on.
  const std::string sharing = MigratableDevice::of(device).sharing.reason();
  if (!sharing.empty() || !inside.empty())
    breakOffLocked(sharing.empty() ? inside : sharing);
}

void ReplayLog::forget() {
  std::lock_guard<std::mutex> lock(mutex);
  checkpoint.reset();
  list.clear();
  broken.clear();
}

void ReplayLog::keepEntries(bool wanted) {
  std::lock_guard<std::mutex> lock(mutex);
  areInUse = wanted;
  if (!wanted && !broken.empty())
    list.clear();
}

void ReplayLog::breakOff(const std::string &reason) {
  std::lock_guard<std::mutex> lock(mutex);
  breakOffLocked(reason);
}

/// The first reason stays, until the next checkpoint.
void ReplayLog::breakOffLocked(const std::string &reason) {
  if (!broken.empty())
    return;
  broken = reason;
  if (!areInUse)
    list.clear();
  keptBytes = 0;
  if (!checkpoint || !said.insert(reason).second)
    return;
  log(Level::Info,
      "device %u: until its next checkpoint it would not go on if it were lost: %s",
      device.index(), reason.c_str());
}

std::string ReplayLog::obstacleLocked(const EscapeCount &now) const {
  const std::string change = then.changedTo(now);
  if (broken.empty() && change.empty())
    return "";
  return "since its last checkpoint: " + (broken.empty() ? change : broken);
}

std::string ReplayLog::obstacle() {
  const EscapeCount now = MigratableDevice::of(device).sharing.escapes();
  std::lock_guard<std::mutex> lock(mutex);
  return checkpoint ? obstacleLocked(now) : "there is no checkpoint of it";
}

std::string ReplayLog::recoveryBlocker() {
  const EscapeCount now = MigratableDevice::of(device).sharing.escapes();
  std::lock_guard<std::mutex> lock(mutex);
  return checkpoint ? obstacleLocked(now) : "";
}

Device *ReplayLog::ownerOf(uint64_t address) const {
  return MigratableDevice::of(device).runtime().ownerOf(
      reinterpret_cast<void *>(address));
}

/// With the mutex held.
void ReplayLog::keep(ReplayEntry entry) {
  keptBytes += sizeof(entry) + entry.data.size() + entry.arguments.size();
  list.push_back(std::move(entry));
  if (keptBytes > mostBytes)
    breakOffLocked("more than " + std::to_string(mostBytes >> 20) +
                   " MiB would have to be kept of copies and launches");
}

/// A copy's rows without gaps.
static Bytes pack(uint64_t address, size_t pitch, const DeviceWork &work) {
  Bytes bytes(work.bytes());
  for (size_t row = 0; row < work.rows; ++row)
    std::memcpy(bytes.data() + row * work.width,
                reinterpret_cast<const void *>(address + row * pitch), work.width);
  return bytes;
}

/// Whether a copy has brought the device an address of pinned memory.
bool ReplayLog::hasPinned(const DeviceWork &work, const Bytes &data) const {
  const auto ranges = MigrationExtension::get().pinnedMemory().ranges();
  for (size_t row = 0; row < work.rows && !ranges->isEmpty(); ++row)
    if (ranges->isIn({data.data() + row * work.width, work.width},
                     work.to + row * work.toPitch))
      return true;
  return false;
}

void ReplayLog::add(const DeviceWork &work) {
  if (!isOn())
    return;
  const bool isFill = work.kind == DeviceWork::Kind::Fill;
  Device *to = ownerOf(work.to), *from = isFill ? nullptr : ownerOf(work.from);
  const bool isTo = to == &device, isFrom = from == &device;
  if (!isTo && !isFrom)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!checkpoint || !broken.empty())
      return;
    if (Device *other = isTo ? from : to; other && other != &device)
      return breakOffLocked("a copy between its memory and that of " + other->name());
    if (isTo && !isFrom && !isFill && work.bytes() > mostBytes - keptBytes)
      return breakOffLocked("copies from the host are more than " +
                            std::to_string(mostBytes >> 20) + " MiB");
  }
  ReplayEntry entry;
  entry.kind = ReplayEntry::Kind::Work;
  entry.work = work;
  bool bringsPinned = false;
  if (!isTo) {
    entry.kind = ReplayEntry::Kind::Download;
    entry.digest = blake2b(
        {work.rows == 1 ? ByteView(reinterpret_cast<const uint8_t *>(work.to), work.width)
                        : ByteView(pack(work.to, work.toPitch, work))});
  } else if (!isFrom && !isFill) {
    entry.kind = ReplayEntry::Kind::Upload;
    entry.data = pack(work.from, work.fromPitch, work);
    bringsPinned = hasPinned(work, entry.data);
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (bringsPinned)
    breakOffLocked("a copy brought it an address of pinned memory");
  else if (checkpoint && broken.empty())
    keep(std::move(entry));
}

void ReplayLog::check(const MigratableLaunch &launch) {
  if (!isOn())
    return;
  Runtime &runtime = MigratableDevice::of(device).runtime();
  auto given = [&](const std::string &what) {
    return "kernel '" + launch.kernel->info().displayName + "' was given an address of " +
           what;
  };
  if (MigrationExtension::get().pinnedMemory().ranges()->isIn(launch.arguments, 0))
    breakOff(given("pinned memory"));
  if (runtime.deviceCount() < 2)
    return;
  for (size_t at = 0; at + sizeof(uint64_t) <= launch.arguments.size();
       at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, launch.arguments.data() + at, sizeof(word));
    Device *other = ownerOf(word);
    if (!other || other == &device)
      continue;
    breakOff(given("memory of " + other->name()));
    MigratableDevice::of(*other).replayLog.breakOff(
        given("its memory, on " + device.name()));
  }
}

void ReplayLog::add(const MigratableLaunch &launch) {
  if (!isOn())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (!checkpoint || !broken.empty())
    return;
  if (std::string why = launch.code().replayBlocker(); !why.empty())
    return breakOffLocked(why);
  ReplayEntry entry;
  entry.kind = ReplayEntry::Kind::Launch;
  entry.kernel = launch.kernel;
  entry.shape = launch.shape;
  entry.arguments = launch.arguments;
  entry.saved = launch.saved;
  keep(std::move(entry));
}

} // namespace het::core
