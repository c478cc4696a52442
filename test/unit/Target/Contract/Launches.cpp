// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: that they run, with which arguments, and that one which can not fails.

#include "Contract.h"

namespace het::contract {
namespace {

class Launches : public LaunchTest {
protected:
  void SetUp() override {
    LaunchTest::SetUp();
    if (!IsSkipped() && !can(Capability::Launches))
      GTEST_SKIP() << "the target runs no kernels";
  }
};

TEST_F(Launches, RunInTheirPlace) {
  const uint64_t memory = allocate(4096);
  HetArtifact *artifact = load("store");
  std::vector<uint32_t> before(1), after(1);
  CONTRACT_OK(abi->enqueueFill(queue, memory, 1, 4, 4, &status));
  copy(reinterpret_cast<uint64_t>(before.data()), memory, 4);
  launch(queue, shape(artifact, 1, 1), StoreArguments{memory, 42});
  copy(reinterpret_cast<uint64_t>(after.data()), memory, 4);
  abi->synchronize(queue);
  expectNoFault();
  EXPECT_EQ(before[0], 1u);
  EXPECT_EQ(after[0], 42u);
}

TEST_F(Launches, AreCopied) {
  const uint64_t memory = allocate(4096);
  Gate &gate = close(queue);
  HetLaunch given = shape(load("store"), 1, 1);
  StoreArguments arguments = {memory, 42};
  given.arguments = &arguments;
  given.argumentBytes = sizeof(arguments);
  CONTRACT_OK(abi->enqueueLaunch(queue, &given, &status));
  arguments = {0, 0};
  given = {};
  gate.open();
  abi->synchronize(queue);
  expectNoFault();
  EXPECT_EQ(read<uint32_t>(memory, 1)[0], 42u);
}

TEST_F(Launches, WaitForEvents) {
  const uint64_t memory = allocate(4096);
  HetEvent *event = newEvent();
  HetQueue *other = newQueue();
  HetArtifact *artifact = load("store");
  Gate &gate = close(queue);
  launch(queue, shape(artifact, 1, 1), StoreArguments{memory, 1});
  CONTRACT_OK(abi->enqueueSignal(queue, event, &status));
  CONTRACT_OK(abi->enqueueWait(other, event, &status));
  launch(other, shape(artifact, 1, 1), StoreArguments{memory, 2});
  gate.open();
  abi->synchronize(other);
  expectNoFault();
  EXPECT_EQ(read<uint32_t>(memory, 1)[0], 2u);
}

TEST_F(Launches, OfArtifactsLoadedAgain) {
  const uint64_t memory = allocate(4096);
  for (uint32_t round = 1; round <= 3; ++round) {
    HetArtifact *artifact = load("store");
    launch(queue, shape(artifact, 1, 1), StoreArguments{memory, round});
    EXPECT_EQ(read<uint32_t>(memory, 1)[0], round);
    unload(artifact);
  }
  expectNoFault();
}

TEST_F(Launches, FindTheirVariables) {
  const uint64_t memory = allocate(4096), first = memory + 64, second = memory + 128;
  HetArtifact *one = load("variable", {first}), *two = load("variable", {second});
  launch(queue, shape(two, 1, 1), memory);
  launch(queue, shape(one, 1, 1), memory + 8);
  EXPECT_EQ(read<uint64_t>(memory, 2), (std::vector<uint64_t>{second, first}));
  expectNoFault();
}

// What is beyond the device fails, or is done all the same; it is never left out in
// silence.
TEST_F(Launches, OfShapesThatCanNotBeFail) {
  HetArtifact *artifact = load("store");
  const uint64_t memory = allocate(4096);
  std::vector<HetLaunch> shapes(5, shape(artifact, 1, 1));
  shapes[0].block[0] = 0;
  shapes[1].grid[1] = 0;
  shapes[2].block[0] = facts.maxThreadsPerBlock;
  shapes[2].block[1] = 2;
  shapes[3].dynamicSharedBytes = facts.sharedBytesPerBlockOptIn + 1;
  shapes[4].block[2] = facts.maxThreadsPerBlock + 1;
  for (size_t i = 0; i < shapes.size(); ++i) {
    write(memory, std::vector<uint32_t>{0});
    StoreArguments arguments = {memory, 42};
    shapes[i].arguments = &arguments;
    shapes[i].argumentBytes = sizeof(arguments);
    if (int32_t code = abi->enqueueLaunch(queue, &shapes[i], &status)) {
      expectReason(code);
      // Without blocks or threads it is none on any target.
      EXPECT_TRUE(code == HET_INVALID || (i > 1 && code == HET_UNSUPPORTED)) << code;
      continue;
    }
    EXPECT_EQ(read<uint32_t>(memory, 1)[0], 42u) << "shape " << i << " did not run";
  }
  expectNoFault();
}

/// Kernels as the lowering makes them.
class Code : public Launches {
protected:
  void SetUp() override {
    Launches::SetUp();
    if (!IsSkipped() && !can(Capability::RunsCode))
      GTEST_SKIP() << "the device stands in for one that runs code";
  }
};

TEST_F(Code, RunsInEveryThreadOnce) {
  HetLaunch given = shape(load("numbers"), 5, 11);
  given.grid[1] = 3;
  given.block[1] = 7;
  constexpr uint32_t count = 5 * 3 * 11 * 7;
  const uint64_t memory = allocate(count * 4 + 4);
  write(memory, std::vector<uint32_t>(count + 1, 0));
  launch(queue, given, memory);
  std::vector<uint32_t> expected(count + 1);
  for (uint32_t i = 0; i < count; ++i)
    expected[i] = i + 1;
  EXPECT_EQ(read<uint32_t>(memory, count + 1), expected);
  expectNoFault();
}

TEST_F(Code, FindsArgumentsInCsLayout) {
  struct {
    int8_t a;
    uint64_t out;
    int16_t b;
    int32_t c;
    int8_t d;
    int64_t e;
  } arguments = {1, allocate(4096), 2, 3, 4, 5};
  launch(queue, shape(load("arguments"), 1, 1), arguments);
  EXPECT_EQ(read<uint64_t>(arguments.out, 5), (std::vector<uint64_t>{1, 2, 3, 4, 5}));
  expectNoFault();
}

TEST_F(Code, HasSharedMemory) {
  constexpr uint32_t blocks = 6, threads = 70;
  const uint64_t memory = allocate(blocks * threads * 4);
  HetLaunch given = shape(load("shared"), blocks, threads);
  given.dynamicSharedBytes = threads * 4;
  launch(queue, given, memory);
  std::vector<uint32_t> expected;
  for (uint32_t block = 0; block < blocks; ++block)
    for (uint32_t thread = 0; thread < threads; ++thread)
      expected.push_back(threads - 1 - thread + 100 * block);
  EXPECT_EQ(read<uint32_t>(memory, expected.size()), expected);
  expectNoFault();
}

TEST_F(Code, MeetsAtGridBarriers) {
  constexpr uint32_t blocks = 4;
  struct {
    uint64_t count, out;
  } arguments = {allocate(4096), allocate(4096)};
  write(arguments.count, std::vector<uint32_t>{0});
  HetLaunch given = shape(load("meet"), blocks, 40);
  given.cooperative = 1;
  launch(queue, given, arguments);
  EXPECT_EQ(read<uint32_t>(arguments.out, blocks), std::vector<uint32_t>(blocks, blocks));
  expectNoFault();
}

/// Blocks that meet their cluster (0) or the grid (1).
class ClusterCode : public Code {
protected:
  static HetLaunch inClusters(HetLaunch given, uint32_t size) {
    given.cluster[0] = size;
    given.cluster[1] = given.cluster[2] = 1;
    given.clusterGiven = size > 1;
    return given;
  }

  /// Runs one block for each choice; returns where these are.
  uint64_t choose(const std::vector<uint32_t> &choices, uint32_t cluster,
                  bool cooperative, const char *kernel = "choose") {
    const uint64_t memory = allocate(4096);
    write(memory, choices);
    HetLaunch given = shape(load(kernel), choices.size(), 64);
    given.cooperative = cooperative;
    launch(queue, inClusters(given, cluster), memory);
    abi->synchronize(queue);
    return memory;
  }

  void expectFault(int32_t kind, const std::string &text) {
    status = {};
    EXPECT_EQ(abi->fault(device, &status), kind);
    EXPECT_NE(std::string(status.message).find(text), std::string::npos)
        << status.message;
  }
};

TEST_F(ClusterCode, MeetsAtGridBarriers) {
  constexpr uint32_t blocks = 8;
  struct {
    uint64_t count, out;
  } arguments = {allocate(4096), allocate(4096)};
  HetLaunch given = shape(load("meet"), blocks, 40);
  given.cooperative = 1;
  for (uint32_t cluster : {1u, 2u, 4u}) {
    write(arguments.count, std::vector<uint32_t>{0});
    launch(queue, inClusters(given, cluster), arguments);
    EXPECT_EQ(read<uint32_t>(arguments.out, blocks),
              std::vector<uint32_t>(blocks, blocks));
    expectNoFault();
  }
}

TEST_F(ClusterCode, MeetsInClustersOnly) {
  const uint64_t memory = choose({0, 0, 0, 0}, 2, false);
  expectNoFault();
  EXPECT_EQ(read<uint32_t>(memory, 4), (std::vector<uint32_t>{1, 2, 3, 4}));
}

TEST_F(ClusterCode, NeedsACooperativeLaunchForTheGrid) {
  choose({0, 0, 1, 1}, 2, false);
  expectFault(HET_FAULT_TRAP, "a grid barrier in a launch that is not cooperative");
}

TEST_F(ClusterCode, DoesNotWaitForEverAtTwoBarriers) {
  choose({1, 1, 0, 1}, 2, true);
  expectFault(HET_FAULT_DEADLOCK, "some at the cluster's barrier and some at the grid's");
}

TEST_F(ClusterCode, DoesNotLetThreadsWaitForTwoKindsOfBlocks) {
  choose({0, 0}, 1, true, "split");
  expectFault(HET_FAULT_DEADLOCK, "threads wait for threads that never come");
}

TEST_F(ClusterCode, DoesNotLetThreadsWaitForTheBlockAndTheGrid) {
  choose({1, 1}, 1, true, "split");
  expectFault(HET_FAULT_DEADLOCK, "threads wait for threads that never come");
}

TEST_F(Code, PrintsBeforeTheQueueHasBeenWaitedFor) {
  HetLaunch given = shape(load("print"), 2, 3);
  testing::internal::CaptureStdout();
  EXPECT_EQ(abi->enqueueLaunch(queue, &given, &status), HET_OK) << status.message;
  abi->synchronize(queue);
  std::fflush(stdout);
  std::string expected;
  for (int i = 0; i < 6; ++i)
    expected += "printed\n";
  EXPECT_EQ(testing::internal::GetCapturedStdout(), expected);
}

class NoLaunches : public LaunchTest {};

TEST_F(NoLaunches, AreRefusedByName) {
  if (can(Capability::Launches))
    GTEST_SKIP() << "the target runs kernels";
  const uint64_t memory = allocate(4096);
  HetLaunch given = shape(load("store"), 1, 1);
  StoreArguments arguments = {memory, 42};
  given.arguments = &arguments;
  given.argumentBytes = sizeof(arguments);
  EXPECT_EQ(abi->enqueueLaunch(queue, &given, &status), HET_UNSUPPORTED);
  EXPECT_NE(std::string(status.message).find(subject().target), std::string::npos)
      << status.message;
  abi->synchronize(queue);
  expectNoFault();
}

} // namespace
} // namespace het::contract
