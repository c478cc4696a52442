// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose blocks are in clusters. One thread runs the blocks of a cluster, one
// after the other: a block stops at the cluster's barrier, as at one of the grid, until
// all have come there. Their shared memory is one piece, a block's behind the other's.

#include "Clusters.h"

#include <algorithm>
#include <deque>

namespace het::host {
namespace {

class Cluster {
public:
  /// False where there is no memory.
  bool begin(const Launch &launch, uint64_t number);
  /// Goes on until all blocks have ended, which is true, or wait for other clusters.
  bool run(const Launch &launch);

private:
  enum class Stand : uint8_t { UnderWay, Arrived, Done };

  uint64_t indexOf(const Launch &launch, uint64_t number, uint64_t rank) const;
  bool getShared(const Launch &launch);
  bool runBlocks(const Launch &launch);

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

/// Each block that does not wait at the barrier, once. Whether one may go on.
bool Cluster::runBlocks(const Launch &launch) {
  bool hasArrived = false;
  for (size_t rank = 0; rank < blocks.size() && !hasFault(launch); ++rank) {
    if (stands[rank] != Stand::UnderWay)
      continue;
    blocks[rank].run(launch);
    stands[rank] = blocks[rank].hasEnded()                ? Stand::Done
                   : blocks[rank].pc == HET_HOST_GAVE_WAY ? Stand::UnderWay
                                                          : Stand::Arrived;
    hasArrived |= stands[rank] == Stand::Arrived;
  }
  return hasArrived;
}

bool Cluster::run(const Launch &launch) {
  for (;;) {
    const bool hasChanged = runBlocks(launch);
    if (hasFault(launch))
      return true;
    const bool isUnderWay = std::count(stands.begin(), stands.end(), Stand::UnderWay);
    if (isUnderWay) {
      if (!hasChanged)
        return false; // others go on meanwhile
      continue;
    }
    if (!std::count(stands.begin(), stands.end(), Stand::Arrived))
      return true;
    std::replace(stands.begin(), stands.end(), Stand::Arrived, Stand::UnderWay);
  }
}

/// Clusters that wait for others are kept, and go on in turn.
class ClusterLaunch {
public:
  explicit ClusterLaunch(const Launch &launch) : launch(launch) {}

  void run() {
    parallelFor(launch.blocks() / blocksOf(launch), [&](uint64_t number) {
      if (hasFault(launch))
        return;
      auto cluster = std::make_unique<Cluster>();
      if (cluster->begin(launch, number) && !cluster->run(launch))
        keep(std::move(cluster));
    });
    while (!waiting.empty() && !hasFault(launch))
      parallelFor(waiting.size(), [&](uint64_t) {
        std::unique_ptr<Cluster> cluster = take();
        if (!cluster->run(launch))
          keep(std::move(cluster));
      });
  }

private:
  void keep(std::unique_ptr<Cluster> cluster) {
    std::lock_guard<std::mutex> lock(mutex);
    waiting.push_back(std::move(cluster));
  }

  std::unique_ptr<Cluster> take() {
    std::lock_guard<std::mutex> lock(mutex);
    std::unique_ptr<Cluster> cluster = std::move(waiting.front());
    waiting.pop_front();
    return cluster;
  }

  const Launch &launch;
  std::mutex mutex;
  std::deque<std::unique_ptr<Cluster>> waiting; ///< Guarded by the mutex.
};

} // namespace

void runClusters(const Launch &launch) { ClusterLaunch(launch).run(); }

} // namespace het::host
