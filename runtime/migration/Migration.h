// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves a device with its memory and its suspended work from its active backend to
// another (docs/design/moving.md).

#ifndef HET_RUNTIME_MIGRATION_MIGRATION_H
#define HET_RUNTIME_MIGRATION_MIGRATION_H

#include "core/Backend.h"
#include "migration/memory/MemoryTransfer.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace het::core {

class MigratableDevice;

/// Outcome of a move.
struct MoveReport {
  std::string from, to;
  bool moved = false; ///< False: it was there already.
  std::chrono::nanoseconds parked{0};
  uint64_t copiedBytes = 0;
  uint64_t launches = 0; ///< That were under way, and how their blocks stood:
  uint64_t blocksParked = 0, blocksUnstarted = 0, blocksEnded = 0;

  /// For the log.
  std::string text() const;
};

/// One device's. Functions may be called from any thread, but for forget().
class Migration {
public:
  explicit Migration(MigratableDevice &migratable) : migratable(migratable) {}

  /// Moves the device. A failure leaves it where it is, but for one that becomes its
  /// fault. One thread at a time; others wait. `why` is the decision().
  Result<MoveReport> moveTo(const std::string &name,
                            const std::string &why = "the program moved it");
  /// The same for a launch, which waits while the device is paused, as all launches do.
  Result<MoveReport> moveWhenResumed(const std::string &name, const std::string &why);
  /// The same of a device that is paused, and stays so.
  Result<MoveReport> moveWhilePaused(const std::string &name, const std::string &why);
  /// As MemoryTransfer::copyAhead.
  void copyAhead(bool wanted);
  /// Before backends are closed.
  void forget() { mover.forget(); }

private:
  Result<MoveReport> moveHeld(const std::string &name, const std::string &why);
  Result<MoveReport> moveNow(Backend &to);
  Result<MoveReport> tryToMove(Backend &to, bool &again);
  Status check(Backend &to);
  Status prepareKernels(Backend &to);
  bool hasPrepared(Backend &to);
  Status moveSuspended(Backend &to, MoveReport &report);
  Status carryMemory(Backend &to, MoveReport &report);
  void count(MoveReport &report);

  MigratableDevice &migratable;
  MemoryTransfer mover; ///< Used by who holds the device.
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MIGRATION_H
