// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process with several devices: that there are others is in nobody's way, unless memory
// is used by two of them.

#include "LossTest.h"

#include "Mover.h"

using namespace het;
using namespace het::core;

namespace {

class LossPeersTest : public LossTest {
protected:
  void SetUp() override {
    LossTest::SetUp();
    Result<void *> memory = other().memory().allocate(4096);
    ASSERT_TRUE(memory.ok());
    others = static_cast<uint32_t *>(*memory);
    EXPECT_OK(other().defaultStream().fill(others, 5, 4, 4096));
    other().synchronize();
    some = allocate<uint32_t>(1024);
  }
  void TearDown() override {
    other().synchronize();
    EXPECT_OK(other().memory().free(others));
    LossTest::TearDown();
  }

  Device &other() { return runtime().device(1 - HET_TEST_DEVICE); }

  void expectGoesOn(const std::string &place = "host") {
    lose();
    EXPECT_OK(stream->fill(some + 1023, 0, 4, 4));
    stream->synchronize();
    EXPECT_EQ(migratable().active().name(), place) << device().fault().message;
  }
  void expectStays(const std::string &reason) {
    lose();
    EXPECT_OK(stream->fill(some, 0, 4, 4));
    expectFault(reason);
  }

  uint32_t *others = nullptr, *some = nullptr;
};

TEST_F(LossPeersTest, EachByItself) {
  save();
  EXPECT_OK(other().defaultStream().fill(others, 9, 4, 4096));
  launch(*stream, "chain", false, some);
  // Its events are waited for, and this one's.
  auto event = Event::create(other());
  auto own = Event::create(device());
  ASSERT_TRUE(event.ok() && own.ok());
  EXPECT_OK(other().defaultStream().record(**event));
  EXPECT_OK(stream->wait(**event));
  launch(*stream, "chain", false, some);
  EXPECT_OK(stream->record(**own));
  EXPECT_OK(other().defaultStream().wait(**own));
  other().synchronize();
  stream->synchronize();
  expectGoesOn();
  uint32_t seen[blocks] = {};
  EXPECT_OK(stream->copy(seen, some, sizeof(seen)));
  stream->synchronize();
  EXPECT_EQ(seen[blocks - 1], 2u);
}

TEST_F(LossPeersTest, ThroughAStreamOfTheOther) {
  uint32_t in[4] = {1, 2, 3, 4}, out[4] = {};
  save();
  // Of this device's memory alone: done again like its own.
  Stream &foreign = other().defaultStream();
  EXPECT_OK(foreign.copy(some, in, sizeof(in)));
  EXPECT_OK(foreign.fill(some + 4, 6, 4, 16));
  EXPECT_OK(foreign.copy(out, some + 2, sizeof(out)));
  foreign.synchronize();
  EXPECT_EQ(out[1], 4u);
  EXPECT_EQ(out[3], 6u);
  in[0] = 99;
  expectGoesOn();
  uint32_t seen[8] = {};
  EXPECT_OK(stream->copy(seen, some, sizeof(seen)));
  stream->synchronize();
  EXPECT_EQ(seen[0], 1u);
  EXPECT_EQ(seen[7], 6u);
}

TEST_F(LossPeersTest, AForeignStreamFindsItLost) {
  uint32_t out[4] = {};
  EXPECT_OK(stream->fill(some, 8, 4, 16));
  stream->synchronize();
  save();
  lose();
  EXPECT_OK(other().defaultStream().copy(out, some, sizeof(out)));
  other().synchronize();
  EXPECT_EQ(migratable().active().name(), "host");
  EXPECT_EQ(out[3], 8u);
}

TEST_F(LossPeersTest, AForeignStreamFindsItLostForGood) {
  uint32_t out[4] = {};
  save();
  EXPECT_OK(stream->copy(some, others, 16));
  stream->synchronize();
  lose();
  EXPECT_OK(other().defaultStream().copy(out, some, sizeof(out)));
  other().synchronize();
  EXPECT_EQ(other().faultKind(), HET_FAULT_LOST);
  EXPECT_NE(other().fault().message.find("a copy with a lost device"), std::string::npos)
      << other().fault().message;
  expectFault("a copy between its memory and that of host");
  EXPECT_OK(other().reset());
  Result<void *> memory = other().memory().allocate(4096);
  ASSERT_TRUE(memory.ok());
  others = static_cast<uint32_t *>(*memory);
}

TEST_F(LossPeersTest, CopiesBetweenThem) {
  save();
  EXPECT_OK(other().defaultStream().copy(others, some, 16));
  other().synchronize();
  expectStays("a copy between its memory and that of host");
}

TEST_F(LossPeersTest, CopiesBetweenThemBefore) {
  uint32_t seen[4] = {};
  EXPECT_OK(stream->copy(some, others, 16));
  stream->synchronize();
  save();
  places = {"apart#2"};
  expectGoesOn("apart#2");
  // On memory that only its backend reaches.
  EXPECT_FALSE(other().reaches(device()));
  const int before = apart().copies;
  EXPECT_OK(other().defaultStream().copy(others + 4, some, 8));
  other().synchronize();
  EXPECT_GT(apart().copies, before);
  EXPECT_OK(other().defaultStream().copy(seen, others + 3, 16));
  other().synchronize();
  EXPECT_EQ(seen[1], 5u);
}

TEST_F(LossPeersTest, CopiesBetweenMemoriesThatAreApart) {
  // One on `apart`, the other on a target whose memory nobody else reaches.
  MigratableDevice &movesOther = MigratableDevice::of(other());
  ASSERT_TRUE(movesOther.migration.moveTo("shadow").ok());
  uint32_t seen[1024] = {};
  EXPECT_OK(stream->fill(some, 7, 4, 4096));
  EXPECT_OK(stream->copy(some, others, 16));
  EXPECT_OK(stream->copy(others + 8, some + 2, 16));
  stream->synchronize();
  EXPECT_OK(other().defaultStream().copy(some + 512, others + 9, 16));
  other().synchronize();
  // One on the host, where a driver with memory of its own may know its addresses.
  EXPECT_TRUE(move("host").moved);
  EXPECT_FALSE(migratable().backends.shareHostMemory());
  EXPECT_OK(other().defaultStream().copyRows(some + 100, 8, others + 8, 8, 4, 2));
  EXPECT_OK(other().defaultStream().copy(seen, some, 4096));
  other().synchronize();
  EXPECT_EQ(other().faultKind(), HET_FAULT_NONE) << other().fault().message;
  EXPECT_EQ(seen[3], 5u);
  EXPECT_EQ(seen[4], 7u);
  const uint32_t brought[] = {5, 7, 7, 5};
  EXPECT_TRUE(std::equal(brought, brought + 4, seen + 512));
  EXPECT_EQ(seen[100], 5u);
  EXPECT_EQ(seen[102], 7u);
  EXPECT_TRUE(movesOther.migration.moveTo("host").ok());
}

TEST_F(LossPeersTest, AccessToTheOther) {
  EXPECT_FALSE(device().setAccess(other(), true)); // its memory is apart
  EXPECT_TRUE(move("host").moved);
  save();
  EXPECT_TRUE(device().setAccess(other(), true));
  EXPECT_EQ(migratable().loss.recoveryBlocker(),
            "since its last checkpoint: access between it and "
            "another device was enabled");
  expectRefusal("apart", "memory would have to be copied, and access between it and "
                         "another device is enabled");
  save();
  EXPECT_EQ(migratable().loss.recoveryBlocker(),
            "since its last checkpoint: access between it and "
            "another device is enabled");
  EXPECT_TRUE(device().setAccess(other(), false));
  EXPECT_NE(migratable().loss.recoveryBlocker(), "");
  save();
  EXPECT_EQ(migratable().loss.recoveryBlocker(), "");
  EXPECT_TRUE(move("apart").moved);
  expectGoesOn();
}

TEST_F(LossPeersTest, AKernelThatIsGivenMemoryOfTheOther) {
  save();
  EXPECT_OK(other().defaultStream().fill(others, 0, 4, 4096));
  other().synchronize();
  launch(*stream, "chain", false, others);
  stream->synchronize();
  expectStays("kernel 'chain' was given an address of memory of host");
}

TEST_F(LossPeersTest, ManagedMemoryOfTheOther) {
  Result<void *> managed = other().memory().allocate(64, true);
  ASSERT_TRUE(managed.ok());
  save();
  EXPECT_EQ(migratable().loss.recoveryBlocker(),
            "since its last checkpoint: managed memory is in use");
  EXPECT_OK(other().memory().free(*managed));
  save();
  EXPECT_EQ(migratable().loss.recoveryBlocker(), "");
  managed = other().memory().allocate(64, true);
  EXPECT_EQ(migratable().loss.recoveryBlocker(),
            "since its last checkpoint: managed memory was allocated");
  EXPECT_OK(other().memory().free(*managed));
  expectStays("managed memory was allocated");
}

TEST_F(LossPeersTest, PinnedByTheOther) {
  uint64_t pinned[64] = {};
  EXPECT_OK(other().pin(pinned, sizeof(pinned)));
  places = {"host"};
  save();
  launch(*stream, "chain", false, pinned);
  stream->synchronize();
  expectStays("kernel 'chain' was given an address of pinned memory");
  EXPECT_OK(other().unpin(pinned));
}

TEST_F(LossPeersTest, PinnedByTheOtherWhereItDoesNotReach) {
  uint64_t pinned[64] = {};
  EXPECT_TRUE(move("host").moved);
  EXPECT_OK(other().pin(pinned, sizeof(pinned), true));
  expectRefusal("apart", "it can not reach memory of the host that is pinned");
  EXPECT_TRUE(move("host#2").moved);
  EXPECT_OK(other().unpin(pinned));
  EXPECT_TRUE(move("apart").moved);
}

TEST_F(LossPeersTest, CopiesWhileItMoves) {
  uint32_t seen[1024] = {};
  {
    Mover mover(migratable(), {"host", "apart"});
    for (int turn = 0; (turn < 300 || mover.moves < 20) && !HasFailure(); ++turn) {
      EXPECT_OK(stream->copy(some, others, 4096));
      stream->synchronize();
      EXPECT_OK(other().defaultStream().copy(others, some, 4096));
      other().synchronize();
      launch(*stream, "chain", false, some);
      stream->synchronize();
      EXPECT_OK(stream->fill(some, 5, 4, 4096));
      stream->synchronize();
    }
  }
  EXPECT_OK(other().defaultStream().copy(seen, others, 4096));
  other().synchronize();
  for (uint32_t one : seen)
    EXPECT_EQ(one, 5u);
}

} // namespace
