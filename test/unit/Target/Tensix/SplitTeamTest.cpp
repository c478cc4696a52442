// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An experiment: what it costs to split a team of 32 lanes over several cores, which
// exchange words through one core's memory (Programs/Split.c), against one core for all
// lanes. Prints the tables of docs/results/tensix.md; checks results and what is
// concluded from them.

#include "Model.h"
#include "Tensix/TensixABI.h"
#include "het/Base/File.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace tilemodel;

namespace {

constexpr uint32_t parameters = 0x8000, done = 0x8100, arrived = 0xA200, lanes = 32;
enum Kind : uint32_t { Reduce = 0, Vote = 1 };

struct Cost {
  uint64_t most = 0, total = 0;     ///< Instructions of a core, and of all.
  uint64_t asked = 0, requests = 0; ///< Of all: vain questions, and what had to be.
  uint32_t result = 0;
};

class SplitTeam : public testing::Test {
protected:
  void load(Tile &tile, std::vector<uint32_t> words) {
    auto bytes = het::readFile(std::string(HET_TEST_PROGRAMS "/wormhole/Split.bin"));
    ASSERT_TRUE(bytes.ok()) << bytes.status().text();
    std::memcpy(tile.memory.data(), bytes->data(), bytes->size());
    words.resize(64);
    std::memcpy(&tile.memory[parameters], words.data(), words.size() * 4);
    std::memset(&tile.memory[done], 0, 4);
    std::memset(&tile.memory[arrived], 0, 16);
    HetTensixMailbox mailbox = {};
    mailbox.homes[0] = tile.node;
    std::memcpy(&tile.memory[HET_TENSIX_MAILBOX], &mailbox, sizeof(mailbox));
  }

  static uint32_t wordAt(const Tile &tile, uint32_t address) {
    uint32_t word;
    std::memcpy(&word, &tile.memory[address], 4);
    return word;
  }

  /// On so many cores of a chip of its own.
  Cost measure(Kind kind, uint32_t cores, uint32_t rounds, uint32_t work) {
    Chip chip;
    std::vector<Tile *> tiles;
    for (uint32_t i = 0; i < cores; ++i)
      tiles.push_back(
          chip.tileAt(at(i % 2 + 1, chip.kind.rows[i / 2 + (i / 2 > 0) * 4])));
    for (uint32_t i = 0; i < cores; ++i) {
      if (!tiles[i]) {
        ADD_FAILURE() << "there is no core " << i;
        return {};
      }
      load(*tiles[i], {cores, i, tiles[0]->node, kind, rounds, work});
    }
    for (Tile *tile : tiles) {
      tile->core.reset();
      tile->core.isRunning = true;
    }
    std::vector<uint64_t> ended(cores);
    for (uint32_t left = cores, turn = 0; left && turn < 2000000; ++turn) {
      chip.pass(50);
      left = 0;
      for (uint32_t i = 0; i < cores; ++i)
        if (!ended[i] && wordAt(*tiles[i], done))
          ended[i] = tiles[i]->core.executed;
        else
          left += !ended[i];
    }
    return sum(tiles, ended);
  }

  static Cost sum(const std::vector<Tile *> &tiles, const std::vector<uint64_t> &ended) {
    Cost cost;
    for (size_t i = 0; i < tiles.size(); ++i) {
      EXPECT_EQ(wordAt(*tiles[i], done), 1u) << "core " << i;
      cost.most = std::max(cost.most, ended[i]);
      cost.total += ended[i];
      const uint32_t result = wordAt(*tiles[i], parameters + 64);
      cost.result = wordAt(*tiles[i], parameters + 12) == Reduce ? cost.result ^ result
                                                                 : cost.result + result;
      cost.asked += wordAt(*tiles[i], parameters + 68);
      cost.requests += wordAt(*tiles[i], parameters + 72);
    }
    return cost;
  }

  static void print(const char *what, uint32_t cores, uint32_t work, uint32_t times,
                    const Cost &cost) {
    std::printf("%s, %u cores, work %u: %.1f instructions of a core, %.1f of all, "
                "%.1f requests, %.1f vain questions\n",
                what, cores, work, double(cost.most) / times, double(cost.total) / times,
                double(cost.requests) / times, double(cost.asked) / times);
  }
};

uint32_t expectedReduction(uint32_t rounds, uint32_t work) {
  uint32_t values[lanes], result = 0;
  for (uint32_t i = 0; i < lanes; ++i)
    values[i] = 27 + i;
  for (uint32_t round = 0; round < rounds; ++round) {
    uint32_t sum = 0;
    for (uint32_t &value : values) {
      for (uint32_t i = 0; i < work; ++i)
        value = value * 1664525u + 1013904223u;
      sum += value;
    }
    std::fill_n(values, lanes, sum);
  }
  for (uint32_t i = 0; i < lanes; ++i)
    result ^= values[i] * (i + 1);
  return result;
}

/// Steps of all lanes, and turns of the loop.
std::pair<uint32_t, uint32_t> expectedWalk() {
  uint32_t steps = 0, turns = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    uint32_t own = 0;
    for (uint32_t value = 27 + lane; value > 1; ++own)
      value = value & 1 ? 3 * value + 1 : value / 2;
    steps += own;
    turns = std::max(turns, own);
  }
  return {steps, turns};
}

TEST_F(SplitTeam, CostsMoreOfAllCoresThanItSavesOne) {
  constexpr uint32_t rounds = 40;
  for (uint32_t work : {0u, 10u, 100u}) {
    uint64_t whole = 0;
    for (uint32_t cores : {1u, 2u, 4u, 8u}) {
      const Cost cost = measure(Reduce, cores, rounds, work);
      EXPECT_EQ(cost.result, expectedReduction(rounds, work)) << cores;
      print("a sum by five shuffles", cores, work, rounds, cost);
      whole = cores == 1 ? cost.total : whole;
      if (cores > 1)
        EXPECT_GT(cost.total, whole) << cores;
    }
  }
}

TEST_F(SplitTeam, VotesOfALoop) {
  const auto [steps, turns] = expectedWalk();
  uint64_t whole = 0;
  for (uint32_t cores : {1u, 2u, 4u, 8u}) {
    const Cost cost = measure(Vote, cores, 1, 0);
    EXPECT_EQ(cost.result, steps) << cores;
    print("a turn of a loop with a vote", cores, 0, turns, cost);
    whole = cores == 1 ? cost.total : whole;
    if (cores > 1) {
      EXPECT_GT(cost.total, whole) << cores;
      EXPECT_EQ(cost.requests, uint64_t(4) * cores * turns);
    }
  }
}

} // namespace
