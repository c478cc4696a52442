// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint without its program: memory at its addresses, packages with their
// variables where they were, launches that go on as they stood.

#include "core/DeviceLaunches.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "het/Package/Checkpoint.h"
#include "migration/LaunchState.h"
#include "migration/MigratableCode.h"
#include "migration/MigratableDevice.h"
#include "migration/checkpoint/Checkpointing.h"
#include "migration/checkpoint/Restore.h"

#include <algorithm>
#include <map>

namespace het::core {
namespace {

class Finisher {
public:
  Finisher(Device &device, Checkpoint file)
      : device(device), backend(device.primary()), file(std::move(file)),
        contents(this->file.contents()) {}
  ~Finisher() {
    for (auto [stream, queue] : queues)
      backend.abi().destroyQueue(queue);
  }

  Status check();
  Status placeMemory();
  Status openModules();
  Status fillMemory();
  Status launchAll();
  Status finishLaunches();

private:
  struct Launched {
    std::shared_ptr<Kernel> kernel;
    std::unique_ptr<LaunchState> state;
  };

  Result<HetQueue *> queueOf(uint32_t stream);
  Status launch(size_t index);
  Status finish();

  Device &device;
  Backend &backend;
  const Checkpoint file;
  const CheckpointContents &contents;
  std::vector<std::shared_ptr<Module>> modules;
  std::vector<Launched> launches;
  std::map<uint32_t, HetQueue *> queues; ///< By stream.
};

Status Finisher::check() {
  if (contents.devices.size() != 1)
    return unsupported("found a checkpoint of " +
                           std::to_string(contents.devices.size()) +
                           " devices, expected one device",
                       file.origin());
  for (const CheckpointRegion &region : contents.regions)
    if (region.kind != RegionKind::Device)
      return unsupported("found memory that is not the device's own", file.origin());
  if (!backend.parks())
    return unsupported("can not park kernels", device.name());
  if (MigratableDevice &migratable = MigratableDevice::of(device);
      &migratable.active() != &backend)
    return unavailable("is not to be used now: " + migratable.decision.get().why,
                       device.name());
  return Status::success();
}

/// The file's regions, mapped, and given out as they were.
Status Finisher::placeMemory() {
  if (!contents.regions.empty()) { // perhaps of a process with more devices
    const uint64_t address = contents.regions[0].address;
    const uint64_t part = (address - windowBase) / partBytes;
    if (address >= windowBase && part < maxDevices &&
        part >= MigratableDevice::of(device).runtime().deviceCount())
      device.memory().usePart(part);
  }
  for (const CheckpointRegion &region : contents.regions) {
    std::vector<Allocation> allocations;
    for (const CheckpointAllocation &one : region.allocations)
      allocations.push_back({one.address, one.size, false});
    Status status = device.memory().adopt({region.address, region.size}, allocations);
    if (!status.ok())
      return status;
  }
  return Status::success();
}

Status Finisher::openModules() {
  for (const CheckpointModule &saved : contents.modules) {
    Result<ByteView> bytes = file.package(saved.package);
    if (!bytes.ok())
      return bytes.status();
    size_t next = 0; // variables are asked for in their order
    bool isComplete = true;
    auto place = [&](const VariableInfo &info) -> void * {
      void *address = next < saved.variables.size()
                          ? reinterpret_cast<void *>(saved.variables[next].address)
                          : nullptr;
      ++next;
      std::optional<Allocation> found = device.memory().find(address);
      isComplete &= found && reinterpret_cast<uint64_t>(address) + info.size <=
                                 found->address + found->size;
      return isComplete ? address : nullptr;
    };
    Result<std::shared_ptr<Module>> module =
        Module::open(device, *bytes, file.origin(), place);
    if (!module.ok())
      return module.status();
    if (!isComplete || next != saved.variables.size())
      return invalid("found variables that do not lie in its memory, expected each of "
                     "the package's",
                     file.origin());
    modules.push_back(module.take());
  }
  return Status::success();
}

Result<HetQueue *> Finisher::queueOf(uint32_t stream) {
  HetQueue *&queue = queues[stream];
  HetStatus status = {};
  if (!queue && backend.abi().createQueue(backend.handle(), &queue, &status) != HET_OK)
    return toStatus(status, device.name());
  return queue;
}

Status Finisher::fillMemory() {
  std::vector<MappedRange> ranges;
  for (const CheckpointRegion &region : contents.regions)
    ranges.push_back({region.address, region.size});
  return restoreMemory(backend, file, ranges);
}

Status Finisher::launch(size_t index) {
  const CheckpointLaunch &saved = contents.launches[index];
  Result<std::shared_ptr<Kernel>> kernel = modules[saved.module]->kernel(saved.kernel);
  if (!kernel.ok())
    return kernel.status();
  if (saved.arguments.size() < (*kernel)->argumentBytes())
    return invalid("kernel '" + (*kernel)->info().displayName + "': found " +
                       std::to_string(saved.arguments.size()) +
                       " bytes of arguments, expected " +
                       std::to_string((*kernel)->argumentBytes()),
                   file.origin());
  const uint64_t blocks = uint64_t(saved.grid[0]) * saved.grid[1] * saved.grid[2];
  std::unique_ptr<LaunchState> state = LaunchState::make(blocks);
  if (!state)
    return unavailable("kernel '" + (*kernel)->info().displayName +
                           "': no memory for how its " + std::to_string(blocks) +
                           " blocks stand",
                       file.origin());
  if (Status status = restoreLaunch(*state, file, index); !status.ok())
    return status;
  if (state->parkedCount &&
      MigratableCode::of(**kernel).layoutOn(backend) != saved.layout)
    return unsupported("kernel '" + (*kernel)->info().displayName +
                           "': its parked blocks have another layout here; another "
                           "version of hetcc has written the checkpoint",
                       file.origin());
  LaunchShape shape;
  std::copy_n(saved.grid.begin(), 3, shape.grid);
  std::copy_n(saved.block.begin(), 3, shape.block);
  shape.dynamicSharedBytes = saved.dynamicSharedBytes;
  shape.cooperative = saved.cooperative;
  Result<HetQueue *> queue = queueOf(saved.stream);
  if (!queue.ok())
    return queue.status();
  if (Status status = enqueueRestored(
          **kernel, backend, *queue,
          makeLaunch(shape, saved.arguments.data(), saved.arguments.size()), *state);
      !status.ok())
    return status;
  launches.push_back({kernel.take(), std::move(state)});
  return Status::success();
}

/// Waits for what was given to the device.
Status Finisher::finish() {
  for (auto [stream, queue] : queues)
    backend.abi().synchronize(queue);
  if (Fault fault = device.fault(); fault.kind)
    return unavailable(fault.message, device.name());
  for (const Launched &one : launches)
    if (!one.state->hasEnded())
      return unavailable("kernel '" + one.kernel->info().displayName +
                             "' came back before it had ended",
                         device.name());
  return Status::success();
}

Status Finisher::launchAll() {
  Status first;
  for (size_t index = 0; index < contents.launches.size() && first.ok(); ++index)
    first = launch(index);
  Status last = finish(); // states must outlive their launches
  return first.ok() ? last : first;
}

/// What kernels had launched, and what comes of it.
Status Finisher::finishLaunches() {
  std::vector<Module *> all;
  for (const std::shared_ptr<Module> &module : modules)
    all.push_back(module.get());
  return device.launches().finish(std::move(all));
}

} // namespace

Status finishCheckpoint(Device &device, const std::string &path, const std::string &to) {
  Result<Checkpoint> file = Checkpoint::open(path);
  if (!file.ok())
    return file.status();
  Finisher finisher(device, file.take()); // its packages are written, too
  std::unique_lock<std::mutex> stays = MigratableDevice::of(device).hold();
  for (auto step : {&Finisher::check, &Finisher::placeMemory, &Finisher::openModules,
                    &Finisher::fillMemory, &Finisher::launchAll})
    if (Status status = (finisher.*step)(); !status.ok())
      return status;
  stays.unlock();
  if (Status status = finisher.finishLaunches(); !status.ok())
    return status;
  return to.empty() ? Status::success() : saveCheckpoint(device, to);
}

} // namespace het::core
