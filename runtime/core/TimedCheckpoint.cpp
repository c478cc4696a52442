// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing a checkpoint when its time has come.

#include "TimedCheckpoint.h"
#include "Background.h"
#include "het/Base/Log.h"
#include "het/Runtime/Checkpointing.h"
#include "het/Runtime/Hop.h"

#include <cstdio>
#include <unistd.h>

namespace het::core {

/// The exit status of a process that ends with its checkpoint.
static constexpr int stoppedStatus = 0, failedStatus = 1;

Result<CheckpointPlan> CheckpointPlan::parse(const std::string &thing,
                                             const std::string &text) {
  const size_t first = text.find(':');
  const size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  CheckpointPlan plan;
  plan.after = parseDuration(text.substr(0, first));
  const std::string word =
      second == std::string::npos ? "" : text.substr(first + 1, second - first - 1);
  if (second != std::string::npos)
    plan.path = text.substr(second + 1);
  plan.stops = word == "stop";
  if (plan.after.count() == 0 || plan.path.empty() || (word != "go" && word != "stop"))
    return invalid(foundExpected(thing, "'" + text + "'", "TIME:go:FILE or TIME:stop:FILE",
                                 "a time is in us, ms or s"));
  return plan;
}

TimedCheckpoint &TimedCheckpoint::get() {
  static TimedCheckpoint *checkpoint = new TimedCheckpoint; // used until the process ends
  return *checkpoint;
}

Status TimedCheckpoint::start(Device &saved, CheckpointPlan wanted) {
  if (!saved.home().parks())
    return unsupported("can not park kernels", saved.name());
  device = &saved;
  plan = std::move(wanted);
  std::lock_guard<std::mutex> lock(mutex);
  process = getpid();
  thread = std::thread([this] { run(); });
  Background::endBeforeLibraries();
  return Status::success();
}

void TimedCheckpoint::run() {
  std::unique_lock<std::mutex> lock(mutex);
  if (changed.wait_for(lock, plan.after, [&] { return stopping; })) {
    log(Level::Warn, "%s: not written, as the program has ended before",
        plan.path.c_str());
    return;
  }
  Status status = saveCheckpoint(*device, plan.path);
  if (status.ok())
    log(Level::Info, "%s: written", plan.path.c_str());
  else
    log(Level::Error, "%s", status.text().c_str());
  if (!plan.stops)
    return;
  std::fflush(nullptr); // what the program has printed
  _exit(status.ok() ? stoppedStatus : failedStatus);
}

void TimedCheckpoint::stop() {
  {
    std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
    if (!thread.joinable() || process != getpid())
      return;
    if (lock)
      stopping = true;
  }
  changed.notify_all();
  thread.join();
}

} // namespace het::core
