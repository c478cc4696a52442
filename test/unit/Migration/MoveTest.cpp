// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving a device while it works: between backends that share the host's memory, and to
// one and from one whose memory is its own.

#include "Eventually.h"
#include "MigrationTest.h"
#include "Mover.h"

using namespace het;
using namespace het::core;

namespace {

class MoveTest : public MigrationTest,
                 public testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(MoveTest, KernelsEndAsIfNothingHadBeen) {
  constexpr uint32_t turns = 2, count = 40, times = 2;
  const std::vector<uint64_t> expected = expectedOf(count);
  auto *begun = allocate<uint32_t>(blocks);
  auto *out = allocate<uint64_t>(blocks * threads);
  std::vector<uint64_t> result(expected.size());
  Mover mover(migratable(), GetParam());
  auto stream = makeStream();
  for (uint32_t turn = 0; turn < turns; ++turn) {
    Steps steps = makeSteps(count, count / times); // no block ends without moves
    EXPECT_OK(stream->fill(begun, 0, 4, blocks * sizeof(uint32_t)));
    EXPECT_OK(stream->fill(out, 0, 4, expected.size() * sizeof(uint64_t)));
    launch(*stream, "count", false, out, &steps, begun);
    EXPECT_OK(stream->copy(result.data(), out, result.size() * sizeof(uint64_t)));
    stream->synchronize();
    ASSERT_EQ(result, expected);
    std::vector<uint32_t> timesBegun(blocks);
    EXPECT_OK(stream->copy(timesBegun.data(), begun, blocks * sizeof(uint32_t)));
    stream->synchronize();
    ASSERT_EQ(timesBegun, std::vector<uint32_t>(blocks, 1));
  }
  mover.stop();
  EXPECT_GE(mover.parked, turns * times * blocks);
}

TEST_P(MoveTest, GridBarriersHold) {
  constexpr uint32_t turns = 2, count = 8, times = 4;
  auto *out = allocate<uint64_t>(blocks * threads);
  auto *arrived = allocate<uint32_t>(count);
  auto *wrong = allocate<uint32_t>(1);
  Mover mover(migratable(), GetParam());
  auto stream = makeStream();
  for (uint32_t turn = 0; turn < turns; ++turn) {
    Steps rounds = makeSteps(count, count * stepsOfARound / times);
    EXPECT_OK(stream->fill(arrived, 0, 4, count * sizeof(uint32_t)));
    launch(*stream, "meet", true, out, &rounds, arrived, wrong);
    stream->synchronize();
  }
  mover.stop();
  EXPECT_GE(mover.parked, turns * times * blocks);
  uint32_t wrongs = 1;
  EXPECT_OK(stream->copy(&wrongs, wrong, sizeof(wrongs)));
  stream->synchronize();
  EXPECT_EQ(wrongs, 0u);
}

TEST_P(MoveTest, StreamsKeepTheirOrder) {
  // Each launch adds one to all of `ready` in a chain over the blocks; the copy behind
  // each must see it, and the event of one stream holds the other back.
  auto *ready = allocate<uint32_t>(blocks);
  auto first = makeStream(StreamKind::NonBlocking);
  auto second = makeStream(StreamKind::NonBlocking);
  auto event = Event::create(device());
  ASSERT_TRUE(event.ok());
  Mover mover(migratable(), GetParam());
  for (uint32_t turn = 1; turn <= 12; ++turn) {
    std::vector<uint32_t> seen(blocks), later(blocks);
    EXPECT_OK(first->fill(ready, 0, 4, blocks * sizeof(uint32_t)));
    launch(*first, "chain", false, ready);
    EXPECT_OK(first->copy(seen.data(), ready, blocks * sizeof(uint32_t)));
    EXPECT_OK(first->record(**event));
    EXPECT_OK(second->wait(**event));
    EXPECT_OK(second->copy(later.data(), ready, blocks * sizeof(uint32_t)));
    bool called = false;
    EXPECT_OK(second->call([&] { called = seen == later; }));
    second->synchronize();
    EXPECT_EQ(seen, std::vector<uint32_t>(blocks, 1));
    EXPECT_TRUE(called);
    EXPECT_TRUE((*event)->isDone());
  }
}

TEST_P(MoveTest, ManyLaunchesInARow) {
  // They are given to the device together; none may begin before the one in front ends.
  auto *ready = allocate<uint32_t>(blocks);
  auto stream = makeStream();
  Mover mover(migratable(), GetParam());
  for (int turn = 0; turn < 100; ++turn)
    launch(*stream, "chain", false, ready);
  std::vector<uint32_t> seen(blocks);
  EXPECT_OK(stream->copy(seen.data(), ready, blocks * sizeof(uint32_t)));
  stream->synchronize();
  EXPECT_EQ(seen, std::vector<uint32_t>(blocks, 100));
}

TEST_P(MoveTest, MemoryComesAndGoesMeanwhile) {
  Mover mover(migratable(), GetParam());
  auto stream = makeStream(StreamKind::NonBlocking);
  for (int turn = 0; turn < 200; ++turn) {
    const size_t size = turn % 3 ? 5000 : size_t(3) << 20;
    Result<void *> memory = device().memory().allocate(size);
    ASSERT_TRUE(memory.ok()) << memory.status().text();
    std::vector<uint8_t> in(size, uint8_t(turn)), out(size);
    EXPECT_OK(stream->copy(*memory, in.data(), size));
    EXPECT_OK(stream->copy(out.data(), *memory, size));
    stream->synchronize();
    ASSERT_EQ(in, out);
    EXPECT_OK(device().memory().free(*memory));
  }
}

INSTANTIATE_TEST_SUITE_P(Places, MoveTest,
                         testing::Values(std::vector<std::string>{"host#2", "host"},
                                         std::vector<std::string>{"apart", "host"},
                                         std::vector<std::string>{"apart", "apart#2",
                                                                  "host#2"}),
                         [](const auto &info) {
                           std::string name;
                           for (const std::string &place : info.param)
                             for (char c : place)
                               if (isalnum(c))
                                 name += c;
                           return name;
                         });

TEST_F(MigrationTest, TheProgramSeesTheHome) {
  const std::string arch = device().properties().arch;
  EXPECT_TRUE(move("apart").moved);
  EXPECT_EQ(device().properties().arch, arch);
  EXPECT_TRUE(device().properties().sharesHostMemory);
  EXPECT_EQ(device().name(), "host");
}

TEST_F(MigrationTest, MemoryIsCopiedOnlyWhereItMust) {
  allocate<int>(1 << 20);
  EXPECT_EQ(move("host#2").copiedBytes, 0u);
  const MoveReport report = move("apart");
  EXPECT_GE(report.copiedBytes, uint64_t(4) << 20);
  EXPECT_EQ(report.from, "host#2");
  EXPECT_EQ(report.to, "apart");
  EXPECT_FALSE(move("apart").moved);
}

TEST_F(MigrationTest, HostMemoryIsPinnedWhereItGoes) {
  std::vector<char> memory(1 << 16);
  const int before = apart().pins;
  EXPECT_OK(device().pin(memory.data(), memory.size()));
  EXPECT_EQ(apart().pins, before + 1);
  EXPECT_OK(device().unpin(memory.data()));
  EXPECT_EQ(apart().pins, before);
}

TEST_F(MigrationTest, AResetBringsItHome) {
  move("host#2");
  device().synchronize();
  module.reset();
  EXPECT_OK(device().reset());
  EXPECT_EQ(&migratable().active(), &device().primary());
  SetUp(); // its kernels are loaded anew
  move("host#2");
  EXPECT_EQ(expectedOf(3).size(), blocks * threads);
}

TEST_F(MigrationTest, APausedDeviceStands) {
  auto *ready = allocate<uint32_t>(blocks);
  EXPECT_OK(migratable().pause());
  EXPECT_FALSE(migratable().pause().ok());
  EXPECT_FALSE(migratable().migration.moveTo("host#2").ok());
  auto stream = makeStream();
  auto event = Event::create(device());
  EXPECT_OK(stream->fill(ready, 1, 4, sizeof(uint32_t)));
  EXPECT_OK(stream->record(**event));
  test::letOthersRun();
  EXPECT_FALSE((*event)->isDone());
  EXPECT_OK(migratable().resume());
  EXPECT_FALSE(migratable().resume().ok());
  stream->synchronize();
  EXPECT_TRUE((*event)->isDone());
}

} // namespace
