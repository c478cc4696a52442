// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime of this process: its targets and its devices. Made at the first
// use and never destroyed, since threads of devices and calls during static
// destruction use it to the end.

#ifndef HET_RUNTIME_RUNTIME_H
#define HET_RUNTIME_RUNTIME_H

#include "core/Device.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace het::core {

class PinnedMemory;
struct Policy;

/// Whether kernels get code for constants of their launches (HET_SPECIALISE).
enum class Specialise {
  Never,
  Usually, ///< Where it is likely to pay, made in the background.
  Always   ///< Each launch waits for code of its own: for tests of such code.
};

/// Called by the thread that moves a device, before anything is parked and when it runs
/// again; either may be empty.
struct MoveCallbacks {
  std::function<void(unsigned, const std::string &from, const std::string &to)> before;
  std::function<void(unsigned, const std::string &from, const std::string &to,
                     bool succeeded)>
      after;
};

class Runtime {
public:
  /// The process's runtime. Fails, always with the same status, if an
  /// environment variable has a bad value or a device that HET_DEVICES names is
  /// not here.
  static Result<Runtime *> get();

  size_t deviceCount() const { return devices.size(); }
  Device &device(size_t index) const { return *devices[index]; }

  /// The device in whose part of the window an address lies; null: none's.
  Device *ownerOf(const void *pointer);

  /// Of the host, by whichever device.
  PinnedMemory &pinnedMemory() const { return *pinned; }
  ManagedCount &managedMemory() { return managed; }

  /// The folder of the runtime's library: `het/` in it has what belongs to it.
  const std::string &libraryFolder() const { return folder; }

  Specialise specialise() const { return specialisations; }
  /// Whether the process's work may move (HET_CONTROL, HET_HOP, HET_CHECKPOINT, HET_POLICY).
  bool isMigratable() const { return movable; }

  /// Opens another backend; `shown` is its name in messages. Every function here may be
  /// called from any thread.
  Result<std::unique_ptr<Backend>> openBackend(const std::string &name,
                                               const std::string &shown);
  void setMoveCallbacks(MoveCallbacks wanted);
  MoveCallbacks moveCallbacks();

  /// Equal for names that mean the same.
  static std::string backendKey(const std::string &name);

  /// Whether kernels are loaded from the cache before they are launched (HET_PRELOAD).
  bool preloads() const { return preload; }
  /// HET_POLL_INTERVAL: how much work kernels that can be parked do between polls; 0: as
  /// much as is found right.
  uint64_t workBetweenPolls() const { return pollInterval; }
  /// HET_SHORT_LAUNCH: launches of a movable process that take no longer than this are
  /// waited for, not parked; 0: none are.
  std::chrono::microseconds shortLaunch() const { return shortest; }

private:
  Runtime() = default;
  Status open();
  Result<std::shared_ptr<Target>> target(const std::string &name);
  Result<std::pair<std::shared_ptr<Target>, uint32_t>>
  find(const std::string &thing, const std::string &name, uint32_t next);
  Status addDevice(const std::string &name);
  Status addDefaultDevices();
  Status openMovable();
  Status openDevices(const Policy *policy);
  Status addPreferred(const Policy &policy);
  void addAccelerators(const Target &target);

  std::string folder;
  Specialise specialisations = Specialise::Never;
  bool preload = true, movable = false;
  uint64_t pollInterval = 0;
  std::chrono::microseconds shortest{0};
  std::shared_ptr<PinnedMemory> pinned;
  ManagedCount managed;
  std::mutex mutex; ///< Guards what follows.
  std::vector<std::shared_ptr<Target>> targets;
  uint32_t furtherBackends = 0;
  MoveCallbacks callbacks;
  std::vector<std::unique_ptr<Device>> devices;
};

} // namespace het::core

#endif // HET_RUNTIME_RUNTIME_H
