// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When its backend is lost, a device goes on elsewhere, or has a fault that says why not
// and what is left.

#include "migration/checkpoint/DeviceLoss.h"
#include "core/Device.h"
#include "core/Runtime.h"
#include "core/trace/Trace.h"
#include "het/Base/Log.h"
#include "migration/MigratableDevice.h"
#include "migration/MigratableQueue.h"
#include "migration/checkpoint/Recovery.h"

#include <cstdio>

namespace het::core {

using SystemClock = std::chrono::system_clock;

static std::string secondsSince(SystemClock::time_point time) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.3f",
                std::chrono::duration<double>(SystemClock::now() - time).count());
  return text;
}

void DeviceLoss::noteCheckpoint(const std::string &path, const EscapeCount &before,
                                const std::string &inside) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    checkpointPath = path;
    checkpointTime = SystemClock::now();
  }
  log(Level::Info, "%s: written", path.c_str());
  ReplayLog &replayLog = migratable.replayLog;
  if (!replayLog.isOn())
    return;
  Result<Checkpoint> file = Checkpoint::open(path);
  if (!file.ok()) {
    replayLog.forget();
    log(Level::Warn, "%s", file.status().text().c_str());
    return;
  }
  // In the order in which they were written.
  size_t place = 0;
  migratable.work.forEachLaunch([&](unsigned, MigratableLaunch &launch) {
    if (launch.state) // others begin from their beginning
      launch.saved = place;
    ++place;
  });
  replayLog.begin(file.take(), before, inside);
}

void DeviceLoss::resumeElsewhere(std::function<std::vector<std::string>()> places) {
  std::lock_guard<std::mutex> lock(mutex);
  placesToResume = std::move(places);
  migratable.replayLog.turnOn();
}

/// While the gate is closed.
Status DeviceLoss::tryToRecover(Backend &was) {
  ReplayLog &replayLog = migratable.replayLog;
  if (std::string why = replayLog.obstacle(); !why.empty())
    return unsupported(why);
  Backend *from = &was;
  std::string reasons;
  for (const std::string &name : placesToResume()) {
    Result<Backend *> to = migratable.backends.open(name);
    if (to.ok() && (*to == from || (*to)->hasFault()))
      continue;
    Status status = to.status();
    if (to.ok()) {
      Recovery recovery(migratable, *from, **to);
      replayLog.keepEntries(true);
      status = recovery.run();
      replayLog.keepEntries(false);
      if (recovery.hasMoved()) {
        from = *to;
        migratable.setActive(**to);
      }
      if (status.ok()) {
        log(Level::Warn,
            "device %u: goes on on %s from a checkpoint of %s s ago; done "
            "again: %zu launches, %zu copies and fills",
            migratable.device().index(), (*to)->name().c_str(),
            secondsSince(checkpointTime).c_str(), recovery.launchesAgain(),
            recovery.worksAgain());
        return status;
      }
      if (recovery.isFinal())
        return status;
    }
    reasons += (reasons.empty() ? "" : "; ") + name + ": " + status.text();
  }
  return unavailable(reasons.empty() ? "its policy has no other device that can be used"
                                     : reasons);
}

Backend *DeviceLoss::lostBackend() {
  std::unique_lock<std::mutex> lock = migratable.tryToHold();
  return lock && !migratable.hasFailed() && migratable.active().isLost()
             ? &migratable.active()
             : nullptr;
}

std::string DeviceLoss::recoveryBlocker() {
  std::unique_lock<std::mutex> lock = migratable.tryToHold();
  return lock && migratable.replayLog.isOn() && !migratable.hasFailed()
             ? migratable.replayLog.recoveryBlocker()
             : "";
}

bool DeviceLoss::hasCheckpoint() {
  std::lock_guard<std::mutex> lock(mutex);
  return !checkpointPath.empty();
}

bool DeviceLoss::isHidden(int32_t kind) const {
  return kind == HET_FAULT_LOST && migratable.replayLog.isOn();
}

static std::string lossOf(Backend &was) {
  return was.name() + " is lost: " + was.fault().message;
}

static Status notAskedFor() {
  return unsupported("that was not asked for (hetrun --prefer, --policy)");
}

/// Message of a device that does not go on: the loss, the reason, the last checkpoint.
std::string DeviceLoss::whatIsLeft(Backend &was, const Status &obstacle) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string message = lossOf(was);
  if (migratable.replayLog.isOn() || !checkpointPath.empty())
    message += "; it does not go on elsewhere: " + obstacle.text();
  if (!checkpointPath.empty())
    message += "; 'hetrun resume " + checkpointPath +
               " --device=DEVICE' finishes the kernels of its last checkpoint, " +
               secondsSince(checkpointTime) + " s old";
  return message;
}

Fault DeviceLoss::fault(Backend &was) {
  return {HET_FAULT_LOST, whatIsLeft(was, notAskedFor())};
}

/// With the device held.
Status DeviceLoss::recover(Backend &was) {
  log(Level::Warn, "device %u: %s", migratable.device().index(), lossOf(was).c_str());
  if (!migratable.isPaused())
    migratable.gate.close();
  Status status;
  {
    TraceScope scope(migratable.track(), "go on elsewhere");
    status = tryToRecover(was);
    scope.arguments.add("lost", was.name());
    if (!status.ok())
      scope.arguments.add("failure", status.text());
  }
  if (status.ok()) {
    migratable.decision.set(lossOf(was));
    Backend &active = migratable.active();
    if (migratable.isPaused())
      active.abi().setParking(active.handle(), 1);
  }
  if (!migratable.isPaused())
    migratable.gate.open();
  return status;
}

bool DeviceLoss::goOnAfter(Backend &was) {
  std::unique_lock<std::mutex> lock = migratable.hold();
  if (migratable.hasFailed())
    return false;
  if (&migratable.active() != &was)
    return true; // another thread has seen to it
  const Status status = migratable.replayLog.isOn() ? recover(was) : notAskedFor();
  if (status.ok())
    return true;
  const std::string message = whatIsLeft(was, status);
  migratable.decision.set(message);
  migratable.fail(HET_FAULT_LOST, message);
  return false;
}

} // namespace het::core
