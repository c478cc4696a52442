// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches and what they leave; order between queues; events.

#include "SPIRVDeviceTest.h"

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class SPIRVQueueTest : public SPIRVDeviceTest {
protected:
  void SetUp() override {
    SPIRVDeviceTest::SetUp();
    openDevice();
  }
};

TEST_F(SPIRVQueueTest, ArgumentsAreCopiedAtTheLaunch) {
  load(makeArtifact("store"));
  uint32_t word = 0;
  struct {
    uint64_t address;
    uint32_t value;
  } arguments = {reinterpret_cast<uint64_t>(&word), 42};
  HetLaunch launch = shape(3, 64);
  launch.arguments = &arguments;
  launch.argumentBytes = 12;
  SPIRV_OK(abi->enqueueLaunch(queue, &launch, &status));
  arguments = {0, 0};
  abi->synchronize(queue);
  EXPECT_EQ(word, 42u);
  // 100 static bytes, padded, and the block's scratch.
  EXPECT_THAT(fake->launches, ElementsAre("store 192/64 384"));
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("clSetKernelArgMemPointerINTEL", "clSetKernelArg",
                          "clEnqueueNDRangeKernel", "clFinish"));
}

TEST_F(SPIRVQueueTest, SplitTeamsHaveScratchForEachThread) {
  load(makeArtifact("none", HET_SPIRV_FLAT | HET_SPIRV_SPLIT));
  HetLaunch launch = shape(1, 33);
  launch.block[1] = 2;
  launch.dynamicSharedBytes = 10;
  run(launch);
  // 128 + 10 padded, 128, and 96 times 8.
  EXPECT_THAT(fake->launches, ElementsAre("none 66/66 1280"));
}

TEST_F(SPIRVQueueTest, Output) {
  load(makeArtifact("print"));
  testing::internal::CaptureStdout();
  run(shape());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello\n");
}

TEST_F(SPIRVQueueTest, AssertionsAreTold) {
  load(makeArtifact("assert"));
  testing::internal::CaptureStderr();
  run(shape());
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("f.cu:7: kernel"));
  EXPECT_EQ(fault(), HET_FAULT_ASSERT);
}

/// As CUDA's errors of a context: the first one stays, and nothing runs any more.
TEST_F(SPIRVQueueTest, AFaultStays) {
  load(makeArtifact("trap"));
  EXPECT_EQ(fault(), HET_FAULT_NONE);
  run(shape());
  EXPECT_EQ(fault(), HET_FAULT_TRAP);
  EXPECT_THAT(message(), HasSubstr("kernel 'kernel' trapped"));
  run(shape());
  EXPECT_EQ(fake->launches.size(), 1u);
}

TEST_F(SPIRVQueueTest, BlocksGoOnUntilTheyEnd) {
  load(makeArtifact("turns", HET_SPIRV_SEGMENTED));
  run(shape(5));
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
  EXPECT_THAT(fake->launches, ElementsAre("turns 5/1 0", "turns 5/1 0", "turns 5/1 0"));
}

TEST_F(SPIRVQueueTest, BlocksThatWaitForEverAreAFault) {
  load(makeArtifact("stuck", HET_SPIRV_SEGMENTED));
  run(shape(2));
  EXPECT_EQ(fault(), HET_FAULT_DEADLOCK);
  EXPECT_THAT(message(), HasSubstr("wait for threads that never come"));
}

TEST_F(SPIRVQueueTest, GridBarriersNeedACooperativeLaunch) {
  load(makeArtifact("meet", HET_SPIRV_SEGMENTED));
  HetLaunch launch = shape(4);
  launch.cooperative = 1;
  run(launch);
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
  EXPECT_THAT(fake->launches, ElementsAre("meet 4/1 0", "meet 4/1 0"));
  run(shape(4));
  EXPECT_EQ(fault(), HET_FAULT_TRAP);
}

TEST_F(SPIRVQueueTest, ShapesAreChecked) {
  load(makeArtifact("none"));
  HetLaunch launch = shape(1, 513);
  EXPECT_EQ(abi->enqueueLaunch(queue, &launch, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("513 threads a block, expected at most 512"));
  launch = shape();
  launch.dynamicSharedBytes = 64 << 10;
  EXPECT_EQ(abi->enqueueLaunch(queue, &launch, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("bytes of shared memory"));
}

TEST_F(SPIRVQueueTest, EventsOrderQueues) {
  HetQueue *other = nullptr;
  HetEvent *event = nullptr;
  SPIRV_OK(abi->createQueue(device, &other, &status));
  SPIRV_OK(abi->createEvent(device, &event, &status));
  std::string order;
  auto first = [](void *data) { static_cast<std::string *>(data)->append("a"); };
  auto second = [](void *data) { static_cast<std::string *>(data)->append("b"); };
  SPIRV_OK(abi->enqueueCall(queue, first, &order, &status));
  SPIRV_OK(abi->enqueueSignal(queue, event, &status));
  SPIRV_OK(abi->enqueueWait(other, event, &status));
  SPIRV_OK(abi->enqueueCall(other, second, &order, &status));
  abi->synchronize(other);
  EXPECT_EQ(order, "ab");
  EXPECT_TRUE(abi->isEventDone(event));
  abi->synchronize(queue); // it may still be at the end of its signal
  EXPECT_TRUE(abi->isIdle(queue));
  int64_t nanoseconds = -1;
  SPIRV_OK(abi->eventElapsed(event, event, &nanoseconds, &status));
  EXPECT_EQ(nanoseconds, 0);
  abi->destroyEvent(event);
  abi->destroyQueue(other);
}

TEST_F(SPIRVQueueTest, FillsAndCopies) {
  uint32_t words[4] = {}, copy[4] = {};
  auto at = [](void *memory) { return reinterpret_cast<uint64_t>(memory); };
  SPIRV_OK(abi->enqueueFill(queue, at(words), 0x1234, 2, 8, &status));
  SPIRV_OK(abi->enqueueFill(queue, at(words + 2), 0xAB, 1, 4, &status));
  SPIRV_OK(abi->enqueueFill(queue, at(words + 3), 7, 4, 4, &status));
  SPIRV_OK(abi->enqueueCopy(queue, at(copy), at(words), 16, &status));
  abi->synchronize(queue);
  EXPECT_THAT(copy, ElementsAre(0x12341234, 0x12341234, 0xABABABABu, 7));
}

} // namespace
