// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: which signals they are done by, and what waits for what.

#include "Contract.h"

namespace het::contract {
namespace {

class Events : public DeviceTest {
protected:
  void signal(HetQueue *queue, HetEvent *event) {
    CONTRACT_OK(abi->enqueueSignal(queue, event, &status));
  }
  void wait(HetQueue *queue, HetEvent *event) {
    CONTRACT_OK(abi->enqueueWait(queue, event, &status));
  }
  /// Sets a variable, in its turn.
  void set(HetQueue *queue, bool &flag) {
    CONTRACT_OK(abi->enqueueCall(
        queue, [](void *data) { *static_cast<bool *>(data) = true; }, &flag, &status));
  }
};

TEST_F(Events, AreDoneBeforeTheyAreSignalled) {
  HetEvent *event = newEvent();
  EXPECT_EQ(abi->isEventDone(event), 1);
  abi->waitEvent(event);
  wait(queue, event); // for nothing
  abi->synchronize(queue);
}

TEST_F(Events, AreDoneWhenTheirSignalIsReached) {
  HetEvent *event = newEvent();
  bool before = false;
  Gate &gate = close(queue);
  set(queue, before);
  signal(queue, event);
  EXPECT_EQ(abi->isEventDone(event), 0);
  gate.open();
  abi->waitEvent(event);
  EXPECT_TRUE(before);
  EXPECT_EQ(abi->isEventDone(event), 1);
}

TEST_F(Events, AreWaitedForByOtherQueues) {
  HetEvent *event = newEvent();
  HetQueue *other = newQueue();
  bool first = false, second = false;
  static bool seen;
  static bool *firstFlag;
  seen = false;
  firstFlag = &first;
  Gate &gate = close(queue);
  set(queue, first);
  signal(queue, event);
  wait(other, event);
  CONTRACT_OK(
      abi->enqueueCall(other, [](void *) { seen = *firstFlag; }, nullptr, &status));
  set(other, second);
  EXPECT_EQ(abi->isIdle(other), 0);
  gate.open();
  abi->synchronize(other);
  EXPECT_TRUE(seen);
  EXPECT_TRUE(second);
}

TEST_F(Events, OrderCopiesOfTwoQueues) {
  const uint64_t memory = allocate(1 << 20);
  HetEvent *event = newEvent();
  HetQueue *other = newQueue();
  std::vector<uint32_t> out(1 << 18);
  for (uint32_t round = 1; round <= 5; ++round) {
    CONTRACT_OK(abi->enqueueFill(queue, memory, round, 4, 1 << 20, &status));
    signal(queue, event);
    wait(other, event);
    copy(other, reinterpret_cast<uint64_t>(out.data()), memory, 1 << 20);
    signal(other, event);
    wait(queue, event); // before the next fill
    abi->synchronize(other);
    EXPECT_EQ(out, std::vector<uint32_t>(1 << 18, round));
  }
}

TEST_F(Events, LaterSignalsDelayNoWait) {
  HetEvent *event = newEvent();
  HetQueue *other = newQueue();
  signal(queue, event);
  wait(other, event);
  Gate &gate = close(queue);
  signal(queue, event); // after the wait
  bool passed = false;
  set(other, passed);
  abi->synchronize(other);
  EXPECT_TRUE(passed);
  EXPECT_EQ(abi->isEventDone(event), 0);
  gate.open();
  abi->waitEvent(event);
}

TEST_F(Events, AreDoneWhenTheirLatestSignalIs) {
  HetEvent *event = newEvent();
  HetQueue *other = newQueue();
  Gate &gate = close(queue);
  signal(queue, event);
  EXPECT_EQ(abi->isEventDone(event), 0);
  signal(other, event);
  abi->synchronize(other);
  EXPECT_EQ(abi->isEventDone(event), 1);
  abi->waitEvent(event);
  gate.open();
  abi->synchronize(queue);
}

TEST_F(Events, MayGoBeforeTheirSignalsAreReached) {
  HetEvent *event = nullptr;
  CONTRACT_OK(abi->createEvent(device, &event, &status));
  HetQueue *other = newQueue();
  bool first = false, second = false;
  Gate &gate = close(queue);
  set(queue, first);
  signal(queue, event);
  wait(other, event);
  set(other, second);
  abi->destroyEvent(event);
  gate.open();
  abi->synchronize(queue);
  abi->synchronize(other);
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
}

TEST_F(Events, SayHowLongItTook) {
  HetEvent *from = newEvent(), *to = newEvent();
  signal(queue, from);
  signal(queue, to);
  abi->synchronize(queue);
  int64_t forth = -1, back = 1, none = -1;
  CONTRACT_OK(abi->eventElapsed(from, to, &forth, &status));
  CONTRACT_OK(abi->eventElapsed(to, from, &back, &status));
  CONTRACT_OK(abi->eventElapsed(from, from, &none, &status));
  EXPECT_GE(forth, 0);
  EXPECT_EQ(back, -forth);
  EXPECT_EQ(none, 0);
}

} // namespace
} // namespace het::contract
