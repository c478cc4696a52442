// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support's queues and events: order, waits between queues, early destruction.

#include "Support/SoftwareQueue.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace het::target;

namespace {

TEST(SoftwareQueueTest, RunsInOrder) {
  SoftwareQueue queue;
  std::vector<int> seen;
  for (int i = 0; i < 1000; ++i)
    queue.push([&seen, i] { seen.push_back(i); });
  queue.synchronize();
  ASSERT_EQ(seen.size(), 1000u);
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(seen[i], i);
  EXPECT_TRUE(queue.isIdle());
}

TEST(SoftwareQueueTest, RunsBesideTheCaller) {
  SoftwareQueue queue;
  std::atomic<bool> go{false};
  queue.push([&] {
    while (!go)
      std::this_thread::yield();
  });
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
      queue.push([&] { ++count; });
  }
  EXPECT_EQ(count, 100);
}

TEST(SoftwareQueueTest, WaitsForAnotherQueue) {
  SoftwareQueue first, second;
  auto event = std::make_shared<EventState>();
  EXPECT_TRUE(event->isDone());
  EXPECT_EQ(event->time(), 0u);
  std::atomic<bool> go{false};
  int value = 0, seen = -1;
  first.push([&] {
    while (!go)
      std::this_thread::yield();
    value = 7;
  });
  first.signal(event);
  EXPECT_FALSE(event->isDone());
  second.wait(event);
  second.push([&] { seen = value; });
  go = true;
  second.synchronize();
  EXPECT_EQ(seen, 7);
  EXPECT_TRUE(event->isDone());
  EXPECT_NE(event->time(), 0u);
}

TEST(SoftwareQueueTest, WaitIsForTheSignalOfItsTime) {
  SoftwareQueue first, second;
  auto event = std::make_shared<EventState>();
  std::atomic<bool> go{false};
  first.signal(event);
  second.wait(event);
  first.push([&] {
    while (!go)
      std::this_thread::yield();
  });
  first.signal(event); // later than the wait: it must not hold it up
  second.synchronize();
  EXPECT_FALSE(event->isDone());
  go = true;
  event->waitLatest();
  EXPECT_TRUE(event->isDone());
}

TEST(SoftwareQueueTest, QueuesThatWaitForEachOtherGoOn) {
  SoftwareQueue first, second;
  std::vector<std::shared_ptr<EventState>> events;
  std::vector<int> seen; // guarded by the order itself
  for (int round = 0; round < 200; ++round) {
    SoftwareQueue &from = round % 2 ? second : first;
    SoftwareQueue &to = round % 2 ? first : second;
    events.push_back(std::make_shared<EventState>());
    from.push([&seen, round] { seen.push_back(round); });
    from.signal(events.back());
    to.wait(events.back());
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
        queue.push([&] { ++count; });
      queue.synchronize();
    });
  for (std::thread &thread : threads)
    thread.join();
  queue.synchronize();
  EXPECT_EQ(count, 2000);
}

} // namespace
