// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile model as a Blackhole chip: what the core's library does there, and what the
// model does not let pass.

#include "ChipFixture.h"

using namespace het::tensix;

namespace {

class Blackhole : public ChipFixture {
protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    openChip("blackhole");
  }
};

TEST_F(Blackhole, WorkingColumnsHaveTheFirstNumbers) {
  // The model has fused off two columns: 12 of them are left, by 10 rows.
  ASSERT_EQ(chip->cores().size(), 120u);
  for (uint32_t node : chip->cores()) {
    const uint32_t x = node & 63, y = node >> 6;
    EXPECT_TRUE((x >= 1 && x <= 7) || (x >= 10 && x <= 14)) << x;
    EXPECT_TRUE(y >= 2 && y <= 11) << y;
  }
  EXPECT_EQ(chip->banks().size(), 8u);
  EXPECT_EQ(chip->dramBytes(), uint64_t(32) << 30);
  EXPECT_STREQ(chip->architecture().name, "blackhole");
}

TEST_F(Blackhole, DramIsLinearOverBanks) { expectLinearDram(); }
TEST_F(Blackhole, BytesGoRoundByTheNetwork) { expectRoundTrips(); }
TEST_F(Blackhole, CountsAreOneAfterTheOther) { expectCounts(); }

/// All of Zba and Zbb against the same in plain C on the host.
TEST_F(Blackhole, BitInstructions) {
  const uint32_t core = chip->cores()[0];
  std::mt19937 random(3);
  for (unsigned i = 0; i < 100; ++i) {
    const uint32_t a = i ? random() >> random() % 32 : 0, b = random() >> random() % 32;
    load(core, "Bits", {a, b});
    ASSERT_EQ(run({core}), 1u);
    uint32_t found[16];
    chip->readCore(core, parameters + 64, found, sizeof(found));
    const int32_t signedA = a, signedB = b;
    uint32_t set = 0;
    for (unsigned bit = 0; bit < 32; bit += 8)
      set |= a >> bit & 0xFF ? 0xFFu << bit : 0;
    const uint32_t left = b & 31, right = -b & 31;
    const uint32_t expected[] = {(a << 1) + b,
                                 (a << 2) + b,
                                 (a << 3) + b,
                                 a & ~b,
                                 a | ~b,
                                 ~(a ^ b),
                                 uint32_t(std::min(signedA, signedB)),
                                 std::max(a, b),
                                 left ? a << left | a >> right : a,
                                 a << 25 | a >> 7,
                                 uint32_t(a ? __builtin_clz(a) : 32),
                                 uint32_t(a ? __builtin_ctz(a) : 32),
                                 uint32_t(__builtin_popcount(a)),
                                 uint32_t(int32_t(int8_t(a))) ^
                                     uint32_t(int32_t(int16_t(b))),
                                 __builtin_bswap32(a) ^ (b & 0xFFFF),
                                 set};
    for (unsigned at = 0; at < 16; ++at)
      EXPECT_EQ(found[at], expected[at]) << at << " of " << a << ", " << b;
  }
}

TEST_F(Blackhole, WhatAnotherHasWrittenIsSeenAfterAFence) {
  const uint32_t core = chip->cores()[0], old = 1, given = 2;
  unsigned stale = 0;
  for (unsigned i = 0; i < 50; ++i) {
    load(core, "Stale", {core, 0x9000, 0x9040});
    chip->writeCore(core, 0x9000, &old, 4);
    chip->writeCore(core, 0x9040, &given, 4);
    ASSERT_EQ(run({core}), 1u);
    uint32_t found[3];
    chip->readCore(core, parameters + 64, found, sizeof(found));
    EXPECT_EQ(found[0], 1u);
    EXPECT_EQ(found[2], 2u);
    stale += found[1] == 1;
  }
  EXPECT_GT(stale, 0u) << "the model keeps nothing";
}

TEST_F(Blackhole, LoadsWaitForStoresOfTheirBytes) {
  const uint32_t core = chip->cores()[0];
  load(core, "Overtake", {});
  ASSERT_EQ(run({core}), 1u);
  EXPECT_EQ(chip->readWord(core, parameters + 64), 0u);
}

TEST_F(Blackhole, ModelEndsAtAlignmentThatDiffers) {
  expectDeath("BadAlignment", "tile model: a read from 0x10 to 0x.* modulo 64");
}

TEST_F(Blackhole, ModelEndsAtColumnsThatAreFusedOff) {
  EXPECT_EXIT(chip->readWord(nodeAt(15, 5), 0), testing::ExitedWithCode(70),
              "where nothing is");
}

} // namespace
