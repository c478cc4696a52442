// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that parkable code does not take are given plain code, and a move waits for
// them.

#include "MigrationTest.h"

#include <thread>

using namespace het;
using namespace het::core;

namespace {

class UnparkableTest : public MigrationTest {
protected:
  void SetUp() override {
    MigrationTest::SetUp();
    stream = makeStream();
    mark = allocate<int>(1);
    apart().plainLaunches = 0;
  }
  void TearDown() override {
    stream.reset();
    MigrationTest::TearDown();
  }

  /// `store` with more threads than a launch of MigrationTest's has.
  void store() {
    LaunchShape shape;
    shape.block[0] = 2 * threads;
    EXPECT_OK(stream->launch(kernel("store"), shape, &mark, sizeof(mark)));
  }
  int marked() {
    int seen = 0;
    EXPECT_OK(stream->copy(&seen, mark, sizeof(seen)));
    stream->synchronize();
    return seen;
  }

  std::shared_ptr<Stream> stream;
  int *mark = nullptr;
};

TEST_F(UnparkableTest, LaunchesThatAreTooLarge) {
  move("apart");
  apart().parkableThreads = threads;
  store();
  EXPECT_EQ(marked(), 1);
  EXPECT_EQ(apart().plainLaunches, 1);
  EXPECT_TRUE(move("host").moved);
  EXPECT_EQ(*mark, 1);
}

TEST_F(UnparkableTest, TheyBeginBehindLaunchesThatPark) {
  Steps steps = makeSteps(20, 10);
  const std::vector<uint64_t> expected = expectedOf(steps.count);
  auto *out = allocate<uint64_t>(blocks * threads);
  auto *begun = allocate<uint32_t>(blocks);
  move("apart");
  apart().parkableThreads = threads;
  launch(*stream, "count", false, out, &steps, begun);
  store();
  EXPECT_TRUE(move("apart#2").moved);
  EXPECT_EQ(apart().plainLaunches, 0);
  __atomic_store_n(&steps.released, 1, __ATOMIC_SEQ_CST);
  std::vector<uint64_t> result(blocks * threads);
  EXPECT_OK(stream->copy(result.data(), out, result.size() * sizeof(uint64_t)));
  EXPECT_EQ(marked(), 1);
  EXPECT_EQ(result, expected);
  EXPECT_EQ(apart().plainLaunches, 1);
}

TEST_F(UnparkableTest, BlocksThatHaveBegunStay) {
  Steps steps = makeSteps(20, 1);
  const std::vector<uint64_t> expected = expectedOf(steps.count);
  auto *out = allocate<uint64_t>(blocks * threads);
  auto *begun = allocate<uint32_t>(blocks);
  apart().parkableThreads = threads - 1;
  launch(*stream, "count", false, out, &steps, begun);
  while (!__atomic_load_n(begun, __ATOMIC_RELAXED)) // on the host
    std::this_thread::yield();
  expectRefusal("apart", "too many threads for parkable code");
  __atomic_store_n(&steps.released, 1, __ATOMIC_SEQ_CST);
  std::vector<uint64_t> result(blocks * threads);
  EXPECT_OK(stream->copy(result.data(), out, result.size() * sizeof(uint64_t)));
  stream->synchronize();
  EXPECT_EQ(result, expected);
}

TEST_F(UnparkableTest, CodeThatDoesNotLoad) {
  apart().loadsParkable = false;
  EXPECT_TRUE(move("apart").moved);
  store();
  EXPECT_EQ(marked(), 1);
  EXPECT_EQ(apart().plainLaunches, 1);
}

TEST_F(UnparkableTest, WithoutPlainCodeTheLaunchFails) {
  move("apart");
  apart().parkableThreads = 1;
  Result<HetArtifact *> plain = MigratableCode::of(kernel("countHeap"))
                                    .plainOn(migratable().active(), "too many threads");
  ASSERT_FALSE(plain.ok());
  EXPECT_NE(plain.status().text().find("too many threads"), std::string::npos);
}

} // namespace
