// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile model's coprocessor: words go from memory to Dst and back, and who does not
// wait ends the process.

#include "Model.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace tilemodel;

namespace {

constexpr Node node = 2 << 6 | 1;
constexpr uint32_t from = 0x20000, to = 0x30000, words = 64, slotRow = 16;
constexpr uint32_t unpacks = 1 << 1, computes = 1 << 14; // conditions of STALLWAIT
constexpr uint32_t packers = 1 << 2, vectors = 1 << 8;   // whom it blocks

constexpr uint32_t stall(uint32_t units, uint32_t until) {
  return 0xA2u << 24 | units << 15 | until;
}
constexpr uint32_t unpack = 0x42000081, pack = 0x41000101;
constexpr uint32_t load = 0x70040000 | slotRow, store = 0x72040000 | (slotRow + 16);

class CoprocessorModel : public testing::Test {
protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    auto set = [&](uint32_t index, uint32_t value) {
      unit.writeConfiguration(index, value);
    };
    // Fields as Core/Vector.c writes them.
    set(1, 8u << 25);
    set(8, 256 << 12);
    set(14, 1);
    for (uint32_t i = 20; i < 24; ++i)
      set(i, 0xFFFF);
    set(44, 256 << 12);
    set(52, 8 | 1 << 4);
    set(57, to / 16 - 1);
    set(58, 8 << 4 | 8 << 8 | 1);
    set(60, 8);
    set(61, 1 | 1 << 4);
    set(64, from / 16 - 1);
    set(74, words);
    EXPECT_EQ(unit.readConfiguration(74), words);
    run({0xB2000000, 0xB2030000, 0xB21F0000, 0xB2270000}); // SETC16
    run({0x5100000F | 5u << 21, 0x5400000F | 5u << 21});   // counters are 0
    run({0x8A00300A, 0x37000004});                         // SFPENCC, SETRWC
    // 64 words into group 4 and out of group 8.
    run({0x5E000000 | 5u << 21 | (words - 1) << 10,
         0x50000000 | 1u << 21 | 1u << 20 | 1u << 18 | 5,
         0x50000000 | 4u << 21 | 1u << 18 | 8});
    for (uint32_t i = 0; i < words; ++i) {
      value = i * 0x01010101;
      std::memcpy(&tile.memory[from + 4 * i], &value, 4);
    }
  }
  void run(std::initializer_list<uint32_t> instructions) {
    for (uint32_t word : instructions)
      unit.push(word);
    for (unsigned cycle = 0; cycle < 2000; ++cycle) {
      unit.step();
      chip.pass(1);
    }
  }
  Chip chip;
  Tile &tile = *chip.tileAt(node);
  Coprocessor &unit = tile.coprocessor;
  uint32_t value = 0;
};

TEST_F(CoprocessorModel, BringsWordsToDstAndBack) {
  run({unpack, stall(vectors, unpacks), load, store, 0x8F000000,
       stall(packers | vectors, computes), pack});
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t i = lane / 8 * 16 + lane % 8 * 2; // even columns
    std::memcpy(&value, &tile.memory[to + 4 * i], 4);
    EXPECT_EQ(value, i * 0x01010101);
  }
}

TEST_F(CoprocessorModel, EndsWhereAnUnpackerIsNotWaitedFor) {
  EXPECT_EXIT(run({unpack, load}), testing::ExitedWithCode(70),
              "Dst is read before an unpacker that was not waited for");
}

TEST_F(CoprocessorModel, EndsWhereAPackerIsNotWaitedFor) {
  EXPECT_EXIT(run({pack, store}), testing::ExitedWithCode(70),
              "Dst is written under a packer");
}

TEST_F(CoprocessorModel, EndsAtFormatsAndInstructionsThatAreNotModelled) {
  EXPECT_EXIT(run({0x26000000}), testing::ExitedWithCode(70), "it is not modelled");
  EXPECT_EXIT((unit.writeConfiguration(60, 0), unit.readConfiguration(60), run({unpack})),
              testing::ExitedWithCode(70), "formats other than INT32");
}

TEST_F(CoprocessorModel, ReadsDstOnlyFourCyclesAfterAWrite) {
  constexpr uint32_t back = 0x70040000 | (slotRow + 16), rest = 0x8F000000;
  EXPECT_EXIT(run({store, rest, rest, rest, back}), testing::ExitedWithCode(70),
              "within four cycles of a write");
  run({store, rest, rest, rest, rest, back});
}

} // namespace
