// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for addresses of pinned memory, word by word, as conservative garbage collectors
// do.

#include "migration/memory/PinnedMemory.h"

#include <algorithm>
#include <cstring>

namespace het::core {

static constexpr size_t wordBytes = sizeof(uint64_t);

AddressRanges::AddressRanges(std::vector<Range> list) {
  std::sort(list.begin(), list.end(), [](Range a, Range b) { return a.first < b.first; });
  for (Range range : list)
    if (!ranges.empty() && range.first <= ranges.back().end)
      ranges.back().end = std::max(ranges.back().end, range.end);
    else
      ranges.push_back(range);
  if (ranges.empty())
    return;
  lowest = ranges.front().first;
  span = ranges.back().end - lowest;
}

bool AddressRanges::has(uint64_t address) const {
  auto after =
      std::upper_bound(ranges.begin(), ranges.end(), address,
                       [](uint64_t wanted, Range range) { return wanted < range.first; });
  return after != ranges.begin() && address <= std::prev(after)->end;
}

static uint64_t wordAt(const uint8_t *bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, wordBytes);
  return word;
}

bool AddressRanges::isIn(ByteView bytes, uint64_t at) const {
  const size_t skip = (wordBytes - at % wordBytes) % wordBytes;
  if (ranges.empty() || bytes.size < skip)
    return false;
  const uint8_t *next = bytes.data + skip;
  size_t words = (bytes.size - skip) / wordBytes;
  // Few words are near: many are asked together.
  constexpr size_t together = 256;
  while (words) {
    const size_t some = std::min(words, together);
    bool isNear = false;
    for (size_t i = 0; i < some; ++i)
      isNear |= wordAt(next + i * wordBytes) - lowest <= span;
    for (size_t i = 0; isNear && i < some; ++i)
      if (has(wordAt(next + i * wordBytes)))
        return true;
    next += some * wordBytes;
    words -= some;
  }
  return false;
}

void PinnedMemory::add(uint64_t address, uint64_t size, bool isNew) {
  std::lock_guard<std::mutex> lock(mutex);
  sizes.emplace(address, size);
  lastRanges.reset();
  registered += !isNew;
}

void PinnedMemory::remove(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = sizes.find(address);
  if (found == sizes.end())
    return;
  sizes.erase(found);
  lastRanges.reset();
}

std::shared_ptr<const AddressRanges> PinnedMemory::ranges() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!lastRanges) {
    std::vector<AddressRanges::Range> list;
    for (auto [address, size] : sizes)
      list.push_back({address, address + size});
    lastRanges = std::make_shared<AddressRanges>(std::move(list));
  }
  return lastRanges;
}

} // namespace het::core
