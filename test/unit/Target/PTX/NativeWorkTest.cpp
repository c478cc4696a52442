// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native work: recorded once, done in queues and in graphs, refused where it can not be
// recorded.

#include "PTXDeviceTest.h"

#include <thread>

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// What a library of the vendor's does: *to = value, so many times.
struct Fills {
  uint32_t *to;
  uint32_t value;
  int count = 1;
  bool waits = false; ///< It waits for the stream then.
  int results = 0;    ///< Of calls that have failed.

  template <class Function> static auto *find(const char *name) {
    static void *driver = dlopen(HET_TEST_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function *>(dlsym(driver, name));
  }
  static void enqueue(void *stream, void *data) {
    auto &fills = *static_cast<Fills *>(data);
    auto *set = find<CUresult(CUdeviceptr, unsigned, size_t, void *)>("cuMemsetD32Async");
    for (int i = 0; i < fills.count; ++i)
      fills.results += set(addressOf(fills.to), fills.value, 1, stream) != CUDA_SUCCESS;
    if (fills.waits)
      fills.results += find<CUresult(void *)>("cuStreamSynchronize")(stream) != 0;
  }
};

class PTXNativeWorkTest : public PTXDeviceTest {
protected:
  void SetUp() override {
    PTXDeviceTest::SetUp();
    openDevice();
  }
  void TearDown() override {
    if (graph)
      abi->destroyGraph(graph);
    for (HetNativeWork *one : all)
      abi->destroyNativeWork(one);
    PTXDeviceTest::TearDown();
  }

  HetNativeWork *record(Fills fills) {
    HetNativeWork *work = nullptr;
    EXPECT_EQ(abi->recordNative(device, Fills::enqueue, &fills, &work, &status), HET_OK)
        << message();
    EXPECT_EQ(fills.results, 0);
    all.push_back(work);
    return work;
  }
  void create(HetNativeWork *work) {
    HetGraphNode nodes[2] = {};
    const uint32_t first = 0;
    nodes[0].kind = HET_NODE_NATIVE;
    nodes[0].work.native = work;
    nodes[1].kind = HET_NODE_EMPTY;
    nodes[1].dependencies = &first;
    nodes[1].dependencyCount = 1;
    PTX_OK(abi->createGraph(device, nodes, 2, &graph, &status));
  }
  void launchGraph() {
    PTX_OK(abi->enqueueGraph(queue, graph, &status));
    abi->synchronize(queue);
  }

  std::vector<HetNativeWork *> all;
  HetGraph *graph = nullptr;
};

TEST_F(PTXNativeWorkTest, IsDoneWhenItIsPutIn) {
  uint32_t word = 0;
  HetNativeWork *work = record({&word, 7});
  fake->runAll();
  EXPECT_EQ(word, 0u);
  for (int round = 0; round < 2; ++round) {
    word = 0;
    fake->takeCalls();
    PTX_OK(abi->enqueueNativeWork(queue, work, &status));
    EXPECT_EQ(word, 0u);
    abi->synchronize(queue);
    EXPECT_EQ(word, 7u);
    if (round == 1) // it has been made ready before
      EXPECT_THAT(fake->takeCalls(), ElementsAre("cuGraphLaunch", "cuStreamSynchronize"));
  }
}

TEST_F(PTXNativeWorkTest, OnAThreadWithoutAContext) {
  uint32_t word = 0;
  std::thread([&] { record({&word, 7}); }).join();
  PTX_OK(abi->enqueueNativeWork(queue, all[0], &status));
  abi->synchronize(queue);
  EXPECT_EQ(word, 7u);
}

TEST_F(PTXNativeWorkTest, InGraphsWhichOutliveIt) {
  uint32_t word = 0;
  HetNativeWork *work = record({&word, 7, 2});
  create(work);
  abi->destroyNativeWork(work);
  all.clear();
  launchGraph();
  EXPECT_EQ(word, 7u);
}

TEST_F(PTXNativeWorkTest, OtherWorkForANode) {
  uint32_t word = 0, other = 0;
  create(record({&word, 7}));
  PTX_OK(abi->setGraphNative(graph, 0, record({&other, 8}), &status));
  launchGraph();
  EXPECT_EQ(word, 0u);
  EXPECT_EQ(other, 8u);
  EXPECT_EQ(abi->setGraphNative(graph, 0, record({&word, 9, 2}), &status), HET_INVALID);
  EXPECT_EQ(abi->setGraphNative(graph, 0, record({&word, 9, 0}), &status), HET_INVALID);
  EXPECT_EQ(abi->setGraphNative(graph, 1, all[0], &status), HET_INVALID);
  EXPECT_EQ(abi->setGraphNative(graph, 2, all[0], &status), HET_INVALID);
  const HetLaunch launch = {};
  EXPECT_EQ(abi->setGraphLaunch(graph, 0, &launch, &status), HET_INVALID);
  other = 0;
  launchGraph(); // as it was
  EXPECT_EQ(word, 0u);
  EXPECT_EQ(other, 8u);
}

TEST_F(PTXNativeWorkTest, Nothing) {
  uint32_t word = 0;
  HetNativeWork *work = record({&word, 7, 0});
  fake->takeCalls();
  PTX_OK(abi->enqueueNativeWork(queue, work, &status));
  EXPECT_THAT(fake->takeCalls(), IsEmpty());
  create(work);
  launchGraph();
  EXPECT_EQ(abi->setGraphNative(graph, 0, work, &status), HET_INVALID);
}

TEST_F(PTXNativeWorkTest, WhatWaitsIsNotRecorded) {
  uint32_t word = 0;
  Fills fills = {&word, 7};
  fills.waits = true;
  HetNativeWork *work = nullptr;
  EXPECT_EQ(abi->recordNative(device, Fills::enqueue, &fills, &work, &status),
            HET_UNSUPPORTED);
  EXPECT_EQ(fills.results, 1);
  EXPECT_EQ(work, nullptr);
  EXPECT_EQ(fake->alive().find("graph"), std::string::npos);
  EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_NONE);
  record({&word, 7}); // the next one is
}

TEST_F(PTXNativeWorkTest, WhatAllocatesIsNotRecorded) {
  uint32_t word = 0;
  Fills fills = {&word, 7};
  HetNativeWork *work = nullptr;
  fake->recordsAllocations = true;
  EXPECT_EQ(abi->recordNative(device, Fills::enqueue, &fills, &work, &status),
            HET_UNSUPPORTED);
  EXPECT_THAT(message(), HasSubstr("allocation"));
  EXPECT_EQ(fake->alive().find("graph"), std::string::npos);
}

TEST_F(PTXNativeWorkTest, NotAfterAFault) {
  uint32_t word = 0;
  HetNativeWork *work = record({&word, 7});
  die(CUDA_ERROR_ILLEGAL_ADDRESS);
  abi->synchronize(queue);
  fake->takeCalls();
  PTX_OK(abi->enqueueNativeWork(queue, work, &status)); // is taken, and not done
  EXPECT_THAT(fake->takeCalls(), IsEmpty());
  Fills fills = {&word, 7};
  HetNativeWork *another = nullptr;
  EXPECT_EQ(abi->recordNative(device, Fills::enqueue, &fills, &another, &status),
            HET_UNAVAILABLE);
}

TEST_F(PTXNativeWorkTest, OfAnotherDevice) {
  fake->deviceCount = 2;
  HetDevice *other = nullptr;
  HetQueue *otherQueue = nullptr;
  PTX_OK(abi->open(1, &other, &status));
  PTX_OK(abi->createQueue(other, &otherQueue, &status));
  uint32_t word = 0;
  HetNativeWork *work = record({&word, 7});
  EXPECT_EQ(abi->enqueueNativeWork(otherQueue, work, &status), HET_INVALID);
  HetGraphNode node = {};
  node.kind = HET_NODE_NATIVE;
  node.work.native = work;
  EXPECT_EQ(abi->createGraph(other, &node, 1, &graph, &status), HET_UNSUPPORTED);
  abi->destroyQueue(otherQueue);
  abi->close(other);
}

} // namespace
