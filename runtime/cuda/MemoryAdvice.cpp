// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice by range: a map of the addresses at which it changes.

#include "MemoryAdvice.h"

#include <iterator>
#include <map>
#include <mutex>

namespace het::cuda {

namespace {

/// Each entry holds from its address to that of the next one.
using Ranges = std::map<uintptr_t, MemoryAdvice>;

struct Advice {
  std::mutex mutex;
  Ranges ranges = {{0, {}}};

  /// The entry that begins at this address.
  Ranges::iterator cut(uintptr_t address) {
    auto next = ranges.upper_bound(address);
    return ranges.emplace_hint(next, address, std::prev(next)->second);
  }

  /// Drops an entry that says what the one before it says.
  void join(Ranges::iterator entry) {
    if (entry != ranges.begin() && entry->second == std::prev(entry)->second)
      ranges.erase(entry);
  }
};

Advice &advice() {
  static auto *all = new Advice; // used until the process ends
  return *all;
}

} // namespace

MemoryPlace MemoryPlace::ofDevice(int device) {
  if (device == cudaCpuDeviceId)
    return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

int MemoryPlace::device() const {
  switch (type) {
  case cudaMemLocationTypeDevice:
    return id;
  case cudaMemLocationTypeInvalid:
    return cudaInvalidDeviceId;
  default:
    return cudaCpuDeviceId;
  }
}

void changeAdvice(const void *pointer, size_t size,
                  const std::function<void(MemoryAdvice &)> &change) {
  auto start = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(advice().mutex);
  Ranges::iterator end = advice().cut(start + size);
  for (auto range = advice().cut(start); range != end; ++range)
    change(range->second);
}

void visitAdvice(const void *pointer, size_t size,
                 const std::function<void(const MemoryAdvice &)> &visit) {
  auto start = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(advice().mutex);
  const Ranges &ranges = advice().ranges;
  for (auto range = std::prev(ranges.upper_bound(start));
       range != ranges.end() && range->first < start + size; ++range)
    visit(range->second);
}

void forgetAdvice(const void *pointer, size_t size) {
  auto start = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(advice().mutex);
  // Most programs say nothing.
  if (!size || advice().ranges.size() == 1)
    return;
  Ranges::iterator end = advice().cut(start + size);
  Ranges::iterator first = advice().cut(start);
  first->second = {};
  advice().ranges.erase(std::next(first), end);
  advice().join(end);
  advice().join(first);
}

} // namespace het::cuda
