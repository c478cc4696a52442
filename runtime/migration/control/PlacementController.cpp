// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides where the first device is to be: the best place of the policy that is free and
// takes its work.

#include "migration/control/PlacementController.h"
#include "core/Device.h"
#include "core/Runtime.h"
#include "core/Shutdown.h"
#include "het/Base/Log.h"
#include "migration/MigratableDevice.h"

#include <algorithm>

namespace het::core {

/// How often notes are looked at.
static constexpr auto interval = std::chrono::milliseconds(500);
/// How long a place that the device could not go to is left alone.
static constexpr auto patience = std::chrono::seconds(10);
/// As long as exit() waits for a move.
static constexpr auto longestEnd = std::chrono::seconds(10);

/// Why a device is not to be used; empty: nothing speaks against it.
static std::string objection(const std::string &name, unsigned priority,
                             const notes::All &all) {
  const std::string place = notes::deviceOf(name);
  if (std::find(all.drained.begin(), all.drained.end(), place) != all.drained.end())
    return place + " is drained";
  for (const notes::Wanted &one : all.wanted)
    if (one.device == place && one.priority > priority)
      return place + " is wanted by process " + std::to_string(one.process) +
             ", whose priority is " + std::to_string(one.priority);
  return "";
}

std::vector<std::string> PlacementController::inOrder(const Policy &policy) {
  const notes::All all = notes::read();
  std::vector<std::string> list, others;
  for (const std::string &name : policy.devices)
    (objection(name, policy.priority, all).empty() ? list : others).push_back(name);
  list.insert(list.end(), others.begin(), others.end());
  return list;
}

/// Opens the policy's places; one that is not here now is left out.
Status PlacementController::openPlaces() {
  std::vector<Backend *> backends;
  std::vector<std::string> found;
  for (const std::string &place : policy.devices) {
    Result<Backend *> backend = MigratableDevice::of(*device).backends.open(place);
    if (!backend.ok()) {
      log(Level::Warn, "policy: %s", backend.status().text().c_str());
      continue;
    }
    if (!(*backend)->parks())
      return unsupported("can not park kernels", place);
    backends.push_back(*backend);
    found.push_back(place);
  }
  if (found.empty())
    return unavailable("none of its devices is here");
  policy.devices = found;
  MigratableDevice::of(*device).backends.setDestinations(backends);
  return Status::success();
}

Status PlacementController::start(Device &governed, std::optional<Policy> wanted) {
  device = &governed;
  isOwn = wanted.has_value();
  if (isOwn) {
    policy = *wanted;
    if (!governed.primary().parks())
      return unsupported("can not park kernels", governed.name());
    if (Status status = openPlaces(); !status.ok())
      return status;
    Runtime &runtime = MigratableDevice::of(governed).runtime();
    for (size_t index = 0; policy.resumesLost && index < runtime.deviceCount(); ++index)
      if (Device &one = runtime.device(index); one.primary().parks())
        MigratableDevice::of(one).loss.resumeElsewhere([this] { return usable(); });
  } else {
    policy.devices = {governed.name()};
    if (notes::deviceOf(governed.name()) != notes::deviceOf("host"))
      policy.devices.push_back("host");
    policy.resumesLost = false;
  }
  reconsider();
  started = true;
  Shutdown::beforeLibraries();
  return thread.start(interval, [this] {
    reconsider();
    return true;
  });
}

void PlacementController::stop() {
  if (thread.stop(longestEnd) != PeriodicThread::End::NotRunning)
    if (std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
        lock && !wanted.empty())
      notes::wantNoMore(wanted);
}

/// In the policy's order; without the lock, as a thread that moves the device asks.
std::vector<std::string> PlacementController::usable() {
  const notes::All all = notes::read();
  std::vector<std::string> places;
  for (const std::string &place : policy.devices)
    if (objection(place, policy.priority, all).empty())
      places.push_back(place);
  return places;
}

/// True: the device is there now. What is in the way is said once.
bool PlacementController::tryPlace(const std::string &place, const std::string &why,
                                   bool mustLeave) {
  Result<Backend *> backend = MigratableDevice::of(*device).backends.open(place);
  if (backend.ok() && (*backend)->hasFault())
    return false;
  const auto now = std::chrono::steady_clock::now();
  auto last = refused.find(place);
  if (!mustLeave && last != refused.end() && now - last->second < patience)
    return false;
  Result<MoveReport> report = MigratableDevice::of(*device).migration.moveTo(place, why);
  if (report.ok()) {
    if (report->moved)
      log(Level::Info, "device %u: went to %s: %s", device->index(), place.c_str(),
          why.c_str());
    return true;
  }
  refused[place] = now;
  if (report.status().text() != complaint) {
    complaint = report.status().text();
    log(isOwn && !device->faultKind() ? Level::Warn : Level::Info, "%s",
        complaint.c_str());
  }
  return false;
}

/// The first of the policy that can be used; `reason`: why it can not stay. False: there
/// is none.
bool PlacementController::goToBest(const notes::All &all, const std::string &reason) {
  const std::string at = MigratableDevice::of(*device).activeName();
  for (const std::string &place : policy.devices)
    if (objection(place, policy.priority, all).empty())
      if (place == at ||
          tryPlace(place,
                   reason.empty() ? place + " is the best that can be used" : reason,
                   !reason.empty()))
        return true;
  return false;
}

/// It is where it should not be, and can not leave.
std::string PlacementController::stay(const std::string &why) {
  const std::string text = device->name() + ": stays on " +
                           MigratableDevice::of(*device).activeName() + ", though " +
                           why + ": its policy has no other device that can be used" +
                           (complaint.empty() ? "" : " (" + complaint + ")");
  if (MigratableDevice::of(*device).decision.get().why != text) {
    MigratableDevice::of(*device).decision.set(text);
    log(Level::Warn, "%s", text.c_str());
  }
  return text;
}

/// Whoever has work for a lost device would find that out, but there may be none now.
void PlacementController::takeUpLost() {
  Runtime &runtime = MigratableDevice::of(*device).runtime();
  for (size_t index = 0; policy.resumesLost && index < runtime.deviceCount(); ++index) {
    MigratableDevice &migratable = MigratableDevice::of(runtime.device(index));
    if (Backend *lost = migratable.isPaused() ? nullptr : migratable.loss.lostBackend())
      (void)migratable.loss.goOnAfter(*lost);
  }
}

std::string PlacementController::reconsider() {
  std::lock_guard<std::mutex> lock(mutex);
  MigratableDevice &migratable = MigratableDevice::of(*device);
  const bool wasLost = migratable.loss.lostBackend();
  takeUpLost();
  if (migratable.hasFailed())
    return migratable.decision.get().why;
  if (migratable.isPaused())
    return "it is paused, and looks again when it is resumed";
  if (wasLost) {
    keepNote();
    return migratable.decision.get().why;
  }
  const notes::All all = notes::read();
  const std::string reason = objection(migratable.activeName(), policy.priority, all);
  // Nobody has asked for another place than the one that it is at.
  if (reason.empty() && (byHand || !(isOwn || hasLeft)))
    return migratable.decision.get().why;
  if (!goToBest(all, reason) && !reason.empty())
    return stay(reason);
  if (!reason.empty()) {
    byHand = false;
    hasLeft = true;
  } else if (!isOwn) {
    hasLeft = false;
  }
  keepNote();
  return migratable.decision.get().why;
}

/// For programs of lower priority.
void PlacementController::keepNote() {
  const std::string now =
      policy.priority ? notes::deviceOf(MigratableDevice::of(*device).activeName()) : "";
  if (now == wanted)
    return;
  if (!wanted.empty())
    notes::wantNoMore(wanted);
  wanted = now;
  if (wanted.empty())
    return;
  if (Status status = notes::want(wanted, policy.priority); !status.ok())
    log(Level::Warn, "%s", status.text().c_str());
}

} // namespace het::core
