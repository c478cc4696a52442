// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: the record that the kernel reads, its work-items, and what it has left.

#include "../../Support/LaunchShape.h"
#include "Clock.h"
#include "DriverFunction.h"
#include "SPIRVDevice.h"

#include <algorithm>
#include <cstring>

namespace het::spirv {
namespace {

uint64_t addressOf(const void *memory) { return reinterpret_cast<uint64_t>(memory); }

size_t alignShared(size_t bytes) {
  constexpr uint32_t alignment = HET_SPIRV_SHARED_ALIGNMENT;
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Grows what the queue has; false where there is no memory.
bool reserve(Door &door, Memory &memory, uint64_t &has, uint64_t bytes) {
  if (memory && has >= bytes)
    return true;
  memory = allocate(door, bytes);
  has = memory ? bytes : 0;
  return memory != nullptr;
}

/// The queue's place for what kernels leave.
bool prepareServices(HetQueue &queue) {
  HetDevice &device = *queue.device;
  uint64_t bytes = device.outputBytes;
  if (!queue.services)
    queue.services = allocate(*device.door, sizeof(HetServices));
  if (queue.outputBytes != bytes) // a smaller one is a smaller limit
    queue.output.reset();
  if (!queue.services || !reserve(*device.door, queue.output, queue.outputBytes, bytes))
    return false;
  HetServices &services = queue.left();
  services = {};
  services.output = addressOf(queue.output.get());
  services.outputBytes = bytes;
  services.wideLock = device.getWideLock(*queue.commands);
  return true;
}

/// Lays the record out in the queue's memory, with arguments and variables behind it;
/// null where there is none.
HetSpirvLaunch *makeRecord(const Launch &launch) {
  HetQueue &queue = *launch.queue;
  const std::vector<uint64_t> &variables = launch.artifact->variables;
  const size_t arguments = alignShared(sizeof(HetSpirvLaunch));
  const size_t behind = arguments + alignShared(launch.arguments.size());
  const size_t bytes = behind + variables.size() * sizeof(uint64_t);
  if (!reserve(*queue.device->door, queue.record, queue.recordBytes, bytes))
    return nullptr;
  uint8_t *memory = queue.record.get();
  std::copy(launch.arguments.begin(), launch.arguments.end(), memory + arguments);
  std::copy(variables.begin(), variables.end(),
            reinterpret_cast<uint64_t *>(memory + behind));
  auto &record = *reinterpret_cast<HetSpirvLaunch *>(memory);
  record = {};
  record.arguments = addressOf(memory + arguments);
  record.variables = addressOf(memory + behind);
  record.services = addressOf(queue.services.get());
  record.parking = addressOf(queue.device->parkingFlag.get());
  record.pollInterval = launch.pollInterval;
  record.cooperative = launch.shape.cooperative != 0;
  std::copy_n(launch.shape.block, 3, record.blockDim);
  std::copy_n(launch.shape.grid, 3, record.gridDim);
  std::copy_n(launch.shape.cluster, 3, record.clusterDim);
  record.clusterGiven = launch.shape.clusterGiven != 0;
  record.threadCount = launch.threads();
  record.dynamicSharedOffset = alignShared(launch.artifact->header.staticSharedBytes);
  record.dynamicSharedBytes = launch.shape.dynamicSharedBytes;
  record.argumentBytes = launch.arguments.size();
  record.scratchOffset =
      alignShared(record.dynamicSharedOffset + record.dynamicSharedBytes);
  return &record;
}

void runNative(const Launch &launch, const HetSpirvLaunch &record) {
  const uint32_t *grid = launch.shape.grid, *block = launch.shape.block;
  Items items = {{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}};
  if (launch.artifact->header.flags & HET_SPIRV_FLAT) {
    items.group[0] = launch.threads();
    items.group[1] = items.group[2] = 1;
  }
  runItems(launch, record, items, record.scratchOffset + launch.scratchBytes());
}

} // namespace

size_t Launch::sharedBytes() const {
  return alignShared(artifact->header.staticSharedBytes) + shape.dynamicSharedBytes;
}

size_t Launch::scratchBytes() const {
  size_t bytes = 2 * HET_SPIRV_SHARED_ALIGNMENT; // one to align what is before it
  if (artifact->header.flags & HET_SPIRV_SPLIT)
    bytes += (threads() + 31) / 32 * 32 * HET_SPIRV_SCRATCH_BYTES;
  return bytes;
}

bool runItems(const Launch &launch, const HetSpirvLaunch &record, const Items &items,
              size_t sharedBytes) {
  HetArtifact &artifact = *launch.artifact;
  const std::string wrong =
      launch.queue->commands->run(*artifact.code, &record, sharedBytes, items);
  if (wrong.empty())
    return true;
  artifact.device->fail(HET_FAULT_LOST, "kernel '" + artifact.name + "': " + wrong);
  return false;
}

void runLaunch(const Launch &launch, target::ParkedBlocks *parked) {
  HetDevice &device = *launch.artifact->device;
  if (device.hasFault())
    return;
  const DriverUse use;
  if (!use)
    return device.fail(HET_FAULT_LOST, "the process ends");
  if (!prepareServices(*launch.queue))
    return device.fail(HET_FAULT_LOST, "no memory for the output of kernels");
  const bool readsClock = launch.artifact->header.flags & HET_SPIRV_CLOCK;
  if (readsClock && !device.door->sharesWhileRunning())
    return device.fail(
        HET_FAULT_UNSUPPORTED,
        "kernel '" + launch.artifact->name +
            "' reads the clock: the host, which sets it, can not reach the "
            "memory of kernels that run on this device");
  HetSpirvLaunch *record = makeRecord(launch);
  if (!record)
    return device.fail(HET_FAULT_LOST, "no memory for the arguments of kernels");
  if (device.hasFault())
    return; // of the services
  std::unique_ptr<Clock> clock;
  if (readsClock)
    clock = std::make_unique<Clock>(launch.queue->left().clock);
  if (clock && !clock->runs())
    return device.fail(HET_FAULT_LOST, "no thread for the clock of kernels");
  if (launch.shape.cluster[0])
    runClusters(launch, *record);
  else if (launch.artifact->isSegmented())
    runSegmented(launch, *record, parked);
  else
    runNative(launch, *record);
  clock.reset();
  collectServices(*launch.queue, launch.artifact->name);
}

std::shared_ptr<Launch> makeLaunch(HetQueue *queue, const HetLaunch *shape,
                                   HetStatus *status) {
  HetArtifact &artifact = *shape->artifact;
  auto launch = std::make_shared<Launch>();
  launch->queue = queue;
  launch->artifact = &artifact;
  launch->shape = *shape;
  auto refuse = [&](const std::string &message) {
    report(status, HET_INVALID, message);
    return nullptr;
  };
  if (std::string wrong = target::checkShape(*shape); !wrong.empty())
    return refuse(wrong);
  if (launch->threads() > artifact.maxThreads)
    return refuse(
        "kernel '" + artifact.name + "': found " + std::to_string(launch->threads()) +
        " threads a block, expected at most " + std::to_string(artifact.maxThreads));
  if (launch->sharedBytes() > queue->device->facts.sharedBytesPerBlockOptIn)
    return refuse("kernel '" + artifact.name + "': found " +
                  std::to_string(launch->sharedBytes()) +
                  " bytes of shared memory, expected at most " +
                  std::to_string(queue->device->facts.sharedBytesPerBlockOptIn));
  auto *bytes = static_cast<const uint8_t *>(shape->arguments);
  launch->arguments.assign(bytes, bytes + shape->argumentBytes);
  launch->arguments.resize(
      std::max<size_t>({launch->arguments.size(), artifact.header.argumentBytes, 1}));
  return launch;
}

int32_t enqueueLaunch(HetQueue *queue, const HetLaunch *shape, HetStatus *status) {
  std::shared_ptr<Launch> launch = makeLaunch(queue, shape, status);
  if (!launch)
    return status->code;
  return target::report(status,
                        queue->queue.push([launch] { runLaunch(*launch, nullptr); }));
}

} // namespace het::spirv
