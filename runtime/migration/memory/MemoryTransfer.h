// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carrying a device's memory from one backend to another, at the same addresses.

#ifndef HET_RUNTIME_MIGRATION_MEMORY_MEMORYTRANSFER_H
#define HET_RUNTIME_MIGRATION_MEMORY_MEMORYTRANSFER_H

#include "core/Memory.h"
#include "migration/memory/HostPages.h"
#include "migration/memory/PreCopy.h"
#include "migration/memory/StagingCopier.h"

#include <map>
#include <memory>
#include <vector>

namespace het::core {

/// Moves the memory of one device; used by who may move it. A move calls prepare(),
/// carry() and finish(), the second while the device is suspended: what can be done
/// before or behind is, so that it is suspended for little more than the copy.
class MemoryTransfer {
public:
  /// Maps and copies ahead, as far as there is memory now. A failure here is tried again
  /// by carry().
  void prepare(Backend &from, Backend &to, MemoryManager &memory);

  /// A failure leaves the memory with `from`. Where even that can not be had, `lost`
  /// becomes true.
  Status carry(Backend &from, Backend &to, const std::vector<MappedRange> &ranges,
               uint64_t &copiedBytes, bool &lost);

  /// Gives back what the move, or what has become of it, does not need.
  void finish();

  /// Before backends are closed.
  void forget();

  /// Whether memory is copied while kernels run, where that can be. It is unless told
  /// not to.
  void copyAhead(bool wanted) { precopy.want(wanted); }

private:
  StagingCopier &carrierOf(Backend &backend);
  Status mapBeside(Backend &to, const std::vector<MappedRange> &ranges);
  void unmapBeside();
  Status copyBeside(Backend &from, Backend &to, const std::vector<MappedRange> &ranges);
  Status copyThrough(Backend &from, Backend &to, MappedRange range);
  Status carryAside(Backend &from, Backend &to, const std::vector<MappedRange> &ranges,
                    bool &lost);
  Status give(Backend &to, const std::vector<MappedRange> &ranges, AsidePages &pages);

  std::map<Backend *, std::unique_ptr<StagingCopier>> carriers;
  /// Mapped on the destination before a move to it: sizes by address.
  Backend *destination = nullptr;
  std::map<uint64_t, uint64_t> beside;
  PreCopy precopy;
  /// Still mapped on the source since a move from it.
  Backend *source = nullptr;
  std::vector<MappedRange> left;
  std::unique_ptr<AsidePages> aside;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MEMORY_MEMORYTRANSFER_H
