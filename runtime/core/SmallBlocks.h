// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Granules that are cut into blocks of one size each. A granule that nothing is given
// out of has no size: the next block of any size may come from it, or its memory goes
// back. This keeps account only; mapping is the memory manager's.

#ifndef HET_RUNTIME_CORE_SMALLBLOCKS_H
#define HET_RUNTIME_CORE_SMALLBLOCKS_H

#include "core/Memory.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace het::core {

class SmallBlocks {
public:
  explicit SmallBlocks(uint64_t granularity) : granularity(granularity) {}

  /// The size of the block that such an allocation takes.
  static uint64_t roundUp(uint64_t size);

  /// A block of at least `size` bytes, at most half a granule; nothing if a granule must
  /// be added first.
  std::optional<uint64_t> take(uint64_t size);
  /// Takes no memory, and so does not fail.
  void give(uint64_t address);

  /// Adds a granule that nothing is given out of.
  void add(uint64_t granule);
  /// Adds one that these were given out of. False, and nothing changes, if no manager can
  /// have done so.
  bool adopt(uint64_t granule, const std::vector<Allocation> &given);
  /// Forgets a granule, whatever is given out of it.
  void remove(uint64_t granule);

  /// Removes a granule that nothing is given out of, if there are more than `kept`.
  std::optional<uint64_t> removeEmpty(size_t kept);
  size_t emptyCount() const { return empty.size(); }

  /// Calls `use` with the address of each granule, in their order.
  template <typename Use> void forEach(Use use) const {
    for (auto &[address, granule] : granules)
      use(address);
  }

private:
  struct Granule {
    uint64_t blockSize = 0;      ///< 0: nothing is given out of it.
    uint64_t used = 0;           ///< Blocks.
    uint64_t fresh = 0;          ///< The first block that was never given out.
    std::vector<uint64_t> freed; ///< Has room for all that was given out.
    /// Its entry in `empty` or `partial`, while it is full and in neither.
    std::set<uint64_t>::node_type entry;
  };
  bool isFull(const Granule &granule) const {
    return granule.used == granularity / granule.blockSize;
  }

  const uint64_t granularity;
  std::map<uint64_t, Granule> granules; ///< By address.
  /// By block size: granules with used blocks and free ones.
  std::map<uint64_t, std::set<uint64_t>> partial;
  std::set<uint64_t> empty;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_SMALLBLOCKS_H
