// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParkedBlocks.h"

#include <algorithm>

namespace het::target {

static uint64_t product(const uint32_t (&size)[3]) {
  return uint64_t(size[0]) * size[1] * size[2];
}

BlockStateLayout stateLayout(const HetParkingInfo &kernel, const HetLaunch &launch) {
  return {product(launch.block), kernel.threadBytes, kernel.sharedBytes,
          launch.dynamicSharedBytes};
}

std::string checkLaunchState(const HetLaunchState &state, const HetParkingInfo &kernel,
                             const HetLaunch &launch) {
  if (launch.cluster[0])
    return "a launch that can be suspended: found clusters, expected none: their blocks "
           "reach each other's shared memory";
  const uint64_t blocks = product(launch.grid);
  auto differs = [](const char *what, uint64_t found, uint64_t expected) {
    return "a launch's state: found " + std::to_string(found) + " " + what +
           ", expected " + std::to_string(expected);
  };
  if (state.blockCount != blocks)
    return differs("blocks", state.blockCount, blocks);
  const uint64_t parked =
      !state.alike ? std::count(state.blocks, state.blocks + blocks, HET_BLOCK_PARKED)
      : state.alike == HET_BLOCK_PARKED + 1 ? blocks
                                            : 0;
  if (parked != state.parkedCount)
    return differs("parked blocks", parked, state.parkedCount);
  if (!parked)
    return "";
  if (!kernel.layout)
    return "a launch's state: found parked blocks, expected none: the kernel's blocks "
           "are not parked inside";
  const uint64_t bytes = stateLayout(kernel, launch).size;
  return state.stateBytes == bytes ? ""
                                   : differs("bytes of a block", state.stateBytes, bytes);
}

void spread(HetLaunchState &state) {
  if (state.alike)
    std::fill_n(state.blocks, state.blockCount, uint8_t(state.alike - 1));
  state.alike = 0;
}

ParkedBlocks::ParkedBlocks(HetLaunchState &state, uint64_t stateBytes)
    : state(state), stateBytes(stateBytes) {
  spread(state);
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
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<uint8_t> &bytes = now[block];
  bytes.resize(stateBytes);
  return bytes.data();
}

bool ParkedBlocks::finish() {
  // States that were given and were not resumed stay.
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
