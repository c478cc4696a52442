// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves a device to the next place of its plan at each interval.

#include "migration/control/RoundRobin.h"
#include "core/Device.h"
#include "core/Shutdown.h"
#include "het/Base/Log.h"
#include "migration/MigratableDevice.h"

namespace het::core {

/// As long as exit() waits for a move.
static constexpr auto longestEnd = std::chrono::seconds(10);

Status RoundRobin::start(Device &moved, HopPlan wanted) {
  std::vector<Backend *> backends;
  for (const std::string &place : wanted.places) {
    Result<Backend *> backend = MigratableDevice::of(moved).backends.open(place);
    if (!backend.ok())
      return backend.status();
    if (!(*backend)->parks())
      return unsupported("can not park kernels", place);
    backends.push_back(*backend);
  }
  MigratableDevice::of(moved).backends.setDestinations(backends);
  if (!moved.primary().parks())
    return unsupported("can not park kernels", moved.name());
  device = &moved;
  plan = std::move(wanted);
  Shutdown::beforeLibraries();
  return thread.start(plan.interval, [this] {
    hop();
    return true;
  });
}

/// To the next place that it is not at already.
void RoundRobin::hop() {
  for (size_t tries = 0; tries < plan.places.size(); ++tries) {
    Result<MoveReport> report = MigratableDevice::of(*device).migration.moveTo(
        plan.places[next++ % plan.places.size()], "its turn");
    if (!report.ok() && report.status().text() != complaint) {
      complaint = report.status().text(); // once, not each time
      // That the device has a fault is the program's to notice.
      log(device->faultKind() ? Level::Info : Level::Warn, "%s", complaint.c_str());
    }
    if (!report.ok() || report->moved)
      return;
  }
}

void RoundRobin::stop() { (void)thread.stop(longestEnd); }

} // namespace het::core
