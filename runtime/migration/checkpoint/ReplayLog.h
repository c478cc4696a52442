// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of what a device has done since its last checkpoint, so that another one can do
// it again when the device is lost (docs/design/device-loss.md).

#ifndef HET_RUNTIME_MIGRATION_CHECKPOINT_REPLAYLOG_H
#define HET_RUNTIME_MIGRATION_CHECKPOINT_REPLAYLOG_H

#include "core/DeviceWork.h"
#include "core/Stream.h"
#include "het/Base/Bytes.h"
#include "het/Base/Hash.h"
#include "het/Base/Status.h"
#include "het/Package/Checkpoint.h"
#include "migration/checkpoint/EscapeCount.h"

#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace het::core {

struct MigratableLaunch;

/// One piece of work that is done.
struct ReplayEntry {
  enum class Kind {
    Launch,
    Work,     ///< It concerns the device's memory only.
    Upload,   ///< A copy of `data` to the device.
    Download, ///< A copy to the host, which was given bytes of this digest.
  };
  Kind kind;
  DeviceWork work;
  Bytes data;
  Digest digest = {};

  Kernel *kernel = nullptr;
  LaunchShape shape;
  Bytes arguments;
  std::optional<size_t> saved; ///< The launch's place in the checkpoint.
};

class ReplayLog {
public:
  /// The most bytes that it keeps.
  static constexpr uint64_t mostBytes = uint64_t(256) << 20;

  explicit ReplayLog(Device &device) : device(device) {}

  /// Every function may be called from any thread; work is added while its device's gate
  /// keeps a move or a checkpoint out.
  bool isOn() const { return on.load(std::memory_order_acquire); }
  /// From now on it records, as soon as there is a checkpoint.
  void turnOn() { on = true; }

  /// A checkpoint that was just written, of a device that is still suspended: see
  /// MigratableDevice::noteCheckpoint.
  void begin(Checkpoint file, const EscapeCount &before, const std::string &inside);
  /// There is none any more that this device could go back to.
  void forget();

  /// About to begin: what it was given says what it may reach.
  void check(const MigratableLaunch &launch);
  /// Done, and not known to have failed. Work is for the journals of all devices whose
  /// memory it concerns.
  void add(const DeviceWork &work);
  void add(const MigratableLaunch &launch);
  /// Something has happened that can not be done again.
  void breakOff(const std::string &reason);

  /// Why nothing can be done again; empty: nothing is in the way.
  std::string obstacle();
  /// The same, but empty where there is no checkpoint yet.
  std::string recoveryBlocker();

  // While the gate is closed:
  const Checkpoint &file() const { return *checkpoint; }
  const std::deque<ReplayEntry> &entries() const { return list; }
  /// Whether entries() stay even if it is broken off meanwhile.
  void keepEntries(bool wanted);

private:
  Device *ownerOf(uint64_t address) const;
  bool hasPinned(const DeviceWork &work, const Bytes &data) const;
  std::string obstacleLocked(const EscapeCount &now) const;
  void keep(ReplayEntry entry);
  void breakOffLocked(const std::string &reason);

  Device &device;
  std::atomic<bool> on{false};
  std::mutex mutex; ///< Guards what follows.
  std::optional<Checkpoint> checkpoint;
  std::string broken;
  std::set<std::string> said; ///< Reasons in the log: each is there once.
  EscapeCount then;           ///< Counts when the checkpoint was written.
  bool areInUse = false;      ///< The entries.
  uint64_t keptBytes = 0;
  std::deque<ReplayEntry> list;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CHECKPOINT_REPLAYLOG_H
