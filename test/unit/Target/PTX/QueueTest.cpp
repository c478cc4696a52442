// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events.

#include "PTXDeviceTest.h"

#include <sys/mman.h>
#include <thread>

using testing::ElementsAre;

namespace {

class PTXQueueTest : public PTXDeviceTest {
protected:
  void SetUp() override {
    PTXDeviceTest::SetUp();
    openDevice();
  }
};

TEST_F(PTXQueueTest, WorkIsDoneInOrderAndLater) {
  int a = 1, b = 2, c = 3;
  PTX_OK(abi->enqueueCopy(queue, addressOf(&b), addressOf(&a), 4, &status));
  PTX_OK(abi->enqueueCopy(queue, addressOf(&c), addressOf(&b), 4, &status));
  EXPECT_EQ(c, 3);
  EXPECT_FALSE(abi->isIdle(queue));
  abi->synchronize(queue);
  EXPECT_EQ(c, 1);
  EXPECT_TRUE(abi->isIdle(queue));
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("cuMemcpyAsync", "cuMemcpyAsync", "cuStreamQuery",
                          "cuStreamSynchronize", "cuStreamQuery"));
}

/// What a library of the vendor's does with the stream that it is given.
struct NativeFill {
  void *driver;
  int *to;
  int result = -1;

  static void enqueue(void *stream, void *data) {
    auto &fill = *static_cast<NativeFill *>(data);
    auto set = reinterpret_cast<CUresult (*)(CUdeviceptr, unsigned, size_t, CUstream)>(
        dlsym(fill.driver, "cuMemsetD32Async"));
    fill.result = set(addressOf(fill.to), 7, 1, static_cast<CUstream>(stream));
  }
};

TEST_F(PTXQueueTest, NativeWorkIsInOrder) {
  int a = 1, b = 2;
  NativeFill fill = {dlopen(HET_TEST_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL), &a};
  PTX_OK(abi->enqueueCopy(queue, addressOf(&b), addressOf(&a), 4, &status));
  std::thread([&] { // on which no context is current
    PTX_OK(abi->enqueueNative(queue, NativeFill::enqueue, &fill, &status));
  })
      .join();
  EXPECT_EQ(fill.result, CUDA_SUCCESS);
  EXPECT_EQ(a, 1);
  abi->synchronize(queue);
  EXPECT_EQ(a, 7);
  EXPECT_EQ(b, 1);
}

TEST_F(PTXQueueTest, NativeWorkIsNotDoneAfterAFault) {
  int a = 1;
  NativeFill fill = {dlopen(HET_TEST_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL), &a};
  die(CUDA_ERROR_ILLEGAL_ADDRESS);
  abi->synchronize(queue);
  PTX_OK(abi->enqueueNative(queue, NativeFill::enqueue, &fill, &status));
  EXPECT_EQ(fill.result, -1);
}

// Where the program and the code say so: the attribute alone does not let a kernel begin
// that does not wait by itself, nor one whose launches follow each other.
TEST_F(PTXQueueTest, LaunchesThatBeginEarly) {
  HetArtifact *waits = nullptr, *none = nullptr, *meets = nullptr;
  loadKernel("none", waits, HET_PTX_GRID_WAIT);
  loadKernel("none", none);
  loadKernel("none", meets, HET_PTX_GRID_WAIT | HET_PTX_GRID_BARRIER);
  const auto begins = [&](HetArtifact *kernel, uint32_t programmatic,
                          uint32_t cooperative = 0) {
    HetLaunch launch = shape(kernel);
    launch.programmatic = programmatic;
    launch.cooperative = cooperative;
    EXPECT_EQ(abi->enqueueLaunch(queue, &launch, &status), HET_OK) << message();
    return fake->programmatic;
  };
  EXPECT_TRUE(begins(waits, 1));
  EXPECT_FALSE(begins(waits, 0));
  EXPECT_FALSE(begins(none, 1));
  EXPECT_FALSE(begins(meets, 1));
  EXPECT_FALSE(begins(waits, 1, 1));
  fake->takeCalls();
  begins(waits, 1); // nothing of ours stands between two of them
  begins(waits, 1);
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuLaunchKernelEx", "cuLaunchKernelEx"));
  abi->synchronize(queue);
}

TEST_F(PTXQueueTest, FillsOfEachWidth) {
  uint32_t words[4] = {};
  const uint64_t to = addressOf(words);
  PTX_OK(abi->enqueueFill(queue, to, 0x11111111, 1, 4, &status));
  PTX_OK(abi->enqueueFill(queue, to + 4, 0x22333333, 2, 4, &status));
  PTX_OK(abi->enqueueFill(queue, to + 8, 0x44556677, 4, 4, &status));
  PTX_OK(abi->enqueueFill(queue, to, 1, 4, 0, &status));
  EXPECT_EQ(abi->enqueueFill(queue, to, 1, 3, 3, &status), HET_INVALID);
  abi->synchronize(queue);
  EXPECT_THAT(words, ElementsAre(0x11111111, 0x33333333, 0x44556677, 0));
}

TEST_F(PTXQueueTest, Rows) {
  const char from[] = "abcdefgh";
  char to[] = "........";
  PTX_OK(
      abi->enqueueCopyRows(queue, addressOf(to), 3, addressOf(from), 4, 2, 2, &status));
  abi->synchronize(queue);
  EXPECT_STREQ(to, "ab.ef...");
  fake->takeCalls();
  PTX_OK(
      abi->enqueueCopyRows(queue, addressOf(to), 4, addressOf(from), 4, 4, 2, &status));
  PTX_OK(
      abi->enqueueCopyRows(queue, addressOf(to), 9, addressOf(from), 9, 0, 2, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuMemcpyAsync")); // no gaps; nothing
  abi->synchronize(queue);
  EXPECT_STREQ(to, from);
}

TEST_F(PTXQueueTest, RowsFartherApartThanTheDriverCopies) {
  const size_t far = size_t(1) << 31;
  void *memory = mmap(nullptr, 2 * far, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto *to = static_cast<char *>(memory);
  PTX_OK(abi->enqueueCopyRows(queue, addressOf(to), far, addressOf("abcd"), 2, 2, 2,
                              &status));
  abi->synchronize(queue);
  EXPECT_EQ(to[1], 'b');
  EXPECT_EQ(to[far], 'c');
  munmap(memory, 2 * far);
}

TEST_F(PTXQueueTest, HostCalls) {
  int called = 0;
  auto call = [](void *data) { ++*static_cast<int *>(data); };
  PTX_OK(abi->enqueueCall(queue, call, &called, &status));
  EXPECT_EQ(called, 0);
  abi->synchronize(queue);
  EXPECT_EQ(called, 1);
}

TEST_F(PTXQueueTest, DestroyWaits) {
  int a = 1, b = 2;
  PTX_OK(abi->enqueueCopy(queue, addressOf(&b), addressOf(&a), 4, &status));
  abi->destroyQueue(queue);
  queue = nullptr;
  EXPECT_EQ(b, 1);
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("cuMemcpyAsync", "cuStreamSynchronize", "cuStreamDestroy_v2"));
}

TEST_F(PTXQueueTest, NewEventIsDone) {
  EXPECT_TRUE(abi->isEventDone(event));
  abi->waitEvent(event);
  PTX_OK(abi->enqueueWait(queue, event, &status));
  abi->synchronize(queue);
}

TEST_F(PTXQueueTest, EventsOrderQueues) {
  HetQueue *other = nullptr;
  PTX_OK(abi->createQueue(device, &other, &status));
  int a = 1, b = 2, c = 3;
  PTX_OK(abi->enqueueCopy(queue, addressOf(&b), addressOf(&a), 4, &status));
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  PTX_OK(abi->enqueueWait(other, event, &status));
  PTX_OK(abi->enqueueCopy(other, addressOf(&c), addressOf(&b), 4, &status));
  EXPECT_FALSE(abi->isEventDone(event));
  // The event may go, and another signal does not delay the wait.
  abi->destroyEvent(event);
  event = nullptr;
  abi->synchronize(other);
  EXPECT_EQ(c, 1);
  abi->destroyQueue(other);
}

TEST_F(PTXQueueTest, WaitIsForTheLatestSignal) {
  int a = 1, b = 2;
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  abi->waitEvent(event);
  EXPECT_TRUE(abi->isEventDone(event));
  PTX_OK(abi->enqueueCopy(queue, addressOf(&b), addressOf(&a), 4, &status));
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  EXPECT_FALSE(abi->isEventDone(event));
  abi->waitEvent(event);
  EXPECT_EQ(b, 1);
}

TEST_F(PTXQueueTest, Elapsed) {
  HetEvent *end = nullptr;
  PTX_OK(abi->createEvent(device, &end, &status));
  int64_t nanoseconds = 0;
  EXPECT_EQ(abi->eventElapsed(event, end, &nanoseconds, &status), HET_INVALID);
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  PTX_OK(abi->enqueueSignal(queue, end, &status));
  abi->waitEvent(end);
  PTX_OK(abi->eventElapsed(event, end, &nanoseconds, &status));
  EXPECT_EQ(nanoseconds, 1500000);
  abi->destroyEvent(end);
}

TEST_F(PTXQueueTest, EventsOfAnotherDevice) {
  fake->deviceCount = 2;
  HetDevice *other = nullptr;
  HetQueue *otherQueue = nullptr;
  PTX_OK(abi->open(1, &other, &status));
  PTX_OK(abi->createQueue(other, &otherQueue, &status));
  int a = 1, b = 2;
  PTX_OK(abi->enqueueCopy(queue, addressOf(&b), addressOf(&a), 4, &status));
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  PTX_OK(abi->enqueueWait(otherQueue, event, &status));
  EXPECT_EQ(abi->enqueueSignal(otherQueue, event, &status), HET_INVALID);
  abi->synchronize(otherQueue);
  EXPECT_EQ(b, 1);
  abi->destroyQueue(otherQueue);
  abi->close(other);
}

TEST_F(PTXQueueTest, OneCallOfTheDriverForEachWork) {
  std::thread([&] { // a thread with no context yet
    HetStatus status;
    int a = 1, b = 2;
    fake->takeCalls();
    PTX_OK(abi->enqueueCopy(queue, addressOf(&b), addressOf(&a), 4, &status));
    abi->synchronize(queue);
    EXPECT_THAT(fake->takeCalls(),
                ElementsAre("cuCtxSetCurrent", "cuMemcpyAsync", "cuStreamSynchronize"));
    abi->synchronize(queue);
    EXPECT_THAT(fake->takeCalls(), ElementsAre("cuStreamSynchronize"));
  })
      .join();
}

TEST_F(PTXQueueTest, AProgramMayUseTheDriverItself) {
  void *library = dlopen(HET_TEST_FAKE_DRIVER, RTLD_NOW | RTLD_NOLOAD);
  ASSERT_TRUE(library) << dlerror();
  auto setCurrent =
      reinterpret_cast<CUresult (*)(CUcontext)>(dlsym(library, "cuCtxSetCurrent"));
  ASSERT_TRUE(setCurrent);
  fake->deviceCount = 2;
  HetDevice *other = nullptr;
  PTX_OK(abi->open(1, &other, &status)); // another context is this thread's now
  HetQueue *otherQueue = nullptr;
  PTX_OK(abi->createQueue(other, &otherQueue, &status));
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  fake->takeCalls();
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuEventRecord"));
  ASSERT_EQ(setCurrent(nullptr), CUDA_SUCCESS);
  fake->takeCalls();
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuCtxSetCurrent", "cuEventRecord"));
  abi->destroyQueue(otherQueue);
  abi->close(other);
}

TEST_F(PTXQueueTest, ContextThatCanNotBeCurrent) {
  int a = 1, b = 2;
  HetArtifact *none = nullptr;
  loadKernel("none", none);
  HetLaunch launch = shape(none), large = launch;
  large.dynamicSharedBytes = 100 << 10;
  HetStatus status; // of the threads
  uint32_t blocks = 0;
  auto failsInAThread = [&](auto call) {
    fake->failures["cuCtxSetCurrent"] = {1, CUDA_ERROR_INVALID_CONTEXT};
    int32_t code = HET_OK;
    std::thread([&] { code = call(); }).join();
    EXPECT_EQ(code, status.code);
    EXPECT_NE(code, HET_OK);
    EXPECT_STRNE(status.message, "");
    EXPECT_EQ(fake->failures["cuCtxSetCurrent"].call, 0);
  };
  failsInAThread([&] { return abi->enqueueLaunch(queue, &launch, &status); });
  failsInAThread([&] { return abi->enqueueLaunch(queue, &large, &status); });
  failsInAThread([&] { return abi->residentBlocks(none, 32, 0, &blocks, &status); });
  failsInAThread(
      [&] { return abi->enqueueCopy(queue, addressOf(&b), addressOf(&a), 4, &status); });
  failsInAThread([&] { return abi->enqueueSignal(queue, event, &status); });
  failsInAThread([&] { return abi->setLimit(device, HET_LIMIT_HEAP, 1, &status); });
  EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_NONE);
}

TEST_F(PTXQueueTest, ThreadsOutliveDevices) {
  // Close and open in another thread: this one's context is stale.
  std::thread([&] {
    HetStatus status;
    abi->destroyEvent(event);
    abi->destroyQueue(queue);
    abi->close(device);
    PTX_OK(abi->open(0, &device, &status));
    PTX_OK(abi->createQueue(device, &queue, &status));
    PTX_OK(abi->createEvent(device, &event, &status));
  }).join();
  fake->takeCalls();
  PTX_OK(abi->enqueueSignal(queue, event, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuCtxSetCurrent", "cuEventRecord"));
}

} // namespace
