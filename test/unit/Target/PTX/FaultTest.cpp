// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults: how they are found, that all goes on, that the GPU can be opened anew.

#include "PTXDeviceTest.h"

#include <atomic>
#include <thread>

using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class PTXFaultTest : public PTXDeviceTest {
protected:
  void SetUp() override {
    PTXDeviceTest::SetUp();
    fake->deviceCount = 2;
    openDevice();
  }

  void reopen() {
    while (!artifacts.empty())
      unload(artifacts.back());
    abi->destroyEvent(event);
    abi->destroyQueue(queue);
    abi->close(device);
    openDevice();
  }
};

TEST_F(PTXFaultTest, Kinds) {
  const std::pair<CUresult, int32_t> kinds[] = {
      {CUDA_ERROR_ASSERT, HET_FAULT_ASSERT},
      {CUDA_ERROR_LAUNCH_FAILED, HET_FAULT_TRAP},
      {CUDA_ERROR_ILLEGAL_INSTRUCTION, HET_FAULT_ILLEGAL_INSTRUCTION},
      {CUDA_ERROR_ILLEGAL_ADDRESS, HET_FAULT_ILLEGAL_ADDRESS},
      {CUDA_ERROR_MISALIGNED_ADDRESS, HET_FAULT_MISALIGNED_ADDRESS},
      {CUDA_ERROR_LAUNCH_TIMEOUT, HET_FAULT_DEADLOCK},
      {CUDA_ERROR_ECC_UNCORRECTABLE, HET_FAULT_LOST},
      {CUDA_ERROR_UNKNOWN, HET_FAULT_LOST}};
  for (auto [result, kind] : kinds) {
    die(result);
    EXPECT_EQ(abi->fault(device, &status), HET_FAULT_NONE);
    EXPECT_EQ(message(), "");
    abi->synchronize(queue);
    EXPECT_EQ(abi->fault(device, nullptr), kind);
    EXPECT_EQ(abi->fault(device, &status), kind);
    EXPECT_THAT(message(), HasSubstr("device 0 (Fake GPU): something went wrong"));
    EXPECT_THAT(message(), HasSubstr("the latest of the queue is kernel 'die'"));
    reopen();
    EXPECT_EQ(abi->fault(device, &status), HET_FAULT_NONE);
  }
}

TEST_F(PTXFaultTest, FoundByWhateverComesFirst) {
  HetArtifact *none = nullptr;
  auto findIn = [&](auto look) {
    loadKernel("none", none);
    die(CUDA_ERROR_ILLEGAL_ADDRESS);
    fake->runAll();
    EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_NONE);
    look();
    EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_ILLEGAL_ADDRESS);
    reopen();
  };
  int a = 1, b = 2;
  findIn([&] { EXPECT_TRUE(abi->isIdle(queue)); });
  findIn([&] { EXPECT_TRUE(abi->isEventDone(event)); });
  findIn([&] { abi->waitEvent(event); });
  findIn(
      [&] { PTX_OK(abi->enqueueCopy(queue, addressOf(&a), addressOf(&b), 4, &status)); });
  findIn([&] { PTX_OK(abi->enqueueSignal(queue, event, &status)); });
  findIn([&] { PTX_OK(abi->enqueueWait(queue, event, &status)); });
  findIn([&] {
    HetLaunch launch = shape(none);
    PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  });
  findIn([&] {
    HetLaunch launch = shape(none);
    launch.dynamicSharedBytes = 100 << 10;
    PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  });
}

TEST_F(PTXFaultTest, WorkIsTakenAndWaitsReturn) {
  HetArtifact *artifact = nullptr;
  loadKernel("none", artifact);
  die(CUDA_ERROR_ILLEGAL_ADDRESS);
  abi->synchronize(queue);
  fake->takeCalls();
  int a = 1, b = 2;
  HetLaunch launch = shape(artifact);
  launch.dynamicSharedBytes = 100 << 10;
  PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  PTX_OK(abi->enqueueCopy(queue, addressOf(&b), addressOf(&a), 4, &status));
  PTX_OK(abi->enqueueFill(queue, addressOf(&b), 1, 4, 4, &status));
  PTX_OK(abi->enqueueCopyRows(queue, addressOf(&b), 2, addressOf(&a), 2, 1, 2, &status));
  PTX_OK(abi->enqueueCall(queue, [](void *) {}, nullptr, &status));
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  PTX_OK(abi->enqueueWait(queue, event, &status));
  abi->synchronize(queue);
  abi->waitEvent(event);
  EXPECT_TRUE(abi->isEventDone(event));
  EXPECT_TRUE(abi->isIdle(queue));
  EXPECT_THAT(fake->takeCalls(), IsEmpty()); // the driver is left in peace
}

TEST_F(PTXFaultTest, TheFirstStays) {
  die(CUDA_ERROR_ASSERT);
  abi->synchronize(queue);
  fake->failures["cuMemAllocManaged"] = {1, CUDA_ERROR_ILLEGAL_ADDRESS};
  uint64_t address = 0;
  EXPECT_EQ(abi->allocateManaged(device, 64, &address, &status), HET_UNAVAILABLE);
  EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_ASSERT);
}

TEST_F(PTXFaultTest, OtherDevicesGoOn) {
  PTX_NEEDS_WINDOW();
  HetDevice *other = nullptr;
  HetQueue *otherQueue = nullptr;
  PTX_OK(abi->open(1, &other, &status));
  PTX_OK(abi->createQueue(other, &otherQueue, &status));
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  die(CUDA_ERROR_LAUNCH_FAILED);
  fake->runAll();
  // Nobody knows yet: the other device's queue meets it first.
  PTX_OK(abi->enqueueWait(otherQueue, event, &status));
  EXPECT_EQ(abi->fault(other, nullptr), HET_FAULT_NONE);
  EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_TRAP);
  PTX_OK(abi->enqueueWait(otherQueue, event, &status));
  int a = 1, b = 2;
  PTX_OK(abi->enqueueCopy(otherQueue, addressOf(&b), addressOf(&a), 4, &status));
  abi->synchronize(otherQueue);
  EXPECT_EQ(b, 1);
  EXPECT_EQ(abi->fault(other, nullptr), HET_FAULT_NONE);
  // Memory of the other is not offered to the dead one.
  PTX_OK(abi->mapMemory(other, otherWindow, granule, &status));
  EXPECT_THAT(fake->reaching(otherWindow), testing::ElementsAre(11));
  PTX_OK(abi->unmapMemory(other, otherWindow, granule, &status));
  abi->destroyQueue(otherQueue);
  abi->close(other);
}

TEST_F(PTXFaultTest, MemoryIsGivenBack) {
  PTX_NEEDS_WINDOW();
  for (bool keeps : {false, true}) {
    fake->deadKeepsMemory = keeps;
    std::vector<char> pinned(64);
    uint64_t managed = 0;
    PTX_OK(abi->mapMemory(device, windowAddress, granule, &status));
    PTX_OK(abi->mapMemory(device, windowAddress + granule, granule, &status));
    PTX_OK(abi->allocateManaged(device, 64, &managed, &status));
    PTX_OK(abi->pinMemory(device, addressOf(pinned.data()), 64, &status));
    die(CUDA_ERROR_ILLEGAL_ADDRESS);
    abi->synchronize(queue);
    PTX_OK(abi->unmapMemory(device, windowAddress, granule, &status));
    PTX_OK(abi->unmapMemory(device, windowAddress + granule, granule, &status));
    PTX_OK(abi->freeManaged(device, managed, &status));
    PTX_OK(abi->unpinMemory(device, addressOf(pinned.data()), &status));
    reopen();
    PTX_OK(abi->mapMemory(device, windowAddress, 2 * granule, &status));
    PTX_OK(abi->unmapMemory(device, windowAddress, 2 * granule, &status));
  }
}

TEST_F(PTXFaultTest, OnlyADeadContextIsReset) {
  for (bool dead : {false, true}) {
    if (dead)
      die(CUDA_ERROR_ILLEGAL_ADDRESS);
    abi->synchronize(queue);
    while (!artifacts.empty())
      unload(artifacts.back());
    abi->destroyEvent(event);
    abi->destroyQueue(queue);
    fake->takeCalls();
    abi->close(device);
    std::vector<std::string> calls = {"cuCtxSetCurrent"};
    if (dead)
      calls.push_back("cuDevicePrimaryCtxReset_v2");
    calls.push_back("cuDevicePrimaryCtxRelease_v2");
    EXPECT_EQ(fake->takeCalls(), calls);
    openDevice();
  }
}

TEST_F(PTXFaultTest, UnloadedKernelIsNotNamed) {
  die(CUDA_ERROR_ILLEGAL_ADDRESS);
  unload(artifacts.back());
  fake->failures["cuStreamSynchronize"] = {1, CUDA_ERROR_ILLEGAL_ADDRESS};
  abi->synchronize(queue);
  abi->fault(device, &status);
  EXPECT_THAT(message(), testing::Not(HasSubstr("latest of the queue")));
}

TEST_F(PTXFaultTest, ThreadsMeetIt) {
  HetArtifact *none = nullptr;
  loadKernel("none", none, HET_PTX_GRID_BARRIER);
  std::atomic<int> begun{0};
  auto work = [&] {
    HetStatus status;
    HetQueue *own = nullptr;
    PTX_OK(abi->createQueue(device, &own, &status));
    ++begun;
    for (int i = 0; !abi->fault(device, i % 2 ? nullptr : &status); ++i) {
      HetLaunch launch = shape(none);
      launch.dynamicSharedBytes = (i % 200) << 10;
      PTX_OK(abi->enqueueLaunch(i % 3 ? own : queue, &launch, &status));
      abi->isIdle(own);
      if (i % 10 == 0)
        abi->synchronize(queue);
    }
    abi->destroyQueue(own);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back(work);
  while (begun < 3)
    std::this_thread::yield();
  die(CUDA_ERROR_ILLEGAL_ADDRESS);
  abi->synchronize(queue);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(abi->fault(device, &status), HET_FAULT_ILLEGAL_ADDRESS);
}

TEST_F(PTXFaultTest, WaitThatFailsOtherwise) {
  fake->failures["cuStreamSynchronize"] = {1, CUDA_ERROR_INVALID_VALUE};
  abi->synchronize(queue);
  EXPECT_EQ(abi->fault(device, &status), HET_FAULT_LOST);
}

} // namespace
