// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the process's first device where its policy wants it, and has lost ones go on
// elsewhere.

#ifndef HET_RUNTIME_MIGRATION_CONTROL_PLACEMENTCONTROLLER_H
#define HET_RUNTIME_MIGRATION_CONTROL_PLACEMENTCONTROLLER_H

#include "core/PeriodicThread.h"
#include "migration/control/Leases.h"
#include "migration/control/Policy.h"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace het::core {

class Device;

class PlacementController {
public:
  /// A policy's devices, those first that nothing speaks against.
  static std::vector<std::string> inOrder(const Policy &policy);

  /// Opens the devices of the policy, goes to the best one, and starts the thread. Once.
  /// Without a policy: that of a program that is only reached (docs/design/moving.md).
  Status start(Device &device, std::optional<Policy> policy);

  bool isStarted() const { return started; }

  /// Looks whether the device should be elsewhere, and moves it. What was decided.
  std::string reconsider();

  /// The device was moved by hand: it stays, until it has to leave.
  void noteHand() { byHand = true; }

  /// The process is about to end.
  void stop();

private:
  Status openPlaces();
  std::vector<std::string> usable();
  void takeUpLost();
  bool goToBest(const notes::All &all, const std::string &reason);
  bool tryPlace(const std::string &place, const std::string &why, bool mustLeave);
  std::string stay(const std::string &why);
  void keepNote();

  Device *device = nullptr;
  Policy policy;
  bool isOwn = false; ///< The program was given the policy.
  std::atomic<bool> byHand{false}, started{false};

  std::mutex mutex;      ///< Held by who decides; guards what follows.
  std::string complaint; ///< The last one.
  bool hasLeft = false;  ///< It is not where it was, as it could not stay there.
  std::map<std::string, std::chrono::steady_clock::time_point> refused; ///< When.
  std::string wanted; ///< The device that a note says is wanted.
  PeriodicThread thread;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CONTROL_PLACEMENTCONTROLLER_H
