// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches are taken to be short, and how many of them are under way.

#include "MigrationTest.h"
#include "migration/CodeTiers.h"
#include "migration/InFlightThrottle.h"
#include "migration/LaunchTimer.h"

#include <cstring>

using namespace het::core;
using het::Bytes;
using std::chrono::microseconds;

namespace {

class ShortLaunchesTest : public MigrationTest {
protected:
  static constexpr microseconds brief{20}, lengthy{5000};

  void SetUp() override {
    MigrationTest::SetUp();
    launches = MigratableCode::of(kernel("count")).tiers();
    ASSERT_TRUE(launches);
  }

  /// Arguments as of `count`, with a number in the last one's place.
  Bytes argumentsWith(uint64_t number) {
    const uint64_t words[] = {0x100000001000, 0x100000002000, number};
    Bytes packed(sizeof(words));
    std::memcpy(packed.data(), words, sizeof(words));
    return packed;
  }
  CodeTiers::Choice choose(uint64_t number) {
    return launches->choose(migratable().active(), shape, argumentsWith(number));
  }
  void note(uint64_t number, CodeTiers::Time time) {
    launches->noteTime(choose(number), time);
  }

  CodeTiers *launches = nullptr;
  LaunchShape shape;
};

TEST_F(ShortLaunchesTest, TwoOfAKindAreTimed) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(choose(1).isTimed);
    EXPECT_EQ(choose(1).expected, CodeTiers::Time(0));
    note(1, brief * (i + 1));
  }
  EXPECT_FALSE(choose(1).isTimed);
  EXPECT_EQ(choose(1).expected, brief * 2);
  EXPECT_TRUE(choose(2).isTimed); // of another kind
  shape.grid[0] = 7;
  EXPECT_TRUE(choose(1).isTimed);
  shape.grid[0] = 1;
  shape.block[0] = 9;
  EXPECT_TRUE(choose(1).isTimed); // of another group
}

TEST_F(ShortLaunchesTest, AddressesMakeNoKind) {
  shape.block[0] = 2;
  note(0x100000003000, brief);
  note(0x100000004000, brief);
  EXPECT_FALSE(choose(0x100000005000).isTimed);
}

TEST_F(ShortLaunchesTest, KindsThatComeAreAsThoseBefore) {
  shape.block[0] = 3;
  shape.grid[0] = 5;
  for (uint64_t kind = 1; kind <= 8; ++kind)
    note(kind, brief);
  EXPECT_EQ(choose(101).expected, brief);
  EXPECT_FALSE(choose(102).isTimed);
  shape.grid[0] = 4;
  EXPECT_EQ(choose(103).expected, brief);
  shape.grid[0] = 6; // nobody knows of so many blocks
  EXPECT_EQ(choose(104).expected, CodeTiers::Time(0));
  shape.grid[0] = 5;
  note(105, lengthy); // nor of others now
  unsigned timed = 0;
  for (uint64_t kind = 200; kind < 264; ++kind) {
    const CodeTiers::Choice choice = choose(kind);
    EXPECT_EQ(choice.code, CodeTiers::Code::Parkable);
    timed += choice.isTimed;
  }
  EXPECT_EQ(timed, 4u);
}

TEST_F(ShortLaunchesTest, CooperativeOnesAreNot) {
  shape.cooperative = true;
  EXPECT_FALSE(choose(1).isTimed);
  shape.cooperative = false;
}

TEST_F(ShortLaunchesTest, AFeedHoldsTwoPortions) {
  Backend &backend = migratable().active();
  HetQueue *queue = nullptr;
  HetStatus status = {};
  ASSERT_EQ(backend.abi().createQueue(backend.handle(), &queue, &status), HET_OK);
  {
    InFlightThrottle feed(backend, queue, microseconds(100));
    EXPECT_EQ(feed.makeRoom(microseconds(900)), 0u); // one has always room
    feed.add(microseconds(900));
    EXPECT_EQ(feed.makeRoom(microseconds(20)), 0u); // the second portion begins
    feed.add(microseconds(20));
    EXPECT_EQ(feed.makeRoom(microseconds(30)), 0u);
    feed.add(microseconds(30));
    EXPECT_EQ(feed.makeRoom(microseconds(20)), 1u); // the first one has ended
    feed.add(microseconds(20));
    EXPECT_EQ(feed.makeRoom(microseconds(40)), 2u);
    feed.clear();
    EXPECT_EQ(feed.makeRoom(microseconds(40)), 0u);
  }
  backend.abi().destroyQueue(queue);
}

TEST_F(ShortLaunchesTest, ATimerTellsOfThoseThatHaveEnded) {
  Backend &backend = migratable().active();
  HetQueue *queue = nullptr;
  HetStatus status = {};
  ASSERT_EQ(backend.abi().createQueue(backend.handle(), &queue, &status), HET_OK);
  shape.block[0] = 4;
  {
    LaunchTimer timer(backend, queue);
    EXPECT_TRUE(timer.isIdle());
    for (int i = 0; i < 3; ++i) {
      const CodeTiers::Choice choice = choose(1);
      EXPECT_EQ(choice.isTimed, i < 2);
      ASSERT_TRUE(timer.begin());
      if (i < 2)
        timer.end(*launches, choice);
      backend.abi().synchronize(queue);
      timer.tell(1);
    }
    EXPECT_TRUE(timer.isIdle());
    EXPECT_TRUE(choose(1).isShort);
    ASSERT_TRUE(timer.begin());
    timer.end(*launches, choose(2));
    timer.forget();
    EXPECT_TRUE(timer.isIdle());
    EXPECT_FALSE(choose(2).isShort);
  }
  backend.abi().destroyQueue(queue);
}

} // namespace
