// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes checkpoints when their time has come, first aside and then under their name.

#include "migration/checkpoint/PeriodicCheckpoint.h"
#include "core/Device.h"
#include "core/Runtime.h"
#include "core/Shutdown.h"
#include "core/trace/Trace.h"
#include "het/Base/Log.h"
#include "migration/MigratableDevice.h"
#include "migration/checkpoint/Checkpointing.h"
#include "migration/control/Hop.h"

#include <cstdio>
#include <map>
#include <unistd.h>

namespace het::core {

/// The exit status of a process that ends with its checkpoint.
static constexpr int stoppedStatus = 0, failedStatus = 1;
/// As long as exit() waits for a checkpoint that is being written.
static constexpr auto longestEnd = std::chrono::hours(1);

Result<CheckpointPlan> CheckpointPlan::parse(const std::string &thing,
                                             const std::string &text) {
  static const std::map<std::string, Then> words = {
      {"go", Then::Go}, {"stop", Then::Stop}, {"every", Then::Again}};
  const size_t first = text.find(':');
  const size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  CheckpointPlan plan;
  plan.after = parseDuration(text.substr(0, first));
  auto word = words.end();
  if (second != std::string::npos) {
    plan.path = text.substr(second + 1);
    word = words.find(text.substr(first + 1, second - first - 1));
  }
  if (plan.after.count() == 0 || plan.path.empty() || word == words.end())
    return invalid(foundExpected(thing, "'" + text + "'",
                                 "TIME:go:FILE, TIME:stop:FILE or TIME:every:FILE",
                                 "a time is in us, ms or s"));
  plan.then = word->second;
  return plan;
}

Status PeriodicCheckpoint::start(Runtime &saved, CheckpointPlan wanted) {
  if (!saved.device(0).primary().parks())
    return unsupported("can not park kernels", saved.device(0).name());
  runtime = &saved;
  plan = std::move(wanted);
  Shutdown::beforeLibraries();
  return thread.start(plan.after, [this] { return save(); });
}

std::string PeriodicCheckpoint::pathOf(const Device &device) const {
  return device.index() ? plan.path + "." + std::to_string(device.index()) : plan.path;
}

Status PeriodicCheckpoint::save(Device &device) {
  const std::string path = pathOf(device);
  Status status;
  {
    ProgressBar bar(path, STDERR_FILENO);
    status = saveCheckpoint(
        device, path, [&](uint64_t done, uint64_t total) { bar.update(done, total); });
  }
  std::string &complaint = complaints[&device];
  if (status.ok()) {
    hasSaved = true;
    complaint.clear();
  } else if (status.text() != complaint) {
    complaint = status.text(); // once, not each time
    // That the device has a fault is the program's to notice.
    log(plan.then == CheckpointPlan::Then::Again && device.faultKind() ? Level::Info
                                                                       : Level::Error,
        "%s", complaint.c_str());
  }
  return status;
}

/// Saves the first device, and others that have memory. True: there are to be further
/// checkpoints.
bool PeriodicCheckpoint::save() {
  Status first;
  for (size_t index = 0; index < runtime->deviceCount(); ++index) {
    Device &device = runtime->device(index);
    if (index && !MigratableDevice::of(device).isInUse())
      continue;
    if (Status status = save(device); first.ok())
      first = std::move(status);
  }
  if (plan.then == CheckpointPlan::Then::Stop)
    end(first);
  return plan.then == CheckpointPlan::Then::Again;
}

void PeriodicCheckpoint::end(const Status &status) {
  std::fflush(nullptr); // what the program has printed
  if (Trace *trace = Trace::get())
    trace->write();
  _exit(status.ok() ? stoppedStatus : failedStatus);
}

void PeriodicCheckpoint::stop() {
  const PeriodicThread::End end = thread.stop(longestEnd);
  if (end == PeriodicThread::End::Stopped && !hasSaved)
    log(Level::Warn, "%s: not written, as the program has ended before",
        plan.path.c_str());
}

} // namespace het::core
