// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damage: every changed byte, every truncation, every appended byte of a
// checkpoint ends in an error that names the file and says what to do.

#include "ResealCheckpoint.h"
#include "SampleCheckpoints.h"

#include "Checksum.h"

#include "het/Package/Checkpoint.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <zstd.h>

using namespace het;
using namespace het::test;

static Status check(ByteView bytes) {
  Result<Checkpoint> read = Checkpoint::open(bytes, "damaged.hetckpt");
  return read.ok() ? read->verify(1) : read.status();
}

static void expectClear(const Status &status, const std::string &what) {
  ASSERT_FALSE(status.ok()) << what;
  EXPECT_EQ(status.origin, "damaged.hetckpt") << what;
  for (const char *part : {": found ", ", expected ", "; "})
    EXPECT_NE(status.message.find(part), std::string::npos)
        << what << ": " << status.message;
}

TEST(CheckpointDamage, EveryBitFlipIsFound) {
  for (const SampleCheckpoint &sample : sampleCheckpoints()) {
    const Bytes whole = sample.file();
    ASSERT_TRUE(check(whole).ok()) << check(whole).text();
    Bytes bytes = whole;
    for (size_t i = 0; i < bytes.size(); ++i)
      for (unsigned bit = 0; bit < 8; ++bit) {
        bytes[i] ^= static_cast<uint8_t>(1u << bit);
        expectClear(check(bytes), sample.name + ", byte " + std::to_string(i));
        bytes[i] = whole[i];
      }
  }
}

TEST(CheckpointDamage, EveryByteOfOtherValuesIsFound) {
  const Bytes whole = parkedCheckpoint(2).file();
  Bytes bytes = whole;
  for (size_t i = 0; i < bytes.size(); ++i)
    for (unsigned change = 1; change < 256; change += 11) {
      bytes[i] ^= static_cast<uint8_t>(change);
      expectClear(check(bytes), "byte " + std::to_string(i));
      bytes[i] = whole[i];
    }
}

TEST(CheckpointDamage, EveryTruncationIsFound) {
  for (const SampleCheckpoint &sample : sampleCheckpoints()) {
    const Bytes whole = sample.file();
    for (size_t size = 0; size < whole.size(); ++size) {
      // A block of exactly this size, so that a sanitizer sees each read past
      // its end.
      auto part = std::make_unique<uint8_t[]>(size);
      std::memcpy(part.get(), whole.data(), size);
      expectClear(check(ByteView(part.get(), size)),
                  sample.name + ", cut to " + std::to_string(size));
    }
  }
}

TEST(CheckpointDamage, AppendedBytesAreFound) {
  for (const SampleCheckpoint &sample : sampleCheckpoints()) {
    Bytes bytes = sample.file();
    bytes.push_back(0);
    expectClear(check(bytes), sample.name);
  }
}

/// Use without verify() finds the damage of what is used, and no other.
TEST(CheckpointDamage, ChunksAreCheckedWhenUsed) {
  SampleCheckpoint sample = fullCheckpoint();
  Bytes bytes = sample.file();
  auto place = std::search(bytes.begin(), bytes.end(), sample.memory[0].begin(),
                           sample.memory[0].begin() + 64);
  ASSERT_NE(place, bytes.end()) << "noise is stored as it is";
  *place ^= 1;
  Result<Checkpoint> read = Checkpoint::open(bytes, "damaged.hetckpt");
  ASSERT_TRUE(read.ok()) << read.status().text();
  Bytes part(10);
  expectClear(read->readMemory(0, 4000, part.data(), 10), "its chunk");
  EXPECT_TRUE(read->readMemory(0, 4096, part.data(), 10).ok());
  EXPECT_TRUE(read->package(0).ok());
  auto nothing = [](size_t, uint64_t, ByteView) { return Status::success(); };
  expectClear(read->visitMemory(nothing), "a visit");
}

TEST(CheckpointDamage, NewerVersions) {
  Bytes bytes = fullCheckpoint().file();
  bytes[10] = 7;
  resealCheckpoint(bytes);
  EXPECT_TRUE(check(bytes).ok()) << check(bytes).text();
  bytes[8] = 2;
  resealCheckpoint(bytes);
  Status status = check(bytes);
  expectClear(status, "version");
  EXPECT_EQ(status.code, Code::Unsupported);
  EXPECT_NE(status.message.find("found 2.7, expected 1.x"), std::string::npos);
}

TEST(CheckpointDamage, APackageIsNoCheckpoint) {
  Status status = check(fullCheckpoint().packages[0]);
  expectClear(status, "package");
  EXPECT_NE(status.message.find("a .hetckpt's"), std::string::npos);
}

/// zstd's own checksum is the lower half of the same function.
TEST(CheckpointDamage, ChecksumIsXxh64) {
  EXPECT_EQ(xxh64({}), 0xef46db3751d8e999u);
  EXPECT_EQ(xxh64(ByteView(std::string_view("a"))), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(xxh64(ByteView(std::string_view("abc"))), 0x44bc2cf5ad770999u);
  ZSTD_CCtx *context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  for (size_t size = 0; size < 200; ++size) {
    Bytes bytes = noise(static_cast<unsigned>(size), size);
    Bytes frame(ZSTD_compressBound(size));
    size_t length =
        ZSTD_compress2(context, frame.data(), frame.size(), bytes.data(), size);
    ASSERT_FALSE(ZSTD_isError(length));
    uint32_t low;
    std::memcpy(&low, frame.data() + length - 4, 4);
    EXPECT_EQ(static_cast<uint32_t>(xxh64(bytes)), low) << size;
  }
  ZSTD_freeCCtx(context);
}
