// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copying memory of this process to a backend while kernels still write it, so that
// when they are suspended only what has changed is sent again.

#ifndef HET_RUNTIME_MIGRATION_MEMORY_PRECOPY_H
#define HET_RUNTIME_MIGRATION_MEMORY_PRECOPY_H

#include "migration/memory/StagingCopier.h"
#include "migration/memory/WriteTracker.h"

#include <map>
#include <vector>

namespace het::core {

class PreCopy {
public:
  /// The backend has new memory for these ranges, all zeros. Sends what it can of it;
  /// of `memory`, which is held meanwhile for no longer than a small part takes.
  void begin(StagingCopier &carrier, MemoryManager &memory,
             const std::vector<MappedRange> &ranges);

  /// While nothing writes: what is to be sent of ranges that the backend has now.
  std::vector<Carried> rest(const std::vector<MappedRange> &ranges);

  void end();

  /// Whether anything is sent before rest() is asked for.
  void want(bool wanted) { isWanted = wanted; }

private:
  using Blocks = std::vector<MappedRange>;
  bool send(StagingCopier &carrier, MemoryManager &memory);
  bool takeWritten(const std::vector<MappedRange> &ranges);

  WriteTracker watch;
  bool isWanted = true, isWatching = false;
  /// Sizes of the ranges that are zeros there but for what was sent, by address, and
  /// what was found to be sent of each.
  std::map<uint64_t, uint64_t> known;
  std::map<uint64_t, Blocks> waiting;
  uint64_t sent = 0;   ///< Bytes.
  unsigned pauses = 0; ///< Moves that are not to try it.
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MEMORY_PRECOPY_H
