// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support's queues and events: order, waits between queues, early destruction.

#include "Support/SoftwareQueue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <thread>

using namespace het::target;

namespace {

#define EXPECT_OK(...)                                                                   \
  do {                                                                                   \
    const het::Status status = (__VA_ARGS__);                                            \
    EXPECT_TRUE(status.ok()) << status.text();                                           \
  } while (false)

/// Holds a queue up until it is opened.
class Gate {
public:
  void hold(SoftwareQueue &queue) {
    EXPECT_OK(queue.push([this] {
      while (!isOpen)
        std::this_thread::yield();
    }));
  }
  void open() { isOpen = true; }

private:
  std::atomic<bool> isOpen{false};
};

TEST(SoftwareQueueTest, RunsInOrder) {
  SoftwareQueue queue;
  std::vector<int> seen;
  for (int i = 0; i < 1000; ++i)
    EXPECT_OK(queue.push([&seen, i] { seen.push_back(i); }));
  queue.synchronize();
  ASSERT_EQ(seen.size(), 1000u);
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(seen[i], i);
  EXPECT_TRUE(queue.isIdle());
}

TEST(SoftwareQueueTest, RunsBesideTheCaller) {
  SoftwareQueue queue;
  std::atomic<bool> go{false};
  EXPECT_OK(queue.push([&] {
    while (!go)
      std::this_thread::yield();
  }));
  EXPECT_FALSE(queue.isIdle());
  go = true;
  queue.synchronize();
  EXPECT_TRUE(queue.isIdle());
}

TEST(SoftwareQueueTest, DestructorRunsWhatIsLeft) {
  std::atomic<int> count{0};
  {
    SoftwareQueue queue;
    for (int i = 0; i < 100; ++i)
      EXPECT_OK(queue.push([&] { ++count; }));
  }
  EXPECT_EQ(count, 100);
}

TEST(SoftwareQueueTest, WaitsForAnotherQueue) {
  SoftwareQueue first, second;
  SoftwareEvent event;
  EXPECT_EQ(event.latest(), nullptr);
  std::atomic<bool> go{false};
  int value = 0, seen = -1;
  EXPECT_OK(first.push([&] {
    while (!go)
      std::this_thread::yield();
    value = 7;
  }));
  EXPECT_OK(first.signal(event));
  EXPECT_FALSE(event.latest()->isReached());
  EXPECT_EQ(event.latest()->time(), 0u);
  EXPECT_OK(second.wait(event));
  EXPECT_OK(second.push([&] { seen = value; }));
  go = true;
  second.synchronize();
  EXPECT_EQ(seen, 7);
  EXPECT_TRUE(event.latest()->isReached());
  EXPECT_NE(event.latest()->time(), 0u);
}

TEST(SoftwareQueueTest, WaitIsForTheSignalOfItsTime) {
  SoftwareQueue first, second;
  SoftwareEvent event;
  std::atomic<bool> go{false};
  EXPECT_OK(first.signal(event));
  EXPECT_OK(second.wait(event));
  EXPECT_OK(first.push([&] {
    while (!go)
      std::this_thread::yield();
  }));
  EXPECT_OK(first.signal(event)); // later than the wait: it must not hold it up
  second.synchronize();
  EXPECT_FALSE(event.latest()->isReached());
  go = true;
  event.latest()->wait();
  EXPECT_TRUE(event.latest()->isReached());
}

TEST(SoftwareQueueTest, QueuesThatWaitForEachOtherGoOn) {
  SoftwareQueue first, second;
  std::deque<SoftwareEvent> events;
  std::vector<int> seen; // guarded by the order itself
  for (int round = 0; round < 200; ++round) {
    SoftwareQueue &from = round % 2 ? second : first;
    SoftwareQueue &to = round % 2 ? first : second;
    events.emplace_back();
    EXPECT_OK(from.push([&seen, round] { seen.push_back(round); }));
    EXPECT_OK(from.signal(events.back()));
    EXPECT_OK(to.wait(events.back()));
  }
  first.synchronize();
  second.synchronize();
  ASSERT_EQ(seen.size(), 200u);
  for (int round = 0; round < 200; ++round)
    EXPECT_EQ(seen[round], round);
}

TEST(SoftwareQueueTest, ManyThreadsPush) {
  SoftwareQueue queue;
  int count = 0; // only the queue touches it
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 500; ++j)
        EXPECT_OK(queue.push([&] { ++count; }));
      queue.synchronize();
    });
  for (std::thread &thread : threads)
    thread.join();
  queue.synchronize();
  EXPECT_EQ(count, 2000);
}

TEST(SoftwareQueueTest, RecordsOfOneEventAreApart) {
  SoftwareQueue slow, fast, waiting;
  SoftwareEvent event;
  Gate gate;
  std::atomic<int> seen{0};
  gate.hold(slow);
  EXPECT_OK(slow.signal(event));
  EXPECT_OK(waiting.wait(event));
  EXPECT_OK(fast.signal(event));
  EXPECT_OK(waiting.wait(event));
  EXPECT_OK(waiting.push([&] { seen = 1; }));
  fast.synchronize();
  event.latest()->wait(); // the latest record is the fast queue's
  EXPECT_FALSE(waiting.isIdle());
  EXPECT_EQ(seen, 0); // the slow queue's is waited for all the same
  const uint64_t time = event.latest()->time();
  gate.open();
  waiting.synchronize();
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(event.latest()->time(), time); // it is not that of the older record
}

TEST(SoftwareQueueTest, SynchronizeReturnsWhileOthersPush) {
  std::atomic<bool> stop{false};
  std::function<void()> again;
  SoftwareQueue queue; // ends before what its tasks use
  // There is always a task more than there was.
  again = [&] {
    if (!stop)
      EXPECT_OK(queue.pushNow(again));
  };
  EXPECT_OK(queue.push(again));
  for (int i = 0; i < 100; ++i)
    queue.synchronize();
  EXPECT_FALSE(queue.isIdle());
  stop = true;
}

/// Of this process.
size_t threadCount() {
  size_t count = 0;
  for ([[maybe_unused]] const auto &task :
       std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

/// One stream's call may ask all others how far they are.
TEST(SoftwareQueueTest, IdleQueuesSignalWithoutThreads) {
  std::deque<SoftwareQueue> queues(100);
  SoftwareQueue waiting;
  const size_t before = threadCount();
  for (SoftwareQueue &queue : queues) {
    SoftwareEvent event;
    EXPECT_OK(queue.signal(event));
    EXPECT_TRUE(event.latest()->isReached());
    EXPECT_NE(event.latest()->time(), 0u);
    EXPECT_OK(waiting.wait(event));
  }
  EXPECT_EQ(threadCount(), before);
}

TEST(SoftwareQueueTest, AFullQueueHoldsThePusherUp) {
  SoftwareQueue queue;
  Gate gate;
  gate.hold(queue);
  std::atomic<size_t> pushed{0}, done{0};
  const size_t all = SoftwareQueue::maxWaiting + 1000;
  std::thread pusher([&] {
    for (size_t i = 0; i < all; ++i, ++pushed)
      EXPECT_OK(queue.push([&] { ++done; }));
  });
  while (pushed < SoftwareQueue::maxWaiting - 1)
    std::this_thread::yield();
  EXPECT_LE(pushed, SoftwareQueue::maxWaiting);
  EXPECT_EQ(done, 0u);
  gate.open();
  pusher.join();
  queue.synchronize();
  EXPECT_EQ(done, all);
}

TEST(SoftwareQueueTest, IdleQueuesNeedNoThread) {
  std::deque<SoftwareQueue> queues(100000);
  for (SoftwareQueue &queue : queues)
    EXPECT_TRUE(queue.isIdle());
}

} // namespace
