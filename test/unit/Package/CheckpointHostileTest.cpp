// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hostile checkpoints: their digests and checksums are right and their contents
// are not. Nothing may crash, read out of bounds or allocate without measure.

#include "ResealCheckpoint.h"
#include "SampleCheckpoints.h"

#include "het/Package/Checkpoint.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

namespace {
enum Type : uint32_t {
  Devices = 1,
  Package = 2,
  Modules = 3,
  Launches = 4,
  Memory = 5,
  ChunkData = 6,
  ChunkTable = 7
};

/// A checkpoint under change.
struct Patient {
  Bytes bytes;

  uint64_t get(size_t offset, size_t width) const {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + offset, width);
    return value;
  }
  void put(size_t offset, uint64_t value, size_t width) {
    std::memcpy(bytes.data() + offset, &value, width);
  }
  /// Where the entry of the first section of a type stands.
  size_t entry(Type type) const {
    for (size_t at = 160; at < 160 + 64 * get(24, 4); at += 64)
      if (get(at, 4) == type)
        return at;
    ADD_FAILURE() << "no section of type " << type;
    return 160;
  }
  size_t section(Type type) const { return get(entry(type) + 8, 8); }

  Status check() {
    resealCheckpoint(bytes);
    exerciseCheckpoint(bytes);
    Result<Checkpoint> read = Checkpoint::open(bytes, "hostile.hetckpt");
    return read.ok() ? read->verify(1) : read.status();
  }
  void expectRefused(const char *part) {
    Status status = check();
    ASSERT_FALSE(status.ok()) << part;
    EXPECT_NE(status.text().find(part), std::string::npos) << status.text();
    EXPECT_EQ(status.origin.find("hostile.hetckpt"), 0u) << status.text();
  }
};
} // namespace

TEST(CheckpointHostile, ResealingAGoodOneChangesNothing) {
  for (const SampleCheckpoint &sample : sampleCheckpoints()) {
    Bytes bytes = sample.file(), sealed = bytes;
    resealCheckpoint(sealed);
    EXPECT_EQ(bytes, sealed);
    EXPECT_TRUE(exerciseCheckpoint(bytes));
  }
}

TEST(CheckpointHostile, EveryByteChangedBehindTheDigests) {
  for (const SampleCheckpoint &sample : sampleCheckpoints()) {
    const Bytes whole = sample.file();
    for (size_t i = 0; i < whole.size(); ++i)
      for (uint8_t change : {0x01, 0x80, 0xff}) {
        Bytes bytes = whole;
        bytes[i] ^= change;
        resealCheckpoint(bytes);
        exerciseCheckpoint(bytes);
      }
  }
}

TEST(CheckpointHostile, SectionTable) {
  const Bytes whole = fullCheckpoint().file();
  Patient count{whole};
  count.put(24, 1u << 20, 4);
  count.expectRefused("header: total size");
  Patient offset{whole};
  offset.put(offset.entry(Memory) + 8, 8, 8);
  offset.expectRefused("(memory): offset");
  Patient size{whole};
  size.put(size.entry(Memory) + 16, UINT64_MAX - 5, 8);
  size.expectRefused("(memory): stored size");
  Patient raw{whole};
  raw.put(raw.entry(ChunkData) + 24, uint64_t(1) << 60, 8);
  raw.expectRefused("(chunks): raw size");
  Patient flags{whole};
  flags.put(flags.entry(Launches) + 4, 2, 4);
  flags.expectRefused("(launches): flags");
  for (Type type : {Devices, Modules, Launches, Memory, ChunkData, ChunkTable}) {
    Patient missing{whole};
    missing.put(missing.entry(type), 2, 4);
    missing.expectRefused("0 sections for");
  }
  Patient unknown{whole};
  unknown.put(unknown.entry(Package) + 64, 77, 4);
  unknown.expectRefused("type: found 77");
  EXPECT_EQ(unknown.check().code, Code::Unsupported);
}

TEST(CheckpointHostile, UnknownSectionsThatMayBeSkipped) {
  SampleCheckpoint sample = fullCheckpoint();
  sample.packages.push_back(noise(5, 30)); // in nobody's use
  Patient patient{sample.file()};
  size_t last = patient.entry(Package) + 2 * 64;
  patient.put(last, 77, 4);
  patient.put(last + 4, 1, 4);
  EXPECT_TRUE(patient.check().ok()) << patient.check().text();
}

TEST(CheckpointHostile, ChunkTable) {
  const Bytes whole = fullCheckpoint().file();
  Patient more{whole}; // the chunk is said to be larger than it can be
  more.put(more.section(ChunkTable), 5000, 4);
  more.expectRefused("chunk 0, stored size");
  Patient most{whole};
  most.put(most.section(ChunkTable), UINT32_MAX, 4);
  most.expectRefused("chunk 0, stored size");
  Patient less{whole};
  less.put(less.section(ChunkTable), less.get(less.section(ChunkTable), 4) - 1, 4);
  less.expectRefused("");
  Patient zeros{whole}; // states are never left out
  zeros.put(zeros.section(ChunkTable), 0, 4);
  zeros.expectRefused("");
}

TEST(CheckpointHostile, ZstdFramesThatSayOtherSizes) {
  SampleCheckpoint sample = fullCheckpoint();
  Patient patient{sample.file()};
  // The third chunk of the first region is a frame of 4096 bytes, all alike.
  size_t states = (sample.states[0].size() + 4095) / 4096;
  size_t table = patient.section(ChunkTable);
  size_t at = patient.section(ChunkData);
  for (size_t i = 0; i < states + 2; ++i)
    at += patient.get(table + i * 12, 4);
  ASSERT_EQ(patient.get(at, 4), 0xfd2fb528u) << "zstd's magic";
  ASSERT_LT(patient.get(table + (states + 2) * 12, 4), 64u);
  // One segment with two bytes for the content size: 256 less than it is.
  ASSERT_EQ(patient.get(at + 4, 1), 0x60u);
  for (uint64_t size : {0xffffu, 4095u - 256u, 0u}) {
    Patient other{patient.bytes};
    other.put(at + 5, size, 2);
    other.expectRefused("size inside the zstd frame");
  }
}

/// A file of one launch whose states are said to be huge.
TEST(CheckpointHostile, StatesBombs) {
  const Bytes whole = parkedCheckpoint(1).file();
  Patient patient{whole};
  // Behind the count: stream, module, name, grid, block, dynamic, flags,
  // arguments, layout.
  size_t launch = patient.section(Launches) + 4;
  size_t grid = launch + 4 + 4 + 4 + 6;
  size_t block = grid + 12;
  size_t threadBytes = block + 12 + 4 + 4 + 4 + 24 + 8;
  ASSERT_EQ(patient.get(threadBytes, 8), 13u);
  for (uint64_t bytes : {uint64_t(14000), uint64_t(1) << 32}) {
    Patient bomb{whole};
    bomb.put(threadBytes, bytes, 8);
    bomb.expectRefused("expected as many as the states and regions need");
  }
  Patient wide{whole};
  wide.put(threadBytes, UINT64_MAX, 8);
  wide.expectRefused("bytes of a thread's state");
  Patient threads{whole};
  threads.put(block, UINT32_MAX, 4);
  threads.put(block + 4, UINT32_MAX, 4);
  threads.put(block + 8, UINT32_MAX, 4);
  threads.expectRefused("threads of a block");
  Patient blocks{whole};
  blocks.put(grid, UINT32_MAX, 4);
  blocks.put(grid + 4, UINT32_MAX, 4);
  blocks.expectRefused("launch 0, blocks");
  size_t runs = threadBytes + 8 + 4;
  ASSERT_EQ(patient.get(runs, 4), 2u);
  for (uint64_t count : {uint64_t(0), uint64_t(3), UINT64_MAX}) {
    Patient other{whole};
    other.put(runs + 4 + 1, count, 8);
    other.expectRefused("blocks of a run");
  }
  Patient many{whole};
  many.put(runs, UINT32_MAX, 4);
  many.expectRefused("a list of launches");
}

TEST(CheckpointHostile, Regions) {
  const Bytes whole = fullCheckpoint().file();
  Patient patient{whole};
  size_t memory = patient.section(Memory);
  size_t region = memory + 8;
  Patient large{whole};
  large.put(region + 8, uint64_t(1) << 45, 8);
  large.expectRefused("");
  Patient huge{whole};
  huge.put(region + 8, UINT64_MAX, 8);
  huge.expectRefused("region 0");
  Patient round{whole};
  round.put(region, UINT64_MAX - 100, 8);
  round.expectRefused("region 0");
  Patient kind{whole};
  kind.put(region + 20, 3, 1);
  kind.expectRefused("a list of regions");
  for (uint32_t bytes : {0u, 4095u, 1u << 25, UINT32_MAX}) {
    Patient chunk{whole};
    chunk.put(memory, bytes, 4);
    chunk.expectRefused("bytes of a chunk");
  }
  // Twice as large chunks: half as many are expected.
  Patient fewer{whole};
  fewer.put(memory, 8192, 4);
  fewer.expectRefused("chunks: found");
  Patient list{whole};
  list.put(memory + 4, UINT32_MAX, 4);
  list.expectRefused("a list of regions");
}

TEST(CheckpointHostile, ReferencesIntoPackages) {
  SampleCheckpoint kernel = fullCheckpoint();
  kernel.contents.launches[0].kernel = "nobody";
  Patient{kernel.file()}.expectRefused("found kernel 'nobody'");
  SampleCheckpoint variable = fullCheckpoint();
  variable.contents.modules[0].variables[1].variable = 3;
  Patient{variable.file()}.expectRefused("found variable 3");
  SampleCheckpoint package = fullCheckpoint();
  package.packages[1] = noise(1, 500);
  Patient{package.file()}.expectRefused("package 1: header: magic");
}
