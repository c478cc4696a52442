// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks up ranges by their addresses.

#include "ReachedRanges.h"
#include "Addresses.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace het::spirv {

void ReachedRanges::add(uint64_t address, ReachedRange range) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  ranges[address] = std::move(range);
}

bool ReachedRanges::take(uint64_t address, ReachedRange &range) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  auto it = ranges.find(address);
  if (it == ranges.end() || it->second.kind != range.kind ||
      (range.size && it->second.size != range.size))
    return false;
  range = std::move(it->second);
  ranges.erase(it);
  return true;
}

std::map<uint64_t, ReachedRange> ReachedRanges::takeAll() {
  std::unique_lock<std::shared_mutex> lock(mutex);
  return std::exchange(ranges, {});
}

bool ReachedRanges::contain(uint64_t address, uint64_t size) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto it = ranges.upper_bound(address);
  if (it == ranges.begin())
    return false;
  --it;
  return address - it->first <= it->second.size &&
         size <= it->second.size - (address - it->first);
}

bool ReachedRanges::havePinnedPages(uint64_t first, uint64_t end) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  return std::any_of(ranges.begin(), ranges.end(), [=](const auto &entry) {
    const auto &[address, range] = entry;
    return range.kind == ReachedRange::Pinned && pageOf(address) < end &&
           first < pagesEnd(address, range.size);
  });
}

} // namespace het::spirv
