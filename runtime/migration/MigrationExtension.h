// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The migration layer's part of the process's runtime: executors whose work can move to
// another backend, and the services that move it. It is there where the environment asks
// for one of them (HET_CONTROL, HET_HOP, HET_CHECKPOINT, HET_POLICY); else devices stay
// direct, and nothing here costs anything.

#ifndef HET_RUNTIME_MIGRATION_MIGRATIONEXTENSION_H
#define HET_RUNTIME_MIGRATION_MIGRATIONEXTENSION_H

#include "core/Memory.h"
#include "core/Runtime.h"
#include "migration/checkpoint/PeriodicCheckpoint.h"
#include "migration/control/ControlServer.h"
#include "migration/control/Hop.h"
#include "migration/control/PlacementController.h"
#include "migration/control/Policy.h"
#include "migration/control/RoundRobin.h"
#include "migration/memory/PinnedMemory.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace het::core {

/// Called by the thread that moves a device, before anything is suspended and when it
/// runs again; either may be empty.
struct MoveCallbacks {
  std::function<void(unsigned, const std::string &from, const std::string &to)> before;
  std::function<void(unsigned, const std::string &from, const std::string &to,
                     bool succeeded)>
      after;
};

struct MigrationSettings {
  /// HET_POLL_INTERVAL: how much work kernels do between polls; 0: as much as is found
  /// right.
  uint32_t pollInterval = 0;
  /// HET_SHORT_LAUNCH: launches that take no longer than this are waited for, not
  /// suspended; 0: none are.
  std::chrono::microseconds shortLaunch{0};
};

class MigrationExtension final : public RuntimeExtension {
public:
  /// The process's; never destroyed.
  static MigrationExtension &get();
  /// Adds it to the runtime. Before Runtime::get().
  static void install() { Runtime::extend(get()); }

  Status configure(Runtime &runtime) override;
  std::unique_ptr<Executor> createExecutor(Device &device) override;
  std::vector<std::string> preferredDevices() override;
  Status start() override;

  /// Whether the process's work may move.
  bool isActive() const { return plans.any(); }
  Runtime &runtime() const { return *owner; }
  const MigrationSettings &settings() const { return values; }
  /// Memory of the host that any device has pinned.
  PinnedMemory &pinnedMemory() { return pinned; }
  ManagedCount &managedMemory() { return managed; }
  PlacementController &placement() { return placementController; }

  void setMoveCallbacks(MoveCallbacks wanted);
  MoveCallbacks moveCallbacks();

private:
  /// Requests of the environment.
  struct Plans {
    bool control = false;
    std::optional<HopPlan> hop;
    std::optional<CheckpointPlan> checkpoint;
    std::optional<Policy> policy;

    Status read();
    bool any() const { return control || hop || checkpoint || policy; }
  };

  MigrationExtension() = default;
  Status readSettings();
  void stop();

  Runtime *owner = nullptr;
  Plans plans;
  MigrationSettings values;
  PinnedMemory pinned;
  ManagedCount managed;
  ControlServer controlServer;
  RoundRobin roundRobin;
  PlacementController placementController;
  PeriodicCheckpoint periodicCheckpoint;
  std::mutex mutex; ///< Guards what follows.
  MoveCallbacks callbacks;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MIGRATIONEXTENSION_H
