// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording.

#include "Journal.h"
#include "MovableQueue.h"
#include "Movement.h"
#include "het/Runtime/Device.h"
#include "het/Runtime/Module.h"
#include "het/Runtime/Runtime.h"

#include <cstring>

namespace het::core {

void Journal::begin(Checkpoint file) {
  // Asked first, so that what comes meanwhile breaks it off, or is counted.
  const uint64_t changes = device.memory().irrevocableChanges();
  const bool isManaged = device.memory().hasManaged();
  {
    std::lock_guard<std::mutex> lock(mutex);
    checkpoint.emplace(std::move(file));
    list.clear();
    keptBytes = 0;
    memoryChanges = changes;
    broken = isManaged ? "managed memory is in use" : "";
  }
  if (device.movement()->reachesHostMemory())
    breakOff("kernels can reach memory of the host");
}

void Journal::forget() {
  std::lock_guard<std::mutex> lock(mutex);
  checkpoint.reset();
  list.clear();
  broken.clear();
}

void Journal::breakOff(const std::string &reason) {
  std::lock_guard<std::mutex> lock(mutex);
  breakOffLocked(reason);
}

/// The first reason stays, until the next checkpoint.
void Journal::breakOffLocked(const std::string &reason) {
  if (!broken.empty())
    return;
  broken = reason;
  list.clear();
  keptBytes = 0;
}

std::string Journal::obstacle() {
  const uint64_t changes = device.memory().irrevocableChanges();
  std::lock_guard<std::mutex> lock(mutex);
  if (!checkpoint)
    return "there is no checkpoint of it";
  if (broken.empty() && changes != memoryChanges)
    return "since its last checkpoint memory was unmapped, or managed memory allocated";
  return broken.empty() ? "" : "since its last checkpoint: " + broken;
}

bool Journal::isOfDevice(uint64_t address) const {
  return device.movement()->runtime().ownerOf(reinterpret_cast<void *>(address)) ==
         &device;
}

/// With the mutex held.
void Journal::keep(JournalEntry entry) {
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

void Journal::add(const DeviceWork &work) {
  if (!isOn())
    return;
  const bool isFill = work.kind == DeviceWork::Kind::Fill;
  const bool isTo = isOfDevice(work.to), isFrom = !isFill && isOfDevice(work.from);
  if (!isTo && !isFrom)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!checkpoint || !broken.empty())
      return;
    if (isTo && !isFrom && !isFill && work.bytes() > mostBytes - keptBytes)
      return breakOffLocked("copies from the host are more than " +
                            std::to_string(mostBytes >> 20) + " MiB");
  }
  JournalEntry entry;
  entry.kind = JournalEntry::Kind::Work;
  entry.work = work;
  if (!isTo) {
    entry.kind = JournalEntry::Kind::Download;
    entry.digest = blake2b({work.rows == 1
                                ? ByteView(reinterpret_cast<const uint8_t *>(work.to),
                                           work.width)
                                : ByteView(pack(work.to, work.toPitch, work))});
  } else if (!isFrom && !isFill) {
    entry.kind = JournalEntry::Kind::Upload;
    entry.data = pack(work.from, work.fromPitch, work);
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (checkpoint && broken.empty())
    keep(std::move(entry));
}

void Journal::add(const MovableLaunch &launch) {
  if (!isOn())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (!checkpoint || !broken.empty())
    return;
  if (std::string why = launch.kernel->whyNotAgain(); !why.empty())
    return breakOffLocked(why);
  JournalEntry entry;
  entry.kind = JournalEntry::Kind::Launch;
  entry.kernel = launch.kernel;
  entry.shape = launch.shape;
  entry.arguments = launch.arguments;
  entry.saved = launch.saved;
  keep(std::move(entry));
}

} // namespace het::core
