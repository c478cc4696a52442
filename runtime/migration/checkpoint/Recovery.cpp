// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Taking a lost device up: what can be known to be in the way is asked first; then the
// memory of the checkpoint is put onto the other backend, launches that were under way
// are set back, and the replay log is done again.

#include "migration/checkpoint/Recovery.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "het/Base/Log.h"
#include "migration/Eligibility.h"
#include "migration/MigratableCode.h"
#include "migration/MigratableQueue.h"
#include "migration/checkpoint/Restore.h"

namespace het::core {

Recovery::~Recovery() {
  if (queue)
    to.abi().destroyQueue(queue);
}

Status Recovery::run() {
  Status status = check();
  return status.ok() ? takeUp() : status;
}

/// Whether a launch of it can be done again there.
Status Recovery::checkKernel(Kernel &kernel, const std::optional<size_t> &saved) {
  MigratableCode &code = MigratableCode::of(kernel);
  if (std::string why = code.replayBlocker(); !why.empty())
    return unsupported(why);
  if (Status status = code.loadOn(to).status(); !status.ok())
    return status;
  if (std::string why =
          Eligibility::sharedMemoryBlocker(kernel, to, code.maxSharedBytes());
      !why.empty())
    return unsupported(why);
  if (!saved)
    return Status::success();
  const CheckpointLaunch &launch = replayLog.file().contents().launches[*saved];
  if (parkedBlocks(launch) && code.layoutOn(to) != launch.layout)
    return unsupported("blocks of kernel '" + kernel.info().displayName +
                       "' that were parked have another layout there");
  return Status::success();
}

Status Recovery::check() {
  if (std::string why = Eligibility(migratable, to).blocker(); !why.empty())
    return unsupported(why);
  for (const ReplayEntry &entry : replayLog.entries())
    if (entry.kernel)
      if (Status status = checkKernel(*entry.kernel, entry.saved); !status.ok())
        return status;
  Status first;
  migratable.work.forEachLaunch([&](unsigned, MigratableLaunch &launch) {
    if (first.ok() && launch.state)
      first = checkKernel(*launch.kernel, launch.saved);
  });
  return first;
}

/// Memory stays mapped until all of it is done.
Status Recovery::takeUp() {
  Status rest;
  Status status = migratable.device().memory().moveTo(
      to.abi(), to.handle(), [&](const std::vector<MappedRange> &ranges) {
        // Again, as it may have come meanwhile.
        if (std::string why = replayLog.obstacle(); !why.empty())
          return unsupported(why);
        if (Status carried = carryMemory(ranges); !carried.ok())
          return carried;
        rest = setBack();
        if (rest.ok())
          rest = replay();
        return Status::success(); // the memory is there in any case
      });
  return status.ok() ? rest : status;
}

Status Recovery::carryMemory(const std::vector<MappedRange> &ranges) {
  const HetDeviceABI &abi = to.abi();
  HetStatus status = {};
  const bool isThere = from.sharesHostMemory() && to.sharesHostMemory();
  if (!isThere)
    for (MappedRange range : ranges) // what a lost driver says to that is no matter
      (void)from.abi().unmapMemory(from.handle(), range.address, range.size, &status);
  for (size_t at = 0; at < ranges.size() && !isThere; ++at)
    if (abi.mapMemory(to.handle(), ranges[at].address, ranges[at].size, &status) !=
        HET_OK) {
      Status failure = toStatus(status, to.name());
      while (at--)
        (void)abi.unmapMemory(to.handle(), ranges[at].address, ranges[at].size, &status);
      return failure;
    }
  Status restored = restoreMemory(to, replayLog.file(), ranges);
  // Where it is not whole, the backend that comes next begins anew.
  if (!restored.ok() && !isThere)
    for (MappedRange range : ranges)
      (void)abi.unmapMemory(to.handle(), range.address, range.size, &status);
  moved = restored.ok();
  return restored;
}

Status Recovery::setBack() {
  Status first;
  migratable.work.forEachLaunch([&](unsigned, MigratableLaunch &launch) {
    if (!first.ok() || !launch.state)
      return;
    launch.state.emplace(launch.state->blockCount);
    if (launch.saved)
      first = restoreLaunch(*launch.state, replayLog.file(), *launch.saved);
  });
  return first;
}

Status Recovery::carryOut(const DeviceWork &work) {
  HetStatus status = {};
  if (work.enqueue(to.abi(), queue, &status) != HET_OK)
    return toStatus(status, to.name());
  return to.wait(queue);
}

Status Recovery::launch(const ReplayEntry &entry) {
  LaunchState state(uint64_t(entry.shape.grid[0]) * entry.shape.grid[1] *
                    entry.shape.grid[2]);
  if (entry.saved)
    if (Status status = restoreLaunch(state, replayLog.file(), *entry.saved);
        !status.ok())
      return status;
  if (Status status = enqueueRestored(
          *entry.kernel, to, queue,
          makeLaunch(entry.shape, entry.arguments.data(), entry.arguments.size()), state);
      !status.ok())
    return status;
  if (Status done = to.wait(queue); !done.ok())
    return done;
  if (!state.hasEnded())
    return unavailable("a launch came back before it had ended", to.name());
  return Status::success();
}

Status Recovery::replay(const ReplayEntry &entry) {
  switch (entry.kind) {
  case ReplayEntry::Kind::Launch:
    ++launches;
    return launch(entry);
  case ReplayEntry::Kind::Work:
    ++works;
    return carryOut(entry.work);
  case ReplayEntry::Kind::Upload:
    ++works;
    return carryOut(entry.work.packedFrom(entry.data.data()));
  case ReplayEntry::Kind::Download:
    break;
  }
  ++works;
  Bytes again(entry.work.bytes());
  if (Status status = carryOut(entry.work.packedTo(again.data())); !status.ok())
    return status;
  differs = blake2b({ByteView(again)}) != entry.digest;
  if (differs)
    return unsupported("the program was given " + std::to_string(again.size()) +
                       " bytes that came out otherwise when the work was done again; "
                       "its kernels do not do the same each time");
  return Status::success();
}

Status Recovery::replay() {
  HetStatus status = {};
  if (to.abi().createQueue(to.handle(), &queue, &status) != HET_OK)
    return toStatus(status, to.name());
  for (const ReplayEntry &entry : replayLog.entries())
    if (Status done = replay(entry); !done.ok())
      return done;
  return Status::success();
}

} // namespace het::core
