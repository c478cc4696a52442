// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's device plug-in: launches that are parked and gone on with, again and
// again, end as if they had not been.

#include "ParkingTest.h"

#include <chrono>
#include <cstring>
#include <thread>

namespace {

class HostParkingTest : public ParkingTest {
protected:
  static constexpr uint32_t blocks = 40, threads = 33;

  void SetUp() override { openTarget("host"); }

  /// The launch with these packed arguments, which must stay.
  template <typename... Pointers> HetLaunch makeLaunch(Pointers... pointers) {
    packed = {reinterpret_cast<uint64_t>(pointers)...};
    HetLaunch launch = shape(blocks, threads);
    launch.arguments = packed.data();
    launch.argumentBytes = packed.size() * sizeof(uint64_t);
    launch.dynamicSharedBytes = threads * sizeof(uint32_t);
    return launch;
  }

  /// Parked each millisecond.
  uint64_t runDisturbed(const HetLaunch &launch, State &state) {
    return ParkingTest::runDisturbed(launch, state, {1});
  }

  std::vector<uint64_t> packed;
};

TEST_F(HostParkingTest, StateIsDescribed) {
  load("count");
  HetParkingInfo info = {};
  TARGET_OK(abi->describeParking(artifact, &info, &status));
  EXPECT_EQ(info.layout, 7u);
  EXPECT_EQ(info.threadBytes, 24u);
  EXPECT_EQ(info.sharedBytes, 40u);
}

TEST_F(HostParkingTest, GoesOnWhereItStood) {
  load("count");
  uint32_t steps = 60;
  std::vector<uint64_t> expected(blocks * threads), out(expected.size());
  std::vector<uint32_t> begun(blocks);
  State undisturbed(blocks), disturbed(blocks);
  run(makeLaunch(expected.data(), &steps, begun.data()), undisturbed);
  begun.assign(blocks, 0);
  EXPECT_GT(runDisturbed(makeLaunch(out.data(), &steps, begun.data()), disturbed), 4u);
  EXPECT_EQ(out, expected);
  EXPECT_EQ(begun, std::vector<uint32_t>(blocks, 1));
}

TEST_F(HostParkingTest, NoBlockBeginsWhileTheDeviceParks) {
  load("count");
  uint32_t steps = 5;
  std::vector<uint64_t> out(blocks * threads);
  std::vector<uint32_t> begun(blocks);
  State state(blocks);
  HetLaunch launch = makeLaunch(out.data(), &steps, begun.data());
  for (uint32_t cooperative : {0, 1}) {
    launch.cooperative = cooperative;
    abi->setParking(device, 1);
    enqueue(launch, state);
    park(state);
    EXPECT_EQ(state.number(HET_BLOCK_UNSTARTED), blocks);
  }
  EXPECT_EQ(begun, std::vector<uint32_t>(blocks, 0));
}

TEST_F(HostParkingTest, StatesStayWhileTheDeviceParks) {
  load("count");
  uint32_t steps = 200;
  std::vector<uint64_t> out(blocks * threads);
  std::vector<uint32_t> begun(blocks);
  State state(blocks);
  HetLaunch launch = makeLaunch(out.data(), &steps, begun.data());
  while (state.parkedCount == 0 && !HasFailure()) {
    enqueue(launch, state);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    park(state);
  }
  // 33 threads are kept as 64: 24 bytes each; 40 bytes of static shared memory and
  // 132 of dynamic.
  EXPECT_EQ(state.stateBytes, 64 * 24 + 128 + 256u);
  std::vector<uint8_t> before = state.bytes;
  abi->setParking(device, 1);
  enqueue(launch, state);
  park(state);
  EXPECT_EQ(state.bytes, before);
}

TEST_F(HostParkingTest, StatesThatAreNotTheKernelsAreRefused) {
  load("count");
  State state(blocks);
  HetLaunch launch = makeLaunch(&state, &state, &state);
  state.blockCount = 3;
  EXPECT_EQ(abi->enqueueParkable(queue, &launch, &state, &status), HET_INVALID);
  EXPECT_NE(std::strstr(status.message, "found 3 blocks, expected 40"), nullptr)
      << status.message;
  state.blockCount = blocks;
  state.parkedCount = 1;
  EXPECT_EQ(abi->enqueueParkable(queue, &launch, &state, &status), HET_INVALID);
  EXPECT_NE(std::strstr(status.message, "found 0 parked blocks, expected 1"), nullptr)
      << status.message;
  state.blocks[7] = HET_BLOCK_PARKED;
  state.stateBytes = 5;
  EXPECT_EQ(abi->enqueueParkable(queue, &launch, &state, &status), HET_INVALID);
  EXPECT_NE(std::strstr(status.message, "found 5 bytes of a block"), nullptr)
      << status.message;
}

TEST_F(HostParkingTest, GridBarriersArePassedByAllOrNone) {
  load("meet");
  uint32_t rounds = 12, wrong = 0;
  std::vector<uint64_t> expected(blocks * threads), out(expected.size());
  std::vector<uint32_t> arrived(rounds);
  State undisturbed(blocks), disturbed(blocks);
  HetLaunch launch = makeLaunch(expected.data(), &rounds, arrived.data(), &wrong);
  launch.cooperative = 1;
  run(launch, undisturbed);
  arrived.assign(rounds, 0);
  launch = makeLaunch(out.data(), &rounds, arrived.data(), &wrong);
  launch.cooperative = 1;
  EXPECT_GT(runDisturbed(launch, disturbed), 10u);
  EXPECT_EQ(out, expected);
  EXPECT_EQ(wrong, 0u);
}

TEST_F(HostParkingTest, BlocksThatGaveWayPark) {
  load("chain");
  std::vector<uint32_t> ready(blocks);
  State state(blocks);
  EXPECT_GT(runDisturbed(makeLaunch(ready.data()), state), 0u);
  EXPECT_EQ(ready, std::vector<uint32_t>(blocks, 1));
}

TEST_F(HostParkingTest, WithoutALayoutBlocksEndAndTheOthersStay) {
  load("countPlain");
  uint32_t steps = 20;
  std::vector<uint64_t> out(blocks * threads);
  std::vector<uint32_t> begun(blocks);
  State state(blocks);
  EXPECT_EQ(runDisturbed(makeLaunch(out.data(), &steps, begun.data()), state), 0u);
  EXPECT_EQ(begun, std::vector<uint32_t>(blocks, 1));
}

TEST_F(HostParkingTest, WithoutALayoutBlocksThatWaitAreNotLeftAlone) {
  load("chainPlain");
  std::vector<uint32_t> ready(blocks);
  State state(blocks);
  EXPECT_EQ(runDisturbed(makeLaunch(ready.data()), state), 0u);
  EXPECT_EQ(ready, std::vector<uint32_t>(blocks, 1));
}

TEST_F(HostParkingTest, WithoutALayoutACooperativeLaunchEnds) {
  load("meetPlain");
  uint32_t rounds = 6, wrong = 0;
  std::vector<uint64_t> out(blocks * threads);
  std::vector<uint32_t> arrived(rounds);
  State state(blocks);
  HetLaunch launch = makeLaunch(out.data(), &rounds, arrived.data(), &wrong);
  launch.cooperative = 1;
  while (state.number(HET_BLOCK_UNSTARTED) && !HasFailure()) {
    enqueue(launch, state);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    park(state);
    EXPECT_TRUE(state.number(HET_BLOCK_UNSTARTED) == blocks ||
                state.number(HET_BLOCK_ENDED) == blocks);
  }
  EXPECT_EQ(wrong, 0u);
}

} // namespace
