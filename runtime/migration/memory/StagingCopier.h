// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between the memory of a backend that has its own and this process's. They go
// through a ring of pinned pieces: the device's engine copies one piece while several
// threads empty or fill others. To pin memory takes longer than to copy it, so the ring
// is kept from one move to the next.

#ifndef HET_RUNTIME_MIGRATION_MEMORY_STAGINGCOPIER_H
#define HET_RUNTIME_MIGRATION_MEMORY_STAGINGCOPIER_H

#include "core/Backend.h"
#include "core/Memory.h"

#include <memory>
#include <vector>

namespace het::core {

/// A range of a backend's memory, and where in this process its contents go or are.
struct Carried {
  uint64_t device = 0;
  uint8_t *host = nullptr;
  uint64_t size = 0;
};

class StagingRing;

/// One thread at a time.
class StagingCopier {
public:
  explicit StagingCopier(Backend &backend);
  ~StagingCopier();

  /// Makes ready for copying so many bytes, which the first time takes longer than
  /// copying.
  Status prepare(uint64_t bytes);

  /// Has the backend use ranges, whose contents do not matter: the first copy to new
  /// memory of a GPU takes a tenth longer.
  Status touch(const std::vector<MappedRange> &ranges);

  /// From the backend, or to it. Done, or failed, when they return.
  Status out(const std::vector<Carried> &parts);
  Status in(const std::vector<Carried> &parts);

private:
  Status carry(const std::vector<Carried> &parts, bool isOut);

  Backend &backend;
  std::unique_ptr<StagingRing> ring;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MEMORY_STAGINGCOPIER_H
