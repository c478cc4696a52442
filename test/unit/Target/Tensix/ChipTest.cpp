// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs on cores of the tile model, written by hand: what the core's library does by
// the network, and what the model does not let pass.

#include "ChipFixture.h"

using namespace het::tensix;

namespace {

class TensixChip : public ChipFixture {
protected:
  void SetUp() override { openChip("wormhole"); }
};

TEST_F(TensixChip, HarvestedRowsAreLeftOut) {
  // The model has fused off what bits 1 and 4 stand for: rows 1 and 9.
  EXPECT_EQ(chip->cores().size(), 64u);
  for (uint32_t node : chip->cores())
    EXPECT_TRUE(node >> 6 != 1 && node >> 6 != 9) << (node >> 6);
}

TEST_F(TensixChip, DramIsLinearOverBanks) { expectLinearDram(); }
TEST_F(TensixChip, BytesGoRoundByTheNetwork) { expectRoundTrips(); }
TEST_F(TensixChip, CountsAreOneAfterTheOther) { expectCounts(); }

TEST_F(TensixChip, WideDivision) {
  const uint32_t core = chip->cores()[0];
  std::mt19937_64 random(5);
  for (unsigned i = 0; i < 300; ++i) {
    uint64_t a = random() >> random() % 64, b = random() >> random() % 64;
    if (!b || (int64_t(b) == -1 && int64_t(a) == INT64_MIN))
      continue;
    load(core, "Divide",
         {uint32_t(a), uint32_t(a >> 32), uint32_t(b), uint32_t(b >> 32)});
    ASSERT_EQ(run({core}), 1u);
    uint64_t results[4];
    chip->readCore(core, parameters + 16, results, sizeof(results));
    EXPECT_EQ(results[0], a / b) << a << " / " << b;
    EXPECT_EQ(results[1], a % b) << a << " % " << b;
    EXPECT_EQ(int64_t(results[2]), int64_t(a) / int64_t(b));
    EXPECT_EQ(int64_t(results[3]), int64_t(a) % int64_t(b));
  }
}

TEST_F(TensixChip, LoadsOvertakeStoresThatBeginElsewhere) {
  const uint32_t core = chip->cores()[0];
  load(core, "Overtake", {});
  ASSERT_EQ(run({core}), 1u);
  EXPECT_GT(chip->readWord(core, parameters + 64), 0u);
  EXPECT_EQ(chip->readWord(core, parameters + 68), 0u);
}

TEST_F(TensixChip, WhatIsNotWaitedForIsPoison) {
  const uint32_t core = chip->cores()[0], bank = chip->banks()[0];
  const std::vector<uint32_t> words(16, 42);
  chip->writeDram(0, words.data(), 64);
  load(core, "NoWait", {bank, 0});
  ASSERT_EQ(run({core}), 1u);
  EXPECT_EQ(chip->readWord(core, parameters + 32), 0xDBDBDBDBu);
}

/// A chip of which one node reads as all ones.
class Deaf : public Provider {
public:
  Deaf(std::shared_ptr<Provider> chip, Node deaf) : chip(std::move(chip)), deaf(deaf) {}
  uint32_t identity() const override { return chip->identity(); }
  std::string place() const override { return "deaf"; }
  unsigned windowBits() const override { return chip->windowBits(); }
  void aim(unsigned window, Node node, uint64_t address) override {
    aims[window] = node;
    chip->aim(window, node, address);
  }
  void read(unsigned window, uint32_t offset, void *to, uint32_t bytes) override {
    chip->read(window, offset, to, bytes);
    if (aims[window] == deaf)
      std::memset(to, 0xFF, bytes);
  }
  void write(unsigned window, uint32_t offset, const void *from,
             uint32_t bytes) override {
    chip->write(window, offset, from, bytes);
  }
  void pass(uint32_t clocks) override { chip->pass(clocks); }

private:
  const std::shared_ptr<Provider> chip;
  const Node deaf;
  Node aims[windowCount] = {};
};

TEST_F(TensixChip, ACoreThatDoesNotAnswerIsNamed) {
  auto deaf = std::make_shared<Deaf>(openSimulator(&status), chip->cores()[20]);
  EXPECT_FALSE(Chip::open(deaf, &status));
  const std::string text = status.message;
  EXPECT_EQ(text, "deaf: the core at " + nameOf(chip->cores()[20]) +
                      " does not answer: found its reset register to be 0xffffffff, "
                      "expected 0x47800; reset the chip");
}

/// Ends the process, with a message.
class TensixModel : public TensixChip {
protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    TensixChip::SetUp();
  }
};

TEST_F(TensixModel, EndsAtAlignmentThatDiffers) {
  expectDeath("BadAlignment", "tile model: a read from 0x10 to 0x.* modulo 32");
}

TEST_F(TensixModel, EndsAtMisalignedLoads) {
  expectDeath("Misaligned", "misaligned access of 0x00008001");
}

TEST_F(TensixModel, EndsAtInstructionsThatCoresLack) {
  expectDeath("Illegal", "illegal instruction 0x0ff0000f");
}

TEST_F(TensixModel, EndsAtInitiatorsThatAreBusy) {
  expectDeath("Busy", "an initiator that is busy");
}

TEST_F(TensixModel, EndsAtMemoryThatIsNotThere) {
  EXPECT_EXIT(chip->readWord(nodeAt(0, 3), 0), testing::ExitedWithCode(70),
              "where nothing is");
}

} // namespace
