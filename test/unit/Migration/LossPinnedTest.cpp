// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the host that is pinned is in nobody's way while only copies use it. Kernels
// that were given an address in it, in whatever way, are not done again.

#include "LossTest.h"

#include "migration/control/Control.h"
#include "migration/memory/PinnedMemory.h"

#include <cstring>
#include <unistd.h>

using namespace het;
using namespace het::core;

namespace {

class LossPinnedTest : public LossTest {
protected:
  static constexpr size_t words = 512;

  void SetUp() override {
    LossTest::SetUp();
    EXPECT_OK(device().pin(pinned, sizeof(pinned), true));
  }
  void TearDown() override {
    EXPECT_OK(device().unpin(pinned));
    LossTest::TearDown();
  }

  void expectGoesOn() {
    lose();
    EXPECT_OK(stream->fill(allocate<uint32_t>(1), 0, 4, 4));
    stream->synchronize();
    EXPECT_EQ(migratable().active().name(), "host") << device().fault().message;
  }

  void expectStays(const std::string &reason) {
    lose();
    EXPECT_OK(stream->fill(some, 0, 4, 4));
    expectFault(reason);
  }

  /// Launches a kernel that counts in pinned memory, and does not end; returns when it
  /// has begun.
  void beginToCount(uint64_t *sums) {
    auto *counts = reinterpret_cast<uint32_t *>(pinned);
    launch(*stream, "count", false, sums, &steps, counts);
    while (!__atomic_load_n(counts, __ATOMIC_RELAXED))
      std::this_thread::yield();
  }

  alignas(64) uint64_t pinned[words] = {};
  uint64_t *some = nullptr;
};

TEST_F(LossPinnedTest, CopiesOfIt) {
  auto *ready = allocate<uint32_t>(words * 2);
  save();
  uint64_t *in = pinned, *out = pinned + words / 2;
  for (uint64_t turn = 1; turn <= 5; ++turn) {
    std::fill_n(in, words / 2, turn);
    EXPECT_OK(stream->copy(ready + blocks * 2, in, words / 2 * sizeof(uint64_t)));
    launch(*stream, "chain", false, ready);
    EXPECT_OK(stream->copy(out, ready, words / 2 * sizeof(uint64_t)));
    stream->synchronize();
    EXPECT_EQ(out[0], turn << 32 | turn);
    EXPECT_EQ(out[blocks], turn);
  }
  std::fill_n(pinned, words, 99); // the program's own again
  EXPECT_EQ(migratable().loss.recoveryBlocker(), "");
  expectGoesOn();
  std::vector<uint32_t> seen(blocks * 4);
  EXPECT_OK(stream->copy(seen.data(), ready, seen.size() * sizeof(uint32_t)));
  stream->synchronize();
  for (uint32_t i = 0; i < blocks; ++i) {
    EXPECT_EQ(seen[i], 5u);
    EXPECT_EQ(seen[blocks * 2 + i], i % 2 ? 0u : 5u);
  }
  EXPECT_EQ(pinned[words - 1], 99u);
}

TEST_F(LossPinnedTest, MoreOfItSince) {
  std::vector<uint64_t> more(100);
  save();
  EXPECT_OK(device().pin(more.data(), 800, true));
  EXPECT_OK(device().unpin(more.data()));
  expectGoesOn();
}

TEST_F(LossPinnedTest, RegisteredSince) {
  std::vector<uint64_t> there(100);
  some = allocate<uint64_t>(1);
  save();
  EXPECT_OK(device().pin(there.data(), 800));
  expectStays("since its last checkpoint: memory of the host was registered");
  EXPECT_OK(device().unpin(there.data()));
}

TEST_F(LossPinnedTest, RegisteredBefore) {
  std::vector<uint64_t> there(100);
  EXPECT_OK(device().pin(there.data(), 800));
  save();
  expectGoesOn();
  EXPECT_OK(device().unpin(there.data()));
}

TEST_F(LossPinnedTest, AKernelThatIsGivenIt) {
  some = allocate<uint64_t>(1);
  save();
  launch(*stream, "chain", false, pinned + 8);
  stream->synchronize();
  EXPECT_EQ(pinned[8], 1ull << 32 | 1);
  expectStays("kernel 'chain' was given an address of pinned memory");
}

TEST_F(LossPinnedTest, AKernelThatIsGivenItAndHasNotEnded) {
  some = allocate<uint64_t>(1);
  auto *sums = allocate<uint64_t>(blocks * threads);
  save();
  beginToCount(sums);
  lose();
  expectFault("kernel 'count' was given an address of pinned memory");
}

TEST_F(LossPinnedTest, AKernelThatHasItInTheCheckpoint) {
  some = allocate<uint64_t>(1);
  beginToCount(allocate<uint64_t>(blocks * threads));
  save();
  lose();
  expectFault("its memory has an address of pinned memory");
}

TEST_F(LossPinnedTest, UntilTheNextCheckpoint) {
  save();
  launch(*stream, "chain", false, pinned);
  stream->synchronize();
  EXPECT_NE(migratable().loss.recoveryBlocker(), "");
  auto status = [] { return control::ask(getpid(), "status"); };
  const std::string note = "; if it is lost it does not go on elsewhere: since its last "
                           "checkpoint: kernel 'chain' was given an address of pinned";
  EXPECT_NE(status()->find(note), std::string::npos) << *status();
  save();
  EXPECT_EQ(migratable().loss.recoveryBlocker(), "");
  EXPECT_EQ(status()->find("if it is lost"), std::string::npos) << *status();
  expectGoesOn();
}

TEST_F(LossPinnedTest, ItsAddressInMemory) {
  some = allocate<uint64_t>(4);
  uint64_t *address = pinned + words / 2;
  EXPECT_OK(stream->copy(some + 1, &address, sizeof(address)));
  stream->synchronize();
  save();
  expectStays("its memory has an address of pinned memory");
}

TEST_F(LossPinnedTest, ItsAddressCopiedSince) {
  some = allocate<uint64_t>(4);
  struct {
    uint32_t number = 7;
    uint32_t address[2];
  } table;
  uint64_t *address = pinned;
  std::memcpy(table.address, &address, sizeof(address));
  save();
  // Where it lies on the device it is a word.
  EXPECT_OK(stream->copy(reinterpret_cast<char *>(some) + 4, &table, sizeof(table)));
  stream->synchronize();
  expectStays("a copy brought it an address of pinned memory");
}

TEST_F(LossPinnedTest, ItsAddressInARow) {
  some = allocate<uint64_t>(16);
  uint64_t *rows[6] = {nullptr, nullptr, nullptr, pinned, nullptr, nullptr};
  save();
  EXPECT_OK(stream->copyRows(some, 32, rows, 16, 8, 3));
  stream->synchronize();
  EXPECT_EQ(migratable().loss.recoveryBlocker(), "");
  EXPECT_OK(stream->copyRows(some, 32, rows, 16, 16, 3));
  stream->synchronize();
  expectStays("a copy brought it an address of pinned memory");
}

TEST_F(LossPinnedTest, WhereItCanNotBePinned) {
  apart().pinsFail = true;
  places = {"apart#2"};
  some = allocate<uint64_t>(1);
  // One that no `apart` has pinned.
  std::vector<uint64_t> more(100);
  EXPECT_OK(device().pin(more.data(), 800));
  save();
  expectStays("apart#2: it can not reach memory of the host that is pinned");
  apart().pinsFail = false;
  EXPECT_OK(device().unpin(more.data()));
}

using Range = AddressRanges::Range;

bool isWordIn(const AddressRanges &ranges, uint64_t word) {
  uint64_t bytes[2] = {0, word};
  return ranges.isIn({reinterpret_cast<uint8_t *>(bytes), sizeof(bytes)}, 0);
}

TEST(AddressRangesTest, Ends) {
  AddressRanges ranges({{0x5000, 0x6000}, {0x1000, 0x2000}, {0x9000, 0x9001}});
  for (uint64_t inside : {0x1000, 0x1fff, 0x2000, 0x5000, 0x5abc, 0x6000, 0x9000, 0x9001})
    EXPECT_TRUE(isWordIn(ranges, inside)) << inside;
  for (uint64_t outside : {uint64_t(0), uint64_t(0xfff), uint64_t(0x2001),
                           uint64_t(0x4fff), uint64_t(0x9002), ~uint64_t(0)})
    EXPECT_FALSE(isWordIn(ranges, outside)) << outside;
}

TEST(AddressRangesTest, ThatTouchOrLieInEachOther) {
  AddressRanges ranges({{0x1000, 0x9000}, {0x2000, 0x3000}, {0x9000, 0xa000}});
  EXPECT_TRUE(isWordIn(ranges, 0x8000));
  EXPECT_TRUE(isWordIn(ranges, 0x9fff));
  EXPECT_FALSE(isWordIn(ranges, 0xa001));
}

TEST(AddressRangesTest, Nothing) {
  AddressRanges ranges({});
  EXPECT_TRUE(ranges.isEmpty());
  for (uint64_t word : {uint64_t(0), uint64_t(1), ~uint64_t(0)})
    EXPECT_FALSE(isWordIn(ranges, word));
}

TEST(AddressRangesTest, EachWordButNoOther) {
  AddressRanges ranges({{0x123456789000, 0x12345678a000}});
  const uint64_t word = 0x123456789abc;
  for (size_t size : {8u, 15u, 16u, 4096u, 20011u})
    for (uint64_t at : {0u, 1u, 4u, 7u}) {
      Bytes bytes(size);
      for (size_t place = 0; place + 8 <= size; ++place) {
        std::memcpy(bytes.data() + place, &word, 8);
        EXPECT_EQ(ranges.isIn(bytes, at), (at + place) % 8 == 0) << size << " " << place;
        std::memset(bytes.data() + place, 0, 8);
      }
      EXPECT_FALSE(ranges.isIn(bytes, at));
    }
}

} // namespace
