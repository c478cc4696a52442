// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches out of checkpoints: what a small file claims is not what memory is taken for.

#include "migration/checkpoint/Restore.h"
#include "migration/LaunchState.h"

#include "het/Package/CheckpointWriter.h"

#include <gtest/gtest.h>
#include <unistd.h>

using namespace het;
using namespace het::core;

namespace {

TEST(RestoreTest, MoreBlocksThanMemoryAreRefused) {
  EXPECT_EQ(LaunchState::make(uint64_t(1) << 60), nullptr);
  EXPECT_EQ(LaunchState::make(UINT64_MAX), nullptr);
  EXPECT_NE(LaunchState::make(1000), nullptr);
}

/// A checkpoint with one launch whose blocks stand like this.
Result<Checkpoint> checkpointWith(std::vector<BlockRun> runs, uint32_t blocks) {
  CheckpointContents contents;
  CheckpointDevice device;
  device.name = "host";
  contents.devices.push_back(device);
  contents.modules.push_back({});
  CheckpointLaunch launch;
  launch.kernel = "k";
  launch.grid = {blocks, 1, 1};
  launch.blocks = std::move(runs);
  contents.launches.push_back(launch);
  const std::string path =
      testing::TempDir() + "het-restore-" + std::to_string(getpid()) + ".hetckpt";
  CheckpointSources sources;
  Bytes package(10);
  sources.packages.push_back(package);
  sources.states.emplace_back();
  if (Status status = writeCheckpoint(path, contents, sources, {}); !status.ok())
    return status;
  Result<Checkpoint> file = Checkpoint::open(path); // which keeps it
  unlink(path.c_str());
  return file;
}

TEST(RestoreTest, BlocksStandAsTheyWere) {
  Result<Checkpoint> file = checkpointWith({{0, 3}, {2, 1}, {0, 4}}, 8);
  ASSERT_TRUE(file.ok()) << file.status().text();
  LaunchState state(8);
  ASSERT_TRUE(restoreLaunch(state, *file, 0).ok());
  EXPECT_EQ(state.alike, 0u);
  EXPECT_EQ(Bytes(state.blocks, state.blocks + 8), (Bytes{0, 0, 0, 2, 0, 0, 0, 0}));
}

/// A file of a few hundred bytes may name that many: they are not written out.
TEST(RestoreTest, BlocksThatStandAlikeAreNotWrittenOut) {
  const uint32_t blocks = UINT32_MAX;
  Result<Checkpoint> file = checkpointWith({{2, blocks}}, blocks);
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_LT(file->totalSize(), 4000u);
  LaunchState state(8); // room for more is not touched
  state.blockCount = blocks;
  ASSERT_TRUE(restoreLaunch(state, *file, 0).ok());
  EXPECT_EQ(state.alike, 3u);
  EXPECT_TRUE(state.hasEnded());
}

} // namespace
