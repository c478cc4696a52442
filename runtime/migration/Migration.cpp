// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A move: everything that can be known to be in its way is asked before anything is
// suspended; then the device's work is suspended, its gate closes, and what could only be
// known then is asked again. Until the memory is with the other backend the device can go
// on where it was as if nothing had been.

#include "migration/Migration.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/trace/Trace.h"
#include "het/Base/Log.h"
#include "migration/Eligibility.h"
#include "migration/MigratableCode.h"
#include "migration/MigratableDevice.h"
#include "migration/MigratableQueue.h"
#include "migration/MigrationExtension.h"

#include <cstdio>

namespace het::core {

using Clock = std::chrono::steady_clock;

/// Kernels may be launched for the first time while others are prepared for a move.
static constexpr int maxTries = 16;

std::string MoveReport::text() const {
  if (!moved)
    return from + ": it is there already";
  char numbers[200];
  std::snprintf(numbers, sizeof(numbers),
                "%.3f ms parked, %llu bytes copied, %llu blocks parked, %llu "
                "unstarted, %llu ended",
                static_cast<double>(parked.count()) * 1e-6,
                static_cast<unsigned long long>(copiedBytes),
                static_cast<unsigned long long>(blocksParked),
                static_cast<unsigned long long>(blocksUnstarted),
                static_cast<unsigned long long>(blocksEnded));
  return from + " -> " + to + ": " + numbers;
}

static std::string cannotMove(const Backend &to, const std::string &why) {
  return "can not be moved to " + to.name() + ": " + why;
}

/// Whether the device, and blocks that are suspended, could be there.
Status Migration::check(Backend &to) {
  const Eligibility eligibility(migratable, to);
  std::string why = eligibility.moveBlocker();
  if (why.empty())
    why = eligibility.launchBlocker();
  if (why.empty())
    return Status::success();
  return unsupported(cannotMove(to, why), migratable.device().name());
}

Status Migration::prepareKernels(Backend &to) {
  TraceScope scope(migratable.track(), "prepare kernels");
  return migratable.work.forEachModule([&](Module &module) -> Status {
    for (const std::shared_ptr<Kernel> &kernel : usedKernels(module))
      if (Status status = MigratableCode::of(*kernel).loadOn(to).status(); !status.ok())
        return status;
    return Status::success();
  });
}

bool Migration::hasPrepared(Backend &to) {
  bool has = true;
  (void)migratable.work.forEachModule([&](Module &module) {
    for (const std::shared_ptr<Kernel> &kernel : usedKernels(module))
      has &= MigratableCode::of(*kernel).isLoadedOn(to);
    return Status::success();
  });
  return has;
}

void Migration::count(MoveReport &report) {
  migratable.work.forEachLaunch([&](unsigned, const MigratableLaunch &launch) {
    if (!launch.state)
      return;
    ++report.launches;
    report.blocksParked += launch.state->number(HET_BLOCK_PARKED);
    report.blocksUnstarted += launch.state->number(HET_BLOCK_UNSTARTED);
    report.blocksEnded += launch.state->number(HET_BLOCK_ENDED);
  });
}

Status Migration::carryMemory(Backend &to, MoveReport &report) {
  TraceScope scope(migratable.track(), "carry memory");
  bool lost = false;
  Backend &from = migratable.active();
  Status status = migratable.device().memory().moveTo(
      to.abi(), to.handle(), [&](const std::vector<MappedRange> &ranges) {
        return mover.carry(from, to, ranges, report.copiedBytes, lost);
      });
  // Where the backend is lost, whoever has work for it sees to that.
  if (lost && !(from.isLost() && migratable.replayLog.isOn()))
    migratable.fail(HET_FAULT_LOST, "the device's memory is lost: " + status.text());
  return status;
}

/// With all work suspended.
Status Migration::moveSuspended(Backend &to, MoveReport &report) {
  count(report);
  if (Status status = check(to); !status.ok())
    return status;
  if (std::string why = Eligibility(migratable, to).placeBlocker(); !why.empty())
    return unsupported(cannotMove(to, why), migratable.device().name());
  if (Status status = carryMemory(to, report); !status.ok())
    return status;
  Backend &was = migratable.active();
  was.abi().setParking(was.handle(), 0);
  migratable.setActive(to);
  report.moved = true;
  return Status::success();
}

/// `again`: a kernel was launched for the first time since they were prepared.
Result<MoveReport> Migration::tryToMove(Backend &to, bool &again) {
  MoveReport report;
  report.from = migratable.active().name();
  report.to = to.name();
  TraceScope whole(migratable.track(), "move");
  whole.arguments.add("from", report.from).add("to", report.to);
  if (std::string why = Eligibility(migratable, to).moveBlocker(); !why.empty())
    return unsupported(cannotMove(to, why), migratable.device().name());
  if (Status status = prepareKernels(to); !status.ok())
    return status;
  if (std::string why = Eligibility(migratable, to).launchBlocker(); !why.empty())
    return unsupported(cannotMove(to, why), migratable.device().name());
  mover.prepare(migratable.active(), to, migratable.device().memory());
  const Clock::time_point begin = Clock::now();
  const bool isPaused = migratable.isPaused();
  if (!isPaused)
    migratable.suspend();
  again = !hasPrepared(to);
  Status status = again ? Status::success() : moveSuspended(to, report);
  if (!isPaused)
    migratable.letGoOn();
  else if (report.moved && to.parks())
    to.abi().setParking(to.handle(), 1);
  report.parked = Clock::now() - begin;
  whole.arguments.add("bytes", report.copiedBytes)
      .add("blocks parked", report.blocksParked)
      .add("blocks not started", report.blocksUnstarted);
  if (!status.ok()) {
    whole.arguments.add("failure", status.text());
    return status;
  }
  return report;
}

Result<MoveReport> Migration::moveTo(const std::string &name, const std::string &why) {
  std::unique_lock<std::mutex> lock = migratable.hold();
  if (migratable.isPaused())
    return unavailable("is paused; resume it first", migratable.device().name());
  return moveHeld(name, why);
}

Result<MoveReport> Migration::moveWhenResumed(const std::string &name,
                                              const std::string &why) {
  for (;;) {
    {
      Gate::Inside untilResumed(migratable.gate);
    }
    std::unique_lock<std::mutex> lock = migratable.hold();
    if (!migratable.isPaused())
      return moveHeld(name, why);
  }
}

Result<MoveReport> Migration::moveWhilePaused(const std::string &name,
                                              const std::string &why) {
  std::unique_lock<std::mutex> lock = migratable.hold();
  if (!migratable.isPaused())
    return unavailable("is not paused", migratable.device().name());
  return moveHeld(name, why);
}

/// Of a device that is held.
Result<MoveReport> Migration::moveHeld(const std::string &name, const std::string &why) {
  Result<Backend *> to = migratable.backends.open(name);
  if (!to.ok())
    return to.status();
  const std::string from = migratable.active().name();
  if (*to == &migratable.active()) {
    MoveReport report;
    report.from = report.to = from;
    return report;
  }
  const unsigned index = migratable.device().index();
  const MoveCallbacks callbacks = migratable.extension().moveCallbacks();
  if (callbacks.before)
    callbacks.before(index, from, (*to)->name());
  Result<MoveReport> report = moveNow(**to);
  if (report.ok())
    migratable.decision.set(why);
  if (callbacks.after)
    callbacks.after(index, from, (*to)->name(), report.ok());
  return report;
}

Result<MoveReport> Migration::moveNow(Backend &to) {
  for (int tries = 0; tries < maxTries; ++tries) {
    bool again = false;
    Result<MoveReport> report = tryToMove(to, again);
    if (again)
      continue;
    mover.finish();
    log(Level::Info, "device %u: %s", migratable.device().index(),
        report.ok() ? report->text().c_str() : report.status().text().c_str());
    return report;
  }
  mover.finish();
  return unavailable(cannotMove(to, "new kernels are launched all the time"),
                     migratable.device().name());
}

void Migration::copyAhead(bool wanted) {
  std::unique_lock<std::mutex> lock = migratable.hold();
  mover.copyAhead(wanted);
}

} // namespace het::core
