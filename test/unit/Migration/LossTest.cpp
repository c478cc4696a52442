// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device that is lost goes on elsewhere from its last checkpoint, with what was done
// since done again; or it has a fault that says why not.

#include "LossTest.h"
#include "Eventually.h"

#include <atomic>
#include <thread>

using namespace het;
using namespace het::core;

namespace {

TEST_F(LossTest, InTheMiddleOfAKernel) {
  const std::vector<uint64_t> expected = expectedOf(steps.count);
  begin();
  save();
  // What has been done since is done again.
  EXPECT_TRUE(test::eventually(
      [&] { return __atomic_load_n(&steps.held, __ATOMIC_SEQ_CST) > blocks; }));
  lose();
  expectEnd(expected);
  EXPECT_EQ(migratable().active().name(), "host");
  EXPECT_NE(migratable().decision.get().why.find("apart is lost: it has been pulled out"),
            std::string::npos);
}

TEST_F(LossTest, WhatWasDoneSinceIsDoneAgain) {
  const std::vector<uint64_t> expected = expectedOf(steps.count);
  auto *ready = allocate<uint32_t>(blocks);
  auto *rows = allocate<uint32_t>(64);
  std::vector<uint32_t> in(64, 7), seen(blocks), back(64);
  save();
  // Bytes of the host that change afterwards, a fill, launches, a copy on the device,
  // rows.
  EXPECT_OK(stream->copy(rows, in.data(), in.size() * sizeof(uint32_t)));
  stream->synchronize();
  in.assign(64, 1);
  EXPECT_OK(stream->fill(ready, 0, 4, blocks * sizeof(uint32_t)));
  launch(*stream, "chain", false, ready);
  launch(*stream, "chain", false, ready);
  EXPECT_OK(stream->copy(seen.data(), ready, blocks * sizeof(uint32_t)));
  EXPECT_OK(stream->copyRows(rows + 32, 32, ready, 16, 16, 3));
  stream->synchronize();
  EXPECT_EQ(seen, std::vector<uint32_t>(blocks, 2));
  begin();
  lose();
  launch(*stream, "chain", false, ready);
  expectEnd(expected);
  EXPECT_OK(stream->copy(seen.data(), ready, blocks * sizeof(uint32_t)));
  EXPECT_OK(stream->copy(back.data(), rows, back.size() * sizeof(uint32_t)));
  stream->synchronize();
  EXPECT_EQ(seen, std::vector<uint32_t>(blocks, 3));
  for (int at = 0; at < 64; ++at)
    EXPECT_EQ(back[at], at >= 32 && (at - 32) % 8 < 4 && at < 52 ? 2u : 7u) << at;
}

TEST_F(LossTest, WhileNothingRuns) {
  auto *memory = allocate<uint32_t>(16);
  EXPECT_OK(stream->fill(memory, 5, 4, 64));
  stream->synchronize();
  save();
  lose();
  EXPECT_EQ(device().faultKind(), HET_FAULT_NONE); // nobody had work for it
  uint32_t seen[16] = {};
  EXPECT_OK(stream->copy(seen, memory, 64));
  stream->synchronize();
  EXPECT_EQ(seen[15], 5u);
  EXPECT_EQ(migratable().active().name(), "host");
}

TEST_F(LossTest, TwiceAndSeveralStreams) {
  const std::vector<uint64_t> expected = expectedOf(steps.count);
  places = {"apart", "apart#2", "host#2"};
  auto *ready = allocate<uint32_t>(blocks);
  begin();
  auto second = makeStream(StreamKind::NonBlocking);
  launch(*second, "chain", false, ready);
  save();
  lose();
  launch(*second, "chain", false, ready);
  second->synchronize();
  EXPECT_EQ(migratable().active().name(), "apart#2");
  lose();
  expectEnd(expected);
  EXPECT_EQ(migratable().active().name(), "host#2");
  uint32_t seen[blocks] = {};
  EXPECT_OK(second->copy(seen, ready, sizeof(seen)));
  second->synchronize();
  EXPECT_EQ(seen[blocks - 1], 2u);
}

TEST_F(LossTest, WhilePaused) {
  const std::vector<uint64_t> expected = expectedOf(steps.count);
  begin();
  save();
  EXPECT_OK(migratable().pause());
  lose();
  test::letOthersRun();
  EXPECT_FALSE(stream->isIdle());
  EXPECT_OK(migratable().resume());
  expectEnd(expected);
}

TEST_F(LossTest, WhatTheProgramHasSeenCanNotBeUndone) {
  auto *memory = allocate<uint32_t>(16);
  save();
  memory[3] = 99; // as a kernel with a race might
  uint32_t seen[16] = {};
  EXPECT_OK(stream->copy(seen, memory, 64));
  stream->synchronize();
  EXPECT_EQ(seen[3], 99u);
  lose();
  EXPECT_OK(stream->copy(seen, memory, 64));
  expectFault("the program was given 64 bytes that came out otherwise");
  EXPECT_NE(device().fault().message.find("'hetrun resume " + path), std::string::npos);
}

TEST_F(LossTest, WithoutACheckpoint) {
  begin();
  lose();
  expectFault("there is no checkpoint of it");
}

TEST_F(LossTest, MemoryThatWasFreed) {
  Result<void *> large = device().memory().allocate(3 << 20);
  ASSERT_TRUE(large.ok());
  begin();
  save();
  EXPECT_OK(device().memory().free(*large));
  lose();
  expectFault("since its last checkpoint: memory was unmapped");
}

TEST_F(LossTest, MemoryComesAndGoesWhileCheckpointsAreWritten) {
  for (const char *place : {"apart", "host"}) {
    EXPECT_EQ(migratable().migration.moveTo(place).status().text(), "");
    std::atomic<int> saved{0};
    std::atomic<bool> isEnd{false};
    std::thread saver([&] {
      for (; !isEnd; ++saved)
        save();
    });
    for (int turn = 0; turn < 50 || saved < 5; ++turn) {
      Result<void *> memory = device().memory().allocate(8 << 20);
      ASSERT_TRUE(memory.ok()) << memory.status().text();
      EXPECT_OK(stream->fill(*memory, turn + 1, 4, 8 << 20));
      stream->synchronize();
      EXPECT_OK(device().memory().free(*memory));
    }
    isEnd = true;
    saver.join();
  }
}

TEST_F(LossTest, KernelsThatPrint) {
  Steps one = makeSteps(1);
  auto *some = allocate<uint64_t>(blocks * threads);
  auto *counts = allocate<uint32_t>(blocks);
  save();
  launch(*stream, "countPrintf", false, some, &one, counts);
  stream->synchronize();
  lose();
  EXPECT_OK(stream->fill(some, 0, 4, 8));
  expectFault("kernel 'countPrintf' prints");
}

TEST_F(LossTest, NowhereToGo) {
  places = {"apart", "nothere"};
  begin();
  save();
  lose();
  expectFault("target 'nothere': not found");
}

TEST_F(LossTest, ADamagedFile) {
  begin();
  save();
  // In place: the runtime has the file open.
  FILE *file = fopen(path.c_str(), "r+");
  ASSERT_TRUE(file);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  for (long at = size / 2; at < size; at += 7) {
    fseek(file, at, SEEK_SET);
    fputc('!', file);
  }
  fclose(file);
  lose();
  expectFault("damaged");
}

} // namespace
