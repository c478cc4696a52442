// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One life of two devices with all that the table offers, and then the same with each
// single call of the driver failing: every failure has a status or a fault that says
// something, nothing stays behind, nothing crashes.

#include "PTXDeviceTest.h"

namespace {

/// The life. What fails is noted, and what depends on it left out.
class Life {
public:
  Life(const HetDeviceABI &abi, FakeDriver &fake) : abi(abi), fake(fake) {}

  void run() {
    uint32_t count = 0;
    ok(abi.probe(&count, &status));
    HetDevice *first = nullptr, *second = nullptr;
    if (ok(abi.open(0, &first, &status))) {
      if (ok(abi.open(1, &second, &status))) {
        liveOn(*second, otherWindow);
        liveOn(*first, windowAddress);
        close(second);
      }
      close(first);
    }
  }

  bool failed = false; ///< something said so

private:
  bool ok(int32_t code) {
    EXPECT_EQ(code, status.code);
    if (code == HET_OK) {
      EXPECT_STREQ(status.message, "");
      return true;
    }
    EXPECT_STRNE(status.message, "");
    failed = true;
    return false;
  }

  void close(HetDevice *device) {
    if (abi.fault(device, &status)) {
      EXPECT_STRNE(status.message, "");
      failed = true;
    }
    abi.close(device);
  }

  void liveOn(HetDevice &device, uint64_t window) {
    ok(abi.setLimit(&device, HET_LIMIT_STACK, 2048, &status));
    uint64_t managed = 0;
    std::vector<char> host(64);
    const uint64_t pinned = addressOf(host.data());
    const bool hasPinned = ok(abi.pinMemory(&device, pinned, 64, &status));
    const bool hasManaged = ok(abi.allocateManaged(&device, 64, &managed, &status));
    if (ok(abi.mapMemory(&device, window, granule, &status))) {
      useQueues(device, window);
      if (!ok(abi.unmapMemory(&device, window, granule, &status)))
        EXPECT_EQ(status.code, HET_INTERNAL);
    }
    if (hasManaged)
      ok(abi.freeManaged(&device, managed, &status));
    if (hasPinned)
      ok(abi.unpinMemory(&device, pinned, &status));
  }

  void useQueues(HetDevice &device, uint64_t memory) {
    HetQueue *queue = nullptr, *other = nullptr;
    HetEvent *event = nullptr, *end = nullptr;
    if (ok(abi.createQueue(&device, &queue, &status))) {
      if (ok(abi.createQueue(&device, &other, &status))) {
        if (ok(abi.createEvent(&device, &event, &status))) {
          if (ok(abi.createEvent(&device, &end, &status))) {
            work(*queue, *other, *event, *end, memory);
            useKernels(device, *queue, *other, memory);
            useGraph(device, *queue, *event, memory);
            useNative(device, *queue);
            park(device, *queue, memory);
            abi.destroyEvent(end);
          }
          abi.destroyEvent(event);
        }
        abi.destroyQueue(other);
      }
      abi.destroyQueue(queue);
    }
  }

  void work(HetQueue &queue, HetQueue &other, HetEvent &event, HetEvent &end,
            uint64_t memory) {
    const uint64_t from = addressOf(words);
    ok(abi.enqueueSignal(&queue, &event, &status));
    ok(abi.enqueueCopy(&queue, memory, from, 16, &status));
    ok(abi.enqueueCopyRows(&queue, memory, 16, from, 8, 4, 2, &status));
    ok(abi.enqueueFill(&queue, memory, 1, 1, 4, &status));
    ok(abi.enqueueFill(&queue, memory, 1, 2, 4, &status));
    ok(abi.enqueueFill(&queue, memory, 1, 4, 4, &status));
    ok(abi.enqueueCall(&queue, [](void *) {}, nullptr, &status));
    ok(abi.enqueueSignal(&queue, &end, &status));
    ok(abi.enqueueWait(&other, &end, &status));
    abi.isIdle(&queue);
    abi.isEventDone(&event);
    abi.waitEvent(&end);
    abi.synchronize(&queue);
    abi.synchronize(&other);
    int64_t nanoseconds = 0;
    ok(abi.eventElapsed(&event, &end, &nanoseconds, &status));
  }

  void useKernels(HetDevice &device, HetQueue &queue, HetQueue &other, uint64_t memory) {
    const PTXBytes bytes =
        makeArtifact("variable", "variables 1 kernel variable", 1, HET_PTX_GRID_BARRIER);
    HetLowering finished = {};
    if (!ok(abi.finishArtifact(&device, bytes.data(), bytes.size(), &finished, &status)))
      return;
    HetArtifact *kernel = nullptr;
    if (ok(abi.loadArtifact(&device, finished.data, finished.size, &memory, 1, &kernel,
                            &status))) {
      HetArtifactInfo info;
      ok(abi.describeArtifact(kernel, &info, &status));
      uint32_t blocks = 0;
      ok(abi.residentBlocks(kernel, 32, 50 << 10, &blocks, &status));
      for (uint32_t cooperative : {0, 1})
        for (HetQueue *at : {&queue, &other}) {
          HetLaunch launch = {kernel,    {1, 1, 1}, {32, 1, 1}, 60 << 10, cooperative,
                              {0, 0, 0}, 0,         0,          &memory,  sizeof(memory)};
          ok(abi.enqueueLaunch(at, &launch, &status));
        }
      abi.synchronize(&queue);
      abi.synchronize(&other);
      abi.unloadArtifact(kernel);
    }
    abi.releaseFinished(&finished);
  }

  void useGraph(HetDevice &device, HetQueue &queue, HetEvent &event, uint64_t memory) {
    const PTXBytes bytes = makeArtifact("none", "kernel none", 0, HET_PTX_GRID_WAIT);
    HetArtifact *kernel = nullptr;
    if (!ok(abi.loadArtifact(&device, bytes.data(), bytes.size(), nullptr, 0, &kernel,
                             &status)))
      return;
    HetLaunch launch = {kernel,    {1, 1, 1}, {32, 1, 1}, 60 << 10, 0,
                        {0, 0, 0}, 0,         0,          nullptr,  0};
    HetGraphNode nodes[7] = {};
    const uint32_t first = 0;
    for (uint32_t kind = 0; kind < 7; ++kind) {
      nodes[kind].kind = kind;
      nodes[kind].dependencies = &first;
      nodes[kind].dependencyCount = kind ? 1 : 0;
    }
    nodes[HET_NODE_LAUNCH].work.launch = launch;
    nodes[HET_NODE_COPY].work.copy = {memory, addressOf(words), 16, 8, 4, 2};
    nodes[HET_NODE_FILL].work.fill = {memory, 8, 4, 2, 1, 4};
    nodes[HET_NODE_CALL].work.call = {[](void *) {}, nullptr};
    nodes[HET_NODE_SIGNAL].work.event = nodes[HET_NODE_WAIT].work.event = &event;
    HetGraph *graph = nullptr;
    if (ok(abi.createGraph(&device, nodes, 7, &graph, &status))) {
      ok(abi.enqueueGraph(&queue, graph, &status));
      launch.grid[0] = 2;
      ok(abi.setGraphLaunch(graph, HET_NODE_LAUNCH, &launch, &status));
      ok(abi.enqueueGraph(&queue, graph, &status));
      abi.synchronize(&queue);
      abi.destroyGraph(graph);
    }
    const uint8_t programmatic = 1;
    nodes[0] = nodes[HET_NODE_LAUNCH];
    nodes[0].dependencyCount = 0;
    nodes[1].programmatic = &programmatic;
    if (ok(abi.createGraph(&device, nodes, 2, &graph, &status)))
      abi.destroyGraph(graph);
    launch.programmatic = 1;
    ok(abi.enqueueLaunch(&queue, &launch, &status));
    abi.synchronize(&queue);
    abi.unloadArtifact(kernel);
  }

  void useNative(HetDevice &device, HetQueue &queue) {
    const auto fill = [](void *stream, void *word) {
      void *driver = dlopen(HET_TEST_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
      auto set = reinterpret_cast<CUresult (*)(CUdeviceptr, unsigned, size_t, CUstream)>(
          dlsym(driver, "cuMemsetD32Async"));
      (void)set(addressOf(static_cast<uint32_t *>(word)), 7, 1,
                static_cast<CUstream>(stream));
    };
    HetNativeWork *work = nullptr;
    if (!ok(abi.recordNative(&device, fill, words, &work, &status)))
      return;
    ok(abi.enqueueNativeWork(&queue, work, &status));
    HetGraphNode node = {};
    node.kind = HET_NODE_NATIVE;
    node.work.native = work;
    HetGraph *graph = nullptr;
    if (ok(abi.createGraph(&device, &node, 1, &graph, &status))) {
      ok(abi.setGraphNative(graph, 0, work, &status));
      abi.destroyGraph(graph);
    }
    abi.synchronize(&queue);
    abi.destroyNativeWork(work);
  }

  void park(HetDevice &device, HetQueue &queue, uint64_t memory) {
    const PTXBytes bytes =
        makeParkable({.layout = 7, .threadBytes = 20, .sharedBytes = 12, .reserved = 0});
    HetArtifact *kernel = nullptr;
    if (!ok(abi.loadArtifact(&device, bytes.data(), bytes.size(), nullptr, 0, &kernel,
                             &status)))
      return;
    HetParkingInfo info;
    ok(abi.describeParking(kernel, &info, &status));
    LaunchState state(4);
    HetLaunch launch = {kernel,    {4, 1, 1}, {32, 1, 1}, 16,      0,
                        {0, 0, 0}, 0,         0,          &memory, sizeof(memory)};
    for (uint32_t on : {1, 0, 1, 0}) {
      fake.startedBlocks = 4;
      ok(abi.enqueueParkable(&queue, &launch, &state, &status));
      abi.setParking(&device, on);
      abi.synchronize(&queue);
      abi.setParking(&device, 0);
    }
    abi.unloadArtifact(kernel);
  }

  const HetDeviceABI &abi;
  FakeDriver &fake;
  HetStatus status = {};
  uint32_t words[4] = {1, 2, 3, 4}; ///< lives until all queues are gone
};

/// The result, and whether the memory of a dead context can not be unmapped.
class PTXInjectionTest : public PTXDeviceTest,
                         public testing::WithParamInterface<std::tuple<CUresult, bool>> {
};

/// What may fail with nothing to be said of it: giving things back, asking whether
/// there is a better message, what peers could have, compiling before loading, preparing
/// to stop.
bool isQuiet(const std::string &function) {
  static const std::set<std::string> quiet = {"cuMemRelease",
                                              "cuMemGetInfo_v2",
                                              "cuMemAddressFree",
                                              "cuDevicePrimaryCtxRelease_v2",
                                              "cuDevicePrimaryCtxReset_v2",
                                              "cuDeviceCanAccessPeer",
                                              "cuMemSetAccess",
                                              "cuCtxSetCurrent",
                                              "cuStreamDestroy_v2",
                                              "cuEventDestroy_v2",
                                              "cuModuleUnload",
                                              "cuGraphDestroy",
                                              "cuGraphExecDestroy",
                                              "cuMemFree_v2",
                                              "cuMemFreeHost",
                                              "cuStreamWriteValue32_v2",
                                              "cuStreamWaitValue32_v2"};
  return quiet.count(function) || function.rfind("nvPTXCompiler", 0) == 0;
}

TEST_P(PTXInjectionTest, EveryCallFails) {
  PTX_NEEDS_WINDOW();
  uint32_t count = 0;
  PTX_OK(abi->probe(&count, &status)); // opens the driver, which is done once
  fake->reset();
  fake->deviceCount = 2;
  Life whole(*abi, *fake);
  whole.run();
  EXPECT_FALSE(whole.failed);
  EXPECT_EQ(fake->alive(), "");
  const int calls = fake->callCount;
  EXPECT_GT(calls, 190);
  std::set<std::string> failed;
  for (int call = 1; call <= calls; ++call) {
    fake->reset();
    fake->deviceCount = 2;
    fake->failAny = {call, std::get<0>(GetParam())};
    fake->deadKeepsMemory = std::get<1>(GetParam());
    Life life(*abi, *fake);
    life.run();
    SCOPED_TRACE("call " + std::to_string(call) + ": " + fake->failed);
    failed.insert(fake->failed);
    EXPECT_TRUE(life.failed || isQuiet(fake->failed));
    const bool addressesStay = fake->failed == "cuMemAddressFree";
    EXPECT_EQ(fake->alive(), addressesStay ? "1 reservation" : "");
    EXPECT_THAT(fake->misuses, testing::IsEmpty());
    if (HasFailure())
      return;
  }
  EXPECT_GT(failed.size(), 53u);
  fake->reset();
}

INSTANTIATE_TEST_SUITE_P(
    Results, PTXInjectionTest,
    testing::Combine(testing::Values(CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY,
                                     CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_LAUNCH_FAILED,
                                     CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_UNKNOWN),
                     testing::Bool()));

} // namespace
