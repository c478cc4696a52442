// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a segmented kernel: so many at a time as there is memory for their
// state, each a work-item. A block that waits for others keeps its place and is
// started again; further ones start where others have ended. Where the device parks,
// those that run stop at their next points, and no more start.

#include "../../Support/BarrierFaults.h"
#include "SPIRVDevice.h"

#include <algorithm>

namespace het::spirv {
namespace {

constexpr size_t alignment = 128;

size_t alignUp(size_t size) { return (size + alignment - 1) / alignment * alignment; }

class SegmentedLaunch {
public:
  SegmentedLaunch(const Launch &launch, HetSpirvLaunch &record,
                  target::ParkedBlocks *parked)
      : launch(launch), record(record), device(*launch.artifact->device), parked(parked) {
  }

  void run() {
    if (!prepare())
      return device.fail(HET_FAULT_LOST, "no memory for the state of blocks");
    while (!device.hasFault() && fill()) {
      const Items items = {{static_cast<uint32_t>(active), 1, 1}, {1, 1, 1}};
      if (!runItems(launch, record, items, 0) ||
          launch.queue->left().fault != HET_SERVICE_FAULT_NONE)
        return;
      settle();
    }
  }

private:
  bool prepare();
  bool fill();
  void settle();
  bool stopsStarting() const;
  void start(uint64_t index);
  void park(const HetSpirvBlock &block);
  void passGridBarrier();
  uint64_t indexOf(const HetSpirvBlock &block) const {
    const uint32_t *grid = launch.shape.grid;
    return (uint64_t(block.blockId[2]) * grid[1] + block.blockId[1]) * grid[0] +
           block.blockId[0];
  }
  void copy(void *to, const void *from, size_t bytes);

  const Launch &launch;
  HetSpirvLaunch &record;
  HetDevice &device;
  target::ParkedBlocks *const parked; ///< null: the launch can not be suspended
  bool anyParked = false;             ///< in this run of it
  Memory blocks, state;
  size_t places = 0, active = 0;
  size_t sharedBytes = 0, frameBytes = 0;
  uint64_t next = 0;                  ///< the first block that has not started
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
    block[place].shared =
        reinterpret_cast<uint64_t>(state.get()) + place * (sharedBytes + frameBytes);
    block[place].frame = block[place].shared + sharedBytes;
    block[place].pc = HET_SPIRV_ENDED;
  }
  return true;
}

/// Each side is memory of the device or of the process.
void SegmentedLaunch::copy(void *to, const void *from, size_t bytes) {
  const std::string wrong =
      bytes == 0 ? ""
                 : launch.queue->commands->copy(reinterpret_cast<uint64_t>(to),
                                                reinterpret_cast<uint64_t>(from), bytes);
  if (!wrong.empty())
    device.fail(HET_FAULT_LOST, "the state of parked blocks: " + wrong);
}

/// Blocks that can not be suspended inside, and are under way, may wait for others.
bool SegmentedLaunch::stopsStarting() const {
  bool isOn = parked && device.parking.load(std::memory_order_relaxed);
  return isOn && (launch.artifact->parksInside() || (active == 0 && arrived.empty()));
}

/// Puts a block that has not ended into the next place.
void SegmentedLaunch::start(uint64_t index) {
  HetSpirvBlock &block = reinterpret_cast<HetSpirvBlock *>(blocks.get())[active++];
  const uint32_t *grid = launch.shape.grid;
  block.pc = 0;
  block.wasParked = 0;
  block.blockId[0] = index % grid[0];
  block.blockId[1] = index / grid[0] % grid[1];
  block.blockId[2] = index / grid[0] / grid[1];
  if (!parked || parked->standOf(index) != HET_BLOCK_PARKED)
    return;
  block.pc = HET_SPIRV_PARKED;
  block.wasParked = 1;
  const BlockStateLayout layout =
      target::stateLayout(launch.artifact->parking(), launch.shape);
  const uint8_t *given = parked->given(index);
  auto *shared = reinterpret_cast<uint8_t *>(block.shared);
  auto *frame = reinterpret_cast<uint8_t *>(block.frame);
  copy(frame + launch.artifact->header.frameBytesPerBlock, given, layout.threadsBytes);
  copy(shared, given + layout.sharedOffset, launch.artifact->header.staticSharedBytes);
  copy(shared + record.dynamicSharedOffset, given + layout.dynamicSharedOffset,
       launch.shape.dynamicSharedBytes);
}

void SegmentedLaunch::park(const HetSpirvBlock &block) {
  anyParked = true;
  const BlockStateLayout layout =
      target::stateLayout(launch.artifact->parking(), launch.shape);
  uint8_t *to = parked->park(indexOf(block));
  auto *shared = reinterpret_cast<const uint8_t *>(block.shared);
  auto *frame = reinterpret_cast<const uint8_t *>(block.frame);
  copy(to, frame + launch.artifact->header.frameBytesPerBlock, layout.threadsBytes);
  copy(to + layout.sharedOffset, shared, launch.artifact->header.staticSharedBytes);
  copy(to + layout.dynamicSharedOffset, shared + record.dynamicSharedOffset,
       launch.shape.dynamicSharedBytes);
}

/// Every block that has not ended has arrived, or was suspended: then those that have
/// arrived park before the barrier, as all do where the device parks now.
void SegmentedLaunch::passGridBarrier() {
  auto *all = reinterpret_cast<HetSpirvBlock *>(blocks.get());
  bool isOn = parked && device.parking.load(std::memory_order_relaxed);
  bool stay = launch.artifact->parksInside() && (isOn || anyParked);
  for (HetSpirvBlock block : arrived) {
    block.pc |= stay ? HET_SPIRV_STAY : 0;
    all[active++] = block;
  }
  arrived.clear();
}

/// Moves the blocks that go on to the front and starts further ones behind them; false
/// where there are none.
bool SegmentedLaunch::fill() {
  for (; active < places && next < launch.blocks() && !stopsStarting(); ++next)
    if (!parked || parked->standOf(next) != HET_BLOCK_ENDED)
      start(next);
  if (active == 0)
    passGridBarrier();
  return active != 0;
}

/// After a run: who has ended, who waits for what.
void SegmentedLaunch::settle() {
  auto *all = reinterpret_cast<HetSpirvBlock *>(blocks.get());
  std::vector<HetSpirvBlock> free, waiting;
  for (size_t place = 0; place < active; ++place) {
    const HetSpirvBlock &block = all[place];
    const bool hasParked = parked && block.pc == HET_SPIRV_PARKED;
    if (hasParked)
      park(block);
    else if (parked && block.pc == HET_SPIRV_ENDED)
      parked->end(indexOf(block));
    if (hasParked || block.pc == HET_SPIRV_ENDED)
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

void runSegmented(const Launch &launch, HetSpirvLaunch &record,
                  target::ParkedBlocks *parked) {
  SegmentedLaunch(launch, record, parked).run();
}

} // namespace het::spirv
