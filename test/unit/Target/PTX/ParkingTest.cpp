// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parkable launches: what goes to the device and comes back, and flags.

#include "PTXDeviceTest.h"

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr uint8_t unstarted = HET_BLOCK_UNSTARTED, parked = HET_BLOCK_PARKED,
                  ended = HET_BLOCK_ENDED;

class PTXParkingTest : public PTXDeviceTest {
protected:
  static constexpr uint32_t threads = 40, dynamicShared = 100;
  static constexpr uint64_t stateBytes = 64 * 20 + 128 + 128; ///< each part to 128

  void SetUp() override {
    PTXDeviceTest::SetUp();
    openDevice();
    loadParkable(7);
  }

  void loadParkable(uint64_t layout) {
    load(makeParkable(
             {.layout = layout, .threadBytes = 20, .sharedBytes = 12, .reserved = 0}),
         artifact);
  }

  HetLaunch launch(uint32_t blocks) {
    HetLaunch out = shape(artifact, blocks, threads);
    out.dynamicSharedBytes = dynamicShared;
    out.arguments = &argument;
    out.argumentBytes = sizeof(argument);
    return out;
  }

  int32_t enqueue(LaunchState &state) {
    const HetLaunch put = launch(state.blockCount);
    return abi->enqueueParkable(queue, &put, &state, &status);
  }

  /// The device parks when all blocks have started.
  int32_t enqueueAndPark(LaunchState &state) {
    fake->startedBlocks = state.blockCount;
    if (enqueue(state) != HET_OK)
      return status.code;
    abi->setParking(device, 1);
    abi->setParking(device, 0); // stays set for those that were told
    return HET_OK;
  }

  void expectCopiedFlag(HetQueue *own);

  HetArtifact *artifact = nullptr;
  uint32_t sum = 0;
  uint64_t argument = addressOf(&sum);
};

TEST_F(PTXParkingTest, Describes) {
  HetParkingInfo info = {};
  PTX_OK(abi->describeParking(artifact, &info, &status));
  EXPECT_EQ(info.layout, 7u);
  EXPECT_EQ(info.threadBytes, 20u);
  EXPECT_EQ(info.sharedBytes, 12u);
  HetArtifact *plain = nullptr;
  loadKernel("none", plain);
  EXPECT_EQ(abi->describeParking(plain, &info, &status), HET_INVALID);
}

TEST_F(PTXParkingTest, EachFormOfCodeHasItsLaunches) {
  HetLaunch ordinary = launch(1);
  EXPECT_EQ(abi->enqueueLaunch(queue, &ordinary, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("kernel 'park': found parkable code"));
  HetArtifact *plain = nullptr;
  loadKernel("none", plain);
  HetLaunch other = shape(plain);
  LaunchState state(1);
  EXPECT_EQ(abi->enqueueParkable(queue, &other, &state, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("code that is not parkable"));
}

TEST_F(PTXParkingTest, NotInGraphs) {
  HetGraphNode node = {};
  node.kind = HET_NODE_LAUNCH;
  node.work.launch = launch(1);
  HetGraph *graph = nullptr;
  EXPECT_EQ(abi->createGraph(device, &node, 1, &graph, &status), HET_UNSUPPORTED);
  EXPECT_THAT(message(), HasSubstr("found parkable code"));
}

TEST_F(PTXParkingTest, ParksAndGoesOn) {
  LaunchState state(5);
  PTX_OK(enqueueAndPark(state));
  EXPECT_FALSE(abi->isIdle(queue));
  abi->synchronize(queue);
  EXPECT_THAT(state.ofBlocks, ElementsAre(ended, parked, ended, parked, ended));
  EXPECT_EQ(state.parkedCount, 2u);
  ASSERT_EQ(state.stateBytes, stateBytes);
  ASSERT_EQ(state.bytes.size(), 2 * stateBytes);
  EXPECT_EQ(state.bytes.front(), 1);
  EXPECT_EQ(state.bytes[stateBytes], 3);
  const uint64_t shared = stateBytes + 64 * 20, dynamic = shared + 128;
  EXPECT_EQ(state.bytes[shared + 11], 3);
  EXPECT_EQ(state.bytes[shared + 12], 0); // between the parts
  EXPECT_EQ(state.bytes[dynamic + 99], 3);
  EXPECT_EQ(state.bytes[dynamic + 100], 0);
  EXPECT_GT(state.parkingTime, 0u);
  EXPECT_EQ(fake->pollInterval, 2 * HET_USUAL_POLL_INTERVAL);
  EXPECT_EQ(state.pollInterval, fake->pollInterval);
  state.pollInterval = 300;
  PTX_OK(enqueue(state));
  abi->synchronize(queue);
  EXPECT_THAT(state.ofBlocks, Each(ended));
  EXPECT_EQ(state.parkedCount, 0u);
  EXPECT_EQ(state.parkingTime, 0u);
  EXPECT_EQ(fake->pollInterval, 300u);
  EXPECT_EQ(sum, 5u);
}

/// The device parks when somebody waits for the queue, and then goes on.
struct WhileWaiting {
  const HetDeviceABI &abi;
  HetDevice *device;
  FakeDriver &fake;
  std::vector<std::string> calls; ///< what it takes to set the flag

  static void call(void *data) {
    auto &self = *static_cast<WhileWaiting *>(data);
    self.fake.takeCalls();
    self.abi.setParking(self.device, 1);
    self.calls = self.fake.takeCalls();
    self.abi.setParking(self.device, 0);
  }
};

TEST_F(PTXParkingTest, AnArmedFlagTakesNoCallOfTheDriver) {
  LaunchState state(4), next(2);
  WhileWaiting pause{*abi, device, *fake, {"none yet"}};
  for (int i = 0; i < 3; ++i) {
    state = LaunchState(4);
    sum = 0;
    PTX_OK(abi->enqueueCall(queue, WhileWaiting::call, &pause, &status));
    fake->startedBlocks = 4;
    PTX_OK(enqueue(state));
    abi->synchronize(queue);
    EXPECT_THAT(pause.calls, testing::IsEmpty());
    EXPECT_THAT(state.ofBlocks, ElementsAre(ended, parked, ended, parked));
    PTX_OK(enqueue(state));
    abi->synchronize(queue);
    EXPECT_THAT(state.ofBlocks, Each(ended));
    EXPECT_EQ(sum, 4u);
    next = LaunchState(2);
    PTX_OK(enqueue(next));
    abi->synchronize(queue);
    EXPECT_THAT(next.ofBlocks, Each(ended));
  }
}

/// A launch in this queue, which it destroys, is parked by a call of the driver's.
void PTXParkingTest::expectCopiedFlag(HetQueue *own) {
  std::swap(own, queue);
  LaunchState state(4);
  WhileWaiting pause{*abi, device, *fake, {}};
  PTX_OK(abi->enqueueCall(queue, WhileWaiting::call, &pause, &status));
  fake->startedBlocks = 4;
  PTX_OK(enqueue(state));
  abi->synchronize(queue);
  EXPECT_THAT(pause.calls, testing::Contains("cuMemcpyAsync"));
  EXPECT_THAT(state.ofBlocks, ElementsAre(ended, parked, ended, parked));
  std::swap(own, queue);
  abi->destroyQueue(own);
}

TEST_F(PTXParkingTest, AFlagThatCanNotBeArmedIsCopied) {
  for (const char *function : {"cuStreamWriteValue32_v2", "cuStreamWaitValue32_v2"}) {
    HetQueue *own = nullptr;
    PTX_OK(abi->createQueue(device, &own, &status));
    fake->failures[function] = {1, CUDA_ERROR_NOT_SUPPORTED};
    expectCopiedFlag(own);
  }
  EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_NONE);
}

TEST_F(PTXParkingTest, NoFlagIsArmedWhereStreamsShareConnections) {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "2", 1);
  HetQueue *own = nullptr;
  PTX_OK(abi->createQueue(device, &own, &status));
  unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
  expectCopiedFlag(own);
}

TEST_F(PTXParkingTest, BlocksThatCouldNotGoOnAreNotParked) {
  fake->resumedThreads = threads - 1;
  loadParkable(8);
  LaunchState state(5);
  PTX_OK(enqueueAndPark(state));
  abi->synchronize(queue);
  EXPECT_THAT(state.ofBlocks, Each(ended));
  EXPECT_EQ(sum, 5u);
}

TEST_F(PTXParkingTest, StatesOfBlocksThatStandAlike) {
  LaunchState state(5);
  state.alike = unstarted + 1;
  std::fill(state.ofBlocks.begin(), state.ofBlocks.end(), 0xEE); // says nothing
  PTX_OK(enqueue(state));
  abi->synchronize(queue);
  EXPECT_EQ(state.alike, ended + 1u);
  EXPECT_THAT(state.ofBlocks, Each(0xEE));
  EXPECT_EQ(sum, 5u);
  PTX_OK(enqueue(state)); // there is nothing left to do
  abi->synchronize(queue);
  EXPECT_EQ(sum, 5u);
  EXPECT_EQ(state.alike, 0u);
  EXPECT_THAT(state.ofBlocks, Each(ended));
  state.alike = unstarted + 1;
  PTX_OK(enqueueAndPark(state));
  abi->synchronize(queue);
  EXPECT_EQ(state.alike, 0u);
  EXPECT_THAT(state.ofBlocks, ElementsAre(ended, parked, ended, parked, ended));
  state.alike = parked + 1; // all five, but two have states
  EXPECT_EQ(enqueue(state), HET_INVALID);
}

TEST_F(PTXParkingTest, IdleQueuesHaveFilledIn) {
  LaunchState state(2);
  PTX_OK(enqueueAndPark(state));
  fake->runAll();
  EXPECT_TRUE(abi->isIdle(queue));
  EXPECT_THAT(state.ofBlocks, ElementsAre(ended, parked));
}

TEST_F(PTXParkingTest, DestroyedQueuesHaveFilledIn) {
  LaunchState state(2);
  PTX_OK(enqueueAndPark(state));
  abi->destroyQueue(queue);
  queue = nullptr;
  EXPECT_THAT(state.ofBlocks, ElementsAre(ended, parked));
}

TEST_F(PTXParkingTest, NothingBeginsWhileTheDeviceParks) {
  LaunchState state(3);
  abi->setParking(device, 1);
  PTX_OK(enqueue(state));
  abi->synchronize(queue);
  EXPECT_THAT(state.ofBlocks, Each(unstarted));
  EXPECT_EQ(sum, 0u);
  abi->setParking(device, 0);
  PTX_OK(enqueue(state));
  abi->synchronize(queue);
  EXPECT_THAT(state.ofBlocks, Each(ended));
}

TEST_F(PTXParkingTest, TheFlagIsOfOneLaunch) {
  LaunchState state(3), given(4);
  PTX_OK(enqueueAndPark(given));
  abi->synchronize(queue);
  fake->startedBlocks = 0;
  PTX_OK(enqueue(state));
  abi->setParking(device, 1);
  abi->setParking(device, 0); // stays set for those that were told
  abi->synchronize(queue);
  EXPECT_THAT(state.ofBlocks, Each(unstarted));
  EXPECT_EQ(state.parkedCount, 0u);
  PTX_OK(enqueue(given));
  abi->setParking(device, 1);
  abi->synchronize(queue);
  EXPECT_THAT(given.ofBlocks, ElementsAre(ended, parked, ended, parked));
  EXPECT_EQ(given.bytes.front(), 1); // as they were
  EXPECT_EQ(given.bytes[stateBytes], 3);
  abi->setParking(device, 0);
  PTX_OK(enqueue(given));
  abi->synchronize(queue);
  EXPECT_THAT(given.ofBlocks, Each(ended));
  EXPECT_EQ(sum, 4u);
}

TEST_F(PTXParkingTest, OneBehindAnotherThatHasParked) {
  LaunchState first(2), second(2);
  PTX_OK(enqueue(first));
  abi->setParking(device, 1);
  PTX_OK(enqueue(second));
  abi->synchronize(queue);
  EXPECT_THAT(first.ofBlocks, Each(unstarted));
  EXPECT_THAT(second.ofBlocks, Each(unstarted));
  abi->setParking(device, 0);
  PTX_OK(enqueue(first));
  PTX_OK(enqueue(second));
  abi->synchronize(queue);
  EXPECT_THAT(first.ofBlocks, Each(ended));
  EXPECT_THAT(second.ofBlocks, Each(ended));
}

TEST_F(PTXParkingTest, NothingBeginsBehindOneThatParks) {
  LaunchState first(4), second(2);
  fake->startedBlocks = 4;
  PTX_OK(enqueue(first));
  PTX_OK(enqueue(second));
  EXPECT_FALSE(abi->isIdle(queue));
  abi->setParking(device, 1);
  abi->setParking(device, 0);
  abi->synchronize(queue);
  EXPECT_THAT(first.ofBlocks, ElementsAre(ended, parked, ended, parked));
  EXPECT_THAT(second.ofBlocks, Each(unstarted));
  PTX_OK(enqueue(first));
  PTX_OK(enqueue(second));
  abi->synchronize(queue);
  EXPECT_THAT(first.ofBlocks, Each(ended));
  EXPECT_THAT(second.ofBlocks, Each(ended));
  EXPECT_EQ(sum, 6u);
}

TEST_F(PTXParkingTest, ManyUnderWay) {
  std::vector<std::unique_ptr<LaunchState>> states;
  for (uint32_t i = 0; i < 40; ++i) {
    states.push_back(std::make_unique<LaunchState>(1 + i % 7));
    PTX_OK(enqueue(*states.back()));
  }
  abi->synchronize(queue);
  for (auto &state : states)
    EXPECT_THAT(state->ofBlocks, Each(ended));
}

TEST_F(PTXParkingTest, StatesLargerThanTheMemoryOnTheWay) {
  LaunchState state(60000);
  PTX_OK(enqueueAndPark(state));
  abi->synchronize(queue);
  EXPECT_EQ(state.parkedCount, 30000u);
  EXPECT_GT(state.bytes.size(), size_t(32) << 20);
  PTX_OK(enqueue(state));
  abi->synchronize(queue);
  EXPECT_THAT(state.ofBlocks, Each(ended));
  EXPECT_EQ(sum, 60000u);
}

TEST_F(PTXParkingTest, StatesThatDoNotFit) {
  LaunchState state(2);
  state.blockCount = 1;
  HetLaunch two = launch(2);
  EXPECT_EQ(abi->enqueueParkable(queue, &two, &state, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("found 1 blocks, expected 2"));
  state.blockCount = 2;
  state.parkedCount = 1;
  EXPECT_EQ(enqueue(state), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("found 0 parked blocks, expected 1"));
  state.ofBlocks[1] = parked;
  state.stateBytes = 8;
  EXPECT_EQ(enqueue(state), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("found 8 bytes of a block, expected 1536"));
  loadParkable(0);
  EXPECT_EQ(enqueue(state), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("are not parked inside"));
}

TEST_F(PTXParkingTest, WithoutMemory) {
  LaunchState state(2);
  fake->failures["cuMemAlloc_v2"] = {1, CUDA_ERROR_OUT_OF_MEMORY};
  EXPECT_EQ(enqueue(state), HET_UNAVAILABLE);
  PTX_OK(enqueueAndPark(state));
  state.isFull = true; // the runtime's
  abi->synchronize(queue);
  EXPECT_EQ(abi->fault(device, &status), HET_FAULT_LOST);
}

TEST_F(PTXParkingTest, AFaultLeavesTheStateAlone) {
  die(CUDA_ERROR_ILLEGAL_ADDRESS);
  LaunchState state(3);
  PTX_OK(enqueue(state));
  abi->setParking(device, 1);
  abi->synchronize(queue);
  EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_ILLEGAL_ADDRESS);
  EXPECT_THAT(state.ofBlocks, Each(unstarted));
  PTX_OK(enqueue(state));
}

} // namespace
