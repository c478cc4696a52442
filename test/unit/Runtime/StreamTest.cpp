// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events: order within a stream, between streams, and what the
// legacy stream adds.

#include "Eventually.h"
#include "NoThreads.h"
#include "Support.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace het;
using namespace het::core;
using het::test::eventually;
using het::test::letOthersRun;

namespace {

/// Holds a stream up until it is opened; may go before the stream.
class Gate {
public:
  void hold(Stream &stream) {
    EXPECT_OK(stream.call([isOpen = isOpen] {
      while (!*isOpen)
        std::this_thread::yield();
    }));
  }
  void open() { *isOpen = true; }

private:
  std::shared_ptr<std::atomic<bool>> isOpen = std::make_shared<std::atomic<bool>>(false);
};

/// Whether a stream comes to its end, though another is held up.
bool ends(Stream &stream) {
  return eventually([&] { return stream.isIdle(); });
}

const auto nothing = [] {};

/// Whether a stream still waits, after its device has done much for another one.
bool waits(Stream &stream) {
  std::shared_ptr<Stream> other =
      makeStream(StreamKind::NonBlocking, stream.device().index());
  for (int i = 0; i < 20; ++i)
    EXPECT_OK(other->call(nothing));
  other->synchronize();
  letOthersRun();
  return !stream.isIdle();
}

TEST(StreamTest, CopiesAndFillsInOrder) {
  Device &device = runtime().device(firstHost);
  Result<void *> memory = device.memory().allocate(16);
  ASSERT_TRUE(memory.ok());
  std::shared_ptr<Stream> stream = makeStream();
  const int in[] = {1, 2, 3, 4};
  int out[4] = {};
  EXPECT_OK(stream->copy(*memory, in, sizeof(in)));
  EXPECT_OK(stream->fill(static_cast<int *>(*memory) + 2, 9, 4, 4));
  EXPECT_OK(stream->copy(out, *memory, sizeof(out)));
  stream->synchronize();
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[1], 2);
  EXPECT_EQ(out[2], 9);
  EXPECT_EQ(out[3], 4);
  EXPECT_OK(device.memory().free(*memory));
}

TEST(StreamTest, RunsBesideTheCaller) {
  std::shared_ptr<Stream> stream = makeStream();
  Gate gate;
  gate.hold(*stream);
  EXPECT_FALSE(stream->isIdle());
  gate.open();
  stream->synchronize();
  EXPECT_TRUE(stream->isIdle());
}

TEST(StreamTest, BlockingStreamsAreIndependentOfEachOther) {
  std::shared_ptr<Stream> held = makeStream(), other = makeStream();
  Gate gate;
  gate.hold(*held);
  EXPECT_OK(other->call(nothing));
  EXPECT_TRUE(ends(*other));
  gate.open();
}

TEST(StreamTest, LegacyWaitsForBlockingStreams) {
  std::shared_ptr<Stream> blocking = makeStream();
  Stream &legacy = runtime().device(firstHost).defaultStream();
  Gate gate;
  gate.hold(*blocking);
  std::atomic<bool> done{false};
  EXPECT_OK(legacy.call([&] { done = true; }));
  EXPECT_TRUE(waits(legacy));
  EXPECT_FALSE(done);
  gate.open();
  legacy.synchronize();
  EXPECT_TRUE(done);
}

TEST(StreamTest, LegacyIsNotDoneBeforeBlockingStreamsWhereThereIsNoThread) {
  Device &device = runtime().device(secondHost);
  EXPECT_OK(device.reset()); // its legacy stream has no thread
  Result<std::shared_ptr<Stream>> blocking = Stream::create(device, StreamKind::Blocking);
  ASSERT_TRUE(blocking.ok());
  Gate gate;
  gate.hold(**blocking);
  std::atomic<bool> done{false}, waits{false};
  EXPECT_OK((*blocking)->call([&] { done = true; }));
  std::thread opener([&] {
    while (!waits)
      std::this_thread::yield();
    for (int turn = 0; turn < 1000; ++turn) // no thread can be made to give turns to
      std::this_thread::yield();
    gate.open();
  });
  {
    NoThreads none;
    EXPECT_FALSE(device.defaultStream().isIdle());
    waits = true;
    device.defaultStream().synchronize();
    EXPECT_TRUE(done);
    EXPECT_TRUE(device.defaultStream().isIdle());
  }
  opener.join();
  (*blocking)->synchronize();
}

TEST(StreamTest, BlockingStreamsWaitForLegacy) {
  std::shared_ptr<Stream> blocking = makeStream();
  Stream &legacy = runtime().device(firstHost).defaultStream();
  Gate gate;
  gate.hold(legacy);
  std::atomic<bool> done{false};
  EXPECT_OK(blocking->call([&] { done = true; }));
  EXPECT_TRUE(waits(*blocking));
  EXPECT_FALSE(done);
  gate.open();
  blocking->synchronize();
  EXPECT_TRUE(done);
}

TEST(StreamTest, NonBlockingStreamsTakeNoPart) {
  std::shared_ptr<Stream> free = makeStream(StreamKind::NonBlocking);
  Stream &legacy = runtime().device(firstHost).defaultStream();
  Gate holdsLegacy, holdsFree;
  holdsLegacy.hold(legacy);
  EXPECT_OK(free->call(nothing));
  EXPECT_TRUE(ends(*free));
  holdsFree.hold(*free);
  holdsLegacy.open();
  EXPECT_TRUE(ends(legacy));
  holdsFree.open();
}

TEST(StreamTest, DevicesAreIndependent) {
  Stream &first = runtime().device(firstHost).defaultStream();
  Stream &second = runtime().device(secondHost).defaultStream();
  Gate gate;
  gate.hold(first);
  EXPECT_OK(second.call(nothing));
  EXPECT_TRUE(ends(second));
  gate.open();
  first.synchronize();
}

TEST(EventTest, IsDoneUntilItIsRecorded) {
  std::shared_ptr<Event> event = makeEvent();
  EXPECT_TRUE(event->isDone());
  event->wait();
  EXPECT_OK(makeStream()->wait(*event));
}

TEST(EventTest, OrdersStreams) {
  std::shared_ptr<Stream> first = makeStream(), second = makeStream();
  std::shared_ptr<Event> event = makeEvent();
  Gate gate;
  int value = 0, seen = 0;
  gate.hold(*first);
  EXPECT_OK(first->call([&] { value = 5; }));
  EXPECT_OK(first->record(*event));
  EXPECT_OK(second->wait(*event));
  EXPECT_OK(second->call([&] { seen = value; }));
  EXPECT_FALSE(event->isDone());
  EXPECT_TRUE(waits(*second));
  gate.open();
  second->synchronize();
  EXPECT_EQ(seen, 5);
  EXPECT_TRUE(event->isDone());
}

TEST(EventTest, OrdersDevicesAndTargets) {
  for (int device : {int(secondHost), int(nullDevice)}) {
    std::shared_ptr<Stream> first = makeStream();
    std::shared_ptr<Stream> second = makeStream(StreamKind::Blocking, device);
    std::shared_ptr<Event> event = makeEvent();
    Gate gate;
    gate.hold(*first);
    EXPECT_OK(first->record(*event));
    EXPECT_OK(second->wait(*event));
    EXPECT_OK(second->call(nothing));
    EXPECT_TRUE(waits(*second));
    gate.open();
    second->synchronize();
    EXPECT_TRUE(event->isDone());
  }
}

TEST(EventTest, RecordsAreApart) {
  // A wait is for the record before it, also when the event is recorded elsewhere then.
  for (int device : {int(firstHost), int(secondHost), int(nullDevice)}) {
    std::shared_ptr<Stream> slow = makeStream(StreamKind::NonBlocking);
    std::shared_ptr<Stream> fast = makeStream(StreamKind::NonBlocking);
    std::shared_ptr<Stream> waiting = makeStream(StreamKind::NonBlocking, device);
    std::shared_ptr<Event> event = makeEvent();
    Gate gate;
    gate.hold(*slow);
    EXPECT_OK(slow->record(*event));
    EXPECT_OK(waiting->wait(*event));
    EXPECT_OK(fast->record(*event));
    EXPECT_OK(waiting->wait(*event));
    fast->synchronize();
    EXPECT_TRUE(event->isDone());
    EXPECT_TRUE(waits(*waiting));
    event.reset(); // the wait stays
    gate.open();
    waiting->synchronize();
  }
}

TEST(EventTest, ALateOlderRecordChangesNoTime) {
  std::shared_ptr<Stream> slow = makeStream(StreamKind::NonBlocking);
  std::shared_ptr<Stream> fast = makeStream(StreamKind::NonBlocking);
  std::shared_ptr<Event> start = makeEvent(), event = makeEvent();
  Gate gate;
  EXPECT_OK(fast->record(*start));
  gate.hold(*slow);
  EXPECT_OK(slow->record(*event));
  EXPECT_OK(fast->record(*event));
  event->wait();
  const Result<int64_t> before = event->since(*start);
  gate.open();
  slow->synchronize();
  const Result<int64_t> after = event->since(*start);
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_EQ(*before, *after);
}

TEST(EventTest, TimesAreOfTheWorkBetween) {
  // not timed: what the host measures within is less, and what it measures around more
  using Clock = std::chrono::steady_clock;
  std::shared_ptr<Stream> stream = makeStream();
  std::shared_ptr<Event> start = makeEvent(), end = makeEvent();
  Clock::time_point first, last;
  Gate gate;
  const Clock::time_point before = Clock::now();
  EXPECT_OK(stream->record(*start));
  EXPECT_OK(stream->call([&] { first = Clock::now(); }));
  gate.hold(*stream);
  EXPECT_OK(stream->call([&] { last = Clock::now(); }));
  EXPECT_OK(stream->record(*end));
  letOthersRun(); // takes some time
  gate.open();
  end->wait();
  const Clock::time_point after = Clock::now();
  const Result<int64_t> between = end->since(*start);
  ASSERT_TRUE(between.ok());
  const int64_t inside = std::chrono::nanoseconds(last - first).count();
  const int64_t around = std::chrono::nanoseconds(after - before).count();
  EXPECT_LE(inside, *between);
  EXPECT_LE(*between, around);
}

TEST(EventTest, MayGoBeforeItIsReached) {
  std::shared_ptr<Stream> stream = makeStream();
  Gate gate;
  gate.hold(*stream);
  EXPECT_OK(stream->record(*makeEvent()));
  gate.open();
  stream->synchronize();
}

TEST(StreamTest, RetiredStreamsFinishTheirWork) {
  Stream &legacy = runtime().device(firstHost).defaultStream();
  std::shared_ptr<Stream> stream = makeStream();
  std::atomic<int> done{0};
  Gate gate;
  gate.hold(*stream);
  EXPECT_OK(stream->call([&] { ++done; }));
  Stream::retire(std::move(stream)); // returns, though the work has not ended
  EXPECT_EQ(done, 0);
  EXPECT_OK(legacy.call([&] { done = done == 1 ? 2 : -1; })); // comes after it
  gate.open();
  runtime().device(firstHost).synchronize();
  EXPECT_EQ(done, 2);
}

TEST(StreamTest, StreamsGoWhileTheDeviceIsWaitedFor) {
  std::atomic<bool> stop{false};
  std::thread waiter([&] {
    while (!stop)
      runtime().device(firstHost).synchronize();
  });
  std::atomic<int> done{0};
  const int rounds = 500;
  for (int round = 0; round < rounds; ++round) {
    std::shared_ptr<Stream> stream = makeStream();
    EXPECT_OK(stream->call([&] { ++done; }));
    if (round % 2)
      Stream::retire(std::move(stream));
  }
  stop = true;
  waiter.join();
  runtime().device(firstHost).synchronize();
  EXPECT_EQ(done, rounds);
}

TEST(StreamTest, TheLegacyStreamMissesNoWork) {
  // Work that another thread is about to give may come before or after the legacy
  // stream's; what it has given before comes before.
  Stream &legacy = runtime().device(firstHost).defaultStream();
  std::shared_ptr<Stream> blocking = makeStream();
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) {
      EXPECT_OK(legacy.call(nothing));
      std::this_thread::yield();
    }
  });
  int wrong = 0;
  for (int round = 0; round < 2000; ++round) {
    auto isDone = std::make_shared<std::atomic<bool>>(false);
    EXPECT_OK(blocking->call([isDone] {
      std::this_thread::yield();
      *isDone = true;
    }));
    EXPECT_OK(legacy.call([&wrong, isDone] { wrong += !*isDone; }));
  }
  stop = true;
  other.join();
  legacy.synchronize();
  EXPECT_EQ(wrong, 0);
}

TEST(DeviceTest, SynchronizeWaitsForAllStreams) {
  std::shared_ptr<Stream> one = makeStream();
  std::shared_ptr<Stream> two = makeStream(StreamKind::NonBlocking);
  std::atomic<int> done{0};
  Gate gate;
  for (Stream *stream : {one.get(), two.get()}) {
    gate.hold(*stream);
    EXPECT_OK(stream->call([&] { ++done; }));
  }
  std::thread opener([&] {
    letOthersRun();
    gate.open();
  });
  runtime().device(firstHost).synchronize();
  EXPECT_EQ(done, 2);
  opener.join();
}

TEST(DeviceTest, ManyThreadsGiveWork) {
  std::shared_ptr<Stream> shared = makeStream();
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index)
    threads.emplace_back([&] {
      std::shared_ptr<Stream> own = makeStream();
      Stream &legacy = runtime().device(firstHost).defaultStream();
      for (int step = 0; step < 50; ++step)
        for (Stream *stream : {own.get(), &legacy, shared.get()})
          EXPECT_OK(stream->call([&] { ++done; }));
      own->synchronize();
    });
  for (std::thread &thread : threads)
    thread.join();
  runtime().device(firstHost).synchronize();
  EXPECT_EQ(done, 4 * 50 * 3);
}

} // namespace
