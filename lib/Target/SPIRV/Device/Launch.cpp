// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: the record that the kernel reads, its work-items, and what it has left.

#include "Clock.h"
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

/// The queue's place for what kernels leave.
bool prepareServices(HetQueue &queue) {
  HetSpirvServices &services = queue.services;
  uint64_t bytes = queue.device->outputBytes;
  if (services.outputBytes != bytes || !queue.output) {
    queue.output = allocate(std::max<uint64_t>(bytes, 64), 64);
    if (!queue.output)
      return false;
  }
  services = {};
  services.output = addressOf(queue.output.get());
  services.outputBytes = bytes;
  services.heap = addressOf(queue.device->getHeap());
  return true;
}

HetSpirvLaunch makeRecord(const Launch &launch) {
  HetSpirvLaunch record = {};
  record.arguments = addressOf(launch.arguments.data());
  record.variables = addressOf(launch.artifact->variables.data());
  record.services = addressOf(&launch.queue->services);
  std::copy_n(launch.shape.block, 3, record.blockDim);
  std::copy_n(launch.shape.grid, 3, record.gridDim);
  record.threadCount = launch.threads();
  record.dynamicSharedOffset = alignShared(launch.artifact->header.staticSharedBytes);
  record.dynamicSharedBytes = launch.shape.dynamicSharedBytes;
  record.argumentBytes = launch.arguments.size();
  record.scratchOffset =
      alignShared(record.dynamicSharedOffset + record.dynamicSharedBytes);
  return record;
}

void runNative(const Launch &launch, HetSpirvLaunch &record) {
  const uint32_t *grid = launch.shape.grid, *block = launch.shape.block;
  size_t group[3] = {block[0], block[1], block[2]};
  if (launch.artifact->header.flags & HET_SPIRV_FLAT) {
    group[0] = launch.threads();
    group[1] = group[2] = 1;
  }
  size_t items[3];
  for (int axis = 0; axis < 3; ++axis)
    items[axis] = grid[axis] * group[axis];
  runItems(launch, record, items, group,
           record.scratchOffset + launch.scratchBytes());
}

} // namespace

size_t Launch::sharedBytes() const {
  return alignShared(artifact->header.staticSharedBytes) + shape.dynamicSharedBytes;
}

size_t Launch::scratchBytes() const {
  size_t bytes = HET_SPIRV_SHARED_ALIGNMENT;
  if (artifact->header.flags & HET_SPIRV_SPLIT)
    bytes += (threads() + 31) / 32 * 32 * HET_SPIRV_SCRATCH_BYTES;
  return bytes;
}

bool runItems(const Launch &launch, HetSpirvLaunch &record, const size_t (&items)[3],
              const size_t (&group)[3], size_t sharedBytes) {
  HetArtifact &artifact = *launch.artifact;
  HetDevice &device = *artifact.device;
  const OpenCL &cl = device.cl;
  cl_int error = CL_SUCCESS;
  {
    std::lock_guard<std::mutex> lock(artifact.mutex);
    error = device.setPointer(artifact.kernel, 0, &record);
    if (!error && !artifact.isSegmented())
      error = cl.clSetKernelArg(artifact.kernel, 1, sharedBytes,
                                nullptr);
    if (!error)
      error = cl.clEnqueueNDRangeKernel(launch.queue->commands, artifact.kernel, 3,
                                        nullptr, items, group, 0, nullptr, nullptr);
  }
  if (!error)
    error = cl.clFinish(launch.queue->commands);
  if (!error)
    return true;
  device.fail(HET_FAULT_LOST, "kernel '" + artifact.name + "': OpenCL's error " +
                                  std::to_string(error));
  return false;
}

void runLaunch(const Launch &launch) {
  HetDevice &device = *launch.artifact->device;
  if (device.hasFault())
    return;
  if (!prepareServices(*launch.queue))
    return device.fail(HET_FAULT_LOST, "no memory for the output of kernels");
  HetSpirvLaunch record = makeRecord(launch);
  std::unique_ptr<Clock> clock;
  if (launch.artifact->header.flags & HET_SPIRV_CLOCK)
    clock = std::make_unique<Clock>(launch.queue->services.clock);
  if (launch.artifact->isSegmented())
    runSegmented(launch, record);
  else
    runNative(launch, record);
  clock.reset();
  collectServices(*launch.queue, launch.artifact->name);
}

int32_t enqueueLaunch(HetQueue *queue, const HetLaunch *shape, HetStatus *status) {
  HetArtifact &artifact = *shape->artifact;
  auto launch = std::make_shared<Launch>();
  launch->queue = queue;
  launch->artifact = &artifact;
  launch->shape = *shape;
  if (launch->threads() > artifact.maxThreads)
    return report(status, HET_INVALID,
                  "kernel '" + artifact.name + "': found " +
                      std::to_string(launch->threads()) +
                      " threads a block, expected at most " +
                      std::to_string(artifact.maxThreads));
  if (launch->sharedBytes() > queue->device->facts.sharedBytesPerBlockOptIn)
    return report(status, HET_INVALID,
                  "kernel '" + artifact.name + "': found " +
                      std::to_string(launch->sharedBytes()) +
                      " bytes of shared memory, expected at most " +
                      std::to_string(queue->device->facts.sharedBytesPerBlockOptIn));
  auto *bytes = static_cast<const uint8_t *>(shape->arguments);
  launch->arguments.assign(bytes, bytes + shape->argumentBytes);
  launch->arguments.resize(
      std::max<size_t>({launch->arguments.size(), artifact.header.argumentBytes, 1}));
  queue->queue.push([launch] { runLaunch(*launch); });
  return success(status);
}

} // namespace het::spirv
