// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device of a migratable process: its primary backend, which the program was shown, the
// other backends that it can be on, which one is active, and how it gets to another
// (docs/design/moving.md). Only the active backend has memory of the device and runs its
// work; what the program asks of the device or of kernels is asked of the primary.

#ifndef HET_RUNTIME_MIGRATION_MIGRATABLEDEVICE_H
#define HET_RUNTIME_MIGRATION_MIGRATABLEDEVICE_H

#include "core/Backend.h"
#include "core/Device.h"
#include "core/Executor.h"
#include "migration/Gate.h"
#include "migration/checkpoint/EscapeCount.h"
#include "migration/checkpoint/ReplayLog.h"
#include "migration/memory/MemoryTransfer.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace het::core {

class Device;
class Kernel;
class Module;
class MigratableQueue;
class MigrationExtension;
struct MigratableLaunch;
class Runtime;

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

/// Why a device is where it is, and since when.
struct Decision {
  std::string why;
  std::chrono::system_clock::time_point since;
};

/// Whether blocks and grids that the one takes are not too large for the other.
bool takesShapesOf(const HetDeviceProperties &was, const HetDeviceProperties &is);

/// Why a launch can not be there.
std::string tooMuchShared(const Kernel &kernel, const Backend &backend, uint64_t bytes);

class MigratableDevice final : public Executor {
public:
  MigratableDevice(Device &device, MigrationExtension &extension);
  ~MigratableDevice() override;
  /// A device's, in a process whose work may move.
  static MigratableDevice &of(Device &device) {
    return static_cast<MigratableDevice &>(device.executor());
  }

  MigrationExtension &extension() const { return layer; }
  Runtime &runtime() const;

  // Executor:
  void open(Backend &home, MemoryManager &memory) override;
  void close() override;
  std::unique_lock<std::mutex> hold() override {
    return std::unique_lock<std::mutex>(moving);
  }
  Result<std::unique_ptr<Queue>> createQueue(const std::string &name) override;
  Result<std::shared_ptr<Event>> createEvent() override;
  std::unique_ptr<KernelCode> createCode(Kernel &kernel) override;
  bool takesGraphs() const override { return false; } // nodes are launched one by one
  bool usesOwnHeap() const override { return true; }
  std::string loweringOptions(const Backend &backend) const override;
  Fault fault() override;
  int32_t faultKind() override;
  /// Pins for all backends, also those that come later. The primary may refuse; a backend
  /// that does not take the memory is one that the device can not move to.
  Status pin(uint64_t address, uint64_t size, bool isNew) override;
  Status unpin(uint64_t address) override;
  Status setLimit(uint32_t limit, uint64_t value) override;
  bool sharesHostMemory() const override;
  bool setAccess(Device &device, Device &other, bool isGiven) override;
  void noteManaged(int change) override;
  void noteHostVariable() override;
  void add(Module &module) override;
  void remove(Module &module) override;

  /// Users of the active backend are inside.
  Gate gate;
  /// For a device that may be lost.
  ReplayLog replayLog;
  /// Stays while inside of the gate; outside, it may be another one at once.
  Backend &active() const { return *now.load(std::memory_order_acquire); }
  bool isParking() const { return parking.load(std::memory_order_acquire); }

  /// Opens a backend, if that is not done. `name` is as in HET_DEVICES, and behind it
  /// there may be #2, #3, ... for another one of that name.
  Result<Backend *> openBackend(const std::string &name);

  /// Where it is going to be: kernels are made ready there, too, when they are prepared,
  /// so that no driver's compiler runs in the background, nor when the program ends.
  void setDestinations(std::vector<Backend *> backends);
  std::vector<Backend *> destinations();

  /// Moves the device. A failure leaves it where it is, but for one that becomes its
  /// fault. One thread at a time; others wait. `why` is the decision().
  Result<MoveReport> moveTo(const std::string &name,
                            const std::string &why = "the program moved it");
  /// The same for a launch, which waits while the device is paused, as all launches do.
  Result<MoveReport> moveWhenResumed(const std::string &name, const std::string &why);

  /// The last one.
  Decision decision();
  void decide(const std::string &why);
  /// The device's line in a trace.
  unsigned track() const;

  /// The last checkpoint of this device was written there just now; it is still
  /// suspended. `before` is of when it was suspended; `inside`: why its kernels may reach
  /// memory that is not the device's own, by what the file holds; empty: they may not.
  void noteCheckpoint(const std::string &path, const EscapeCount &before,
                      const std::string &inside);
  /// The replay log is turned on; `places` are asked for, in order, where to go on when a
  /// backend is lost.
  void resumeElsewhere(std::function<std::vector<std::string>()> places);
  /// The active backend was found lost, by a thread outside of the gate. True: the
  /// device has gone on, and so can the caller. False: it has a fault.
  bool goOnAfterLoss(Backend &was);

  /// The active backend, if it is lost and nobody sees to that yet.
  Backend *lostBackend();
  /// Whether it has memory, or had when a checkpoint was written. Waits for who moves it.
  bool isInUse();
  /// Why it would not go on elsewhere if it were lost now, though it has a checkpoint;
  /// empty: nothing is in the way, or it is being moved.
  std::string recoveryBlocker();

  /// As MemoryTransfer::copyAhead.
  void copyAhead(bool wanted);

  /// Stops all work, as at the beginning of a move; until resume().
  Status pause();
  Status resume();
  bool isPaused() const { return paused; }

  /// Whether its memory is the host's for all others: it is there now, and no driver
  /// that has memory of its own knows these addresses. While inside of the gate.
  bool isHostMemory();

  /// Calls a function while the device is suspended, and lets it go on, unless it is
  /// paused.
  Status whileParked(const std::function<Status(Backend &)> &use);
  /// Each launch as MigratableQueue::forEachLaunch has it, with its stream's number.
  /// While it is suspended.
  void forEachLaunch(const std::function<void(unsigned, MigratableLaunch &)> &use);
  /// Each module, without the locks; those that come meanwhile, too.
  Status forEachModule(const std::function<Status(Module &)> &use);

  /// A fault that is none of a backend's. The first stays.
  void fail(int32_t kind, const std::string &message);
  bool hasFailed() const { return failed.load(std::memory_order_acquire); }
  /// Its kernels, or another device's, may reach the other's memory, or no longer.
  void noteAccess(bool isGiven);
  /// Counts so far of what its kernels may reach.
  EscapeCount reachCount();
  /// Why kernels of several devices, or the host, may reach the same memory at any time;
  /// empty: they do not.
  std::string sharing();

  void add(MigratableQueue &queue);
  void remove(MigratableQueue &queue);

private:
  friend class Recovery;
  struct Other {
    std::string key;
    std::unique_ptr<Backend> backend;
  };

  /// Memory of the host that kernels reach.
  struct Pinned {
    uint64_t size;
    std::set<Backend *> by; ///< Pinned for all devices of their targets.
  };

  Result<MoveReport> moveHeld(const std::string &name, const std::string &why);
  Result<MoveReport> moveNow(Backend &to);
  Result<MoveReport> tryToMove(Backend &to, bool &again);
  void equip(Backend &backend);
  bool reachesPinned(const Backend &backend);
  bool reachesAllPinned(const Backend &backend);
  Status check(Backend &to);
  Status checkHeap(Backend &to);
  Status checkMemory(Backend &to);
  Status checkLaunches(Backend &to);
  Status checkPlaces(Backend &to);
  Status prepareKernels(Backend &to);
  bool hasPrepared(Backend &to);
  Status carryMemory(Backend &to, MoveReport &report);
  void beginParking();
  void endParking();
  void count(MoveReport &report);
  std::vector<Backend *> pinners();
  void forgetManaged();
  Status recover(Backend &was);
  std::string whatIsLeft(Backend &was, const Status &obstacle);
  Fault lossFault(Backend &was);
  /// Whoever has work for a lost backend goes on elsewhere, or fails.
  bool isHidden(int32_t kind) const { return kind == HET_FAULT_LOST && replayLog.isOn(); }

  Device &device;
  MigrationExtension &layer;
  std::mutex moving; ///< Held by who moves, pauses, resets or resumes the device.
  std::atomic<bool> paused{false}; ///< Changed by who holds `moving`.
  MemoryTransfer mover;            ///< Likewise used.
  Backend *home = nullptr;
  std::atomic<Backend *> now{nullptr};
  std::atomic<bool> parking{false}, failed{false};
  std::atomic<int> managed{0}, accesses{0}; ///< Now.
  std::atomic<bool> hasHostVariables{false};
  std::atomic<uint64_t> accessesSoFar{0};

  std::mutex mutex; ///< Guards what follows.
  Fault failure;
  Decision last;
  std::string checkpointPath;
  std::chrono::system_clock::time_point checkpointTime;
  std::function<std::vector<std::string>()> placesToResume;
  std::string homeKey;
  std::vector<Backend *> planned;
  std::vector<Other> others;
  std::map<uint64_t, Pinned> pinned; ///< By address.
  std::map<uint32_t, uint64_t> limits;
  std::map<Backend *, std::string> unfit; ///< Those that do not take the limits.
  std::set<MigratableQueue *> queues;
  std::set<Module *> modules;
  Module *used = nullptr; ///< By forEachModule.
  std::condition_variable released;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MIGRATABLEDEVICE_H
