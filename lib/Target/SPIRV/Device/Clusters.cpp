// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a launch with clusters: so many clusters at a time as there is memory for
// the state of their blocks, all of them in a cooperative launch, each block a work-item.
// A block stops at the cluster's barrier, and is started again when all of its cluster
// have come there; at the grid's it stops until all of the other clusters have, too. The
// blocks of a cluster lie one behind the other in memory.

#include "../../Support/BarrierFaults.h"
#include "SPIRVDevice.h"

#include <algorithm>

namespace het::spirv {
namespace {

constexpr size_t alignment = 128;

size_t alignUp(size_t size) { return (size + alignment - 1) / alignment * alignment; }

class ClusterLaunch {
public:
  ClusterLaunch(const Launch &launch, HetSpirvLaunch &record)
      : launch(launch), record(record), device(*launch.artifact->device) {}

  void run() {
    if (!prepare())
      return device.fail(HET_FAULT_LOST, "no memory for the state of blocks");
    while (!device.hasFault() && gather()) {
      const Items items = {{static_cast<uint32_t>(active.size()), 1, 1}, {1, 1, 1}};
      if (!runItems(launch, record, items, 0) ||
          launch.queue->left().fault != HET_SERVICE_FAULT_NONE)
        return;
      if (!settle())
        return;
    }
  }

private:
  enum class Stand : uint8_t { UnderWay, AtCluster, AtGrid, Done };
  struct Block {
    HetSpirvBlock state;
    Stand stand;
  };

  bool prepare();
  void begin(size_t place);
  bool gather();
  bool passClusterBarrier(size_t place);
  void release(size_t from, size_t count, Stand stand);
  bool settle();
  Stand standOf(uint32_t pc) const;
  /// False where the block has a fault.
  bool note(Block &block, uint32_t pc);

  const Launch &launch;
  HetSpirvLaunch &record;
  HetDevice &device;
  Memory items, state;
  size_t clusterBlocks = 0, stride = 0, sharedBytes = 0;
  std::vector<Block> blocks;    ///< Those of a cluster one behind the other.
  std::vector<Block *> active;  ///< By work-item.
  uint64_t next = 0, count = 0; ///< Clusters.
};

bool ClusterLaunch::prepare() {
  constexpr size_t memory = size_t(256) << 20, fewest = 64, most = 8192;
  const HetSpirvArtifact &header = launch.artifact->header;
  const uint32_t *size = launch.shape.cluster;
  const size_t threads = (size_t(launch.threads()) + 31) / 32 * 32;
  clusterBlocks = size_t(size[0]) * size[1] * size[2];
  count = launch.blocks() / clusterBlocks;
  sharedBytes = alignUp(launch.sharedBytes());
  stride = sharedBytes +
           alignUp(header.frameBytesPerBlock + header.frameBytesPerThread * threads);
  const size_t wanted = std::clamp(memory / (stride + alignment), fewest, most);
  const size_t clusters =
      launch.shape.cooperative
          ? count
          : std::min<uint64_t>(count, std::max<size_t>(wanted / clusterBlocks, 1));
  const size_t places = clusters * clusterBlocks;
  items = allocate(*device.door, places * sizeof(HetSpirvBlock));
  state = allocate(*device.door, places * stride + alignment, Place::Device);
  record.blocks = reinterpret_cast<uint64_t>(items.get());
  record.clusterStride = stride;
  if (!items || !state)
    return false;
  blocks.assign(places, {{}, Stand::Done});
  return true;
}

/// Puts the next cluster into this place.
void ClusterLaunch::begin(size_t place) {
  const uint32_t *size = launch.shape.cluster, *grid = launch.shape.grid;
  const uint64_t first =
      reinterpret_cast<uint64_t>(state.get()) + place * clusterBlocks * stride;
  for (size_t rank = 0; rank < clusterBlocks; ++rank) {
    Block &block = blocks[place * clusterBlocks + rank];
    block = {{}, Stand::UnderWay};
    block.state.shared = first + rank * stride;
    block.state.frame = block.state.shared + sharedBytes;
    block.state.clusterShared = first;
    uint64_t number = next, inside = rank;
    for (unsigned dim = 0; dim < 3; ++dim) {
      const uint32_t clusters = grid[dim] / size[dim];
      block.state.blockId[dim] = number % clusters * size[dim] + inside % size[dim];
      number /= clusters;
      inside /= size[dim];
    }
  }
  ++next;
}

/// Lets `number` blocks go on where they stand so.
void ClusterLaunch::release(size_t from, size_t number, Stand stand) {
  for (size_t at = from; at < from + number; ++at)
    if (blocks[at].stand == stand)
      blocks[at].stand = Stand::UnderWay;
}

/// Lets the blocks of the cluster in this place pass its barrier where all have come to
/// it, and begins the next cluster where all have ended. False where they never come.
bool ClusterLaunch::passClusterBarrier(size_t place) {
  const Block *first = &blocks[place * clusterBlocks];
  auto any = [&](Stand stand) {
    return std::any_of(first, first + clusterBlocks,
                       [&](const Block &block) { return block.stand == stand; });
  };
  if (any(Stand::UnderWay))
    return true;
  if (any(Stand::AtCluster) && any(Stand::AtGrid)) {
    device.fail(HET_FAULT_DEADLOCK,
                "kernel '" + launch.artifact->name + "': " + target::deadlockInCluster);
    return false;
  }
  if (!any(Stand::AtCluster) && !any(Stand::AtGrid) && next < count)
    begin(place);
  release(place * clusterBlocks, clusterBlocks, Stand::AtCluster);
  return true;
}

/// Assigns a work-item to each block that can go on. False where all have ended, or one
/// has a fault.
bool ClusterLaunch::gather() {
  auto *to = reinterpret_cast<HetSpirvBlock *>(items.get());
  for (size_t place = 0; place < blocks.size() / clusterBlocks; ++place)
    if (!passClusterBarrier(place))
      return false;
  auto isUnderWay = [](const Block &block) { return block.stand == Stand::UnderWay; };
  if (std::none_of(blocks.begin(), blocks.end(), isUnderWay))
    release(0, blocks.size(), Stand::AtGrid);
  active.clear();
  for (Block &block : blocks) {
    if (!isUnderWay(block))
      continue;
    to[active.size()] = block.state;
    active.push_back(&block);
  }
  return !active.empty();
}

ClusterLaunch::Stand ClusterLaunch::standOf(uint32_t pc) const {
  return pc == HET_SPIRV_ENDED       ? Stand::Done
         : pc == HET_SPIRV_GAVE_WAY  ? Stand::UnderWay
         : pc & HET_SPIRV_AT_CLUSTER ? Stand::AtCluster
                                     : Stand::AtGrid;
}

bool ClusterLaunch::note(Block &block, uint32_t pc) {
  const std::string name = "kernel '" + launch.artifact->name + "': ";
  block.state.pc = pc;
  if (pc == HET_SPIRV_DEADLOCK)
    device.fail(HET_FAULT_DEADLOCK, name + "threads wait for threads that never come");
  else if (auto fault = target::barrierFault(pc); fault && pc != HET_SPIRV_ENDED)
    device.fail(fault->kind, name + fault->text);
  else
    block.stand = standOf(pc);
  if (block.stand == Stand::AtGrid && !launch.shape.cooperative)
    device.fail(HET_FAULT_TRAP, "a grid barrier in a launch that is not cooperative");
  return !device.hasFault();
}

bool ClusterLaunch::settle() {
  const auto *from = reinterpret_cast<const HetSpirvBlock *>(items.get());
  for (size_t item = 0; item < active.size(); ++item)
    if (!note(*active[item], from[item].pc))
      return false;
  return true;
}

} // namespace

void runClusters(const Launch &launch, HetSpirvLaunch &record) {
  ClusterLaunch(launch, record).run();
}

} // namespace het::spirv
