// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A move: everything that can be known to be in its way is asked before anything is
// suspended; then the device's work is suspended, its gate closes, and what could only be
// known then is asked again. Until the memory is with the other backend the device can go
// on where it was as if nothing had been.

#include "core/Device.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "core/trace/Trace.h"
#include "het/Base/Log.h"
#include "migration/MigratableCode.h"
#include "migration/MigratableDevice.h"
#include "migration/MigratableQueue.h"
#include "migration/MigrationExtension.h"

#include <cstdio>

namespace het::core {

using Clock = std::chrono::steady_clock;

/// Kernels may be launched for the first time while others are prepared for a move.
static constexpr int mostTries = 16;

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

void MigratableDevice::beginParking() {
  TraceScope scope(track(), "park");
  parking = true;
  if (active().parks())
    active().abi().setParking(active().handle(), 1);
  gate.close();
}

void MigratableDevice::endParking() {
  // That of the backend it was on has been set off before.
  if (active().parks())
    active().abi().setParking(active().handle(), 0);
  parking = false;
  gate.open();
}

static std::string cannotMove(const Backend &to, const std::string &why) {
  return "can not be moved to " + to.name() + ": " + why;
}

bool takesShapesOf(const HetDeviceProperties &was, const HetDeviceProperties &is) {
  bool fits = is.maxThreadsPerBlock >= was.maxThreadsPerBlock;
  for (int dim = 0; dim < 3; ++dim)
    fits &= is.maxBlockDim[dim] >= was.maxBlockDim[dim] &&
            is.maxGridDim[dim] >= was.maxGridDim[dim];
  return fits;
}

std::string tooMuchShared(const Kernel &kernel, const Backend &backend, uint64_t bytes) {
  return "blocks of kernel '" + kernel.info().displayName + "' have " +
         std::to_string(bytes) + " bytes of shared memory, " + backend.name() +
         " takes no more than " +
         std::to_string(backend.properties().sharedBytesPerBlockOptIn);
}

/// Whether it could be there at all.
Status MigratableDevice::check(Backend &to) {
  auto refuse = [&](const std::string &why) {
    return unsupported(cannotMove(to, why), device.name());
  };
  for (Backend *backend : {&active(), &to})
    if (!backend->parks())
      return refuse(backend->name() + " can not park kernels");
  if (!takesShapesOf(home->properties(), to.properties()))
    return refuse("blocks or grids that " + home->name() + " takes are too large for it");
  if (Fault found = fault(); found.kind)
    return refuse("the device has a fault: " + found.message);
  if (active().isLost())
    return refuse(active().name() + " is lost");
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto reason = unfit.find(&to); reason != unfit.end())
      return refuse(reason->second);
  }
  if (!reachesAllPinned(to))
    return refuse("it can not reach memory of the host that is pinned");
  if (to.hasFault())
    return refuse("it has a fault: " + to.fault().message);
  if (Status status = checkHeap(to); !status.ok())
    return status;
  return checkMemory(to);
}

Status MigratableDevice::checkMemory(Backend &to) {
  auto refuse = [&](const std::string &why) {
    return unsupported(cannotMove(to, why), device.name());
  };
  Backend &from = active();
  MemoryManager &memory = device.memory();
  for (Backend *backend : {&from, &to})
    if (!backend->properties().reservesWindow)
      return refuse(backend->name() + " does not place memory at given addresses");
  if (home->properties().memoryGranularity % to.properties().memoryGranularity)
    return refuse("its pages of memory are larger than those of " + home->name());
  if (managed > 0 && !to.sharesHostMemory() && &to.target() != &home->target())
    return refuse("it can not reach managed memory of " + home->name());
  if (from.sharesHostMemory() && to.sharesHostMemory())
    return Status::success();
  if (!to.sharesHostMemory() && memory.hasManaged())
    return refuse("it does not share the host's memory, and managed memory is in use");
  if (std::string why = sharing(); runtime().deviceCount() > 1 && !why.empty())
    return refuse("memory would have to be copied, and " + why);
  if (memory.used() > to.properties().totalMemory)
    return refuse("it has less memory than is in use");
  return Status::success();
}

/// Code that can not be suspended has the driver's heap, if there is one.
Status MigratableDevice::checkHeap(Backend &to) {
  auto hasOther = [](const Backend &backend) {
    return backend.properties().hasHeap && !backend.parks();
  };
  if (!hasOther(active()) && !hasOther(to))
    return Status::success();
  return forEachModule([&](Module &module) -> Status {
    for (const std::shared_ptr<Kernel> &kernel : usedKernels(module))
      if (kernel->usesHeap())
        return unsupported(cannotMove(to, "kernel '" + kernel->info().displayName +
                                              "' allocates memory, which would stay "
                                              "behind"),
                           device.name());
    return Status::success();
  });
}

/// Whether blocks that are suspended here could go on there: those that are suspended,
/// and, of kernels that are under way, those that would be.
Status MigratableDevice::checkLaunches(Backend &to) {
  return forEachModule([&](Module &module) -> Status {
    for (const std::shared_ptr<Kernel> &kernel : usedKernels(module)) {
      MigratableCode &code = MigratableCode::of(*kernel);
      if (!code.isUnderWay())
        continue;
      if (code.maxSharedBytes() > to.properties().sharedBytesPerBlockOptIn)
        return unsupported(
            cannotMove(to, tooMuchShared(*kernel, to, code.maxSharedBytes())),
            device.name());
      const uint64_t here = code.layoutOn(active()), there = code.layoutOn(to);
      if (here && here != there)
        return unsupported(cannotMove(to, "kernel '" + kernel->info().displayName +
                                              "' is under way, and "
                                              "blocks parked on " +
                                              active().name() +
                                              (there ? " have another layout there"
                                                     : " can not go on there")),
                           device.name());
    }
    return Status::success();
  });
}

/// Whether there is place for the blocks of launches that have not ended. With the gate
/// closed.
Status MigratableDevice::checkPlaces(Backend &to) {
  Status result;
  forEachLaunch([&](unsigned, MigratableLaunch &launch) {
    Result<HetArtifact *> loaded = MigratableCode::of(*launch.kernel).loadOn(to);
    if (!result.ok() || !to.abi().residentBlocks || !loaded.ok())
      return;
    const LaunchShape &shape = launch.shape;
    uint32_t places = 0;
    HetStatus status = {};
    if (to.abi().residentBlocks(*loaded, shape.block[0] * shape.block[1] * shape.block[2],
                                shape.dynamicSharedBytes, &places, &status) != HET_OK) {
      // One that has not begun may have plain code there.
      if (launch.state && launch.state->hasBegun())
        result = unsupported(cannotMove(to, status.message), device.name());
      return;
    }
    const uint64_t blocks = uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
    const uint64_t most = uint64_t(places) * to.properties().processorCount;
    if (most == 0 || (shape.cooperative && blocks > most))
      result = unsupported(
          cannotMove(to, "kernel '" + launch.kernel->info().displayName +
                             "' is under way with " + std::to_string(blocks) +
                             (shape.cooperative ? " blocks that meet" : " blocks") +
                             ", of which " + std::to_string(most) + " fit"),
          device.name());
  });
  return result;
}

Status MigratableDevice::prepareKernels(Backend &to) {
  return forEachModule([&](Module &module) -> Status {
    for (const std::shared_ptr<Kernel> &kernel : usedKernels(module))
      if (Status status = MigratableCode::of(*kernel).loadOn(to).status(); !status.ok())
        return status;
    return Status::success();
  });
}

bool MigratableDevice::hasPrepared(Backend &to) {
  return forEachModule([&](Module &module) -> Status {
           for (const std::shared_ptr<Kernel> &kernel : usedKernels(module))
             if (!MigratableCode::of(*kernel).isLoadedOn(to))
               return unavailable("not loaded");
           return Status::success();
         })
      .ok();
}

void MigratableDevice::forEachLaunch(
    const std::function<void(unsigned, MigratableLaunch &)> &use) {
  std::lock_guard<std::mutex> lock(mutex);
  unsigned stream = 0;
  for (MigratableQueue *queue : queues) {
    queue->forEachLaunch([&](MigratableLaunch &launch) { use(stream, launch); });
    ++stream;
  }
}

void MigratableDevice::count(MoveReport &report) {
  forEachLaunch([&](unsigned, const MigratableLaunch &launch) {
    if (!launch.state)
      return;
    ++report.launches;
    report.blocksParked += launch.state->number(HET_BLOCK_PARKED);
    report.blocksUnstarted += launch.state->number(HET_BLOCK_UNSTARTED);
    report.blocksEnded += launch.state->number(HET_BLOCK_ENDED);
  });
}

Status MigratableDevice::whileParked(const std::function<Status(Backend &)> &use) {
  std::lock_guard<std::mutex> lock(moving);
  if (!active().parks())
    return unsupported("can not be parked: " + active().name() + " can not park kernels",
                       device.name());
  if (!paused)
    beginParking();
  Status status;
  if (Fault found = active().fault(); found.kind)
    status = unavailable("has a fault: " + found.message, active().name());
  else
    status = use(active());
  if (!paused)
    endParking();
  return status;
}

Status MigratableDevice::carryMemory(Backend &to, MoveReport &report) {
  TraceScope scope(track(), "carry memory");
  bool lost = false;
  Backend &from = active();
  Status status = device.memory().moveTo(
      to.abi(), to.handle(), [&](const std::vector<MappedRange> &ranges) {
        return mover.carry(from, to, ranges, report.copiedBytes, lost);
      });
  // Where the backend is lost, whoever has work for it sees to that.
  if (lost && !(from.isLost() && replayLog.isOn()))
    fail(HET_FAULT_LOST, "the device's memory is lost: " + status.text());
  return status;
}

/// `again`: a kernel was launched for the first time since they were prepared.
Result<MoveReport> MigratableDevice::tryToMove(Backend &to, bool &again) {
  MoveReport report;
  report.from = active().name();
  report.to = to.name();
  TraceScope whole(track(), "move");
  whole.arguments.add("from", report.from).add("to", report.to);
  if (Status status = check(to); !status.ok())
    return status;
  {
    TraceScope scope(track(), "prepare kernels");
    if (Status status = prepareKernels(to); !status.ok())
      return status;
  }
  if (Status status = checkLaunches(to); !status.ok())
    return status;
  mover.prepare(active(), to, device.memory());
  const Clock::time_point begin = Clock::now();
  beginParking();
  Status status;
  if (!hasPrepared(to)) {
    again = true;
  } else {
    count(report);
    status = check(to);
    if (status.ok())
      status = checkLaunches(to);
    if (status.ok())
      status = checkPlaces(to);
    if (status.ok())
      status = carryMemory(to, report);
    if (status.ok()) {
      active().abi().setParking(active().handle(), 0);
      now = &to;
      report.moved = true;
    }
  }
  endParking();
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

Result<MoveReport> MigratableDevice::moveTo(const std::string &name,
                                            const std::string &why) {
  std::lock_guard<std::mutex> lock(moving);
  if (paused)
    return unavailable("is paused; resume it first", device.name());
  return moveHeld(name, why);
}

Result<MoveReport> MigratableDevice::moveWhenResumed(const std::string &name,
                                                     const std::string &why) {
  for (;;) {
    {
      Gate::Inside untilResumed(gate);
    }
    std::lock_guard<std::mutex> lock(moving);
    if (!paused)
      return moveHeld(name, why);
  }
}

/// With `moving` held, of a device that is not paused.
Result<MoveReport> MigratableDevice::moveHeld(const std::string &name,
                                              const std::string &why) {
  Result<Backend *> to = openBackend(name);
  if (!to.ok())
    return to.status();
  if (*to == &active()) {
    MoveReport report;
    report.from = report.to = active().name();
    return report;
  }
  const std::string from = active().name();
  const MoveCallbacks callbacks = layer.moveCallbacks();
  if (callbacks.before)
    callbacks.before(device.index(), from, (*to)->name());
  Result<MoveReport> report = moveNow(**to);
  if (report.ok())
    decide(why);
  if (callbacks.after)
    callbacks.after(device.index(), from, (*to)->name(), report.ok());
  return report;
}

Result<MoveReport> MigratableDevice::moveNow(Backend &to) {
  for (int tries = 0; tries < mostTries; ++tries) {
    bool again = false;
    Result<MoveReport> report = tryToMove(to, again);
    if (again)
      continue;
    mover.finish();
    log(Level::Info, "device %u: %s", device.index(),
        report.ok() ? report->text().c_str() : report.status().text().c_str());
    return report;
  }
  mover.finish();
  return unavailable(cannotMove(to, "new kernels are launched all the time"),
                     device.name());
}

void MigratableDevice::copyAhead(bool wanted) {
  std::lock_guard<std::mutex> lock(moving);
  mover.copyAhead(wanted);
}

Status MigratableDevice::pause() {
  std::lock_guard<std::mutex> lock(moving);
  if (paused)
    return unavailable("is paused already", device.name());
  if (!active().parks())
    return unsupported("can not be paused: " + active().name() + " can not park kernels",
                       device.name());
  beginParking();
  paused = true;
  decide("it was paused");
  return Status::success();
}

Status MigratableDevice::resume() {
  std::lock_guard<std::mutex> lock(moving);
  if (!paused)
    return unavailable("is not paused", device.name());
  endParking();
  paused = false;
  decide("it was resumed");
  return Status::success();
}

} // namespace het::core
