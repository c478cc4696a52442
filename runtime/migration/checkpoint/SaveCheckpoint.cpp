// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the memory, packages and launches of a suspended device as a checkpoint.

#include "core/Module.h"
#include "core/Runtime.h"
#include "core/trace/Trace.h"
#include "het/Package/CheckpointWriter.h"
#include "migration/MigratableDevice.h"
#include "migration/MigratableQueue.h"
#include "migration/MigrationExtension.h"
#include "migration/checkpoint/Checkpointing.h"
#include "migration/memory/PinnedMemory.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace het::core {
namespace {

/// Collects while the device is suspended.
class Collector {
public:
  Collector(Device &device, Backend &backend)
      : device(device), backend(backend),
        before(MigratableDevice::of(device).sharing.escapes()) {
    if (MigratableDevice::of(device).replayLog.isOn())
      pinned = MigrationExtension::get().pinnedMemory().ranges();
  }
  ~Collector() {
    if (queue)
      backend.abi().destroyQueue(queue);
  }

  Status collect();
  /// Memory stays mapped meanwhile.
  Status write(const std::string &path, const ProgressFunction &progress);
  /// It is written.
  void tell(const std::string &path) const {
    MigratableDevice::of(device).loss.noteCheckpoint(
        path, before, hasPinned ? "its memory has an address of pinned memory" : "");
  }

private:
  void addDevice();
  Status addModules();
  void addLaunches();
  Status addLaunch(unsigned stream, const MigratableLaunch &launch);
  void addRegions(const std::vector<MappedRange> &ranges,
                  const std::vector<Allocation> &allocations);
  Status writeHeld(const std::string &path, const ProgressFunction &progress);
  void look(ByteView bytes, uint64_t at) {
    if (pinned && !hasPinned && pinned->isIn(bytes, at))
      hasPinned = true;
  }
  Result<ByteView> read(size_t region, uint64_t offset, uint64_t size, uint8_t *scratch);

  Device &device;
  Backend &backend;
  CheckpointContents contents;
  CheckpointSources sources;
  std::vector<const Module *> modules; ///< As in the contents.
  Status wrong;                        ///< With a launch.
  std::mutex mutex;                    ///< Guards `queue`.
  HetQueue *queue = nullptr;
  /// For the replay log: what could be reached before anything was read, and whether what
  /// is read has an address of pinned memory.
  const EscapeCount before;
  std::shared_ptr<const AddressRanges> pinned; ///< Null: nobody asks.
  std::atomic<bool> hasPinned{false};
};

void Collector::addDevice() {
  CheckpointDevice &saved = contents.devices.emplace_back();
  saved.name = device.name();
  saved.propertiesVersion = HET_TARGET_ABI_VERSION;
  auto *bytes = reinterpret_cast<const uint8_t *>(&device.properties());
  saved.properties.assign(bytes, bytes + sizeof(HetDeviceProperties));
}

Status Collector::addModules() {
  return MigratableDevice::of(device).work.forEachModule([&](Module &module) {
    CheckpointModule &saved = contents.modules.emplace_back();
    const ByteView bytes = module.packageBytes();
    auto known = std::find_if(sources.packages.begin(), sources.packages.end(),
                              [&](ByteView other) { return other.data == bytes.data; });
    saved.package = known - sources.packages.begin();
    if (known == sources.packages.end())
      sources.packages.push_back(bytes);
    uint32_t number = 0;
    for (void *address : module.variableAddresses())
      saved.variables.push_back({number++, reinterpret_cast<uint64_t>(address)});
    modules.push_back(&module);
    return Status::success();
  });
}

Status Collector::addLaunch(unsigned stream, const MigratableLaunch &launch) {
  if (launch.shape.cluster[0])
    return unsupported("kernel '" + launch.kernel->info().displayName +
                       "' waits to be launched with clusters of blocks, which a file can "
                       "not hold; save the program when it has run");
  CheckpointLaunch &saved = contents.launches.emplace_back();
  saved.stream = stream;
  saved.module =
      std::find(modules.begin(), modules.end(), &launch.kernel->owningModule()) -
      modules.begin();
  saved.kernel = launch.kernel->info().name;
  std::copy_n(launch.shape.grid, 3, saved.grid.begin());
  std::copy_n(launch.shape.block, 3, saved.block.begin());
  saved.dynamicSharedBytes = launch.shape.dynamicSharedBytes;
  saved.cooperative = launch.shape.cooperative;
  saved.arguments = launch.arguments;
  Result<HetArtifact *> artifact = launch.code().loadOn(backend);
  if (!artifact.ok())
    return artifact.status();
  HetParkingInfo info = {};
  HetStatus status = {};
  const bool hasBegun = launch.state && launch.state->hasBegun();
  if (backend.abi().describeParking(*artifact, &info, &status) != HET_OK && hasBegun)
    return toStatus(status, launch.kernel->info().displayName);
  saved.layout = info.layout;
  saved.threadBytes = info.threadBytes;
  saved.sharedBytes = info.sharedBytes;
  if (!launch.state) { // it waits for others
    const uint64_t blocks = uint64_t(saved.grid[0]) * saved.grid[1] * saved.grid[2];
    saved.blocks = {{HET_BLOCK_UNSTARTED, blocks}};
    sources.states.emplace_back();
    return Status::success();
  }
  const LaunchState &state = *launch.state;
  if (state.alike)
    saved.blocks = {{uint8_t(state.alike - 1), state.blockCount}};
  else
    saved.blocks = blockRuns({state.blocks, state.blockCount});
  sources.states.push_back({state.states, state.parkedCount * state.stateBytes});
  look(sources.states.back(), 0);
  look(launch.arguments, 0);
  return Status::success();
}

void Collector::addLaunches() {
  MigratableDevice::of(device).work.forEachLaunch(
      [&](unsigned stream, const MigratableLaunch &launch) {
        if (wrong.ok())
          wrong = addLaunch(stream, launch);
      });
}

void Collector::addRegions(const std::vector<MappedRange> &ranges,
                           const std::vector<Allocation> &allocations) {
  for (MappedRange range : ranges) {
    CheckpointRegion &region = contents.regions.emplace_back();
    region.address = range.address;
    region.size = range.size;
  }
  std::sort(contents.regions.begin(), contents.regions.end(),
            [](auto &a, auto &b) { return a.address < b.address; });
  auto region = contents.regions.begin();
  for (const Allocation &allocation : allocations) {
    while (allocation.address >= region->address + region->size)
      ++region;
    region->allocations.push_back({allocation.address, allocation.size});
  }
}

Status Collector::collect() {
  addDevice();
  if (Status status = addModules(); !status.ok())
    return status;
  addLaunches();
  return wrong;
}

/// In this process's memory, or copied from the device, one piece at a time.
Result<ByteView> Collector::read(size_t region, uint64_t offset, uint64_t size,
                                 uint8_t *scratch) {
  const uint64_t address = contents.regions[region].address + offset;
  if (backend.sharesHostMemory())
    return ByteView(reinterpret_cast<const uint8_t *>(address), size);
  std::lock_guard<std::mutex> lock(mutex);
  const HetDeviceABI &abi = backend.abi();
  HetStatus status = {};
  if (!queue && abi.createQueue(backend.handle(), &queue, &status) != HET_OK)
    return toStatus(status, backend.name());
  if (abi.enqueueCopy(queue, reinterpret_cast<uint64_t>(scratch), address, size,
                      &status) != HET_OK)
    return toStatus(status, backend.name());
  if (Status status = backend.wait(queue); !status.ok())
    return status;
  return ByteView(scratch, size);
}

Status Collector::write(const std::string &path, const ProgressFunction &progress) {
  Status status;
  device.memory().hold([&](const std::vector<MappedRange> &ranges,
                           const std::vector<Allocation> &allocations) {
    addRegions(ranges, allocations);
    status = writeHeld(path, progress);
  });
  return status;
}

Status Collector::writeHeld(const std::string &path, const ProgressFunction &progress) {
  uint64_t total = 0;
  for (const CheckpointRegion &region : contents.regions)
    total += region.size;
  std::atomic<uint64_t> done{0};
  sources.memory = [&, this](size_t region, uint64_t offset, uint64_t size,
                             uint8_t *scratch) {
    Result<ByteView> bytes = read(region, offset, size, scratch);
    if (bytes.ok())
      look(*bytes, contents.regions[region].address + offset);
    if (progress)
      progress(done += size, total);
    return bytes;
  };
  CheckpointOptions options;
  options.producer = "libhetrt " HET_VERSION;
  return writeCheckpoint(path, contents, sources, options);
}

} // namespace

Status saveCheckpoint(Device &device, const std::string &path,
                      const ProgressFunction &progress) {
  if (!MigrationExtension::get().isActive())
    return unsupported("checkpoints are of movable processes: run it under hetrun "
                       "--control, or with HET_CONTROL=1",
                       device.name());
  MigratableDevice &migratable = MigratableDevice::of(device);
  return migratable.whileParked([&](Backend &backend) {
    TraceScope scope(migratable.track(), "write checkpoint");
    scope.arguments.add("file", path);
    Collector collector(device, backend);
    if (Status status = collector.collect(); !status.ok())
      return status;
    Status status = collector.write(path, progress);
    if (status.ok())
      collector.tell(path);
    return status;
  });
}

} // namespace het::core
