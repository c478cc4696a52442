// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of blocks and the layout of a block's state.

#include "het/Package/CheckpointContents.h"

#include <algorithm>

using namespace het;

/// HET_BLOCK_PARKED of the target interface, which this library does not see.
static constexpr uint8_t parked = 1;

uint64_t het::threadsOfBlock(const CheckpointLaunch &launch) {
  return uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
}

BlockStateLayout het::blockStateLayout(const CheckpointLaunch &launch) {
  return {threadsOfBlock(launch), launch.threadBytes, launch.sharedBytes,
          launch.dynamicSharedBytes};
}

uint64_t het::parkedBlocks(const CheckpointLaunch &launch) {
  uint64_t count = 0;
  for (const BlockRun &run : launch.blocks)
    count += run.status == parked ? run.count : 0;
  return count;
}

std::vector<BlockRun> het::blockRuns(ByteView statuses) {
  std::vector<BlockRun> runs;
  for (const uint8_t *at = statuses.begin(); at != statuses.end();) {
    const uint8_t *next =
        std::find_if(at, statuses.end(), [&](uint8_t status) { return status != *at; });
    runs.push_back({*at, static_cast<uint64_t>(next - at)});
    at = next;
  }
  return runs;
}
