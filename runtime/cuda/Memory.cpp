// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocates and frees memory of all kinds, and finds the allocation of an address.

#include "Memory.h"
#include "Context.h"
#include "GraphMemory.h"
#include "IpcMemory.h"
#include "MemoryAdvice.h"
#include "PoolSharing.h"

#include <map>
#include <memory>
#include <new>
#include <set>
#include <shared_mutex>
#include <sys/mman.h>
#include <vector>

namespace het::cuda {

namespace {

constexpr size_t pageSize = 4096;

/// Pinned memory of the host, and managed memory that lies outside of the window, by
/// address.
struct HostTable {
  std::shared_mutex mutex;
  std::map<uintptr_t, MemoryRange> ranges; ///< They do not overlap.

  /// The range that holds an address, or the end. With the lock held.
  std::map<uintptr_t, MemoryRange>::iterator find(uintptr_t address) {
    auto after = ranges.upper_bound(address);
    if (after == ranges.begin())
      return ranges.end();
    auto before = std::prev(after);
    return address - before->first < before->second.size ? before : ranges.end();
  }
};

HostTable &hostTable() {
  static HostTable *instance = new HostTable;
  return *instance;
}

uintptr_t keyOf(const void *address) { return reinterpret_cast<uintptr_t>(address); }

MemoryRange findRange(const void *address) {
  HostTable &table = hostTable();
  std::shared_lock<std::shared_mutex> lock(table.mutex);
  auto found = table.find(keyOf(address));
  return found == table.ranges.end() ? MemoryRange() : found->second;
}

/// Adds a range to the table, if it overlaps no other.
bool addRange(const MemoryRange &range) {
  HostTable &table = hostTable();
  std::unique_lock<std::shared_mutex> lock(table.mutex);
  uintptr_t key = keyOf(range.base);
  auto after = table.ranges.lower_bound(key);
  if (table.find(key) != table.ranges.end() ||
      (after != table.ranges.end() && after->first - key < range.size))
    return false;
  table.ranges[key] = range;
  return true;
}

/// Takes the range that begins at `pointer` out of the table.
bool takeRange(void *pointer, MemoryKind kind, bool registered) {
  HostTable &table = hostTable();
  std::unique_lock<std::shared_mutex> lock(table.mutex);
  auto found = table.ranges.find(keyOf(pointer));
  if (found == table.ranges.end() || found->second.kind != kind ||
      found->second.registered != registered)
    return false;
  table.ranges.erase(found);
  return true;
}

/// Takes all ranges of a kind that belong to a device out of the table, but for managed
/// variables.
std::vector<MemoryRange> takeRanges(MemoryKind kind, int device) {
  HostTable &table = hostTable();
  std::vector<MemoryRange> taken;
  std::unique_lock<std::shared_mutex> lock(table.mutex);
  for (auto at = table.ranges.begin(); at != table.ranges.end();) {
    const MemoryRange &range = at->second;
    const bool isVariable = kind == MemoryKind::Managed && range.registered;
    const bool goes = range.kind == kind && range.device == device && !isVariable;
    if (goes)
      taken.push_back(range);
    at = goes ? table.ranges.erase(at) : std::next(at);
  }
  return taken;
}

/// Pages of the host, which are the process's own: memory of the heap would be used again
/// at once after a reset, where the program may still write to it.
struct Unmap {
  size_t size;
  void operator()(void *memory) const { munmap(memory, size); }
};
using Pages = std::unique_ptr<void, Unmap>;

size_t wholePages(size_t size) { return (size + pageSize - 1) / pageSize * pageSize; }

/// The device in whose part of the window an address lies; null: none's.
core::Device *ownerOf(const void *address) {
  return address && deviceCount() ? runtime().ownerOf(address) : nullptr;
}

/// Waits for all devices, any of which may be using memory of the host, also behind one
/// that has a fault. Returns the first error.
cudaError_t synchronizeAll() {
  cudaError_t first = cudaSuccess;
  for (int ordinal = 0; ordinal < deviceCount(); ++ordinal)
    if (cudaError_t error = deviceAt(ordinal)->synchronize(); !first)
      first = error;
  return first;
}

} // namespace

MemoryRange findMemory(const void *address) {
  core::Device *owner = ownerOf(address);
  if (!owner)
    return findRange(address);
  std::optional<core::Allocation> found = owner->memory().find(address);
  if (!found)
    return MemoryRange();
  MemoryRange range;
  range.kind = found->managed ? MemoryKind::Managed : MemoryKind::Device;
  range.base = reinterpret_cast<char *>(found->address);
  range.size = found->size;
  range.device = static_cast<int>(owner->index());
  range.isMapped = found->isReserved;
  return range;
}

namespace {

/// Beginnings of allocations whose copies are waited for. Most programs have none.
struct Waited {
  std::atomic<size_t> count{0};
  std::mutex mutex; ///< Guards the set.
  std::set<const void *> all;
};

Waited &waited() {
  static auto *instance = new Waited;
  return *instance;
}

} // namespace

void setWaited(const MemoryRange &range, bool isWaited) {
  std::lock_guard<std::mutex> lock(waited().mutex);
  if (isWaited)
    waited().all.insert(range.base);
  else
    waited().all.erase(range.base);
  waited().count = waited().all.size();
}

bool isWaited(const MemoryRange &range) {
  if (!waited().count)
    return false;
  std::lock_guard<std::mutex> lock(waited().mutex);
  return waited().all.count(range.base) != 0;
}

/// Hands out what an allocation gave.
static cudaError_t give(Result<void *> memory, void **pointer) {
  if (!memory.ok())
    return translate(memory.status(), cudaErrorMemoryAllocation);
  *pointer = *memory;
  return cudaSuccess;
}

/// Waits for frees that are under way where there is no other memory.
static Result<void *> allocateOrWait(Device &device, size_t size, bool managed) {
  for (;;) {
    Result<void *> memory = device.device.memory().allocate(size, managed);
    if (memory.ok() || size > device.properties.totalGlobalMem ||
        !device.pool->waitForOneFree())
      return memory;
  }
}

cudaError_t allocate(Device &device, void **pointer, size_t size) {
  *pointer = nullptr;
  return give(allocateOrWait(device, size, false), pointer);
}

cudaError_t allocateDevice(void **pointer, size_t size) {
  Device *device = nullptr;
  cudaError_t error = useCurrentDevice(device);
  return error ? error : allocate(*device, pointer, size);
}

cudaError_t allocateManaged(Device &device, void **pointer, size_t size) {
  *pointer = nullptr;
  if (device.device.properties().sharesHostMemory)
    return give(allocateOrWait(device, size, true), pointer);
  if (size == 0)
    return cudaSuccess;
  if (cudaError_t error = give(device.device.allocateManaged(size), pointer))
    return error;
  addRange({MemoryKind::Managed, static_cast<char *>(*pointer), size, device.ordinal, 0,
            false});
  return cudaSuccess;
}

/// Gives back managed memory that the device's driver has placed.
static cudaError_t releaseManaged(void *pointer) {
  MemoryRange range = findRange(pointer);
  if (range.base != pointer || range.kind != MemoryKind::Managed ||
      !takeRange(pointer, MemoryKind::Managed, false))
    return cudaErrorInvalidValue;
  return translate(deviceAt(range.device)->device.freeManaged(pointer));
}

void forgetManaged(int device) { takeRanges(MemoryKind::Managed, device); }

void addManagedVariable(void *storage, size_t size) {
  addRange({MemoryKind::Managed, static_cast<char *>(storage), size, 0, 0, true});
}

void forgetManagedVariable(void *storage) {
  takeRange(storage, MemoryKind::Managed, true);
}

cudaError_t releaseDevice(void *pointer) {
  if (!pointer)
    return cudaSuccess;
  core::Device *owner = ownerOf(pointer);
  if (!owner)
    return releaseManaged(pointer);
  if (!deviceAt(static_cast<int>(owner->index()))->pool->remove(pointer))
    return cudaErrorInvalidValue;
  if (waited().count)
    setWaited(findMemory(pointer), false);
  return translate(owner->memory().free(pointer));
}

cudaError_t freeDevice(void *pointer) {
  if (cudaError_t error = currentDeviceError())
    return error;
  if (!pointer)
    return cudaSuccess;
  if (cudaError_t error = cudaSuccess; freeImported(pointer, error))
    return error;
  MemoryRange range = findMemory(pointer);
  if (range.base != pointer || range.isMapped ||
      (range.kind != MemoryKind::Device && range.kind != MemoryKind::Managed))
    return cudaErrorInvalidValue;
  cudaError_t error = range.kind == MemoryKind::Managed
                          ? synchronizeAll()
                          : deviceAt(range.device)->synchronize();
  // A graph's memory stays the graph's, and goes with it.
  if (std::shared_ptr<GraphMemory> memory = error ? nullptr : findGraphMemory(pointer))
    return takeOutOfUse(memory) ? cudaSuccess : cudaErrorInvalidValue;
  if (!error)
    error = releaseDevice(pointer);
  dropFreed();
  if (!error && range.kind == MemoryKind::Managed)
    forgetAdvice(pointer, range.size);
  return error;
}

cudaError_t allocatePinned(Device &device, void **pointer, size_t size, unsigned flags) {
  *pointer = nullptr;
  if (size == 0)
    return cudaSuccess;
  if (size > SIZE_MAX - pageSize)
    return cudaErrorMemoryAllocation;
  const size_t whole = wholePages(size);
  void *memory =
      mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return cudaErrorMemoryAllocation;
  Pages pages(memory, Unmap{whole});
  if (Status status = device.device.pin(memory, whole, true); !status.ok())
    return translate(status, cudaErrorMemoryAllocation);
  try {
    addRange({MemoryKind::Pinned, static_cast<char *>(memory), size, device.ordinal,
              flags, false});
  } catch (const std::bad_alloc &) {
    static_cast<void>(device.device.unpin(memory));
    throw;
  }
  *pointer = pages.release();
  return cudaSuccess;
}

/// Gives back pages that a device is pinned to no more.
static Status releasePinned(const MemoryRange &range) {
  Status unpinned = deviceAt(range.device)->device.unpin(range.base);
  if (!range.registered)
    Pages(range.base, Unmap{wholePages(range.size)}).reset();
  return unpinned;
}

cudaError_t freePinned(void *pointer) {
  MemoryRange range = findRange(pointer);
  if (range.base != pointer || range.kind != MemoryKind::Pinned || range.registered)
    return cudaErrorInvalidValue;
  cudaError_t error = synchronizeAll();
  if (!takeRange(pointer, MemoryKind::Pinned, false))
    return cudaErrorInvalidValue;
  Status unpinned = releasePinned(range);
  return error ? error : translate(unpinned);
}

void forgetPinned(Device &device) {
  std::vector<MemoryRange> gone = takeRanges(MemoryKind::Pinned, device.ordinal);
  if (gone.empty())
    return;
  for (int ordinal = 0; ordinal < deviceCount(); ++ordinal) // any may be using it
    deviceAt(ordinal)->device.synchronize();
  for (const MemoryRange &range : gone)
    static_cast<void>(releasePinned(range)); // a lost device has nothing to unpin
}

/// Whether the process has memory in all pages of a range.
static bool isMapped(const void *pointer, size_t size) {
  const uintptr_t first = keyOf(pointer) / pageSize * pageSize;
  uintptr_t end = 0;
  if (__builtin_add_overflow(keyOf(pointer), size, &end) ||
      __builtin_add_overflow(end, pageSize - 1, &end))
    return false;
  end = end / pageSize * pageSize;
  // It writes nothing back by itself, and fails where nothing is mapped.
  return msync(reinterpret_cast<void *>(first), end - first, MS_ASYNC) == 0;
}

cudaError_t registerHost(Device &device, void *pointer, size_t size, unsigned flags) {
  if (!isMapped(pointer, size))
    return cudaErrorInvalidValue;
  MemoryRange range = findMemory(pointer);
  if (range.kind != MemoryKind::Unknown && !range.registered)
    return cudaErrorInvalidValue; // the runtime's own memory
  if (!addRange({MemoryKind::Pinned, static_cast<char *>(pointer), size, device.ordinal,
                 flags, true}))
    return cudaErrorHostMemoryAlreadyRegistered;
  Status pinned = device.device.pin(pointer, size);
  if (!pinned.ok())
    takeRange(pointer, MemoryKind::Pinned, true);
  return translate(pinned);
}

cudaError_t unregisterHost(void *pointer) {
  MemoryRange range = findRange(pointer);
  if (range.kind != MemoryKind::Pinned || !range.registered || range.base != pointer)
    return cudaErrorHostMemoryNotRegistered;
  cudaError_t error = synchronizeAll();
  if (!takeRange(pointer, MemoryKind::Pinned, true))
    return cudaErrorHostMemoryNotRegistered;
  Status unpinned = releasePinned(range);
  return error ? error : translate(unpinned);
}

} // namespace het::cuda
