// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip of the tile model, and programs for its cores.

#ifndef HET_TEST_UNIT_TARGET_TENSIX_CHIPFIXTURE_H
#define HET_TEST_UNIT_TARGET_TENSIX_CHIPFIXTURE_H

#include "Tensix/Device/Chip.h"
#include "het/Base/File.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

int32_t het::tensix::report(HetStatus *status, int32_t code, const std::string &message) {
  status->code = code;
  std::snprintf(status->message, sizeof(status->message), "%s", message.c_str());
  return code;
}

/// Where a program finds its parameters, and says that it is done.
constexpr uint32_t parameters = 0x8000, done = 0x8100;

class ChipFixture : public testing::Test {
protected:
  void openChip(const char *kind) {
    setenv("HET_TTSIM_LIBRARY", HET_TEST_TILE_MODEL, 1);
    setenv("HET_TILE_MODEL_CHIP", kind, 1);
    auto provider = het::tensix::openSimulator(&status);
    ASSERT_TRUE(provider) << status.message;
    chip = het::tensix::Chip::open(provider, &status);
    ASSERT_TRUE(chip) << status.message;
  }

  /// Puts a program and its parameters into a core.
  void load(uint32_t node, const std::string &name, std::vector<uint32_t> words) {
    auto bytes = het::readFile(std::string(HET_TEST_PROGRAMS "/") +
                               chip->architecture().name + "/" + name + ".bin");
    ASSERT_TRUE(bytes.ok()) << bytes.status().text();
    words.resize(64);
    const uint32_t notDone = 0;
    chip->stop(node);
    chip->writeCore(node, 0, bytes->data(), bytes->size());
    chip->writeCore(node, parameters, words.data(), words.size() * 4);
    chip->writeCore(node, done, &notDone, 4);
    HetTensixMailbox mailbox = {};
    mailbox.homes[0] = node;
    chip->writeCore(node, HET_TENSIX_MAILBOX, &mailbox, sizeof(mailbox));
  }

  /// Lets them run until all are done; what they say then.
  uint32_t run(const std::vector<uint32_t> &nodes) {
    for (uint32_t node : nodes)
      chip->start(node);
    uint32_t said = 0;
    for (unsigned turn = 0; turn < 1000 && !said; ++turn) {
      chip->pass(1000);
      said = 1;
      for (uint32_t node : nodes)
        said = std::min(said, chip->readWord(node, done));
    }
    for (uint32_t node : nodes)
      chip->stop(node);
    return said;
  }

  void expectRoundTrips() {
    const uint32_t core = chip->cores()[3], other = chip->cores()[40];
    std::vector<uint32_t> words(16), back(16), part(4);
    for (uint32_t i = 0; i < 16; ++i)
      words[i] = 100 + i;
    // Page 0 of the linear addresses is page 0 of bank 0.
    const uint32_t bank = chip->banks()[0];
    for (unsigned round = 0; round < 20; ++round) {
      ++words[round % 16];
      chip->writeDram(256, words.data(), 64);
      load(core, "RoundTrip", {bank, 256, other, 0x9010});
      ASSERT_EQ(run({core}), 1u);
      chip->readDram(256 + 64, back.data(), 64);
      for (uint32_t i = 0; i < 16; ++i)
        ASSERT_EQ(back[i], words[i] + 1) << i;
      chip->readCore(other, 0x9010, part.data(), 16);
      for (uint32_t i = 0; i < 4; ++i)
        ASSERT_EQ(part[i], words[4 + i] + 1) << i;
    }
  }

  void expectCounts() {
    const std::vector<uint32_t> cores(chip->cores().begin(), chip->cores().begin() + 8);
    const uint32_t home = chip->cores().back(), zero = 0;
    chip->writeCore(home, 0xA000, &zero, 4);
    for (uint32_t core : cores)
      load(core, "Count", {home, 0xA000});
    ASSERT_EQ(run(cores), 1u);
    EXPECT_EQ(chip->readWord(home, 0xA000), 800u);
    uint32_t sum = 0;
    for (uint32_t core : cores)
      sum += chip->readWord(core, parameters + 32);
    EXPECT_EQ(sum, 800u * 799 / 2);
  }

  void expectLinearDram() {
    std::vector<uint32_t> words(10000), back(10000);
    for (uint32_t i = 0; i < words.size(); ++i)
      words[i] = i * 2654435761u;
    const uint64_t place = 123456;
    chip->writeDram(place, words.data(), words.size() * 4);
    chip->readDram(place, back.data(), back.size() * 4);
    EXPECT_EQ(back, words);
    uint32_t one = 0;
    chip->readDram(place + 7000 * 4, &one, 4);
    EXPECT_EQ(one, words[7000]);
  }

  /// What a program of this name says of a bank ends the process.
  void expectDeath(const std::string &name, const char *message) {
    const uint32_t core = chip->cores()[0], bank = chip->banks()[0];
    load(core, name, {bank, 0});
    EXPECT_EXIT(run({core}), testing::ExitedWithCode(70), message);
  }

  HetStatus status = {};
  std::unique_ptr<het::tensix::Chip> chip;
};

#endif // HET_TEST_UNIT_TARGET_TENSIX_CHIPFIXTURE_H
