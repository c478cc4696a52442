// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running a launch: blocks in the order of their index, each with its shared memory
// and its frame. An ordinary launch reuses a thread's memory for block after block,
// but a block that waits for others keeps it; in a cooperative launch every block has
// its own until all have ended.

#include "HostDevice.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
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

/// A block with memory of its own, to be gone on with at `pc`.
struct BlockState {
  HetHostBlock block;
  Memory shared, frame;
  uint32_t pc = 0;

  bool getMemory(const Launch &launch) {
    block.shared = shared.get(launch.sharedBytes());
    block.frame = frame.get(launch.frameBytes());
    if (block.shared && block.frame)
      return true;
    launch.device->fail(HET_FAULT_LOST, "no memory for a block's state");
    return false;
  }

  void run(const Launch &launch) {
    pc = runGuarded(*launch.device, *launch.artifact->kernel, block, pc);
  }

  bool hasEnded() const {
    return pc == HET_HOST_ENDED || pc == HET_HOST_DEADLOCK;
  }
};

bool hasFault(const Launch &launch) {
  return launch.device->faultKind.load(std::memory_order_relaxed);
}

/// An ordinary launch: blocks in their order, and those that gave way to others in
/// turn. As on a GPU so many are under way at most; further ones start when some end.
class OrdinaryLaunch {
public:
  explicit OrdinaryLaunch(const Launch &launch) : launch(launch) {
    constexpr size_t memoryForWaiting = size_t(1) << 30;
    size_t bytes = launch.sharedBytes() + launch.frameBytes() + 1;
    maxWaiting = std::clamp<size_t>(memoryForWaiting / bytes, 64, 4096);
  }

  void run() {
    // Few enough pieces that taking one costs nothing, many enough to share fairly.
    uint64_t blocks = launch.blocks();
    uint64_t grain = std::max<uint64_t>(1, blocks / (threadCount() * 16));
    parallelFor((blocks + grain - 1) / grain, [&](uint64_t piece) {
      runPiece(piece * grain, std::min(blocks, (piece + 1) * grain));
    });
    while (!waiting.empty() && !hasFault(launch))
      parallelFor(waiting.size(), [&](uint64_t) { resumeOne(); });
  }

private:
  void runPiece(uint64_t begin, uint64_t end) {
    thread_local BlockState state; // its memory is used again and again
    state.block = makeBlock(launch, begin);
    for (uint64_t index = begin; index < end && !hasFault(launch); ++index) {
      if (!state.getMemory(launch))
        return;
      setIndex(state.block, index);
      state.pc = 0;
      state.run(launch);
      settle(state);
      while (waitingCount > maxWaiting && !hasFault(launch))
        resumeOne();
    }
  }

  /// Keeps a block that has not ended for later.
  void settle(BlockState &state) {
    if (state.hasEnded())
      return;
    if (state.pc != HET_HOST_GAVE_WAY)
      return launch.device->fail(
          HET_FAULT_TRAP, "a grid barrier in a launch that is not cooperative");
    HetHostBlock block = state.block;
    std::lock_guard<std::mutex> lock(mutex);
    waiting.push_back(std::move(state));
    ++waitingCount;
    state = BlockState();
    state.block = block;
  }

  void resumeOne() {
    BlockState state;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (waiting.empty())
        return;
      state = std::move(waiting.front());
      waiting.pop_front();
      --waitingCount;
    }
    state.run(launch);
    settle(state);
  }

  const Launch &launch;
  size_t maxWaiting;
  std::mutex mutex;
  std::deque<BlockState> waiting; ///< guarded by the mutex
  std::atomic<size_t> waitingCount{0};
};

/// A cooperative launch: all blocks are under way until the last has ended.
void runCooperative(const Launch &launch) {
  std::vector<BlockState> blocks(launch.blocks());
  for (uint64_t index = 0; index < blocks.size(); ++index) {
    blocks[index].block = makeBlock(launch, index);
    if (!blocks[index].getMemory(launch))
      return;
  }
  std::vector<uint8_t> arrived(blocks.size()); // at the grid barrier
  while (!hasFault(launch)) {
    std::atomic<bool> anyGaveWay{false}, anyArrived{false};
    parallelFor(blocks.size(), [&](uint64_t index) {
      BlockState &state = blocks[index];
      if (!state.hasEnded() && !arrived[index] && !hasFault(launch))
        state.run(launch);
      if (state.hasEnded())
        return;
      arrived[index] = state.pc != HET_HOST_GAVE_WAY;
      (arrived[index] ? anyArrived : anyGaveWay) = true;
    });
    if (anyGaveWay)
      continue;
    if (!anyArrived)
      return;
    std::fill(arrived.begin(), arrived.end(), 0);
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
    OrdinaryLaunch(launch).run();
}

} // namespace het::host
