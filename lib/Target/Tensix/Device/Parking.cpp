// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parking: what cores are given and told, and what is taken from them.

#include "Parking.h"

#include <algorithm>
#include <cstddef>

using het::target::success;

namespace het::tensix {

/// The states that a launch is given, below the runtime's window.
static constexpr uint64_t statesAddress = 0x0D0000000000;

HetParkingInfo describe(const HetArtifact &artifact) {
  return {artifact.header.layout, artifact.header.stateBytes,
          artifact.header.staticSharedBytes, 0};
}

static uint64_t runBytes(const std::vector<HetTensixRun> &runs) {
  const uint64_t bytes = runs.size() * sizeof(HetTensixRun);
  return (bytes + HET_TENSIX_ALIGNMENT - 1) / HET_TENSIX_ALIGNMENT * HET_TENSIX_ALIGNMENT;
}

/// The blocks that have not ended, in their order: so a block that waits for one before
/// it finds that one under way, if it has begun.
static std::vector<HetTensixRun> findRuns(const HetLaunchState &state) {
  std::vector<HetTensixRun> runs;
  uint32_t items = 0, given = 0;
  uint8_t last = HET_BLOCK_ENDED;
  for (uint64_t block = 0; block < state.blockCount; ++block) {
    const uint8_t stand = state.blocks[block];
    if (stand != HET_BLOCK_ENDED) {
      const bool isParked = stand == HET_BLOCK_PARKED;
      if (stand != last)
        runs.push_back(
            {0, static_cast<uint32_t>(block), isParked ? given : HET_TENSIX_NO_STATE, 0});
      runs.back().end = ++items;
      given += isParked;
    }
    last = stand;
  }
  return runs;
}

Parking::Parking(HetDevice &device, const HetArtifact &artifact, const HetLaunch &shape,
                 HetLaunchState &state, bool byItself)
    : device(device), artifact(artifact), shape(shape), byItself(byItself),
      layout(target::stateLayout(describe(artifact), shape)),
      blocks(state, layout.size), // `blocks` of the state is now written
      pollInterval(target::pollInterval(state)), parkedCount(state.parkedCount),
      states(state.states), runs(findRuns(state)),
      left(runs.empty() ? 0 : runs.back().end) {
  if (left == state.blockCount && !parkedCount)
    runs.clear();
}

/// Where a cooperative launch can not be suspended inside, it is carried out as a whole.
uint32_t Parking::parks() const {
  if (artifact.header.layout)
    return HET_TENSIX_PARKS_INSIDE;
  return shape.cooperative ? HET_TENSIX_PARKS_NEVER : HET_TENSIX_PARKS_BETWEEN;
}

uint64_t Parking::blockOf(uint64_t item) const {
  if (runs.empty())
    return item;
  const auto run = std::upper_bound(
      runs.begin(), runs.end(), item,
      [](uint64_t wanted, const HetTensixRun &run) { return wanted < run.end; });
  const uint64_t first = run == runs.begin() ? 0 : std::prev(run)->end;
  return run->block + (item - first);
}

bool Parking::prepare() {
  if (device.parking.load() || !left)
    return false;
  hasRun = true;
  if (runs.empty())
    return true;
  const uint64_t stateBytes = parkedCount * layout.size;
  HetStatus status;
  if (takeMemory(device, statesAddress, runBytes(runs) + stateBytes, &status)) {
    device.fail(HET_FAULT_LOST,
                std::string("the state of parked blocks: ") + status.message);
    return hasRun = false;
  }
  isStaged = true;
  copy(device, statesAddress, reinterpret_cast<uint64_t>(runs.data()),
       runs.size() * sizeof(HetTensixRun));
  copy(device, statesAddress + runBytes(runs), reinterpret_cast<uint64_t>(states),
       stateBytes);
  return true;
}

void Parking::fillIn(HetTensixMailbox &mailbox) const {
  mailbox.parks = parks();
  mailbox.pollInterval = pollInterval;
  if (runs.empty())
    return;
  mailbox.runs = statesAddress;
  mailbox.states = statesAddress + runBytes(runs);
  HetTensixState &state = mailbox.form;
  state.bytes = layout.size;
  state.threadsBytes = layout.threadsBytes;
  state.frameOffset = artifact.header.frameBytesPerBlock;
  state.staticOffset = layout.sharedOffset;
  state.staticBytes = artifact.header.staticSharedBytes;
  state.dynamicOffset = layout.dynamicSharedOffset;
  state.dynamicBytes = shape.dynamicSharedBytes;
}

/// Where blocks are not suspended inside and one waits, those that have not begun must,
/// until none waits.
bool Parking::tell(const std::vector<uint32_t> &running) {
  auto word = [&](uint32_t node, uint64_t offset) {
    return device.chip->readWord(node, HET_TENSIX_MAILBOX + offset);
  };
  if (byItself && !hasBegun)
    for (uint32_t node : running)
      hasBegun |= word(node, offsetof(HetTensixMailbox, progress)) != 0;
  bool isOn = (device.parking.load() || hasBegun) && parks() != HET_TENSIX_PARKS_NEVER;
  if (parks() == HET_TENSIX_PARKS_BETWEEN && isOn)
    for (uint32_t node : running) {
      isOn &= word(node, offsetof(HetTensixMailbox, waiting)) == 0;
      // One that has been let go on has not noticed it yet.
      isOn &= told || word(node, offsetof(HetTensixMailbox, state)) != HET_TENSIX_IDLE;
    }
  if (isOn == told)
    return false;
  const uint32_t flag = isOn;
  for (uint32_t node : running)
    device.chip->writeCore(node, HET_TENSIX_MAILBOX + offsetof(HetTensixMailbox, parking),
                           &flag, sizeof(flag));
  told = isOn;
  wasTold |= isOn;
  return isOn;
}

void Parking::collect(const HetTensixMailbox &mailbox) {
  Chip &chip = *device.chip;
  const uint32_t node = mailbox.homes[mailbox.core];
  for (uint32_t place = 0; wasTold && place < mailbox.placeCount; ++place) {
    const uint32_t at = mailbox.firstPlace + place * mailbox.placeBytes;
    HetTensixBlock block;
    chip.readCore(node, at, &block, sizeof(block));
    if (block.stand == HET_TENSIX_PLACE_KEPT)
      notEnded.insert(blockOf(mailbox.core + uint64_t(place) * mailbox.coreCount));
    if (block.stand != HET_TENSIX_PLACE_PARKED)
      continue;
    const uint64_t index =
        (uint64_t(block.blockId[2]) * shape.grid[1] + block.blockId[1]) * shape.grid[0] +
        block.blockId[0];
    if (index >= uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2])
      return device.fail(HET_FAULT_LOST, "a core's memory is damaged: found block " +
                                             std::to_string(index) +
                                             ", expected one of the launch");
    notEnded.insert(index);
    ++collected;
    uint8_t *to = blocks.park(index);
    const uint32_t frame = at + mailbox.frameOffset, shared = at + mailbox.sharedOffset;
    chip.readCore(node, frame + artifact.header.frameBytesPerBlock, to,
                  layout.threadsBytes);
    chip.readCore(node, shared, to + layout.sharedOffset,
                  artifact.header.staticSharedBytes);
    chip.readCore(node, shared + mailbox.block.dynamicSharedOffset,
                  to + layout.dynamicSharedOffset, shape.dynamicSharedBytes);
  }
}

/// How many items cores have taken.
uint64_t Parking::taken() {
  if (!hasRun || shape.cooperative || !wasTold)
    return hasRun ? left : 0;
  std::lock_guard<FairMutex> lock(device.chipMutex);
  const uint32_t first = device.chip->cores().front();
  return std::min<uint64_t>(
      left,
      device.chip->readWord(first, HET_TENSIX_HOME + offsetof(HetTensixHome, nextBlock)));
}

void Parking::finish() {
  for (uint64_t item = 0, count = taken(); item < count; ++item)
    if (const uint64_t block = blockOf(item); !notEnded.count(block))
      blocks.end(block);
  if (isStaged)
    giveMemory(device, statesAddress);
  if (!blocks.finish())
    device.fail(HET_FAULT_LOST, "no memory for parked blocks");
}

namespace {

/// Cores are told by the launch's own thread.
void setParking(HetDevice *device, uint32_t on) { device->parking.store(on != 0); }

int32_t describeParking(HetArtifact *artifact, HetParkingInfo *info, HetStatus *status) {
  *info = describe(*artifact);
  return success(status);
}

} // namespace

void fillInParking(HetDeviceABI &table) {
  table.setParking = setParking;
  table.describeParking = describeParking;
  table.enqueueParkable = enqueueParkable;
}

} // namespace het::tensix
