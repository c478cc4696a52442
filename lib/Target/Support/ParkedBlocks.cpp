// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParkedBlocks.h"

#include <algorithm>

namespace het::target {

static uint64_t alignUp(uint64_t bytes) { return (bytes + 127) / 128 * 128; }

BlockStateLayout::BlockStateLayout(uint64_t bytesPerThread, uint64_t threads,
                                   uint64_t staticSharedBytes,
                                   uint64_t dynamicSharedBytes)
    : threadBytes(bytesPerThread * ((threads + 31) / 32 * 32)),
      staticSharedBytes(staticSharedBytes), dynamicSharedBytes(dynamicSharedBytes),
      sharedAt(alignUp(threadBytes)),
      dynamicSharedAt(sharedAt + alignUp(staticSharedBytes)),
      size(dynamicSharedAt + alignUp(dynamicSharedBytes)) {}

std::string checkLaunchState(const HetLaunchState &state, uint64_t blocks,
                             uint64_t stateBytes, bool parksInside) {
  auto differs = [](const char *what, uint64_t found, uint64_t expected) {
    return "a launch's state: found " + std::to_string(found) + " " + what +
           ", expected " + std::to_string(expected);
  };
  if (state.blockCount != blocks)
    return differs("blocks", state.blockCount, blocks);
  const uint64_t parked =
      std::count(state.blocks, state.blocks + blocks, HET_BLOCK_PARKED);
  if (parked != state.parkedCount)
    return differs("parked blocks", parked, state.parkedCount);
  if (!parked)
    return "";
  if (!parksInside)
    return "a launch's state: found parked blocks, expected none: the kernel's blocks "
           "are not parked inside";
  return state.stateBytes == stateBytes
             ? ""
             : differs("bytes of a block", state.stateBytes, stateBytes);
}

ParkedBlocks::ParkedBlocks(HetLaunchState &state, uint64_t stateBytes)
    : state(state), stateBytes(stateBytes) {
  for (uint64_t block = 0; state.parkedCount && block < state.blockCount; ++block)
    if (state.blocks[block] == HET_BLOCK_PARKED)
      before.push_back(block);
}

const uint8_t *ParkedBlocks::given(uint64_t block) const {
  auto at = std::lower_bound(before.begin(), before.end(), block);
  return state.states + (at - before.begin()) * stateBytes;
}

uint8_t *ParkedBlocks::park(uint64_t block) {
  state.blocks[block] = HET_BLOCK_PARKED;
  std::vector<uint8_t> &bytes = now[block];
  bytes.resize(stateBytes);
  return bytes.data();
}

bool ParkedBlocks::finish() {
  // States that were given and were not gone on with stay.
  for (uint64_t block : before)
    if (state.blocks[block] == HET_BLOCK_PARKED && !now.count(block)) {
      const uint8_t *bytes = given(block);
      now[block].assign(bytes, bytes + stateBytes);
    }
  if (now.empty() && before.empty())
    return true;
  state.parkedCount = 0;
  if (!state.resize(&state, now.size() * stateBytes))
    return false;
  state.parkedCount = now.size();
  state.stateBytes = stateBytes;
  uint8_t *to = state.states;
  for (auto &[block, bytes] : now)
    to = std::copy(bytes.begin(), bytes.end(), to);
  return true;
}

} // namespace het::target
