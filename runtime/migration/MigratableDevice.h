// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device of a migratable process: its backends, which of them is active, its work, and
// what suspends and moves it (docs/design/moving.md). Only the active backend has memory
// of the device and runs its work; what the program asks of the device or of kernels is
// asked of the primary.

#ifndef HET_RUNTIME_MIGRATION_MIGRATABLEDEVICE_H
#define HET_RUNTIME_MIGRATION_MIGRATABLEDEVICE_H

#include "core/Backend.h"
#include "core/Device.h"
#include "core/Executor.h"
#include "migration/ActiveBackend.h"
#include "migration/DeviceBackends.h"
#include "migration/Gate.h"
#include "migration/LastDecision.h"
#include "migration/Migration.h"
#include "migration/WorkRegistry.h"
#include "migration/checkpoint/DeviceLoss.h"
#include "migration/checkpoint/ReplayLog.h"
#include "migration/memory/MemorySharing.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace het::core {

class MigrationExtension;
class Runtime;

class MigratableDevice final : public Executor {
public:
  MigratableDevice(Device &device, MigrationExtension &extension);
  ~MigratableDevice() override;
  /// A device's, in a process whose work may move.
  static MigratableDevice &of(Device &device) {
    return static_cast<MigratableDevice &>(device.executor());
  }

  Device &device() const { return owner; }
  MigrationExtension &extension() const { return layer; }
  Runtime &runtime() const;

  // Executor:
  void open(Backend &home, MemoryManager &memory) override;
  void close() override;
  std::unique_lock<std::mutex> hold() override;
  Result<std::unique_ptr<Queue>> createQueue(const std::string &name) override;
  Result<std::shared_ptr<Event>> createEvent() override;
  std::unique_ptr<KernelCode> createCode(Kernel &kernel) override;
  bool takesGraphs() const override { return false; } // nodes are launched one by one
  bool usesOwnHeap() const override { return true; }
  std::string loweringOptions(const Backend &backend) const override;
  Fault fault() override;
  int32_t faultKind() override;
  Status pin(uint64_t address, uint64_t size, bool isNew) override;
  Status unpin(uint64_t address) override { return backends.unpin(address); }
  Status setLimit(uint32_t limit, uint64_t value) override;
  bool sharesHostMemory() const override;
  bool keepsMemory() const override { return false; }
  bool setAccess(Device &device, Device &other, bool isGiven) override;
  void noteManaged(int change) override { sharing.noteManaged(change); }
  void noteHostVariable() override { sharing.noteHostVariable(); }
  void add(Module &module) override { work.add(module); }
  void remove(Module &module) override;

  DeviceBackends backends;
  WorkRegistry work;
  MemorySharing sharing;
  /// Users of the active backend are inside.
  Gate gate;
  /// For a device that may be lost.
  ReplayLog replayLog;
  DeviceLoss loss;
  Migration migration;
  LastDecision decision;

  /// Stays while inside of the gate; outside, it may be another one at once.
  Backend &active() const { return place.get(); }
  /// By who holds the device, with its gate closed.
  void setActive(Backend &backend) { place.set(backend); }
  /// The active backend's name, for threads that are outside of the gate: the backend
  /// itself may end with a reset meanwhile.
  std::string activeName() const { return place.name(); }
  /// Whether it has memory, or had when a checkpoint was written. Waits for who moves it.
  bool isInUse();

  /// As hold(), but owns nothing where another thread moves, pauses or resets the device.
  std::unique_lock<std::mutex> tryToHold();
  /// Suspends all work and closes the gate. By who holds the device, as letGoOn().
  void suspend();
  void letGoOn();
  bool isParking() const { return parking.load(std::memory_order_acquire); }

  /// Stops all work, as at the beginning of a move; until resume().
  Status pause();
  Status resume();
  bool isPaused() const { return paused; }
  /// Calls a function while the device is suspended, and lets it go on, unless it is
  /// paused.
  Status whileParked(const std::function<Status(Backend &)> &use);

  /// A fault that is none of a backend's. The first stays.
  void fail(int32_t kind, const std::string &message);
  bool hasFailed() const { return failed.load(std::memory_order_acquire); }

  /// The device's line in a trace.
  unsigned track() const;

private:
  Device &owner;
  MigrationExtension &layer;
  std::mutex moving; ///< Held by who moves, pauses, resets or resumes the device.
  std::atomic<bool> paused{false}; ///< Changed by who holds `moving`.
  ActiveBackend place;
  std::atomic<bool> parking{false}, failed{false};

  std::mutex mutex; ///< Guards what follows.
  Fault failure;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MIGRATABLEDEVICE_H
