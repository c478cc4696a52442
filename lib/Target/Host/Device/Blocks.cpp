// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks: their memory, and what the kernel is told of them.

#include "Blocks.h"
#include "Parking.h"

#include <algorithm>
#include <new>

namespace het::host {

uint8_t *Memory::get(size_t wanted) {
  wanted = alignUp(std::max<size_t>(wanted, 1), memoryAlignment);
  if (wanted > size) {
    bytes.reset(static_cast<uint8_t *>(std::aligned_alloc(memoryAlignment, wanted)));
    size = bytes ? wanted : 0;
  }
  return bytes.get();
}

void BlockState::begin(const Launch &launch, uint64_t first) {
  const HetHostKernel &kernel = *launch.artifact->kernel;
  block = {};
  block.arguments = launch.arguments.bytes.get();
  block.variables = const_cast<void **>(launch.artifact->variables.data());
  block.services = &services();
  block.launch = const_cast<Launch *>(&launch);
  block.dynamicSharedOffset = alignUp(kernel.staticSharedBytes);
  block.dynamicSharedBytes = launch.shape.dynamicSharedBytes;
  block.threadCount = launch.threads();
  block.parking = launch.device->parkingFlag();
  block.pollInterval = launch.pollInterval;
  block.cooperative = launch.shape.cooperative != 0;
  std::copy_n(launch.shape.block, 3, block.blockDim);
  std::copy_n(launch.shape.grid, 3, block.gridDim);
  std::copy_n(launch.shape.cluster, 3, block.clusterDim);
  block.clusterGiven = launch.shape.clusterGiven != 0;
  setIndex(first);
}

void BlockState::setIndex(uint64_t wanted) {
  const uint64_t row = wanted / block.gridDim[0];
  block.blockId[0] = wanted % block.gridDim[0];
  block.blockId[1] = row % block.gridDim[1];
  block.blockId[2] = row / block.gridDim[1];
  index = wanted;
  pc = 0;
  wasParked = false;
}

bool BlockState::getMemory(const Launch &launch) {
  block.shared = shared.get(launch.sharedBytes());
  block.frame = frame.get(launch.frameBytes());
  if (block.shared && block.frame)
    return true;
  launch.device->fail(HET_FAULT_LOST, "no memory for a block's state");
  return false;
}

void BlockState::run(const Launch &launch) {
  static constexpr uint32_t isAsked = 1;
  const HetHostKernel &kernel = *launch.artifact->kernel;
  auto goOn = [&] {
    pc = runGuarded(*launch.device, kernel, wasParked ? kernel.resume : kernel.run, block,
                    pc);
  };
  uint64_t parks = kernel.layout && !(pc & HET_HOST_STAY) ? parksByItself() : 0;
  for (; parks; --parks) {
    block.parking = &isAsked;
    goOn();
    block.parking = launch.device->parkingFlag();
    if (pc != HET_HOST_PARKED || hasFault(launch))
      return;
    takeUpElsewhere(launch, *this);
  }
  goOn();
}

std::shared_ptr<Launch> Launch::create(HetDevice &device, const HetLaunch &given) {
  try {
    return std::make_shared<Launch>(device, given);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

Launch::Launch(HetDevice &device, const HetLaunch &given)
    : device(&device), artifact(given.artifact), shape(given) {
  uint8_t *copy = arguments.get(given.argumentBytes);
  if (!copy)
    throw std::bad_alloc();
  std::copy_n(static_cast<const uint8_t *>(given.arguments), given.argumentBytes, copy);
}

size_t Launch::sharedBytes() const {
  return alignUp(artifact->kernel->staticSharedBytes) + shape.dynamicSharedBytes;
}

size_t Launch::frameBytes() const {
  return artifact->kernel->frameBytesPerBlock +
         artifact->kernel->frameBytesPerThread * paddedThreads();
}

} // namespace het::host
