// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the host that is pinned, of all devices: kernels reach it, if they have an
// address in it. Whether they have one is asked as a conservative collector asks it
// (H.-J. Boehm, M. Weiser, Garbage collection in an uncooperative environment, 1988):
// each word that could be such an address is taken for one.

#ifndef HET_RUNTIME_MIGRATION_MEMORY_PINNEDMEMORY_H
#define HET_RUNTIME_MIGRATION_MEMORY_PINNEDMEMORY_H

#include "het/Base/Bytes.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace het::core {

/// Ranges of addresses that do not change.
class AddressRanges {
public:
  /// An address just behind a range is one of it, too, as pointers may be.
  struct Range {
    uint64_t first, end;
  };

  explicit AddressRanges(std::vector<Range> list);

  bool isEmpty() const { return ranges.empty(); }
  bool has(uint64_t address) const;
  /// Whether a word, of 8 bytes at a multiple of 8, is an address in a range. `at`: where
  /// the bytes lie for whom they are meant.
  bool isIn(ByteView bytes, uint64_t at) const;

private:
  std::vector<Range> ranges; ///< By address; they neither overlap nor touch.
  uint64_t lowest = 0, span = 0;
};

/// Every function may be called from any thread.
class PinnedMemory {
public:
  /// `isNew`: it was allocated for that, so no address in it was anywhere before.
  void add(uint64_t address, uint64_t size, bool isNew);
  void remove(uint64_t address);

  std::shared_ptr<const AddressRanges> ranges();
  /// Counts what was added that is not new.
  uint64_t registrations() const { return registered.load(); }

private:
  std::atomic<uint64_t> registered{0};
  std::mutex mutex;                                ///< Guards what follows.
  std::multimap<uint64_t, uint64_t> sizes;         ///< By address.
  std::shared_ptr<const AddressRanges> lastRanges; ///< Null: they have changed.
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MEMORY_PINNEDMEMORY_H
