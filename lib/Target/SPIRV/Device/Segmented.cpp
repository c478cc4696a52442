// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a segmented kernel: so many at a time as there is memory for their
// state, each a work-item. A block that waits for others keeps its place and is
// started again; further ones start where others have ended.

#include "../../Support/BarrierFaults.h"
#include "SPIRVDevice.h"

#include <algorithm>

namespace het::spirv {
namespace {

constexpr size_t alignment = 128;

size_t alignUp(size_t size) { return (size + alignment - 1) / alignment * alignment; }

class SegmentedLaunch {
public:
  SegmentedLaunch(const Launch &launch, HetSpirvLaunch &record)
      : launch(launch), record(record), device(*launch.artifact->device) {}

  void run() {
    if (!prepare())
      return device.fail(HET_FAULT_LOST, "no memory for the state of blocks");
    while (!device.hasFault() && fill()) {
      const Items items = {{static_cast<uint32_t>(active), 1, 1}, {1, 1, 1}};
      if (!runItems(launch, record, items, 0) ||
          launch.queue->left().fault != HET_SPIRV_FAULT_NONE)
        return;
      settle();
    }
  }

private:
  bool prepare();
  bool fill();
  void settle();
  bool isArrived(const HetSpirvBlock &block) const {
    return block.pc != HET_SPIRV_GAVE_WAY && block.pc != 0;
  }

  const Launch &launch;
  HetSpirvLaunch &record;
  HetDevice &device;
  Memory blocks, state;
  size_t places = 0, active = 0;
  size_t sharedBytes = 0, frameBytes = 0;
  uint64_t next = 0; ///< the first block that has not started
  std::vector<HetSpirvBlock> arrived; ///< at the grid barrier
};

/// All blocks of a cooperative launch have a place.
bool SegmentedLaunch::prepare() {
  constexpr size_t memory = size_t(256) << 20, fewest = 64, most = 8192;
  const HetSpirvArtifact &header = launch.artifact->header;
  size_t threads = (size_t(launch.threads()) + 31) / 32 * 32;
  sharedBytes = alignUp(launch.sharedBytes());
  frameBytes = alignUp(header.frameBytesPerBlock + header.frameBytesPerThread * threads);
  size_t bytes = sharedBytes + frameBytes + alignment;
  places = launch.blocks();
  if (!launch.shape.cooperative)
    places = std::min<uint64_t>(places, std::clamp(memory / bytes, fewest, most));
  blocks = allocate(*device.door, places * sizeof(HetSpirvBlock));
  state = allocate(*device.door, places * (sharedBytes + frameBytes) + alignment,
                   Place::Device);
  record.blocks = reinterpret_cast<uint64_t>(blocks.get());
  if (!blocks || !state)
    return false;
  auto *block = reinterpret_cast<HetSpirvBlock *>(blocks.get());
  for (size_t place = 0; place < places; ++place) {
    block[place] = {};
    block[place].shared = reinterpret_cast<uint64_t>(state.get()) +
                          place * (sharedBytes + frameBytes);
    block[place].frame = block[place].shared + sharedBytes;
    block[place].pc = HET_SPIRV_ENDED;
  }
  return true;
}

/// Moves the blocks that go on to the front and starts further ones behind them; false
/// where there are none.
bool SegmentedLaunch::fill() {
  auto *all = reinterpret_cast<HetSpirvBlock *>(blocks.get());
  const uint32_t *grid = launch.shape.grid;
  while (active < places && next < launch.blocks()) {
    HetSpirvBlock &block = all[active++];
    block.pc = 0;
    block.blockId[0] = next % grid[0];
    block.blockId[1] = next / grid[0] % grid[1];
    block.blockId[2] = next / grid[0] / grid[1];
    ++next;
  }
  if (active == 0 && !arrived.empty()) { // the grid barrier is complete
    for (const HetSpirvBlock &block : arrived)
      all[active++] = block;
    arrived.clear();
  }
  return active != 0;
}

/// After a run: who has ended, who waits for what.
void SegmentedLaunch::settle() {
  auto *all = reinterpret_cast<HetSpirvBlock *>(blocks.get());
  std::vector<HetSpirvBlock> free, waiting;
  for (size_t place = 0; place < active; ++place) {
    const HetSpirvBlock &block = all[place];
    if (block.pc == HET_SPIRV_ENDED)
      free.push_back(block);
    else if (block.pc == HET_SPIRV_DEADLOCK)
      return device.fail(HET_FAULT_DEADLOCK,
                         "kernel '" + launch.artifact->name +
                             "': threads wait for threads that never come");
    else if (auto fault = target::barrierFault(block.pc))
      return device.fail(fault->kind,
                         "kernel '" + launch.artifact->name + "': " + fault->text);
    else if (block.pc == HET_SPIRV_GAVE_WAY)
      waiting.push_back(block);
    else if (launch.shape.cooperative)
      arrived.push_back(block);
    else
      return device.fail(HET_FAULT_TRAP,
                         "a grid barrier in a launch that is not cooperative");
  }
  std::vector<HetSpirvBlock> unused(all + active, all + places);
  active = waiting.size();
  std::copy(waiting.begin(), waiting.end(), all);
  std::copy(free.begin(), free.end(), all + active);
  // Places of arrived blocks are theirs; there is one for each block of the grid.
  std::copy(unused.begin(), unused.end(), all + active + free.size());
}

} // namespace

void runSegmented(const Launch &launch, HetSpirvLaunch &record) {
  SegmentedLaunch(launch, record).run();
}

} // namespace het::spirv
