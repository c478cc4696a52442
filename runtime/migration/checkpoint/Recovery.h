// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device whose backend is lost, resumed on another from its last checkpoint and its
// replay log (docs/design/device-loss.md). While its gate is closed.

#ifndef HET_RUNTIME_MIGRATION_CHECKPOINT_RECOVERY_H
#define HET_RUNTIME_MIGRATION_CHECKPOINT_RECOVERY_H

#include "het/Base/Status.h"
#include "migration/MigratableDevice.h"

namespace het::core {

class Recovery {
public:
  Recovery(MigratableDevice &migratable, Backend &from, Backend &to)
      : migratable(migratable), replayLog(migratable.replayLog), from(from), to(to) {}
  ~Recovery();
  Recovery(const Recovery &) = delete;
  Recovery &operator=(const Recovery &) = delete;

  Status run();
  /// The device's memory is with `to` now, also where run() has failed.
  bool hasMoved() const { return moved; }
  /// Why it failed is no matter of the backend's.
  bool isFinal() const { return differs; }
  size_t launchesAgain() const { return launches; }
  size_t worksAgain() const { return works; }

private:
  Status check();
  Status checkKernel(Kernel &kernel, const std::optional<size_t> &saved);
  Status takeUp();
  Status carryMemory(const std::vector<MappedRange> &ranges);
  Status setBack();
  Status replay();
  Status replay(const ReplayEntry &entry);
  Status launch(const ReplayEntry &entry);
  Status carryOut(const DeviceWork &work);

  MigratableDevice &migratable;
  ReplayLog &replayLog;
  Backend &from, &to;
  HetQueue *queue = nullptr;
  bool moved = false, differs = false;
  size_t launches = 0, works = 0;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CHECKPOINT_RECOVERY_H
