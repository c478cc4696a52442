// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of the runtime: ended by several at once, as exit() does it.

#include "Eventually.h"
#include "Support.h"

#include "core/PeriodicThread.h"
#include "core/Worker.h"

#include <atomic>
#include <future>
#include <thread>

using namespace het;
using namespace het::core;

namespace {

/// Calls `stop` in two threads at once, while what they wait for is held up by `release`.
void stopTwice(const std::function<void()> &stop, std::promise<void> &release) {
  std::atomic<int> begun{0};
  auto call = [&] {
    ++begun;
    stop();
  };
  std::thread one(call), other(call);
  while (begun < 2)
    std::this_thread::yield();
  test::letOthersRun(); // so that both wait, most often
  release.set_value();
  one.join();
  other.join();
}

TEST(ThreadsTest, APeriodicThreadIsStoppedByTwoAtOnce) {
  for (int round = 0; round < 10; ++round) {
    PeriodicThread thread;
    std::promise<void> acts, release;
    EXPECT_OK(thread.start(std::chrono::milliseconds(1), [&] {
      acts.set_value();
      release.get_future().wait();
      return false;
    }));
    acts.get_future().wait();
    stopTwice([&] { thread.stop(std::chrono::seconds(60)); }, release);
    EXPECT_EQ(thread.stop(std::chrono::seconds(60)), PeriodicThread::End::NotRunning);
  }
}

void stopTheWorkerTwice() {
  std::promise<void> begins, release;
  ASSERT_TRUE(Worker::get().add(nullptr, [&] {
    begins.set_value();
    release.get_future().wait();
  }));
  begins.get_future().wait();
  stopTwice([] { Worker::get().stop(); }, release);
  std::exit(testing::Test::HasFailure());
}

TEST(ThreadsDeathTest, TheWorkerIsStoppedByTwoAtOnce) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(stopTheWorkerTwice(), testing::ExitedWithCode(0), "");
}

} // namespace
