// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "migration/control/ProcessState.h"
#include "core/Device.h"
#include "core/Runtime.h"
#include "core/code/LoweringProcess.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"
#include "migration/control/Control.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace het::core {

Status pauseAll(Runtime &runtime) {
  for (size_t index = 0; index < runtime.deviceCount(); ++index)
    if (Status status = MigratableDevice::of(runtime.device(index)).pause();
        !status.ok()) {
      while (index)
        (void)MigratableDevice::of(runtime.device(--index)).resume();
      return status;
    }
  endIdleLowerings();
  return Status::success();
}

Status resumeAll(Runtime &runtime) {
  Status first;
  for (size_t index = 0; index < runtime.deviceCount(); ++index)
    if (Status status = MigratableDevice::of(runtime.device(index)).resume();
        !status.ok() && first.ok())
      first = std::move(status);
  return first;
}

static bool anyFailed(Runtime &runtime) {
  for (size_t index = 0; index < runtime.deviceCount(); ++index)
    if (MigratableDevice::of(runtime.device(index)).hasFailed())
      return true;
  return false;
}

ProcessState &ProcessState::get() {
  static auto *instance = new ProcessState;
  return *instance;
}

ProcessAnswer ProcessState::refuse(const Status &status) {
  message = status.text();
  return ProcessAnswer::Refused;
}

ProcessAnswer ProcessState::lock(Runtime &runtime, unsigned milliseconds) {
  using Clock = std::chrono::steady_clock;
  if (stand != ProcessStand::Running)
    return ProcessAnswer::WrongState;
  const Clock::time_point begin = Clock::now();
  if (Status status = pauseAll(runtime); !status.ok())
    return refuse(status);
  if (milliseconds && Clock::now() - begin > std::chrono::milliseconds(milliseconds)) {
    Status status = resumeAll(runtime);
    return status.ok() ? ProcessAnswer::TooLate : refuse(status);
  }
  stand = ProcessStand::Locked;
  return ProcessAnswer::Done;
}

ProcessAnswer ProcessState::unlock(Runtime &runtime) {
  if (stand != ProcessStand::Locked)
    return ProcessAnswer::WrongState;
  if (Status status = resumeAll(runtime); !status.ok())
    return refuse(status);
  stand = ProcessStand::Running;
  return ProcessAnswer::Done;
}

/// Moves those devices to the host that are elsewhere: all or none.
ProcessAnswer ProcessState::checkpoint(Runtime &runtime) {
  if (stand != ProcessStand::Locked)
    return ProcessAnswer::WrongState;
  places.assign(runtime.deviceCount(), "");
  for (size_t index = 0; index < places.size(); ++index) {
    MigratableDevice &device = MigratableDevice::of(runtime.device(index));
    if (device.active().sharesHostMemory())
      continue;
    const std::string from = device.active().name();
    const std::string to = index ? "host#" + std::to_string(index + 1) : "host";
    Result<MoveReport> report =
        device.migration.moveWhilePaused(to, "a checkpoint of the process was asked for");
    if (!report.ok()) {
      for (size_t moved = 0; moved < index; ++moved)
        if (!places[moved].empty())
          (void)MigratableDevice::of(runtime.device(moved))
              .migration.moveWhilePaused(places[moved], "a checkpoint failed");
      return refuse(report.status());
    }
    places[index] = from;
  }
  stand = ProcessStand::Checkpointed;
  return ProcessAnswer::Done;
}

/// Where a device is not there any more, the process stays as it is.
ProcessAnswer ProcessState::restore(Runtime &runtime) {
  if (stand != ProcessStand::Checkpointed)
    return ProcessAnswer::WrongState;
  for (size_t index = 0; index < places.size(); ++index) {
    if (places[index].empty())
      continue;
    Result<MoveReport> report =
        MigratableDevice::of(runtime.device(index))
            .migration.moveWhilePaused(places[index], "the process was restored");
    if (!report.ok())
      return refuse(report.status());
    places[index].clear();
  }
  stand = ProcessStand::Locked;
  return ProcessAnswer::Done;
}

ProcessAnswer ProcessState::request(Runtime &runtime, const std::string &line) {
  constexpr std::string_view lockWord = "lock ";
  if (line.empty())
    return ProcessAnswer::Done;
  if (line.compare(0, lockWord.size(), lockWord) == 0) {
    unsigned milliseconds = 0;
    const char *end = line.data() + line.size();
    auto [behind, error] =
        std::from_chars(line.data() + lockWord.size(), end, milliseconds);
    if (error == std::errc() && behind == end)
      return lock(runtime, milliseconds);
  }
  if (line == "unlock")
    return unlock(runtime);
  if (line == "checkpoint")
    return checkpoint(runtime);
  if (line == "restore")
    return restore(runtime);
  return refuse(invalid("found '" + line +
                        "', expected lock MILLISECONDS, checkpoint, restore, unlock or "
                        "nothing"));
}

std::string ProcessState::answer(Runtime &runtime, const std::string &line) {
  std::lock_guard<std::mutex> own(mutex);
  message.clear();
  const ProcessAnswer result = request(runtime, line);
  const ProcessStand now = anyFailed(runtime) ? ProcessStand::Failed : stand;
  return std::to_string(int(result)) + " " + std::to_string(int(now)) + " " +
         std::to_string(gettid()) + " " + message;
}

static Result<ProcessReport> parse(const std::string &text) {
  int answer = 0, stand = 0, thread = 0, end = 0;
  if (std::sscanf(text.c_str(), "%d %d %d %n", &answer, &stand, &thread, &end) != 3 ||
      answer < 0 || answer > int(ProcessAnswer::Refused) || stand < 0 ||
      stand > int(ProcessStand::Failed))
    return invalid("a process's state: found '" + text + "', expected three numbers");
  return ProcessReport{static_cast<ProcessAnswer>(answer),
                       static_cast<ProcessStand>(stand), thread,
                       text.substr(std::min<size_t>(end, text.size()))};
}

Result<ProcessReport> askProcess(pid_t process, const std::string &line) {
  if (process == getpid()) {
    if (!MigrationExtension::get().isActive())
      return unsupported("this process is not one that can be paused; start it by "
                         "'hetrun --control', or with HET_CONTROL=1");
    return parse(ProcessState::get().answer(MigrationExtension::get().runtime(), line));
  }
  Result<std::string> answer =
      control::ask(process, line.empty() ? "process" : "process " + line);
  if (!answer.ok())
    return answer.status();
  if (!answer->empty() && answer->back() == '\n')
    answer->pop_back();
  return parse(*answer);
}

} // namespace het::core
