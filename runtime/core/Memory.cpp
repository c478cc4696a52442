// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory manager. Large allocations are ranges of granules of their own; small
// ones are blocks of granules that they share.

#include "core/Memory.h"
#include "core/SmallBlocks.h"
#include "core/Target.h"

#include <algorithm>
#include <cstdio>
#include <new>

namespace het::core {

/// Granules without a small block that stay mapped for the next one.
static constexpr size_t maxEmpty = 4;
/// How far ahead to look for addresses where some are taken.
static constexpr uint64_t detour = uint64_t(1) << 30;

static uint64_t alignUp(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

MemoryManager::MemoryManager(const HetDeviceABI &abi, HetDevice *device, unsigned part,
                             uint64_t granularity, uint64_t capacity)
    : granularity(granularity), capacity(capacity), abi(&abi), device(device),
      next(windowBase + part * partBytes), end(next + partBytes),
      small(std::make_unique<SmallBlocks>(granularity)) {}

MemoryManager::~MemoryManager() {
  HetStatus status;
  for (MappedRange range : mappedRanges())
    abi->unmapMemory(device, range.address, range.size, &status);
  for (auto &[address, allocation] : allocations)
    if (allocation.managed && managedCount)
      --managedCount->now;
}

/// Ranges of allocations that were given out, and granules of small ones.
std::vector<MappedRange> MemoryManager::mappedRanges() const {
  std::vector<MappedRange> ranges;
  for (auto &[address, allocation] : allocations)
    if (!isSmall(allocation.size))
      ranges.push_back({address, alignUp(allocation.size, granularity)});
  small->forEach([&](uint64_t granule) { ranges.push_back({granule, granularity}); });
  return ranges;
}

/// Addresses for `size` bytes: a range freed before, or new ones; 0: none left.
uint64_t MemoryManager::takeRange(uint64_t size) {
  for (auto it = freeRanges.begin(); it != freeRanges.end(); ++it) {
    auto [address, length] = *it;
    if (length < size)
      continue;
    freeRanges.erase(it);
    if (length > size)
      freeRanges[address + size] = length - size;
    return address;
  }
  if (end - next < size)
    return 0;
  uint64_t address = next;
  next += size;
  return address;
}

void MemoryManager::giveRange(uint64_t address, uint64_t size) {
  auto after = freeRanges.lower_bound(address);
  if (after != freeRanges.end() && address + size == after->first) {
    size += after->second;
    after = freeRanges.erase(after);
  }
  if (after != freeRanges.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == address) {
      address = before->first;
      size += before->second;
      freeRanges.erase(before);
    }
  }
  if (address + size == next) {
    next = address;
    return;
  }
  try {
    freeRanges[address] = size;
  } catch (const std::bad_alloc &) { // NOLINT(bugprone-empty-catch): see below
    // Addresses, of which there are many, stay unused: who gives memory back must not
    // fail.
  }
}

Result<uint64_t> MemoryManager::tryToMap(uint64_t size) {
  if (size > capacity || usedBytes > capacity - size)
    return unavailable("out of device memory");
  HetStatus status = {};
  const uint64_t before = next;
  for (int tries = 0; tries < 4; ++tries) {
    uint64_t address = takeRange(size);
    if (!address)
      return unavailable("out of device addresses");
    if (abi->mapMemory(device, address, size, &status) == HET_OK) {
      usedBytes += size;
      return address;
    }
    if (address < before) { // a range that was mapped once: no memory is left
      giveRange(address, size);
      break;
    }
    // Something else of the process may lie there (a sanitizer's shadow).
    next = std::min(end, alignUp(next, detour));
  }
  next = before;
  return toStatus(status, "device memory");
}

/// Maps a range of granules; those that are kept for small blocks go where they are
/// needed.
Result<uint64_t> MemoryManager::map(uint64_t size) {
  Result<uint64_t> address = tryToMap(size);
  if (address.ok() || !small->emptyCount())
    return address;
  if (Status status = unmapEmpty(0); !status.ok())
    return status;
  return tryToMap(size);
}

Status MemoryManager::unmap(uint64_t address, uint64_t size, bool isReserved) {
  ++unmapped;
  HetStatus status;
  if (abi->unmapMemory(device, address, size, &status) != HET_OK)
    return toStatus(status, "device memory");
  usedBytes -= size;
  if (!isReserved)
    giveRange(address, size);
  return Status::success();
}

/// Gives back granules that no small block lies in, but for some.
Status MemoryManager::unmapEmpty(size_t kept) {
  Status first;
  while (std::optional<uint64_t> granule = small->removeEmpty(kept))
    if (Status status = unmap(*granule, granularity); !status.ok() && first.ok())
      first = std::move(status);
  return first;
}

Result<uint64_t> MemoryManager::allocateSmall(uint64_t size) {
  if (std::optional<uint64_t> block = small->take(size))
    return *block;
  Result<uint64_t> granule = map(granularity);
  if (!granule.ok())
    return granule;
  small->add(*granule);
  return *small->take(size);
}

uint64_t MemoryManager::roundUp(uint64_t size) const {
  return isSmall(size) ? SmallBlocks::roundUp(size) : alignUp(size, granularity);
}

Result<void *> MemoryManager::tryToAllocate(uint64_t size, bool managed) {
  // Made first: without room for it nothing is to be mapped.
  decltype(allocations) made = {{0, {}}};
  auto entry = made.extract(made.begin());
  std::lock_guard<std::mutex> lock(mutex);
  Result<uint64_t> address =
      isSmall(size) ? allocateSmall(size) : map(alignUp(size, granularity));
  if (!address.ok())
    return address.status();
  entry.key() = *address;
  entry.mapped() = {*address, size, managed};
  allocations.insert(std::move(entry));
  if (managed && managedCount)
    managedCount->add();
  return reinterpret_cast<void *>(*address);
}

Result<void *> MemoryManager::allocate(uint64_t size, bool managed) {
  if (size == 0)
    return nullptr;
  if (size > capacity)
    return unavailable("out of device memory");
  for (;;) {
    Result<void *> memory = tryToAllocate(size, managed);
    if (memory.ok() || memory.status().code != Code::Unavailable || !reclaim ||
        !reclaim())
      return memory;
  }
}

Status MemoryManager::free(void *pointer) {
  if (!pointer)
    return Status::success();
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.find(reinterpret_cast<uint64_t>(pointer));
  if (it == allocations.end())
    return invalid("not the start of an allocation of this device");
  const Allocation allocation = it->second;
  if (isSmall(allocation.size))
    small->give(allocation.address);
  allocations.erase(it);
  if (allocation.managed && managedCount)
    --managedCount->now;
  return isSmall(allocation.size)
             ? unmapEmpty(maxEmpty)
             : unmap(allocation.address, alignUp(allocation.size, granularity),
                     allocation.isReserved);
}

std::optional<Allocation> MemoryManager::find(const void *pointer) {
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return std::nullopt;
  auto first = std::prev(it);
  Allocation allocation = first->second;
  if (address - allocation.address >= allocation.size)
    return std::nullopt;
  if (!allocation.isReserved)
    return allocation;
  for (; it != allocations.end() && it->second.isReserved &&
         it->first == allocation.address + allocation.size;
       ++it)
    allocation.size += it->second.size;
  while (first != allocations.begin()) {
    --first;
    if (!first->second.isReserved ||
        first->first + first->second.size != allocation.address)
      break;
    allocation.address = first->first;
    allocation.size += first->second.size;
  }
  return allocation;
}

Result<void *> MemoryManager::reserve(uint64_t size, uint64_t alignment) {
  if (!size || size % granularity || (alignment & (alignment - 1)))
    return invalid("a reservation that is not of whole granules");
  const uint64_t more = alignment > granularity ? alignment - granularity : 0;
  std::lock_guard<std::mutex> lock(mutex);
  const uint64_t taken =
      size > partBytes || more > partBytes ? 0 : takeRange(size + more);
  if (!taken)
    return unavailable("out of device addresses");
  const uint64_t address = more ? alignUp(taken, alignment) : taken;
  if (address > taken)
    giveRange(taken, address - taken);
  if (const uint64_t end = taken + size + more; end > address + size)
    giveRange(address + size, end - address - size);
  reservations[address] = size;
  return reinterpret_cast<void *>(address);
}

/// Whether no allocation has any of these addresses.
static bool isFree(const std::map<uint64_t, Allocation> &allocations, uint64_t address,
                   uint64_t size) {
  auto next = allocations.lower_bound(address);
  if (next != allocations.end() && next->first - address < size)
    return false;
  return next == allocations.begin() ||
         std::prev(next)->first + std::prev(next)->second.size <= address;
}

Status MemoryManager::giveBack(void *pointer, uint64_t size) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard<std::mutex> lock(mutex);
  auto found = reservations.find(address);
  if (found == reservations.end() || found->second != size ||
      !isFree(allocations, address, size))
    return invalid("not a whole reservation without memory");
  reservations.erase(found);
  giveRange(address, size);
  return Status::success();
}

Status MemoryManager::mapReserved(void *pointer, uint64_t size) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard<std::mutex> lock(mutex);
  auto found = reservations.upper_bound(address);
  if (!size || size % granularity || address % granularity ||
      found == reservations.begin())
    return invalid("not granules of a reservation");
  const uint64_t offset = address - (--found)->first;
  if (offset > found->second || size > found->second - offset ||
      !isFree(allocations, address, size))
    return invalid("not free addresses of a reservation");
  if (size > capacity - usedBytes)
    return unavailable("out of device memory");
  allocations[address] = {address, size, false, true};
  HetStatus status = {};
  if (abi->mapMemory(device, address, size, &status) != HET_OK) {
    allocations.erase(address);
    return toStatus(status, "device memory");
  }
  usedBytes += size;
  return Status::success();
}

uint64_t MemoryManager::available() {
  std::lock_guard<std::mutex> lock(mutex);
  return capacity - usedBytes + small->emptyCount() * granularity;
}

bool MemoryManager::hasManaged() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[address, allocation] : allocations)
    if (allocation.managed)
      return true;
  return false;
}

std::vector<MappedRange> MemoryManager::ranges() {
  std::lock_guard<std::mutex> lock(mutex);
  return mappedRanges();
}

void MemoryManager::hold(
    const std::function<void(const std::vector<MappedRange> &,
                             const std::vector<Allocation> &)> &use) {
  std::lock_guard<std::mutex> lock(mutex);
  use(mappedRanges(), givenOut());
}

std::vector<Allocation> MemoryManager::all() {
  std::lock_guard<std::mutex> lock(mutex);
  return givenOut();
}

/// In the order of addresses. With the mutex held.
std::vector<Allocation> MemoryManager::givenOut() const {
  std::vector<Allocation> list;
  for (auto &[address, allocation] : allocations)
    list.push_back(allocation);
  return list;
}

void MemoryManager::usePart(unsigned part) {
  std::lock_guard<std::mutex> lock(mutex);
  next = windowBase + part * partBytes;
  end = next + partBytes;
}

Status MemoryManager::adopt(MappedRange range, const std::vector<Allocation> &given) {
  std::lock_guard<std::mutex> lock(mutex);
  auto refuse = [&](const char *what) {
    char address[32];
    std::snprintf(address, sizeof(address), "0x%llx",
                  static_cast<unsigned long long>(range.address));
    return invalid(std::string("memory at ") + address + ": " + what);
  };
  const uint64_t begin = end - partBytes;
  if (range.address < begin || range.address >= end || range.size > end - range.address ||
      range.address % granularity || range.size % granularity)
    return refuse("found addresses that are not this device's");
  if (range.size > capacity - usedBytes)
    return unavailable("out of device memory");
  const bool isLarge = given.size() == 1 && !isSmall(given[0].size);
  if (isLarge ? given[0].address != range.address || given[0].size > range.size ||
                    alignUp(given[0].size, granularity) != range.size
              : range.size != granularity || !small->adopt(range.address, given))
    return refuse(
        "found a range that is not one allocation, nor a granule of small ones");
  HetStatus status = {};
  if (abi->mapMemory(device, range.address, range.size, &status) != HET_OK) {
    if (!isLarge)
      small->remove(range.address);
    return toStatus(status, "device memory");
  }
  usedBytes += range.size;
  next = std::max(next, range.address + range.size);
  for (const Allocation &one : given)
    allocations[one.address] = one;
  return Status::success();
}

Status MemoryManager::moveTo(
    const HetDeviceABI &toAbi, HetDevice *toDevice,
    const std::function<Status(const std::vector<MappedRange> &)> &carry) {
  std::lock_guard<std::mutex> lock(mutex);
  if (Status status = carry(mappedRanges()); !status.ok())
    return status;
  abi = &toAbi;
  device = toDevice;
  return Status::success();
}

} // namespace het::core
