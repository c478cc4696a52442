// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a device whose backend is lost: it goes on elsewhere from its last
// checkpoint, or has a fault that says why not and what is left
// (docs/design/device-loss.md).

#ifndef HET_RUNTIME_MIGRATION_CHECKPOINT_DEVICELOSS_H
#define HET_RUNTIME_MIGRATION_CHECKPOINT_DEVICELOSS_H

#include "core/Backend.h"
#include "migration/checkpoint/EscapeCount.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace het::core {

class MigratableDevice;

/// One device's. Functions may be called from any thread.
class DeviceLoss {
public:
  explicit DeviceLoss(MigratableDevice &migratable) : migratable(migratable) {}

  /// The last checkpoint of this device was written there just now; it is still
  /// suspended. `before` is of when it was suspended; `inside`: why its kernels may reach
  /// memory that is not the device's own, by what the file holds; empty: they may not.
  void noteCheckpoint(const std::string &path, const EscapeCount &before,
                      const std::string &inside);
  /// The replay log is turned on; `places` are asked for, in order, where to go on when a
  /// backend is lost.
  void resumeElsewhere(std::function<std::vector<std::string>()> places);

  /// The active backend, if it is lost and nobody sees to that yet.
  Backend *lostBackend();
  /// The active backend was found lost, by a thread outside of the gate. True: the
  /// device has gone on, and so can the caller. False: it has a fault.
  bool goOnAfter(Backend &was);
  /// Why it would not go on elsewhere if it were lost now, though it has a checkpoint;
  /// empty: nothing is in the way, or it is being moved.
  std::string recoveryBlocker();

  /// Fault of a lost device that nobody resumes: who finds it first tells the same.
  Fault fault(Backend &was);
  /// Whether a fault is not the program's to know: whoever has work for a lost backend
  /// goes on elsewhere, or fails.
  bool isHidden(int32_t kind) const;
  bool hasCheckpoint();

private:
  Status recover(Backend &was);
  Status tryToRecover(Backend &was);
  std::string whatIsLeft(Backend &was, const Status &obstacle);

  MigratableDevice &migratable;
  std::mutex mutex; ///< Guards what follows.
  std::string checkpointPath;
  std::chrono::system_clock::time_point checkpointTime;
  std::function<std::vector<std::string>()> placesToResume;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CHECKPOINT_DEVICELOSS_H
