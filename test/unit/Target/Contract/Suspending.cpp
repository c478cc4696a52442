// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suspending: launches that stop when the device parks and go on afterwards.

#include "Contract.h"
#include "LaunchState.h"

namespace het::contract {
namespace {

class Suspending : public LaunchTest {
protected:
  static constexpr uint32_t blocks = 4, threads = 32;

  void SetUp() override {
    LaunchTest::SetUp();
    if (IsSkipped())
      return;
    if (!can(Capability::Suspends) || !can(Capability::RunsCode))
      GTEST_SKIP() << "kernels are not suspended here";
    memory = allocate(blocks * threads * 4);
    write(memory, std::vector<uint32_t>(blocks * threads, 0));
    given = shape(load("numbers", {}, "parkable"), blocks, threads);
    given.arguments = &memory;
    given.argumentBytes = sizeof(memory);
  }

  std::vector<uint32_t> numbers(bool done) const {
    std::vector<uint32_t> values(blocks * threads);
    for (uint32_t i = 0; done && i < values.size(); ++i)
      values[i] = i + 1;
    return values;
  }

  uint64_t memory = 0;
  HetLaunch given = {};
};

TEST_F(Suspending, LetsLaunchesRunToTheirEnd) {
  LaunchState state(blocks);
  CONTRACT_OK(abi->enqueueParkable(queue, &given, &state, &status));
  abi->synchronize(queue);
  EXPECT_EQ(state.all(), HET_BLOCK_ENDED);
  EXPECT_EQ(state.parkedCount, 0u);
  EXPECT_GT(state.pollInterval, 0u);
  EXPECT_LE(state.pollInterval, HET_MOST_POLL_INTERVAL);
  EXPECT_EQ(read<uint32_t>(memory, blocks * threads), numbers(true));
  expectNoFault();
}

TEST_F(Suspending, KeepsBlocksFromBeginning) {
  LaunchState state(blocks);
  abi->setParking(device, 1);
  CONTRACT_OK(abi->enqueueParkable(queue, &given, &state, &status));
  abi->synchronize(queue);
  EXPECT_EQ(state.all(), HET_BLOCK_UNSTARTED);
  // Other work goes on.
  EXPECT_EQ(read<uint32_t>(memory, blocks * threads), numbers(false));
  abi->setParking(device, 0);
  CONTRACT_OK(abi->enqueueParkable(queue, &given, &state, &status));
  abi->synchronize(queue);
  EXPECT_EQ(state.all(), HET_BLOCK_ENDED);
  EXPECT_EQ(read<uint32_t>(memory, blocks * threads), numbers(true));
  expectNoFault();
}

TEST_F(Suspending, RunsNoBlockTwice) {
  LaunchState state(blocks);
  state.standing.assign(blocks, HET_BLOCK_ENDED);
  state.standing[2] = HET_BLOCK_UNSTARTED;
  CONTRACT_OK(abi->enqueueParkable(queue, &given, &state, &status));
  abi->synchronize(queue);
  EXPECT_EQ(state.all(), HET_BLOCK_ENDED);
  std::vector<uint32_t> expected = numbers(true);
  for (uint32_t i = 0; i < expected.size(); ++i)
    expected[i] = i / threads == 2 ? expected[i] : 0;
  EXPECT_EQ(read<uint32_t>(memory, blocks * threads), expected);
  expectNoFault();
}

TEST_F(Suspending, RefusesTheStateOfAnotherLaunch) {
  LaunchState fewer(blocks - 1);
  CONTRACT_FAILS(HET_INVALID, abi->enqueueParkable(queue, &given, &fewer, &status));
  // A parked block whose state has another size than the artifact's.
  LaunchState other(blocks);
  other.standing[0] = HET_BLOCK_PARKED;
  other.bytes.assign(12345, 0);
  other.states = other.bytes.data();
  other.parkedCount = 1;
  other.stateBytes = 12345;
  CONTRACT_FAILS(HET_INVALID, abi->enqueueParkable(queue, &given, &other, &status));
  abi->synchronize(queue);
  expectNoFault();
  EXPECT_EQ(read<uint32_t>(memory, blocks * threads), numbers(false));
}

TEST_F(Suspending, DescribesStates) {
  HetParkingInfo first = {}, second = {};
  CONTRACT_OK(abi->describeParking(given.artifact, &first, &status));
  CONTRACT_OK(abi->describeParking(load("numbers", {}, "parkable"), &second, &status));
  EXPECT_EQ(first.layout, second.layout);
  EXPECT_EQ(first.threadBytes, second.threadBytes);
  EXPECT_EQ(first.sharedBytes, second.sharedBytes);
}

} // namespace
} // namespace het::contract
