// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches and what they leave, and the end of a device.

#include "LevelZeroTest.h"

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr uint32_t deviceLost = 0x70000001;

class LevelZeroQueueTest : public LevelZeroTest {
protected:
  void SetUp() override {
    LevelZeroTest::SetUp();
    openDevice();
    map();
  }
  /// A launch whose first argument is the beginning of the window.
  HetLaunch store(uint32_t value, uint32_t blocks = 1) {
    arguments.value = value;
    HetLaunch launch = shape(blocks, 64);
    launch.arguments = &arguments;
    launch.argumentBytes = 12;
    return launch;
  }
  void failNext(const std::string &function, uint32_t result) {
    // Each function's place among the calls of a launch.
    const std::vector<std::string> calls = {
        "zeKernelSetGroupSize", "zeKernelSetArgumentValue", "zeKernelSetArgumentValue",
        "zeCommandListAppendLaunchKernel", "zeCommandListHostSynchronize"};
    const auto place = std::find(calls.begin(), calls.end(), function);
    ASSERT_NE(place, calls.end());
    fake->failingCall = fake->callCount + 1 + (place - calls.begin());
    fake->result = result;
  }

  struct {
    uint64_t address = zeWindow;
    uint32_t value = 0;
  } arguments;
};

TEST_F(LevelZeroQueueTest, ArgumentsAreCopiedAtTheLaunch) {
  load(makeArtifact("store"));
  HetLaunch launch = store(42, 3);
  SPIRV_OK(abi->enqueueLaunch(queue, &launch, &status));
  arguments = {0, 0};
  abi->synchronize(queue);
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
  EXPECT_EQ(word(zeWindow), 42u);
  // 100 static bytes, padded, and the block's scratch.
  EXPECT_THAT(fake->launches, ElementsAre("store 3/64 384"));
}

/// The first launch makes what later ones use.
TEST_F(LevelZeroQueueTest, LaunchesAllocateNothing) {
  load(makeArtifact("store"));
  run(store(1));
  fake->takeCalls();
  run(store(2));
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("zeKernelSetGroupSize", "zeKernelSetArgumentValue",
                          "zeKernelSetArgumentValue", "zeCommandListAppendLaunchKernel",
                          "zeCommandListHostSynchronize"));
  EXPECT_EQ(word(zeWindow), 2u);
}

TEST_F(LevelZeroQueueTest, ManyArgumentsGetMoreRoom) {
  load(makeArtifact("store"));
  run(store(1));
  std::vector<uint8_t> many(4096);
  std::memcpy(many.data(), &arguments, 12);
  many[8] = 9;
  HetLaunch launch = shape();
  launch.arguments = many.data();
  launch.argumentBytes = many.size();
  run(launch);
  EXPECT_EQ(word(zeWindow), 9u);
}

TEST_F(LevelZeroQueueTest, VariablesAreTold) {
  load(makeArtifact("first", 0, 2), {0x123456789, 7});
  run(store(0));
  EXPECT_EQ(word(zeWindow), 0x23456789u);
  EXPECT_EQ(word(zeWindow + 4), 1u);
}

TEST_F(LevelZeroQueueTest, TheLockOfWideAtomicsIsOfTheDevice) {
  load(makeArtifact("lock"));
  for (uint32_t time : {1, 2}) {
    run(store(0));
    EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
    EXPECT_EQ(word(zeWindow), time);
  }
}

TEST_F(LevelZeroQueueTest, SplitTeamsHaveScratchForEachThread) {
  load(makeArtifact("none", HET_SPIRV_FLAT | HET_SPIRV_SPLIT));
  HetLaunch launch = shape(1, 33);
  launch.block[1] = 2;
  launch.dynamicSharedBytes = 10;
  run(launch);
  // 128 + 10 padded, 128, and 96 times 8.
  EXPECT_THAT(fake->launches, ElementsAre("none 1/66 1280"));
}

TEST_F(LevelZeroQueueTest, Output) {
  load(makeArtifact("print"));
  testing::internal::CaptureStdout();
  run(shape());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello\n");
}

TEST_F(LevelZeroQueueTest, OutputThatDoesNotFitIsLost) {
  SPIRV_OK(abi->setLimit(device, HET_LIMIT_PRINTF_BUFFER, 8, &status));
  load(makeArtifact("print"));
  testing::internal::CaptureStdout();
  run(shape());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
}

TEST_F(LevelZeroQueueTest, AssertionsAreTold) {
  load(makeArtifact("assert"));
  testing::internal::CaptureStderr();
  run(shape());
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("f.cu:7: kernel"));
  EXPECT_EQ(fault(), HET_FAULT_ASSERT);
}

/// Shared memory may be away while a kernel runs, and the host must not touch it then.
TEST_F(LevelZeroQueueTest, TheClockNeedsMemoryThatTheHostReaches) {
  auto runClock = [&](uint32_t host, uint32_t shared) {
    for (auto [address, size] : maps)
      EXPECT_EQ(abi->unmapMemory(device, address, size, &status), HET_OK);
    maps.clear();
    closeAll();
    fake->hostMemory = host;
    fake->sharedMemory = shared;
    openDevice();
    load(makeArtifact("none", HET_SPIRV_CLOCK));
    run(shape());
    return fault();
  };
  EXPECT_EQ(runClock(3, 3), HET_FAULT_NONE);
  EXPECT_EQ(runClock(1, 7), HET_FAULT_NONE);
  EXPECT_EQ(runClock(1, 3), HET_FAULT_UNSUPPORTED);
  EXPECT_THAT(message(), HasSubstr("kernel 'kernel' reads the clock"));
}

TEST_F(LevelZeroQueueTest, BlocksGoOnUntilTheyEnd) {
  load(makeArtifact("turns", HET_SPIRV_SEGMENTED));
  run(shape(5));
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
  EXPECT_THAT(fake->launches, ElementsAre("turns 5/1 0", "turns 5/1 0", "turns 5/1 0"));
}

TEST_F(LevelZeroQueueTest, GridBarriers) {
  load(makeArtifact("meet", HET_SPIRV_SEGMENTED));
  HetLaunch launch = shape(4);
  launch.cooperative = 1;
  run(launch);
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
  EXPECT_THAT(fake->launches, ElementsAre("meet 4/1 0", "meet 4/1 0"));
}

/// As CUDA's errors of a context: it stays, nothing runs any more, and all can be given
/// back.
TEST_F(LevelZeroQueueTest, ALostDeviceStaysLost) {
  load(makeArtifact("store"));
  run(store(1));
  failNext("zeCommandListHostSynchronize", deviceLost);
  run(store(2));
  EXPECT_EQ(fault(), HET_FAULT_LOST);
  EXPECT_THAT(message(), AllOf(HasSubstr("kernel 'kernel': zeCommandListHostSynchronize"),
                               HasSubstr("ZE_RESULT_ERROR_DEVICE_LOST")));
  fake->takeCalls();
  run(store(3));
  SPIRV_OK(abi->enqueueFill(queue, zeWindow, 7, 4, 4, &status));
  SPIRV_OK(abi->enqueueCopy(queue, zeWindow, zeWindow + 64, 4, &status));
  abi->synchronize(queue);
  EXPECT_THAT(fake->takeCalls(), ElementsAre());
  EXPECT_EQ(word(zeWindow), 1u);
  EXPECT_EQ(fault(), HET_FAULT_LOST);
}

/// Whoever hears of it first.
TEST_F(LevelZeroQueueTest, AnAllocationMayFindTheDeviceLost) {
  fake->failingCall = fake->callCount + 1;
  fake->result = deviceLost;
  uint64_t address = 0;
  EXPECT_EQ(abi->allocateManaged(device, 64, &address, &status), HET_UNAVAILABLE);
  EXPECT_EQ(fault(), HET_FAULT_LOST);
  EXPECT_THAT(message(), HasSubstr("managed memory of 64 bytes"));
}

/// A lost device takes memory back without a complaint.
TEST_F(LevelZeroQueueTest, ALostDevicesMemoryIsGone) {
  fake->failingCall = fake->callCount + 1;
  fake->result = deviceLost;
  SPIRV_OK(abi->unmapMemory(device, zeWindow, zeGranule, &status));
  maps.clear();
  load(makeArtifact("none"));
  run(shape());
  EXPECT_TRUE(fake->launches.empty());
}

TEST_F(LevelZeroQueueTest, AnyErrorOfALaunchIsAFault) {
  load(makeArtifact("store"));
  run(store(1));
  failNext("zeKernelSetGroupSize", 0x78000013);
  run(store(2));
  EXPECT_EQ(fault(), HET_FAULT_LOST);
  EXPECT_THAT(message(),
              AllOf(HasSubstr("kernel 'kernel': zeKernelSetGroupSize: a group of an "
                              "unsupported size"),
                    HasSubstr("ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION")));
}

TEST_F(LevelZeroQueueTest, QueuesShareAKernel) {
  load(makeArtifact("store"));
  HetQueue *other = nullptr;
  SPIRV_OK(abi->createQueue(device, &other, &status));
  for (uint32_t i = 0; i < 50; ++i) {
    HetLaunch launch = store(i);
    SPIRV_OK(abi->enqueueLaunch(i % 2 ? queue : other, &launch, &status));
  }
  abi->synchronize(other);
  abi->synchronize(queue);
  EXPECT_EQ(fake->launches.size(), 50u);
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
  abi->destroyQueue(other);
}

} // namespace
