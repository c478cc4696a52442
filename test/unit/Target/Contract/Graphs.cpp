// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: work that is put in again and again as one piece.

#include "Contract.h"

namespace het::contract {
namespace {

class Graphs : public LaunchTest {
protected:
  void SetUp() override {
    LaunchTest::SetUp();
    if (!IsSkipped() && !can(Capability::Graphs))
      GTEST_SKIP() << "the runtime enqueues the nodes one by one";
  }
  void TearDown() override {
    if (graph)
      abi->destroyGraph(graph);
    LaunchTest::TearDown();
  }

  static HetGraphNode fill(uint64_t to, uint32_t pattern) {
    HetGraphNode node = {};
    node.kind = HET_NODE_FILL;
    node.work.fill = {to, 4, 4, 1, pattern, 4};
    return node;
  }
  static HetGraphNode copyOf(uint64_t to, uint64_t from) {
    HetGraphNode node = {};
    node.kind = HET_NODE_COPY;
    node.work.copy = {to, from, 4, 4, 4, 1};
    return node;
  }

  void make(std::vector<HetGraphNode> &nodes) {
    CONTRACT_OK(abi->createGraph(device, nodes.data(), nodes.size(), &graph, &status));
    std::fill_n(reinterpret_cast<uint8_t *>(nodes.data()),
                nodes.size() * sizeof(HetGraphNode), 0xEE); // it has been copied
  }
  void run() {
    CONTRACT_OK(abi->enqueueGraph(queue, graph, &status));
    abi->synchronize(queue);
  }

  HetGraph *graph = nullptr;
};

TEST_F(Graphs, DoTheirNodesInOrderEachTime) {
  const uint64_t memory = allocate(4096);
  const uint32_t before[] = {0}, last[] = {1};
  std::vector<HetGraphNode> nodes = {fill(memory, 5), copyOf(memory + 4, memory),
                                     fill(memory, 6)};
  nodes[1].dependencies = before;
  nodes[2].dependencies = last;
  nodes[1].dependencyCount = nodes[2].dependencyCount = 1;
  write(memory, std::vector<uint32_t>{0, 0});
  make(nodes);
  EXPECT_EQ(read<uint32_t>(memory, 2), (std::vector<uint32_t>{0, 0}));
  for (int round = 0; round < 3; ++round) {
    run();
    EXPECT_EQ(read<uint32_t>(memory, 2), (std::vector<uint32_t>{6, 5}));
    write(memory, std::vector<uint32_t>{0, 0});
  }
}

TEST_F(Graphs, TakeAnotherLaunch) {
  const uint64_t memory = allocate(4096);
  StoreArguments arguments = {memory, 1};
  std::vector<HetGraphNode> nodes(1);
  nodes[0].kind = HET_NODE_LAUNCH;
  HetLaunch given = shape(load("store"), 1, 1);
  given.arguments = &arguments;
  given.argumentBytes = sizeof(arguments);
  nodes[0].work.launch = given;
  make(nodes);
  run();
  EXPECT_EQ(read<uint32_t>(memory, 1)[0], 1u);
  arguments.value = 2;
  CONTRACT_OK(abi->setGraphLaunch(graph, 0, &given, &status));
  arguments.value = 3; // has been copied
  run();
  EXPECT_EQ(read<uint32_t>(memory, 1)[0], 2u);
  given.block[0] = facts.maxThreadsPerBlock + 1;
  const int32_t code = abi->setGraphLaunch(graph, 0, &given, &status);
  ASSERT_NE(code, HET_OK);
  expectReason(code);
  run(); // as it was
  EXPECT_EQ(read<uint32_t>(memory, 1)[0], 2u);
}

} // namespace
} // namespace het::contract
