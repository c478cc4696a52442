// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose blocks are in clusters. One thread runs the blocks of a cluster, one
// after the other: a block stops at the cluster's barrier until all have come there, and
// at the grid's until all of the other clusters have, too. The shared memory of a
// cluster is one piece, a block's behind the other's.

#include "Clusters.h"

#include "../../Support/BarrierFaults.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace het::host {
namespace {

class Cluster {
public:
  /// False where there is no memory.
  bool begin(const Launch &launch, uint64_t number);
  enum class Result : uint8_t { Ended, GaveWay, AtGridBarrier };
  /// Goes on until no block can without other clusters, or the launch has a fault.
  Result run(const Launch &launch);
  void passGridBarrier() { release(Stand::AtGrid); }

private:
  enum class Stand : uint8_t { UnderWay, AtCluster, AtGrid, Done };

  uint64_t indexOf(const Launch &launch, uint64_t number, uint64_t rank) const;
  bool getShared(const Launch &launch);
  bool runBlocks(const Launch &launch);
  Stand standOf(const Launch &launch, const BlockState &block) const;
  bool any(Stand stand) const {
    return std::count(stands.begin(), stands.end(), stand) != 0;
  }
  void release(Stand from) {
    std::replace(stands.begin(), stands.end(), from, Stand::UnderWay);
  }

  std::vector<BlockState> blocks;
  std::vector<Stand> stands;
  Memory shared;
  uint8_t *first = nullptr; ///< Of the shared memory.
  size_t stride = 0;
};

uint64_t blocksOf(const Launch &launch) {
  const uint32_t *size = launch.shape.cluster;
  return uint64_t(size[0]) * size[1] * size[2];
}

/// The index in the grid of the block with this rank.
uint64_t Cluster::indexOf(const Launch &launch, uint64_t number, uint64_t rank) const {
  const uint32_t *size = launch.shape.cluster, *grid = launch.shape.grid;
  uint64_t index = 0, row = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    const uint64_t clusters = grid[dim] / size[dim];
    index += row * (number % clusters * size[dim] + rank % size[dim]);
    number /= clusters;
    rank /= size[dim];
    row *= grid[dim];
  }
  return index;
}

/// Addresses of 32 bits stand for places less than 2 GiB from the beginning.
bool Cluster::getShared(const Launch &launch) {
  stride = alignUp(std::max<size_t>(launch.sharedBytes(), 1));
  first = shared.get(stride * blocks.size());
  if (!first)
    launch.device->fail(HET_FAULT_LOST, "no memory for a cluster's shared memory");
  return first;
}

bool Cluster::begin(const Launch &launch, uint64_t number) {
  blocks.resize(blocksOf(launch));
  stands.assign(blocks.size(), Stand::UnderWay);
  if (!getShared(launch))
    return false;
  for (size_t rank = 0; rank < blocks.size(); ++rank) {
    BlockState &state = blocks[rank];
    state.begin(launch, indexOf(launch, number, rank));
    if (!state.getMemory(launch))
      return false;
    state.block.shared = first + rank * stride;
    state.block.clusterShared = first;
    state.block.clusterStride = stride;
  }
  return true;
}

/// After it has run.
Cluster::Stand Cluster::standOf(const Launch &launch, const BlockState &block) const {
  if (block.hasEnded())
    return Stand::Done;
  if (block.pc == HET_HOST_GAVE_WAY)
    return Stand::UnderWay;
  if (block.pc & HET_HOST_AT_CLUSTER)
    return Stand::AtCluster;
  if (!launch.shape.cooperative && !hasFault(launch))
    launch.device->fail(HET_FAULT_TRAP,
                        "a grid barrier in a launch that is not cooperative");
  return Stand::AtGrid;
}

/// Each block that does not wait at a barrier, once. Whether one has come to one.
bool Cluster::runBlocks(const Launch &launch) {
  bool hasArrived = false;
  for (size_t rank = 0; rank < blocks.size() && !hasFault(launch); ++rank) {
    if (stands[rank] != Stand::UnderWay)
      continue;
    blocks[rank].run(launch);
    stands[rank] = standOf(launch, blocks[rank]);
    hasArrived |= stands[rank] == Stand::AtCluster || stands[rank] == Stand::AtGrid;
  }
  return hasArrived;
}

Cluster::Result Cluster::run(const Launch &launch) {
  for (;;) {
    const bool hasChanged = runBlocks(launch);
    if (hasFault(launch))
      return Result::Ended;
    if (any(Stand::UnderWay)) {
      if (!hasChanged)
        return Result::GaveWay;
      continue;
    }
    if (!any(Stand::AtCluster))
      return any(Stand::AtGrid) ? Result::AtGridBarrier : Result::Ended;
    if (any(Stand::AtGrid)) {
      launch.device->fail(HET_FAULT_DEADLOCK, target::deadlockInCluster);
      return Result::Ended;
    }
    release(Stand::AtCluster);
  }
}

/// Clusters that wait for others are kept, and go on in turn: those that gave way at
/// once, those at the grid barrier when no other is under way.
class ClusterLaunch {
public:
  explicit ClusterLaunch(const Launch &launch) : launch(launch) {}

  void run() {
    parallelFor(launch.blocks() / blocksOf(launch), [&](uint64_t number) {
      if (hasFault(launch))
        return;
      auto cluster = std::make_unique<Cluster>();
      if (cluster->begin(launch, number))
        goOn(std::move(cluster));
    });
    while (!hasFault(launch) && (!waiting.empty() || passGridBarrier()))
      parallelFor(waiting.size(), [&](uint64_t) { goOn(take()); });
  }

private:
  void goOn(std::unique_ptr<Cluster> cluster) {
    const Cluster::Result result = cluster->run(launch);
    if (result == Cluster::Result::Ended)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    if (result == Cluster::Result::GaveWay)
      waiting.push_back(std::move(cluster));
    else
      arrived.push_back(std::move(cluster));
  }

  /// False where no cluster is at it.
  bool passGridBarrier() {
    for (std::unique_ptr<Cluster> &cluster : std::exchange(arrived, {})) {
      cluster->passGridBarrier();
      waiting.push_back(std::move(cluster));
    }
    return !waiting.empty();
  }

  std::unique_ptr<Cluster> take() {
    std::lock_guard<std::mutex> lock(mutex);
    std::unique_ptr<Cluster> cluster = std::move(waiting.front());
    waiting.pop_front();
    return cluster;
  }

  const Launch &launch;
  std::mutex mutex;
  // Guarded by the mutex.
  std::deque<std::unique_ptr<Cluster>> waiting;  ///< They gave way.
  std::vector<std::unique_ptr<Cluster>> arrived; ///< At the grid barrier.
};

} // namespace

void runClusters(const Launch &launch) { ClusterLaunch(launch).run(); }

} // namespace het::host
