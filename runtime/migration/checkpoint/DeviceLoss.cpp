// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When its backend is lost, a device goes on elsewhere, or has a fault that says why not
// and what is left.

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

void MigratableDevice::noteCheckpoint(const std::string &path, const EscapeCount &before,
                                      const std::string &inside) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    checkpointPath = path;
    checkpointTime = SystemClock::now();
  }
  log(Level::Info, "%s: written", path.c_str());
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
  forEachLaunch([&](unsigned, MigratableLaunch &launch) {
    if (launch.state) // others begin from their beginning
      launch.saved = place;
    ++place;
  });
  replayLog.begin(file.take(), before, inside);
}

void MigratableDevice::resumeElsewhere(std::function<std::vector<std::string>()> places) {
  std::lock_guard<std::mutex> lock(mutex);
  placesToResume = std::move(places);
  replayLog.turnOn();
}

/// While the gate is closed.
Status MigratableDevice::recover(Backend &was) {
  if (std::string why = replayLog.obstacle(); !why.empty())
    return unsupported(why);
  Backend *from = &was;
  std::string reasons;
  for (const std::string &name : placesToResume()) {
    Result<Backend *> to = openBackend(name);
    if (to.ok() && (*to == from || (*to)->hasFault()))
      continue;
    Status status = to.status();
    if (to.ok()) {
      Recovery recovery(*this, *from, **to);
      replayLog.keepEntries(true);
      status = recovery.run();
      replayLog.keepEntries(false);
      if (recovery.hasMoved())
        from = now = *to;
      if (status.ok()) {
        log(Level::Warn,
            "device %u: goes on on %s from a checkpoint of %s s ago; done "
            "again: %zu launches, %zu copies and fills",
            device.index(), (*to)->name().c_str(), secondsSince(checkpointTime).c_str(),
            recovery.launchesAgain(), recovery.worksAgain());
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

Backend *MigratableDevice::lostBackend() {
  std::unique_lock<std::mutex> lock(moving, std::try_to_lock);
  return lock && !hasFailed() && active().isLost() ? &active() : nullptr;
}

bool MigratableDevice::isInUse() {
  std::lock_guard<std::mutex> lock(moving);
  return !checkpointPath.empty() || device.memory().used();
}

std::string MigratableDevice::recoveryBlocker() {
  std::unique_lock<std::mutex> lock(moving, std::try_to_lock);
  return lock && replayLog.isOn() && !hasFailed() ? replayLog.recoveryBlocker() : "";
}

static std::string lossOf(Backend &was) {
  return was.name() + " is lost: " + was.fault().message;
}

static Status notAskedFor() {
  return unsupported("that was not asked for (hetrun --prefer, --policy)");
}

/// Message of a device that does not go on: the loss, the reason, the last checkpoint.
std::string MigratableDevice::whatIsLeft(Backend &was, const Status &obstacle) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string message = lossOf(was);
  if (replayLog.isOn() || !checkpointPath.empty())
    message += "; it does not go on elsewhere: " + obstacle.text();
  if (!checkpointPath.empty())
    message += "; 'hetrun resume " + checkpointPath +
               " --device=DEVICE' finishes the kernels of its last checkpoint, " +
               secondsSince(checkpointTime) + " s old";
  return message;
}

/// Fault of a lost device that nobody resumes: who finds it first tells the same.
Fault MigratableDevice::lossFault(Backend &was) {
  return {HET_FAULT_LOST, whatIsLeft(was, notAskedFor())};
}

bool MigratableDevice::goOnAfterLoss(Backend &was) {
  std::lock_guard<std::mutex> lock(moving);
  if (hasFailed())
    return false;
  if (&active() != &was)
    return true; // another thread has seen to it
  const std::string lost = lossOf(was);
  Status status = notAskedFor();
  if (replayLog.isOn()) {
    log(Level::Warn, "device %u: %s", device.index(), lost.c_str());
    if (!paused)
      gate.close();
    {
      TraceScope scope(track(), "go on elsewhere");
      status = recover(was);
      scope.arguments.add("lost", was.name());
      if (!status.ok())
        scope.arguments.add("failure", status.text());
    }
    if (status.ok()) {
      decide(lost);
      if (paused)
        active().abi().setParking(active().handle(), 1);
    }
    if (!paused)
      gate.open();
  }
  if (status.ok())
    return true;
  const std::string message = whatIsLeft(was, status);
  decide(message);
  fail(HET_FAULT_LOST, message);
  return false;
}

} // namespace het::core
