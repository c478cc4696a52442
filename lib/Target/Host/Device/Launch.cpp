// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running a launch: blocks in the order of their index, each with its shared memory
// and its frame. An ordinary launch reuses a thread's memory for block after block;
// in a cooperative one every block keeps its own until all have ended.

#include "HostDevice.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace het::host {

namespace {

constexpr size_t alignment = 128;

size_t alignUp(size_t size) { return (size + alignment - 1) / alignment * alignment; }

struct FreeMemory {
  void operator()(uint8_t *memory) const { std::free(memory); }
};

/// Memory that grows on demand and is kept.
struct Memory {
  std::unique_ptr<uint8_t, FreeMemory> bytes;
  size_t size = 0;

  uint8_t *get(size_t wanted) {
    wanted = alignUp(std::max<size_t>(wanted, 1));
    if (wanted > size) {
      bytes.reset(static_cast<uint8_t *>(std::aligned_alloc(alignment, wanted)));
      size = bytes ? wanted : 0;
    }
    return bytes.get();
  }
};

void setIndex(HetHostBlock &block, uint64_t index) {
  uint64_t row = index / block.gridDim[0];
  block.blockId[0] = index % block.gridDim[0];
  block.blockId[1] = row % block.gridDim[1];
  block.blockId[2] = row / block.gridDim[1];
}

HetHostBlock makeBlock(const Launch &launch, uint64_t index) {
  HetHostBlock block = {};
  block.arguments = launch.arguments.data();
  block.variables = const_cast<void **>(launch.artifact->variables.data());
  block.services = &services();
  block.launch = const_cast<Launch *>(&launch);
  const HetHostKernel &kernel = *launch.artifact->kernel;
  block.dynamicSharedOffset = alignUp(kernel.staticSharedBytes);
  block.dynamicSharedBytes = launch.shape.dynamicSharedBytes;
  std::copy_n(launch.shape.block, 3, block.blockDim);
  std::copy_n(launch.shape.grid, 3, block.gridDim);
  block.threadCount = launch.threads();
  setIndex(block, index);
  return block;
}

void runOrdinary(const Launch &launch) {
  // Few enough pieces that taking one costs nothing, many enough to share fairly.
  uint64_t blocks = launch.blocks();
  uint64_t grain = std::max<uint64_t>(1, blocks / (threadCount() * 16));
  size_t sharedBytes = launch.sharedBytes(), frameBytes = launch.frameBytes();
  parallelFor((blocks + grain - 1) / grain, [&](uint64_t piece) {
    thread_local Memory shared, frame;
    uint8_t *sharedMemory = shared.get(sharedBytes);
    uint8_t *frameMemory = frame.get(frameBytes);
    if (!sharedMemory || !frameMemory) {
      launch.device->fail(HET_FAULT_LOST, "no memory for a block's state");
      return;
    }
    HetHostBlock block = makeBlock(launch, piece * grain);
    block.shared = sharedMemory;
    block.frame = frameMemory;
    uint64_t end = std::min(blocks, (piece + 1) * grain);
    for (uint64_t index = piece * grain; index < end; ++index) {
      if (launch.device->faultKind.load(std::memory_order_relaxed))
        return;
      setIndex(block, index);
      uint32_t pc = runGuarded(*launch.device, *launch.artifact->kernel, block, 0);
      if (pc != HET_HOST_ENDED && pc != HET_HOST_DEADLOCK)
        launch.device->fail(HET_FAULT_TRAP,
                            "a grid barrier in a launch that is not cooperative");
    }
  });
}

struct CooperativeBlock {
  HetHostBlock block;
  Memory shared, frame;
  uint32_t pc = 0;
};

void runCooperative(const Launch &launch) {
  std::vector<CooperativeBlock> blocks(launch.blocks());
  for (uint64_t index = 0; index < blocks.size(); ++index) {
    CooperativeBlock &own = blocks[index];
    own.block = makeBlock(launch, index);
    own.block.shared = own.shared.get(launch.sharedBytes());
    own.block.frame = own.frame.get(launch.frameBytes());
    if (!own.block.shared || !own.block.frame)
      return launch.device->fail(HET_FAULT_LOST, "no memory for a block's state");
  }
  for (bool anyLeft = true; anyLeft && !launch.device->faultKind.load();) {
    std::atomic<bool> waiting{false};
    parallelFor(blocks.size(), [&](uint64_t index) {
      CooperativeBlock &own = blocks[index];
      if (own.pc == HET_HOST_ENDED || launch.device->faultKind.load())
        return;
      own.pc = runGuarded(*launch.device, *launch.artifact->kernel, own.block,
                          own.pc);
      if (own.pc != HET_HOST_ENDED)
        waiting = true;
    });
    anyLeft = waiting;
  }
}

} // namespace

size_t Launch::sharedBytes() const {
  return alignUp(artifact->kernel->staticSharedBytes) + shape.dynamicSharedBytes;
}

size_t Launch::frameBytes() const {
  size_t padded = (size_t(threads()) + 31) / 32 * 32;
  return artifact->kernel->frameBytesPerBlock +
         artifact->kernel->frameBytesPerThread * padded;
}

void runLaunch(const Launch &launch) {
  if (launch.device->faultKind.load())
    return;
  if (launch.shape.cooperative)
    runCooperative(launch);
  else
    runOrdinary(launch);
}

} // namespace het::host
