// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: what their nodes do and call, what is refused, other launches for a
// node.

#include "PTXDeviceTest.h"

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class PTXGraphTest : public PTXDeviceTest {
protected:
  void SetUp() override {
    PTXDeviceTest::SetUp();
    openDevice();
  }
  void TearDown() override {
    if (graph)
      abi->destroyGraph(graph);
    PTXDeviceTest::TearDown();
  }

  HetGraphNode &add(uint32_t kind, std::initializer_list<uint32_t> after = {}) {
    dependencies.push_back(after);
    HetGraphNode node = {};
    node.kind = kind;
    node.dependencies = dependencies.back().data();
    node.dependencyCount = after.size();
    nodes.push_back(node);
    return nodes.back();
  }

  /// *to = value, by the kernel "store".
  HetLaunch store(uint32_t *to, uint32_t value) {
    if (!kernel)
      loadKernel("store", kernel);
    auto &packed = arguments.emplace_back();
    packed.to = addressOf(to);
    packed.value = value;
    HetLaunch launch = shape(kernel);
    launch.arguments = &packed;
    launch.argumentBytes = 12;
    return launch;
  }

  void create() {
    PTX_OK(abi->createGraph(device, nodes.data(), nodes.size(), &graph, &status));
  }
  void expectRefused(int32_t code, const char *says) {
    EXPECT_EQ(abi->createGraph(device, nodes.data(), nodes.size(), &graph, &status),
              code);
    EXPECT_THAT(message(), HasSubstr(says));
    EXPECT_EQ(graph, nullptr);
    EXPECT_THAT(fake->alive(), testing::Not(HasSubstr("graph")));
    nodes.clear();
  }
  void launchGraph() { PTX_OK(abi->enqueueGraph(queue, graph, &status)); }

  struct Arguments {
    uint64_t to;
    uint32_t value;
  };
  std::deque<Arguments> arguments;
  std::deque<std::vector<uint32_t>> dependencies;
  std::vector<HetGraphNode> nodes;
  HetArtifact *kernel = nullptr;
  HetGraph *graph = nullptr;
};

void increment(void *counter) { ++*static_cast<int *>(counter); }

TEST_F(PTXGraphTest, AllKindsOfNodes) {
  uint32_t words[8] = {}, rows[8] = {}, from[4] = {1, 2, 3, 4}, stored = 0;
  int calls = 0;
  add(HET_NODE_EMPTY);
  add(HET_NODE_FILL, {0}).work.fill = {addressOf(words), 16, 8, 2, 0x01020304, 4};
  add(HET_NODE_FILL, {1}).work.fill = {addressOf(words + 1), 0, 2, 1, 0xffff0102, 2};
  add(HET_NODE_COPY, {0}).work.copy = {addressOf(rows), addressOf(from), 16, 8, 8, 2};
  add(HET_NODE_COPY, {2, 3}).work.copy = {
      addressOf(rows + 2), addressOf(words), 0, 0, 8, 1};
  add(HET_NODE_LAUNCH, {4}).work.launch = store(&stored, 7);
  add(HET_NODE_CALL, {5}).work.call = {increment, &calls};
  add(HET_NODE_SIGNAL, {6}).work.event = event;
  add(HET_NODE_WAIT, {7}).work.event = event;
  fake->takeCalls();
  create();
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("cuGraphCreate", "cuGraphAddEmptyNode", "cuGraphAddMemsetNode",
                          "cuGraphAddMemsetNode", "cuGraphAddMemcpyNode",
                          "cuGraphAddMemcpyNode", "cuGraphAddKernelNode_v2",
                          "cuGraphAddHostNode", "cuGraphAddEventRecordNode",
                          "cuGraphAddEventWaitNode", "cuGraphInstantiateWithFlags"));
  arguments.back() = {}; // they were copied
  for (auto &list : dependencies)
    list.clear();
  launchGraph();
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuGraphLaunch"));
  EXPECT_EQ(calls, 0);
  EXPECT_FALSE(abi->isEventDone(event));
  abi->synchronize(queue);
  EXPECT_THAT(words,
              ElementsAre(0x01020304, 0x01020102, 0, 0, 0x01020304, 0x01020304, 0, 0));
  EXPECT_THAT(rows, ElementsAre(1, 2, 0x01020304, 0x01020102, 3, 4, 0, 0));
  EXPECT_EQ(stored, 7u);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(abi->isEventDone(event));
  launchGraph();
  launchGraph();
  abi->synchronize(queue);
  EXPECT_EQ(calls, 3);
}

TEST_F(PTXGraphTest, AnotherLaunch) {
  uint32_t first = 0, second = 0;
  add(HET_NODE_LAUNCH).work.launch = store(&first, 1);
  add(HET_NODE_EMPTY, {0});
  create();
  const HetLaunch other = store(&second, 2);
  PTX_OK(abi->setGraphLaunch(graph, 0, &other, &status));
  launchGraph();
  abi->synchronize(queue);
  EXPECT_EQ(first, 0u);
  EXPECT_EQ(second, 2u);
  EXPECT_EQ(abi->setGraphLaunch(graph, 1, &other, &status), HET_INVALID);
  EXPECT_EQ(abi->setGraphLaunch(graph, 2, &other, &status), HET_INVALID);
  HetLaunch tooLarge = other;
  tooLarge.block[0] = 2048;
  EXPECT_EQ(abi->setGraphLaunch(graph, 0, &tooLarge, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("block (2048, 1, 1)"));
  HetLaunch tooFew = other;
  tooFew.argumentBytes = 8;
  EXPECT_EQ(abi->setGraphLaunch(graph, 0, &tooFew, &status), HET_INVALID);
  second = 0;
  launchGraph(); // as it was
  abi->synchronize(queue);
  EXPECT_EQ(second, 2u);
}

TEST_F(PTXGraphTest, AnotherKernelOfAnotherNode) {
  uint32_t word = 0;
  HetArtifact *none = nullptr;
  loadKernel("none", none);
  add(HET_NODE_LAUNCH).work.launch = shape(none);
  create();
  const HetLaunch other = store(&word, 5);
  PTX_OK(abi->setGraphLaunch(graph, 0, &other, &status));
  launchGraph();
  abi->synchronize(queue);
  EXPECT_EQ(word, 5u);
}

TEST_F(PTXGraphTest, SharedMemoryIsAllowed) {
  uint32_t word = 0;
  HetLaunch launch = store(&word, 5);
  launch.dynamicSharedBytes = 100 << 10;
  add(HET_NODE_LAUNCH).work.launch = launch;
  create();
  launchGraph();
  abi->synchronize(queue);
  EXPECT_EQ(word, 5u);
}

// The later kernel must wait for the earlier one by itself, or it begins behind it.
TEST_F(PTXGraphTest, ProgrammaticDependencies) {
  uint32_t word = 0;
  HetArtifact *waits = nullptr, *none = nullptr;
  loadKernel("none", waits, HET_PTX_GRID_WAIT);
  loadKernel("none", none);
  const uint8_t second[] = {0, 1}, first[] = {1};
  add(HET_NODE_LAUNCH).work.launch = store(&word, 5);
  add(HET_NODE_EMPTY);
  HetGraphNode &both = add(HET_NODE_LAUNCH, {1, 0});
  both.programmatic = second;
  both.work.launch = shape(waits);
  HetGraphNode &onWaits = add(HET_NODE_LAUNCH, {2});
  onWaits.programmatic = first;
  onWaits.work.launch = shape(none);
  HetGraphNode &onEmpty = add(HET_NODE_LAUNCH, {1});
  onEmpty.programmatic = first;
  onEmpty.work.launch = shape(waits);
  create();
  EXPECT_THAT(fake->programmaticEdges, ElementsAre(std::pair(0, 2)));
  HetLaunch other = shape(none);
  EXPECT_EQ(abi->setGraphLaunch(graph, 2, &other, &status), HET_UNSUPPORTED);
  EXPECT_THAT(message(), HasSubstr("does not wait for grids"));
  other = shape(waits, 2);
  PTX_OK(abi->setGraphLaunch(graph, 2, &other, &status));
  other = shape(none, 2);
  PTX_OK(abi->setGraphLaunch(graph, 3, &other, &status));
  launchGraph();
  abi->synchronize(queue);
  EXPECT_EQ(word, 5u);
}

TEST_F(PTXGraphTest, RefusesWhatNeedsMore) {
  HetArtifact *meets = nullptr, *none = nullptr;
  loadKernel("none", meets, HET_PTX_GRID_BARRIER);
  loadKernel("none", none);
  add(HET_NODE_LAUNCH).work.launch = shape(meets);
  expectRefused(HET_UNSUPPORTED, "kernel 'none'");
  HetLaunch cooperative = shape(none);
  cooperative.cooperative = 1;
  add(HET_NODE_LAUNCH).work.launch = cooperative;
  expectRefused(HET_UNSUPPORTED, "grid barriers");
  add(HET_NODE_EMPTY).kind = 77;
  expectRefused(HET_UNSUPPORTED, "node 0");
}

TEST_F(PTXGraphTest, RefusesMistakes) {
  uint32_t word = 0;
  add(HET_NODE_EMPTY, {0});
  expectRefused(HET_INVALID, "node 0");
  HetLaunch launch = store(&word, 1);
  launch.block[0] = 2048;
  add(HET_NODE_EMPTY);
  add(HET_NODE_LAUNCH).work.launch = launch;
  expectRefused(HET_INVALID,
                "node 1, kernel 'store': grid (1, 1, 1), block (2048, 1, 1)");
  add(HET_NODE_FILL).work.fill = {addressOf(&word), 0, 3, 1, 0, 3};
  expectRefused(HET_INVALID, "node 0");
}

TEST_F(PTXGraphTest, GoesWhileItsWorkWaits) {
  uint32_t word = 0;
  add(HET_NODE_LAUNCH).work.launch = store(&word, 3);
  create();
  launchGraph();
  abi->destroyGraph(graph);
  graph = nullptr;
  abi->synchronize(queue);
  EXPECT_EQ(word, 3u);
}

TEST_F(PTXGraphTest, FaultNamesItsKernel) {
  CUresult result = CUDA_ERROR_ILLEGAL_ADDRESS;
  HetArtifact *kernels = nullptr;
  loadKernel("die", kernels);
  HetLaunch launch = shape(kernels);
  launch.arguments = &result;
  launch.argumentBytes = sizeof(result);
  add(HET_NODE_LAUNCH).work.launch = launch;
  add(HET_NODE_EMPTY, {0});
  create();
  launchGraph();
  abi->synchronize(queue);
  EXPECT_EQ(abi->fault(device, &status), HET_FAULT_ILLEGAL_ADDRESS);
  EXPECT_THAT(message(), HasSubstr("kernel 'die'"));
  fake->takeCalls();
  launchGraph(); // is taken, and not done
  EXPECT_THAT(fake->takeCalls(), IsEmpty());
  HetGraph *another = nullptr;
  EXPECT_EQ(abi->createGraph(device, nodes.data(), nodes.size(), &another, &status),
            HET_UNAVAILABLE);
}

} // namespace
