// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a process whose threads are in the driver: its objects are destroyed by
// exit(), but not while a call is under way, and none comes later.

#include "Eventually.h"
#include "SPIRVDeviceTest.h"

#include <future>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// Is older than the driver, and so destroyed after it.
struct Late {
  std::function<void()> work;
  ~Late() {
    if (work)
      work();
  }
};
Late late;

class SPIRVExitDeathTest : public SPIRVDeviceTest {
protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    SPIRVDeviceTest::SetUp();
    openDevice();
    load(makeArtifact("none"));
    run(shape()); // so that the driver has made its objects
  }

  /// Has the queue's thread in a call of the driver, in which it does `meanwhile`.
  void stayInDriver(std::function<void()> meanwhile) {
    static std::promise<void> begun;
    fake->finishes = [=] {
      begun.set_value();
      meanwhile();
    };
    const HetLaunch launch = shape();
    SPIRV_OK(abi->enqueueLaunch(queue, &launch, &status));
    begun.get_future().wait();
  }
};

TEST_F(SPIRVExitDeathTest, WaitsForTheCallUnderWay) {
  auto run = [&] {
    stayInDriver(het::test::letOthersRun);
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

/// Work that is given when drivers have ended does not reach them, and who waits for it
/// gets an answer.
TEST_F(SPIRVExitDeathTest, RefusesWhatComesLater) {
  auto run = [&] {
    late.work = [this] {
      const HetLaunch launch = shape();
      abi->enqueueLaunch(queue, &launch, &status);
      abi->synchronize(queue);
      if (fault() != HET_FAULT_LOST)
        std::_Exit(1);
    };
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

/// A child of fork() has none of the threads that it could wait for.
TEST_F(SPIRVExitDeathTest, AChildDoesNotWait) {
  auto run = [&] {
    static std::promise<void> goOn;
    stayInDriver([] { goOn.get_future().wait(); });
    const pid_t child = fork();
    if (child == 0)
      std::exit(7);
    int result = 0;
    EXPECT_EQ(waitpid(child, &result, 0), child);
    EXPECT_EQ(WEXITSTATUS(result), 7);
    goOn.set_value();
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

} // namespace
