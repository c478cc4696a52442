// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pages of this process are there, and which are written while it runs: as far as
// the system tells (Linux 6.7).

#ifndef HET_RUNTIME_MIGRATION_MEMORY_WRITETRACKER_H
#define HET_RUNTIME_MIGRATION_MEMORY_WRITETRACKER_H

#include "core/Memory.h"
#include "het/Base/KeptDescriptor.h"

#include <optional>
#include <vector>

namespace het::core {

class WriteTracker {
public:
  WriteTracker() = default;
  WriteTracker(const WriteTracker &) = delete;
  WriteTracker &operator=(const WriteTracker &) = delete;

  /// The parts of a range that have pages; the others hold zeros. Nothing: it is not
  /// known.
  std::optional<std::vector<MappedRange>> present(MappedRange range);

  /// Watches ranges, which are mapped. Who writes a page for the first time waits for
  /// the system a little. False: it can not be.
  bool start(const std::vector<MappedRange> &ranges);

  /// The parts of a range that have pages written since the last call for it, all of them
  /// at the first. Nothing: it is not watched, nor perhaps what was mapped there before.
  std::optional<std::vector<MappedRange>> written(MappedRange range);

  void stop();

private:
  std::optional<std::vector<MappedRange>> scan(MappedRange range, uint64_t flags,
                                               uint64_t all);

  KeptDescriptor pagemap, faults;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MEMORY_WRITETRACKER_H
