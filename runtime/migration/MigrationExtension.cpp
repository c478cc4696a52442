// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading what the environment asks for, and starting the services in their order.

#include "migration/MigrationExtension.h"
#include "core/Shutdown.h"
#include "het/Base/Environment.h"
#include "migration/MigratableDevice.h"

namespace het::core {

MigrationExtension &MigrationExtension::get() {
  static auto *extension = new MigrationExtension;
  return *extension;
}

template <typename Plan>
static Status readPlan(Variable variable, std::optional<Plan> &plan) {
  std::optional<std::string> text = environment::text(variable);
  if (!text)
    return Status::success();
  Result<Plan> parsed = Plan::parse(environment::name(variable), *text);
  if (!parsed.ok())
    return parsed.status();
  plan = parsed.take();
  return Status::success();
}

Status MigrationExtension::Plans::read() {
  Result<bool> flag = environment::flag(Variable::Control);
  if (!flag.ok())
    return flag.status();
  control = *flag;
  for (Status status :
       {readPlan(Variable::Hop, hop), readPlan(Variable::Checkpoint, checkpoint),
        readPlan(Variable::Policy, policy)})
    if (!status.ok())
      return status;
  if (hop && policy)
    return invalid("HET_HOP and HET_POLICY: found both, expected one: each says where "
                   "the device is to be");
  return Status::success();
}

Status MigrationExtension::readSettings() {
  Result<uint64_t> interval =
      environment::number(Variable::PollInterval, 0, HET_MOST_POLL_INTERVAL);
  if (!interval.ok())
    return interval.status();
  values.pollInterval = static_cast<uint32_t>(*interval);
  constexpr uint64_t longestShort = 1000000; // µs
  Result<uint64_t> brief = environment::number(Variable::ShortLaunch, 0, longestShort);
  if (!brief.ok())
    return brief.status();
  values.shortLaunch = std::chrono::microseconds(*brief);
  return Status::success();
}

Status MigrationExtension::configure(Runtime &runtime) {
  owner = &runtime;
  if (Status status = readSettings(); !status.ok())
    return status;
  if (Status status = plans.read(); !status.ok())
    return status;
  if (isActive())
    Shutdown::add([this] { stop(); });
  return Status::success();
}

std::unique_ptr<Executor> MigrationExtension::createExecutor(Device &device) {
  return isActive() ? std::make_unique<MigratableDevice>(device, *this) : nullptr;
}

/// The policy's devices. Another one of a name is no device of the process's own.
std::vector<std::string> MigrationExtension::preferredDevices() {
  std::vector<std::string> names;
  if (plans.policy)
    for (std::string &name : PlacementController::inOrder(*plans.policy))
      if (name.find('#') == std::string::npos)
        names.push_back(std::move(name));
  return names;
}

/// `variable` asked for it.
static Status named(Variable variable, const Status &status) {
  return status.ok() ? status
                     : Status{status.code,
                              environment::name(variable) + (": " + status.text()), ""};
}

Status MigrationExtension::start() {
  Device &first = owner->device(0);
  if (plans.control)
    if (Status status = controlServer.start(*owner); !status.ok())
      return status;
  if (plans.hop)
    if (Status status = named(Variable::Hop, roundRobin.start(first, *plans.hop));
        !status.ok())
      return status;
  // Before checkpoints, as it may need them.
  if (plans.policy || (plans.control && !plans.hop))
    if (Status status =
            named(Variable::Policy, placementController.start(first, plans.policy));
        !status.ok())
      return status;
  if (plans.checkpoint)
    return named(Variable::Checkpoint,
                 periodicCheckpoint.start(*owner, *plans.checkpoint));
  return Status::success();
}

void MigrationExtension::stop() {
  controlServer.stop();
  roundRobin.stop();
  placementController.stop();
  periodicCheckpoint.stop();
}

void MigrationExtension::setMoveCallbacks(MoveCallbacks wanted) {
  std::lock_guard<std::mutex> lock(mutex);
  callbacks = std::move(wanted);
}

MoveCallbacks MigrationExtension::moveCallbacks() {
  std::lock_guard<std::mutex> lock(mutex);
  return callbacks;
}

} // namespace het::core
