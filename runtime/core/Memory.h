// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the devices. All of it lies in one window of addresses that is the
// same in every process; each device has a part of the window, so the device of
// an address follows by arithmetic.

#ifndef HET_RUNTIME_CORE_MEMORY_H
#define HET_RUNTIME_CORE_MEMORY_H

#include "het/Base/Status.h"
#include "het/Target/TargetABI.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace het::core {

/// The window, and each device's part of it. ThreadSanitizer lets programs map only
/// the lowest 2 TiB of what is free.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HET_SMALL_WINDOW
#endif
#endif
#ifdef HET_SMALL_WINDOW
inline constexpr uint64_t windowBase = 0x1000000000;
inline constexpr uint64_t partBytes = uint64_t(1) << 34;
#else
inline constexpr uint64_t windowBase = 0x100000000000;
inline constexpr uint64_t partBytes = uint64_t(1) << 40;
#endif
inline constexpr unsigned maxDevices = 64;

/// The allocation that an address lies in.
struct Allocation {
  uint64_t address = 0;
  uint64_t size = 0; ///< As it was asked for.
  bool managed = false;
  bool isReserved = false; ///< Its addresses are of a reservation.
};

/// Managed memory of all devices.
struct ManagedCount {
  std::atomic<uint64_t> now{0}, soFar{0}; ///< Allocations.
  void add() {
    ++now;
    ++soFar;
  }
};

/// A range that a device has mapped.
struct MappedRange {
  uint64_t address, size;
};

class SmallBlocks;

/// The memory of one device. Every function may be called from any thread.
class MemoryManager {
public:
  /// `part`: the device's index; `capacity`: bytes that may be mapped at once.
  MemoryManager(const HetDeviceABI &abi, HetDevice *device, unsigned part,
                uint64_t granularity, uint64_t capacity);
  /// Unmaps everything.
  ~MemoryManager();
  MemoryManager(const MemoryManager &) = delete;
  MemoryManager &operator=(const MemoryManager &) = delete;

  /// Memory at a multiple of 256; null for 0 bytes. Unavailable if there is not
  /// enough left. `managed` is a note for find().
  Result<void *> allocate(uint64_t size, bool managed = false);

  /// Has `reclaim` called when there is not enough left. It frees what nobody uses and
  /// returns whether it has freed something. Before anything is allocated.
  void onShortage(std::function<bool()> reclaim) { this->reclaim = std::move(reclaim); }

  /// The caller has waited for its users. Null is nothing; Invalid if it is not
  /// what allocate() returned.
  Status free(void *pointer);

  /// The allocation that an address lies in. Those that touch in reservations are one.
  std::optional<Allocation> find(const void *pointer);

  /// Addresses that nothing else gets, without memory; a multiple of the granularity, at
  /// a multiple of `alignment`, a power of two. Unavailable if there are not so many.
  Result<void *> reserve(uint64_t size, uint64_t alignment);
  /// Invalid if it is not a whole reservation, or has memory.
  Status giveBack(void *pointer, uint64_t size);
  /// Memory in a reservation, until free(). Invalid where there is none, or memory.
  Status mapReserved(void *pointer, uint64_t size);

  /// Bytes that can still be given out, but for what the rounding of sizes costs.
  uint64_t available();

  /// Bytes that an allocation of this size takes.
  uint64_t roundUp(uint64_t size) const;

  /// The mapped ranges, and the allocations given out of them, in the order of addresses.
  std::vector<MappedRange> ranges();
  std::vector<Allocation> all();

  /// Allocates in that part of the window from now on, which no other device has. Before
  /// anything is allocated.
  void usePart(unsigned part);

  /// Maps a range that was mapped by another manager of this part of the window, with
  /// what that one had given out of it. Before anything is allocated.
  Status adopt(MappedRange range, const std::vector<Allocation> &given);

  /// How often a range was unmapped, so far.
  uint64_t unmappings() const { return unmapped.load(); }
  /// Has managed memory counted there, too, which stays; before any is allocated.
  void countManaged(ManagedCount &count) { managedCount = &count; }

  /// Calls `use` with what is mapped and what of it was given out, which stays so until
  /// it returns: it calls nothing here but unmappings().
  void hold(const std::function<void(const std::vector<MappedRange> &,
                                     const std::vector<Allocation> &)> &use);

  /// Bytes that are mapped.
  uint64_t used() const { return usedBytes; }
  /// Whether there is memory that allocate() was told is managed.
  bool hasManaged();

  /// From now on another device maps what is allocated. `carry` brings it what is mapped
  /// now, each range as it was mapped; where it fails, all stays as it is.
  Status moveTo(const HetDeviceABI &abi, HetDevice *device,
                const std::function<Status(const std::vector<MappedRange> &)> &carry);

private:
  uint64_t takeRange(uint64_t size);
  void giveRange(uint64_t address, uint64_t size);
  bool isSmall(uint64_t size) const { return size <= granularity / 2; }
  Result<void *> tryToAllocate(uint64_t size, bool managed);
  Result<uint64_t> map(uint64_t size);
  Result<uint64_t> tryToMap(uint64_t size);
  Status unmap(uint64_t address, uint64_t size, bool isReserved = false);
  Status unmapEmpty(size_t kept);
  Result<uint64_t> allocateSmall(uint64_t size);
  std::vector<MappedRange> mappedRanges() const;
  std::vector<Allocation> givenOut() const;

  const uint64_t granularity, capacity;
  std::function<bool()> reclaim;
  std::atomic<uint64_t> unmapped{0}; ///< Times.

  std::mutex mutex; ///< Guards what follows.
  const HetDeviceABI *abi;
  HetDevice *device;
  uint64_t next; ///< No address from here to `end` is used.
  uint64_t end;
  std::map<uint64_t, uint64_t> freeRanges; ///< Unmapped: address, size.
  std::unique_ptr<SmallBlocks> small;
  std::map<uint64_t, Allocation> allocations;
  std::map<uint64_t, uint64_t> reservations; ///< Address, size.
  std::atomic<uint64_t> usedBytes{0};        ///< Mapped.
  ManagedCount *managedCount = nullptr;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_MEMORY_H
