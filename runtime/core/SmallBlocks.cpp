// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small blocks come from the lowest granule that has one, so that high ones empty.

#include "core/SmallBlocks.h"

#include <utility>

namespace het::core {

static constexpr uint64_t smallestBlock = 256;

/// Block sizes are powers of two: each divides a granule, and blocks are aligned to it.
uint64_t SmallBlocks::roundUp(uint64_t size) {
  uint64_t rounded = smallestBlock;
  while (rounded < size)
    rounded *= 2;
  return rounded;
}

std::optional<uint64_t> SmallBlocks::take(uint64_t size) {
  const uint64_t blockSize = roundUp(size);
  std::set<uint64_t> &candidates = partial[blockSize];
  if (candidates.empty()) {
    if (empty.empty())
      return std::nullopt;
    granules.at(*empty.begin()).blockSize = blockSize;
    candidates.insert(empty.extract(empty.begin()));
  }
  const uint64_t address = *candidates.begin();
  Granule &granule = granules[address];
  uint64_t block;
  if (granule.freed.empty()) {
    if (granule.freed.capacity() <= granule.fresh)
      granule.freed.reserve(2 * granule.fresh + 1);
    block = address + granule.fresh++ * blockSize;
  } else {
    block = granule.freed.back();
    granule.freed.pop_back();
  }
  ++granule.used;
  if (isFull(granule))
    granule.entry = candidates.extract(address);
  return block;
}

void SmallBlocks::give(uint64_t block) {
  const uint64_t address = block / granularity * granularity;
  Granule &granule = granules.at(address);
  std::set<uint64_t> &candidates = partial[granule.blockSize];
  if (isFull(granule))
    candidates.insert(std::move(granule.entry));
  if (--granule.used) {
    granule.freed.push_back(block);
    return;
  }
  empty.insert(candidates.extract(address));
  granule = Granule();
}

void SmallBlocks::add(uint64_t granule) {
  empty.insert(granule);
  granules[granule] = Granule();
}

bool SmallBlocks::adopt(uint64_t address, const std::vector<Allocation> &given) {
  if (granules.count(address))
    return false;
  if (given.empty()) {
    add(address);
    return true;
  }
  Granule granule;
  std::set<uint64_t> taken;
  for (const Allocation &one : given) {
    if (!one.size || one.size > granularity / 2 || one.address < address ||
        one.address - address >= granularity)
      return false;
    const uint64_t blockSize = roundUp(one.size);
    if (granule.blockSize && granule.blockSize != blockSize)
      return false;
    granule.blockSize = blockSize;
    if (one.address % blockSize || !taken.insert(one.address).second)
      return false;
  }
  granule.used = taken.size();
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is one, so there is a size.
  granule.fresh = granularity / granule.blockSize;
  for (uint64_t block = address + granularity; block > address;) {
    block -= granule.blockSize;
    if (!taken.count(block))
      granule.freed.push_back(block);
  }
  granule.freed.reserve(granule.fresh);
  std::set<uint64_t> entry = {address};
  if (granule.freed.empty())
    granule.entry = entry.extract(address);
  else
    partial[granule.blockSize].merge(entry);
  granules[address] = std::move(granule);
  return true;
}

void SmallBlocks::remove(uint64_t address) {
  auto granule = granules.find(address);
  if (const uint64_t blockSize = granule->second.blockSize)
    partial.at(blockSize).erase(address);
  empty.erase(address);
  granules.erase(granule);
}

std::optional<uint64_t> SmallBlocks::removeEmpty(size_t kept) {
  if (empty.size() <= kept)
    return std::nullopt;
  const uint64_t address = *empty.rbegin();
  remove(address);
  return address;
}

} // namespace het::core
