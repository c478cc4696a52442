// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving round and round.

#include "Hopper.h"
#include "Background.h"
#include "Movement.h"
#include "het/Base/Log.h"
#include "het/Runtime/Device.h"

namespace het::core {

/// As long as exit() waits for a move.
static constexpr auto longestEnd = std::chrono::seconds(10);

Hopper &Hopper::get() {
  static Hopper *hopper = new Hopper; // used until the process ends
  return *hopper;
}

Status Hopper::start(Device &moved, HopPlan wanted) {
  std::vector<Backend *> backends;
  for (const std::string &place : wanted.places) {
    Result<Backend *> backend = moved.movement()->open(place);
    if (!backend.ok())
      return backend.status();
    if (!(*backend)->parks())
      return unsupported("can not park kernels", place);
    backends.push_back(*backend);
  }
  moved.movement()->setDestinations(backends);
  if (!moved.home().parks())
    return unsupported("can not park kernels", moved.name());
  device = &moved;
  plan = std::move(wanted);
  thread.start(plan.interval, [this] {
    hop();
    return true;
  });
  Background::endBeforeLibraries();
  return Status::success();
}

/// To the next place that it is not at already.
void Hopper::hop() {
  for (size_t tries = 0; tries < plan.places.size(); ++tries) {
    Result<MoveReport> report =
        device->movement()->moveTo(plan.places[next++ % plan.places.size()], "its turn");
    if (!report.ok() && report.status().text() != complaint) {
      complaint = report.status().text(); // once, not each time
      // That the device has a fault is the program's to notice.
      log(device->faultKind() ? Level::Info : Level::Warn, "%s", complaint.c_str());
    }
    if (!report.ok() || report->moved)
      return;
  }
}

void Hopper::stop() { (void)thread.stop(longestEnd); }

} // namespace het::core
