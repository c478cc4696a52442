// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was written is read again: records, packages, states, memory.

#include "SampleCheckpoints.h"

#include "het/Base/File.h"
#include "het/Package/Checkpoint.h"

#include <cstring>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <unistd.h>

using namespace het;
using namespace het::test;

static bool sameRuns(const std::vector<BlockRun> &a, const std::vector<BlockRun> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const BlockRun &x, const BlockRun &y) {
                      return x.status == y.status && x.count == y.count;
                    });
}

static void expectSameRecords(const CheckpointContents &a, const CheckpointContents &b) {
  ASSERT_EQ(a.devices.size(), b.devices.size());
  for (size_t i = 0; i < a.devices.size(); ++i) {
    EXPECT_EQ(a.devices[i].name, b.devices[i].name);
    EXPECT_EQ(a.devices[i].propertiesVersion, b.devices[i].propertiesVersion);
    EXPECT_EQ(a.devices[i].properties, b.devices[i].properties);
  }
  ASSERT_EQ(a.modules.size(), b.modules.size());
  for (size_t i = 0; i < a.modules.size(); ++i) {
    EXPECT_EQ(a.modules[i].package, b.modules[i].package);
    EXPECT_EQ(a.modules[i].device, b.modules[i].device);
    ASSERT_EQ(a.modules[i].variables.size(), b.modules[i].variables.size());
    for (size_t j = 0; j < a.modules[i].variables.size(); ++j) {
      EXPECT_EQ(a.modules[i].variables[j].variable, b.modules[i].variables[j].variable);
      EXPECT_EQ(a.modules[i].variables[j].address, b.modules[i].variables[j].address);
    }
  }
}

static void expectSameLaunch(const CheckpointLaunch &a, const CheckpointLaunch &b) {
  EXPECT_EQ(a.stream, b.stream);
  EXPECT_EQ(a.module, b.module);
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.grid, b.grid);
  EXPECT_EQ(a.block, b.block);
  EXPECT_EQ(a.dynamicSharedBytes, b.dynamicSharedBytes);
  EXPECT_EQ(a.cooperative, b.cooperative);
  EXPECT_EQ(a.arguments, b.arguments);
  EXPECT_EQ(a.layout, b.layout);
  EXPECT_EQ(a.threadBytes, b.threadBytes);
  EXPECT_EQ(a.sharedBytes, b.sharedBytes);
  EXPECT_TRUE(sameRuns(a.blocks, b.blocks));
}

static void expectSameRegion(const CheckpointRegion &a, const CheckpointRegion &b) {
  EXPECT_EQ(a.address, b.address);
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.kind, b.kind);
  ASSERT_EQ(a.allocations.size(), b.allocations.size());
  for (size_t i = 0; i < a.allocations.size(); ++i) {
    EXPECT_EQ(a.allocations[i].address, b.allocations[i].address);
    EXPECT_EQ(a.allocations[i].size, b.allocations[i].size);
  }
}

/// Reads everything of a file and holds it against the sample.
static void expectSame(const SampleCheckpoint &sample, ByteView bytes) {
  Result<Checkpoint> read = Checkpoint::open(bytes, sample.name);
  ASSERT_TRUE(read.ok()) << read.status().text();
  EXPECT_TRUE(read->verify().ok()) << read->verify().text();
  const CheckpointContents &contents = read->contents();
  expectSameRecords(sample.contents, contents);
  ASSERT_EQ(contents.launches.size(), sample.contents.launches.size());
  for (size_t i = 0; i < contents.launches.size(); ++i) {
    expectSameLaunch(sample.contents.launches[i], contents.launches[i]);
    Bytes states(read->statesSize(i));
    ASSERT_TRUE(read->readStates(i, 0, states.data(), states.size()).ok());
    EXPECT_EQ(states, sample.states[i]);
  }
  ASSERT_EQ(contents.regions.size(), sample.contents.regions.size());
  for (size_t i = 0; i < contents.regions.size(); ++i) {
    expectSameRegion(sample.contents.regions[i], contents.regions[i]);
    Bytes memory(contents.regions[i].size, 0xee);
    ASSERT_TRUE(read->readMemory(i, 0, memory.data(), memory.size()).ok());
    EXPECT_EQ(memory, sample.memory[i]);
  }
  ASSERT_EQ(read->packageCount(), sample.packages.size());
  for (uint32_t i = 0; i < read->packageCount(); ++i) {
    EXPECT_TRUE(sameBytes(*read->package(i), sample.packages[i]));
    EXPECT_EQ(read->packageDigest(i), sha256(sample.packages[i]));
  }
}

TEST(CheckpointRoundTrip, Samples) {
  for (const SampleCheckpoint &sample : sampleCheckpoints())
    expectSame(sample, sample.file());
}

/// Files frozen when their format version was released.
TEST(CheckpointRoundTrip, FrozenFilesSayWhatTheySaid) {
  for (const SampleCheckpoint &sample : sampleCheckpoints()) {
    std::string path = HET_COMPAT_DIR "/hetckpt-1.0/" + sample.name + ".hetckpt";
    Result<Bytes> bytes = readFile(path);
    ASSERT_TRUE(bytes.ok()) << bytes.status().text();
    expectSame(sample, *bytes);
  }
}

TEST(CheckpointRoundTrip, HundredParkedBlocks) {
  SampleCheckpoint sample = parkedCheckpoint(100);
  ASSERT_EQ(parkedBlocks(sample.contents.launches[0]), 100u);
  expectSame(sample, sample.file());
}

TEST(CheckpointRoundTrip, ManyRegions) {
  SampleCheckpoint sample;
  sample.name = "regions";
  sample.contents.devices = {{"host", 4, {}}};
  for (unsigned i = 0; i < 1000; ++i) {
    size_t size = 1 + i * 37;
    sample.contents.regions.push_back(
        {0x100000000000 + i * uint64_t(1 << 20), size, 0, RegionKind::Device, {}});
    sample.memory.push_back(i % 3 ? noise(i, size) : Bytes(size, i % 2));
  }
  expectSame(sample, sample.file());
}

TEST(CheckpointRoundTrip, ZerosTakeNoRoom) {
  SampleCheckpoint sample;
  sample.name = "sparse";
  sample.contents.devices = {{"host", 4, {}}};
  sample.contents.regions = {
      {0x100000000000, uint64_t(6) << 30, 0, RegionKind::Device, {}}};
  CheckpointSources sources;
  sources.memory = [](size_t, uint64_t offset, uint64_t size,
                      uint8_t *scratch) -> Result<ByteView> {
    std::memset(scratch, 0, size);
    if (offset == uint64_t(5) << 30)
      scratch[77] = 1;
    return ByteView(scratch, size);
  };
  CheckpointOptions options;
  options.chunkBytes = 1 << 24;
  const std::string path =
      testing::TempDir() + "het-sparse-" + std::to_string(getpid()) + ".hetckpt";
  ASSERT_TRUE(writeCheckpoint(path, sample.contents, sources, options).ok());
  Result<Checkpoint> read = Checkpoint::open(path);
  std::remove(path.c_str());
  ASSERT_TRUE(read.ok()) << read.status().text();
  EXPECT_LT(read->totalSize(), 16384u);
  EXPECT_TRUE(read->isZero(0, 0));
  EXPECT_FALSE(read->isZero(0, uint64_t(5) << 30));
  Bytes some(3);
  ASSERT_TRUE(read->readMemory(0, (uint64_t(5) << 30) + 76, some.data(), 3).ok());
  EXPECT_EQ(some, (Bytes{0, 1, 0}));
}

TEST(CheckpointRoundTrip, SameBytesWhateverTheThreads) {
  for (const SampleCheckpoint &sample : {fullCheckpoint(), parkedCheckpoint(100)}) {
    CheckpointOptions options = SampleCheckpoint::smallChunks();
    options.threads = 1;
    Bytes one = sample.file(options);
    for (unsigned threads : {2, 7, 0}) {
      options.threads = threads;
      EXPECT_EQ(sample.file(options), one) << threads;
    }
  }
}

TEST(CheckpointRoundTrip, ChunksOfAnySizeAndNoCompression) {
  SampleCheckpoint sample = parkedCheckpoint(100);
  for (uint32_t chunkBytes : {1u << 12, 1u << 15, 1u << 24})
    for (bool compress : {false, true}) {
      CheckpointOptions options = SampleCheckpoint::smallChunks();
      options.chunkBytes = chunkBytes;
      options.compress = compress;
      expectSame(sample, sample.file(options));
    }
}

TEST(CheckpointRoundTrip, PartsOfMemory) {
  SampleCheckpoint sample = fullCheckpoint();
  Bytes bytes = sample.file();
  Result<Checkpoint> read = Checkpoint::open(bytes, "parts");
  ASSERT_TRUE(read.ok());
  const Bytes &memory = sample.memory[0];
  for (size_t offset : {size_t(0), size_t(4095), size_t(5000), memory.size()})
    for (size_t size : {size_t(0), size_t(1), size_t(4096), size_t(9000)}) {
      Bytes part(size);
      Status status = read->readMemory(0, offset, part.data(), size);
      ASSERT_EQ(status.ok(), offset + size <= memory.size());
      if (status.ok())
        EXPECT_TRUE(sameBytes(part, ByteView(memory.data() + offset, size)));
    }
}

TEST(CheckpointRoundTrip, VisitsAllThatIsNotZeroOnce) {
  SampleCheckpoint sample = fullCheckpoint();
  Bytes bytes = sample.file();
  Result<Checkpoint> read = Checkpoint::open(bytes, "visit");
  ASSERT_TRUE(read.ok());
  std::mutex mutex;
  std::vector<Bytes> memory;
  for (const Bytes &one : sample.memory)
    memory.emplace_back(one.size());
  size_t visits = 0;
  Status status = read->visitMemory(
      [&](size_t region, uint64_t offset, ByteView part) {
        std::lock_guard<std::mutex> lock(mutex);
        ++visits;
        std::copy(part.begin(), part.end(),
                  memory[region].begin() + static_cast<long>(offset));
        return Status::success();
      },
      3);
  EXPECT_TRUE(status.ok()) << status.text();
  EXPECT_EQ(memory, sample.memory);
  EXPECT_EQ(visits, 3u);
  status = read->visitMemory(
      [](size_t, uint64_t, ByteView) { return unavailable("no room"); });
  EXPECT_EQ(status.message, "no room");
}

TEST(CheckpointRoundTrip, RunsOfBlocks) {
  Bytes statuses = {0, 0, 2, 1, 1, 1, 0};
  std::vector<BlockRun> runs = blockRuns(statuses);
  EXPECT_TRUE(sameRuns(runs, {{0, 2}, {2, 1}, {1, 3}, {0, 1}}));
  EXPECT_TRUE(blockRuns({}).empty());
}
