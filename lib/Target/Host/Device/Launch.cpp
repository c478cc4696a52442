// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running a launch: blocks in the order of their index, each with its shared memory
// and its frame. An ordinary launch reuses a thread's memory for block after block,
// but a block that waits for others keeps it; in a cooperative launch every block has
// its own until all have ended.

#include "Clusters.h"
#include "Parking.h"

#include <algorithm>
#include <deque>

namespace het::host {

namespace {

/// An ordinary launch: blocks in their order, and those that gave way to others in
/// turn. As on a GPU so many are under way at most; further ones start when some end.
class OrdinaryLaunch {
public:
  OrdinaryLaunch(const Launch &launch, Parking *parking)
      : launch(launch), parking(parking) {
    constexpr size_t memoryForWaiting = size_t(1) << 30;
    size_t bytes = launch.sharedBytes() + launch.frameBytes() + 1;
    maxWaiting = std::clamp<size_t>(memoryForWaiting / bytes, 64, 4096);
  }

  void run() {
    runPieces();
    while (!waiting.empty() && !hasFault(launch)) {
      parallelFor(waiting.size(), [&](uint64_t) { resumeOne(); });
      // Blocks that wait for one which suspending has kept from beginning.
      if (parking && !waiting.empty() && !parking->stopsInside())
        runPieces();
    }
  }

private:
  void runPieces() {
    if (parking)
      runFirst(parking->takeFirst());
    // Few enough pieces that taking one costs nothing, many enough to share fairly.
    uint64_t blocks = launch.blocks();
    uint64_t grain = std::max<uint64_t>(1, blocks / (threadCount() * 16));
    parallelFor((blocks + grain - 1) / grain, [&](uint64_t piece) {
      runPiece(piece * grain, std::min(blocks, (piece + 1) * grain));
    });
  }

  void runFirst(const std::vector<uint64_t> &indices) {
    parallelFor(indices.size(),
                [&](uint64_t at) { runPiece(indices[at], indices[at] + 1); });
  }

  void runPiece(uint64_t begin, uint64_t end) {
    thread_local BlockState state; // its memory is used again and again
    state.begin(launch, begin);
    for (uint64_t index = begin; index < end && !hasFault(launch); ++index) {
      if (!mayBegin(index))
        continue;
      state.setIndex(index);
      if (!(parking ? parking->prepare(state) : state.getMemory(launch)))
        return;
      state.run(launch);
      settle(state);
      while (waitingCount > maxWaiting && !hasFault(launch))
        resumeOne();
    }
  }

  /// Blocks that can not be suspended inside may wait for others that have not begun.
  bool mayBegin(uint64_t index) const {
    if (!parking)
      return true;
    const bool stays = parking->isOn() && (parking->stopsInside() || waitingCount == 0);
    return !stays && !parking->hasBegun(index);
  }

  /// Keeps a block that has not ended for later.
  void settle(BlockState &state) {
    if (parking ? parking->settle(state) : state.hasEnded())
      return;
    if (state.pc != HET_HOST_GAVE_WAY)
      return launch.device->fail(HET_FAULT_TRAP,
                                 "a grid barrier in a launch that is not cooperative");
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
  Parking *const parking; ///< null: it is not suspendable
  size_t maxWaiting;
  std::mutex mutex;
  std::deque<BlockState> waiting; ///< guarded by the mutex
  std::atomic<size_t> waitingCount{0};
};

/// A cooperative launch: all blocks are under way until the last has ended or been
/// suspended. A grid barrier is passed by all or by none: once a block has been
/// suspended, or was kept from beginning, those that arrive park before it.
class CooperativeLaunch {
public:
  CooperativeLaunch(const Launch &launch, Parking *parking)
      : launch(launch), parking(parking), blocks(launch.blocks()), stands(blocks.size()) {
  }

  void run() {
    if ((parking && parking->isOn()) || !begin())
      return;
    while (!hasFault(launch)) {
      anyGaveWay = anyArrived = false;
      parallelFor(blocks.size(), [&](uint64_t index) { goOn(index); });
      if (anyGaveWay)
        continue;
      if (!anyArrived)
        return;
      const bool stay =
          parking && parking->stopsInside() && (anyStays || parking->isOn());
      for (uint64_t index = 0; index < blocks.size(); ++index)
        if (stands[index] == Stand::Arrived) {
          stands[index] = stay ? Stand::Parking : Stand::UnderWay;
          blocks[index].pc |= stay ? HET_HOST_STAY : 0;
        }
    }
  }

private:
  /// False where there is no memory.
  bool begin() {
    for (uint64_t index = 0; index < blocks.size(); ++index) {
      blocks[index].begin(launch, index);
      if (parking && parking->hasEnded(index))
        stands[index] = Stand::Done;
      else if (!(parking ? parking->prepare(blocks[index])
                         : blocks[index].getMemory(launch)))
        return false;
    }
    return true;
  }

  void goOn(uint64_t index) {
    BlockState &state = blocks[index];
    Stand &stand = stands[index];
    if (stand == Stand::Arrived)
      anyArrived = true;
    if (stand == Stand::Arrived || stand == Stand::Done || hasFault(launch))
      return;
    if (state.pc == 0 && parking && parking->stopsInside() && parking->isOn()) {
      stand = Stand::Done; // for now: it has not begun
      anyStays = true;
      return;
    }
    state.run(launch);
    if (parking ? parking->settle(state) : state.hasEnded()) {
      stand = Stand::Done;
      if (!state.hasEnded())
        anyStays = true;
      return;
    }
    if (stand == Stand::Parking)
      return launch.device->fail(HET_FAULT_TRAP,
                                 "a block went on that was to park at a grid barrier");
    stand = state.pc == HET_HOST_GAVE_WAY ? Stand::UnderWay : Stand::Arrived;
    (stand == Stand::Arrived ? anyArrived : anyGaveWay) = true;
  }

  enum class Stand : uint8_t {
    UnderWay,
    Arrived, ///< At the grid barrier.
    Parking, ///< There, to park before it.
    Done
  };

  const Launch &launch;
  Parking *const parking; ///< null: it is not suspendable
  std::vector<BlockState> blocks;
  std::vector<Stand> stands;
  std::atomic<bool> anyGaveWay{false}, anyArrived{false}, anyStays{false};
};

} // namespace

void runLaunch(const Launch &launch, Parking *parking) {
  if (launch.device->faultKind.load())
    return;
  if (launch.shape.cluster[0])
    runClusters(launch);
  else if (launch.shape.cooperative)
    CooperativeLaunch(launch, parking).run();
  else
    OrdinaryLaunch(launch, parking).run();
}

} // namespace het::host
