// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranges of addresses that a device reaches, with what was done for each. Safe to use
// from many threads at once.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_REACHEDRANGES_H
#define HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_REACHEDRANGES_H

#include "WindowMemory.h"

#include <map>
#include <shared_mutex>

namespace het::spirv {

struct ReachedRange {
  enum Kind { Own, Window, Managed, Pinned };

  Kind kind;
  uint64_t size;
  WindowMemory memory = {}; ///< of Window
  void *pages = nullptr;    ///< of Pinned: what the driver knows
};

class ReachedRanges {
public:
  void add(uint64_t address, ReachedRange range);
  /// Takes out the range that begins there, and is as `range` says: of its kind, and of
  /// its size if that is not 0. False where there is none.
  bool take(uint64_t address, ReachedRange &range);
  std::map<uint64_t, ReachedRange> takeAll();

  /// Whether a range lies wholly in one of these.
  bool contain(uint64_t address, uint64_t size) const;
  /// Whether pages of the host's between these addresses are pinned.
  bool havePinnedPages(uint64_t first, uint64_t end) const;

private:
  mutable std::shared_mutex mutex;
  std::map<uint64_t, ReachedRange> ranges; ///< by address
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_REACHEDRANGES_H
