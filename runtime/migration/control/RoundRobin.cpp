// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving round and round.

#include "migration/control/RoundRobin.h"
#include "core/Worker.h"
#include "migration/MigratableDevice.h"
#include "het/Base/Log.h"
#include "core/Device.h"

namespace het::core {

/// As long as exit() waits for a move.
static constexpr auto longestEnd = std::chrono::seconds(10);

RoundRobin &RoundRobin::get() {
  static RoundRobin *hopper = new RoundRobin; // used until the process ends
  return *hopper;
}

Status RoundRobin::start(Device &moved, HopPlan wanted) {
  std::vector<Backend *> backends;
  for (const std::string &place : wanted.places) {
    Result<Backend *> backend = moved.migratable()->open(place);
    if (!backend.ok())
      return backend.status();
    if (!(*backend)->parks())
      return unsupported("can not park kernels", place);
    backends.push_back(*backend);
  }
  moved.migratable()->setDestinations(backends);
  if (!moved.home().parks())
    return unsupported("can not park kernels", moved.name());
  device = &moved;
  plan = std::move(wanted);
  thread.start(plan.interval, [this] {
    hop();
    return true;
  });
  Worker::endBeforeLibraries();
  return Status::success();
}

/// To the next place that it is not at already.
void RoundRobin::hop() {
  for (size_t tries = 0; tries < plan.places.size(); ++tries) {
    Result<MoveReport> report =
        device->migratable()->moveTo(plan.places[next++ % plan.places.size()], "its turn");
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
