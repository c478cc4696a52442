// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's device plug-in: launches that are parked and gone on with, again and
// again, end as if they had not been.

#include "ParkableKernels.h"
#include "ParkingTest.h"

#include <cstring>

using het::test::eventually;

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

  static uint32_t read(const uint32_t &word) {
    return __atomic_load_n(&word, __ATOMIC_SEQ_CST);
  }

  /// Parked wherever its blocks wait for that: each so many times.
  uint64_t runHeld(const HetLaunch &launch, State &state, const Steps &steps,
                   uint32_t times) {
    return runDisturbed(launch, state, blocks * times, [&] { return read(steps.held); });
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
  Steps steps = makeSteps(60), held = makeSteps(60, 20);
  std::vector<uint64_t> expected(blocks * threads), out(expected.size());
  std::vector<uint32_t> begun(blocks);
  State undisturbed(blocks), disturbed(blocks);
  run(makeLaunch(expected.data(), &steps, begun.data()), undisturbed);
  begun.assign(blocks, 0);
  EXPECT_GE(runHeld(makeLaunch(out.data(), &held, begun.data()), disturbed, held, 3),
            3 * blocks);
  EXPECT_EQ(out, expected);
  EXPECT_EQ(begun, std::vector<uint32_t>(blocks, 1));
}

TEST_F(HostParkingTest, NoBlockBeginsWhileTheDeviceParks) {
  load("count");
  Steps steps = makeSteps(5);
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
  Steps steps = makeSteps(20, 10);
  std::vector<uint64_t> out(blocks * threads);
  std::vector<uint32_t> begun(blocks);
  State state(blocks);
  HetLaunch launch = makeLaunch(out.data(), &steps, begun.data());
  enqueue(launch, state);
  EXPECT_TRUE(eventually([&] { return read(steps.held) > 0; }));
  park(state);
  EXPECT_GT(state.parkedCount, 0u);
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
  Steps rounds = makeSteps(12), held = makeSteps(12, 12);
  uint32_t wrong = 0;
  std::vector<uint64_t> expected(blocks * threads), out(expected.size());
  std::vector<uint32_t> arrived(rounds.count);
  State undisturbed(blocks), disturbed(blocks);
  HetLaunch launch = makeLaunch(expected.data(), &rounds, arrived.data(), &wrong);
  launch.cooperative = 1;
  run(launch, undisturbed);
  arrived.assign(rounds.count, 0);
  launch = makeLaunch(out.data(), &held, arrived.data(), &wrong);
  launch.cooperative = 1;
  EXPECT_GE(runHeld(launch, disturbed, held, 3), 3 * blocks);
  EXPECT_EQ(out, expected);
  EXPECT_EQ(wrong, 0u);
}

TEST_F(HostParkingTest, BlocksThatGaveWayPark) {
  load("chain");
  std::vector<uint32_t> ready(blocks);
  ready.back() = CHAIN_HOLD; // all give way until the last has been parked
  State state(blocks);
  const HetLaunch launch = makeLaunch(ready.data());
  enqueue(launch, state);
  EXPECT_TRUE(eventually([&] {
    return read(ready.front()) & CHAIN_HELD && read(ready.back()) & CHAIN_HELD;
  }));
  park(state);
  EXPECT_GE(state.parkedCount, 2u);
  EXPECT_EQ(state.parkedCount + state.number(HET_BLOCK_UNSTARTED), blocks);
  run(launch, state);
  EXPECT_EQ(ready, std::vector<uint32_t>(blocks, 1));
}

TEST_F(HostParkingTest, WithoutALayoutBlocksEndAndTheOthersStay) {
  load("countPlain");
  Steps steps = makeSteps(20);
  std::vector<uint64_t> out(blocks * threads);
  std::vector<uint32_t> begun(blocks);
  State state(blocks);
  EXPECT_EQ(runDisturbed(makeLaunch(out.data(), &steps, begun.data()), state, blocks,
                         [&] {
                           uint64_t sum = 0;
                           for (const uint32_t &one : begun)
                             sum += read(one);
                           return sum;
                         }),
            0u);
  EXPECT_EQ(begun, std::vector<uint32_t>(blocks, 1));
}

TEST_F(HostParkingTest, WithoutALayoutBlocksThatWaitAreNotLeftAlone) {
  load("chainPlain");
  std::vector<uint32_t> ready(blocks);
  State state(blocks);
  enqueue(makeLaunch(ready.data()), state);
  EXPECT_TRUE(eventually([&] { return read(ready.front()) != 0; }));
  park(state);
  EXPECT_EQ(state.number(HET_BLOCK_ENDED), blocks);
  EXPECT_EQ(ready, std::vector<uint32_t>(blocks, 1));
}

TEST_F(HostParkingTest, WithoutALayoutACooperativeLaunchEnds) {
  load("meetPlain");
  Steps rounds = makeSteps(6);
  uint32_t wrong = 0;
  std::vector<uint64_t> out(blocks * threads);
  std::vector<uint32_t> arrived(rounds.count);
  State state(blocks);
  HetLaunch launch = makeLaunch(out.data(), &rounds, arrived.data(), &wrong);
  launch.cooperative = 1;
  enqueue(launch, state);
  EXPECT_TRUE(eventually([&] { return read(arrived[0]) > 0; }));
  park(state);
  EXPECT_EQ(state.number(HET_BLOCK_ENDED), blocks);
  EXPECT_EQ(wrong, 0u);
}

} // namespace
