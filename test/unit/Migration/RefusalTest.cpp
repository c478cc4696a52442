// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can not be moved is refused, says why, and goes on where it is. So does what
// fails on the way.

#include "Eventually.h"
#include "MigrationTest.h"

#include <thread>

using namespace het;
using namespace het::core;

namespace {

class RefusalTest : public MigrationTest {
protected:
  void TearDown() override {
    __atomic_store_n(&steps.released, 1, __ATOMIC_SEQ_CST);
    stream.reset();
    MigrationTest::TearDown();
  }

  /// A kernel that has begun, and does not end before end().
  void begin() {
    expected = expectedOf(steps.count);
    out = allocate<uint64_t>(blocks * threads);
    begun = allocate<uint32_t>(blocks);
    stream = makeStream();
    launch(*stream, "count", false, out, &steps, begun);
    while (!__atomic_load_n(begun, __ATOMIC_RELAXED))
      std::this_thread::yield();
  }

  /// It ends as it must, each block begun once.
  void end() {
    __atomic_store_n(&steps.released, 1, __ATOMIC_SEQ_CST);
    std::vector<uint64_t> result(blocks * threads);
    std::vector<uint32_t> times(blocks);
    EXPECT_OK(stream->copy(result.data(), out, result.size() * sizeof(uint64_t)));
    EXPECT_OK(stream->copy(times.data(), begun, blocks * sizeof(uint32_t)));
    stream->synchronize();
    EXPECT_EQ(result, expected);
    EXPECT_EQ(times, std::vector<uint32_t>(blocks, 1));
  }

  Steps steps = makeSteps(100, 1);
  std::vector<uint64_t> expected;
  uint64_t *out = nullptr;
  uint32_t *begun = nullptr;
  std::shared_ptr<Stream> stream;
};

TEST_F(RefusalTest, WhatIsNotHere) {
  begin();
  expectRefusal("nothere", "target 'nothere': not found");
  expectRefusal("Host!", "found 'Host!'");
  end();
}

TEST_F(RefusalTest, WhatCanNotPark) {
  begin();
  expectRefusal("null", "null can not park kernels");
  end();
}

TEST_F(RefusalTest, AnotherLayout) {
  apart().layoutChange = 1;
  begin();
  expectRefusal("apart", "kernel 'count' is under way, and blocks parked on host have "
                         "another layout there");
  end();
  // With nothing under way there is nothing that it could be wrong for.
  EXPECT_TRUE(move("apart").moved);
}

TEST_F(RefusalTest, BlocksThatFindNoPlace) {
  apart().places = 0;
  begin();
  expectRefusal("apart", "blocks, of which 0 fit");
  end();
  apart().places = 64;
  EXPECT_TRUE(move("apart").moved);
}

TEST_F(RefusalTest, ManagedMemory) {
  Result<void *> managed = device().memory().allocate(100, true);
  ASSERT_TRUE(managed.ok());
  begin();
  expectRefusal("apart", "managed memory is in use");
  EXPECT_TRUE(move("host#2").moved);
  end();
  EXPECT_OK(device().memory().free(*managed));
}

TEST_F(RefusalTest, PinnedMemory) {
  std::vector<char> memory(100);
  apart().pinsFail = true;
  EXPECT_OK(device().pin(memory.data(), memory.size())); // the program's device can
  expectRefusal("apart", "it can not reach memory of the host that is pinned");
  EXPECT_TRUE(move("host#2").moved);
  EXPECT_OK(device().unpin(memory.data()));
  EXPECT_TRUE(move("apart").moved);
}

TEST_F(RefusalTest, NoMemoryThere) {
  allocate<char>(3 << 20); // three ranges in all: two of their own, one of small ones
  allocate<char>(3 << 20);
  begin();
  for (int maps = 0; maps < 3; ++maps) {
    apart().mapsUntilFailure = maps;
    expectRefusal("apart", "there is no memory left");
  }
  end();
}

TEST_F(RefusalTest, CopiesThatFail) {
  begin();
  apart().copiesUntilFailure = 0;
  expectRefusal("apart", "the copy fails");
  end();
}

TEST_F(RefusalTest, CopiesThatFailOnTheWayBack) {
  begin();
  EXPECT_TRUE(move("apart").moved);
  apart().copiesUntilFailure = 0;
  expectRefusal("host", "the copy fails");
  apart().copiesUntilFailure = -1;
  end();
}

TEST_F(RefusalTest, BlocksThatAreTooLarge) {
  apart().sharedBytes = 100;
  begin();
  expectRefusal("apart#3", "blocks of kernel 'count' have 132 bytes of shared memory, "
                           "apart#3 takes no more than 100");
  end();
  EXPECT_TRUE(move("apart#3").moved);
  // What is launched there goes back with the device.
  EXPECT_EQ(expectedOf(steps.count), expected);
  EXPECT_EQ(&migratable().active(), &device().primary());
  apart().sharedBytes = 227 << 10;
}

TEST_F(RefusalTest, BlocksThatAreTooLargeWaitWhileItIsPaused) {
  apart().sharedBytes = 100;
  begin();
  end();
  EXPECT_TRUE(move("apart#4").moved);
  EXPECT_OK(migratable().pause());
  std::thread resumer([&] {
    test::letOthersRun(); // the launch comes first, most often
    EXPECT_OK(migratable().resume());
  });
  EXPECT_EQ(expectedOf(steps.count), expected);
  resumer.join();
  EXPECT_EQ(&migratable().active(), &device().primary());
  apart().sharedBytes = 227 << 10;
}

TEST_F(RefusalTest, Limits) {
  apart().limitsFail = true;
  EXPECT_OK(device().setLimit(HET_LIMIT_STACK, 16 << 10));
  expectRefusal("apart", "too much");
  // Which lasts until the device is reset.
  apart().limitsFail = false;
  expectRefusal("apart", "too much");
  module.reset();
  EXPECT_OK(device().reset());
  SetUp();
  EXPECT_TRUE(move("apart").moved);
}

} // namespace
