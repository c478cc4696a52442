// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's graphs on a device that has a form of its own for them: when it is
// made and launched, what changes it, and when the steps are replayed instead.

#include "Eventually.h"
#include "FakeDevice.h"
#include "FakeGraph.h"
#include "FakeTarget.h"
#include "het/Package/PackageWriter.h"

#include <cstdlib>
#include <cuda_runtime_api.h>
#include <filesystem>
#include <future>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>
#include <utility>

using namespace het;

#define CUDA_OK(...) ASSERT_EQ((__VA_ARGS__), cudaSuccess)

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
int __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *,
                           void *, void *, void *, int *);
}

namespace {

/// The environment that the runtime finds, set before anything asks for it.
struct TestEnvironment {
  std::string folder;

  TestEnvironment() {
    char name[] = "/tmp/het-graphs-XXXXXX";
    folder = mkdtemp(name);
    setenv("HET_CACHE_DIR", folder.c_str(), 1);
    setenv("HET_TARGET_PATH", HET_TEST_FAKE_TARGET, 1);
    setenv("HET_LOWERING_PROCESS", "0", 1); // the fake one counts in this process
    setenv("HET_DEVICES", "fake,fake", 1);
    unsetenv("HET_LOG");
  }
  ~TestEnvironment() {
    std::error_code error;
    std::filesystem::remove_all(folder, error);
  }
};
const TestEnvironment testEnvironment;

struct FatBinaryWrapper {
  uint32_t magic = 0x466243b1;
  uint32_t version = 1;
  const void *data = nullptr;
  void *unused = nullptr;
};

char plainStub;

void registerPackage() {
  PackageWriter writer("tests of graphs");
  KernelInfo kernel;
  kernel.name = kernel.displayName = "plain";
  kernel.parameters = {{0, 8, 8}};
  ASSERT_TRUE(writer.addKernel(kernel, Bytes{'p'}).ok());
  static const Bytes bytes = writer.finish().take();
  static FatBinaryWrapper wrapper;
  wrapper.data = bytes.data();
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &plainStub, nullptr, "plain", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
}

void increment(void *counter) { ++*static_cast<int *>(counter); }

class DeviceGraphTest : public testing::Test {
protected:
  static void SetUpTestSuite() { registerPackage(); }
  void SetUp() override {
    counts = test::fakeFunction<FakeGraphs>(HET_TEST_FAKE_TARGET "/het-fake-device.so",
                                            "hetFakeGraphs")();
    *counts = {};
    CUDA_OK(cudaSetDevice(0));
    CUDA_OK(cudaMalloc(reinterpret_cast<void **>(&memory), 64));
    CUDA_OK(cudaStreamCreate(&stream));
    CUDA_OK(cudaGraphCreate(&graph, 0));
  }
  void TearDown() override {
    if (exec)
      CUDA_OK(cudaGraphExecDestroy(exec));
    CUDA_OK(cudaGraphDestroy(graph));
    CUDA_OK(cudaStreamDestroy(stream));
    CUDA_OK(cudaFree(memory));
    EXPECT_EQ(counts->alive, 0);
  }

  using After = std::vector<cudaGraphNode_t>;

  cudaGraphNode_t addKernel(const After &after = {}, Launches *to = nullptr) {
    cudaGraphNode_t node = nullptr;
    cudaKernelNodeParams params = parameters(to ? to : &launches);
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params),
              cudaSuccess);
    return node;
  }
  cudaKernelNodeParams parameters(Launches *to) {
    argument = to;
    return {&plainStub, 1, 32, 0, pointers, nullptr};
  }
  cudaGraphNode_t addFill(int value, const After &after = {}) {
    cudaGraphNode_t node = nullptr;
    cudaMemsetParams params = fill(value);
    EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph, after.data(), after.size(), &params),
              cudaSuccess);
    return node;
  }
  cudaMemsetParams fill(int value) {
    return {memory, 0, static_cast<unsigned>(value), 4, 4, 1};
  }
  cudaGraphNode_t addCall(const After &after = {}) {
    cudaGraphNode_t node = nullptr;
    cudaHostNodeParams params = {increment, &calls};
    EXPECT_EQ(cudaGraphAddHostNode(&node, graph, after.data(), after.size(), &params),
              cudaSuccess);
    return node;
  }

  void instantiate() { CUDA_OK(cudaGraphInstantiate(&exec, graph, 0)); }
  /// Whether the device's own form was launched.
  bool launch() {
    const int before = counts->enqueued;
    EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    return counts->enqueued == before + 1;
  }

  GraphCounts *counts = nullptr;
  int *memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  Launches launches, others;
  Launches *argument = nullptr;
  void *pointers[1] = {&argument};
  int calls = 0;
};

TEST_F(DeviceGraphTest, IsMadeOnceAndLaunched) {
  int host[4] = {};
  cudaGraphNode_t first = addFill(7), copy = nullptr;
  cudaGraphNode_t kernel = addKernel({first});
  CUDA_OK(cudaGraphAddMemcpyNode1D(&copy, graph, &first, 1, host, memory, 16,
                                   cudaMemcpyDeviceToHost));
  addCall({kernel, copy});
  instantiate();
  EXPECT_EQ(counts->latest, "fill;launch 0;copy 0;call 1 2;");
  for (int i = 1; i < 4; ++i) {
    EXPECT_TRUE(launch());
    EXPECT_EQ(calls, i);
  }
  EXPECT_EQ(launches.words.size(), 3u);
  EXPECT_EQ(host[3], 7);
  EXPECT_EQ(counts->made, 1);
}

TEST_F(DeviceGraphTest, EventsAreRecorded) {
  cudaEvent_t event = nullptr;
  cudaGraphNode_t record = nullptr, wait = nullptr;
  CUDA_OK(cudaEventCreate(&event));
  CUDA_OK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, event));
  CUDA_OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  instantiate();
  EXPECT_EQ(counts->latest, "signal;wait 0;");
  EXPECT_TRUE(launch());
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, event), cudaSuccess);
  EXPECT_EQ(milliseconds, 0);
  CUDA_OK(cudaEventDestroy(event));
}

// Between kernels; not where the later one depends on the earlier in another way, too.
TEST_F(DeviceGraphTest, ProgrammaticEdges) {
  const cudaGraphEdgeData edge = {
      cudaGraphKernelNodePortProgrammatic, 0, cudaGraphDependencyTypeProgrammatic, {}};
  cudaGraphNode_t first = addKernel(), second = addKernel(), third = addKernel({second}),
                  behind = nullptr, inner = nullptr;
  CUDA_OK(cudaGraphAddDependencies_v2(graph, &first, &second, &edge, 1));
  CUDA_OK(cudaGraphAddDependencies_v2(graph, &first, &third, &edge, 1));
  CUDA_OK(cudaGraphAddEmptyNode(&behind, graph, nullptr, 0));
  CUDA_OK(cudaGraphAddDependencies_v2(graph, &third, &behind, &edge, 1));
  cudaGraph_t empty = nullptr;
  CUDA_OK(cudaGraphCreate(&empty, 0));
  CUDA_OK(cudaGraphAddChildGraphNode(&inner, graph, &third, 1, empty));
  cudaGraphNode_t last = addKernel({inner});
  CUDA_OK(cudaGraphAddDependencies_v2(graph, &third, &last, &edge, 1));
  instantiate();
  EXPECT_EQ(counts->latest, "launch;launch 0p;launch 0p 1;empty 2;launch 2;");
  EXPECT_TRUE(launch());
  CUDA_OK(cudaGraphDestroy(empty));
}

TEST_F(DeviceGraphTest, ChildrenAreFlattened) {
  cudaGraph_t child = nullptr, empty = nullptr;
  CUDA_OK(cudaGraphCreate(&child, 0));
  CUDA_OK(cudaGraphCreate(&empty, 0));
  cudaGraphNode_t node = nullptr, inner = nullptr, nothing = nullptr;
  CUDA_OK(cudaGraphAddEmptyNode(&node, child, nullptr, 0));
  CUDA_OK(cudaGraphAddEmptyNode(&node, child, nullptr, 0));
  cudaGraphNode_t first = addFill(1);
  CUDA_OK(cudaGraphAddChildGraphNode(&inner, graph, &first, 1, child));
  CUDA_OK(cudaGraphAddChildGraphNode(&nothing, graph, &inner, 1, empty));
  addCall({nothing});
  addKernel();
  instantiate();
  EXPECT_EQ(counts->latest, "fill;launch;empty 0;empty 0;call 2 3;");
  EXPECT_TRUE(launch());
  CUDA_OK(cudaGraphDestroy(child));
  CUDA_OK(cudaGraphDestroy(empty));
}

TEST_F(DeviceGraphTest, PlanesTakeANodeEach) {
  char host[32] = {};
  cudaGraphNode_t copy = nullptr;
  cudaMemcpy3DParms params = {};
  params.srcPtr = {memory, 8, 4, 2};
  params.dstPtr = {host, 4, 4, 2};
  params.extent = {4, 2, 3};
  params.kind = cudaMemcpyDeviceToHost;
  CUDA_OK(cudaGraphAddMemcpyNode(&copy, graph, nullptr, 0, &params));
  addCall({copy});
  instantiate();
  EXPECT_EQ(counts->latest, "copy;copy;copy;call 0 1 2;");
  CUDA_OK(cudaMemset(memory, 5, 64));
  EXPECT_TRUE(launch());
  EXPECT_EQ(host[23], 5);
  EXPECT_EQ(host[24], 0);
}

TEST_F(DeviceGraphTest, KernelsChangeInPlace) {
  addFill(1);
  cudaGraphNode_t kernel = addKernel();
  instantiate();
  cudaKernelNodeParams params = parameters(&others);
  CUDA_OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
  EXPECT_TRUE(launch());
  EXPECT_EQ(launches.words.size(), 0u);
  EXPECT_EQ(others.words.size(), 1u);
  EXPECT_EQ(counts->made, 1);
  EXPECT_EQ(counts->set, 1);
}

TEST_F(DeviceGraphTest, KernelsGetCodeForConstants) {
  addKernel();
  addFill(1);
  addKernel();
  instantiate();
  EXPECT_TRUE(test::eventually([&] {
    EXPECT_TRUE(launch());
    return launches.words.back() == "block=32,1,1" &&
           launches.words[launches.words.size() - 2] == "block=32,1,1";
  }));
  EXPECT_EQ(launches.words.front(), "");
  EXPECT_EQ(counts->made, 1);
  EXPECT_EQ(counts->set, 2);
}

TEST_F(DeviceGraphTest, OtherChangesAreReplayedOnce) {
  cudaGraphNode_t node = addFill(1);
  instantiate();
  cudaMemsetParams params = fill(2);
  CUDA_OK(cudaGraphExecMemsetNodeSetParams(exec, node, &params));
  EXPECT_FALSE(launch());
  EXPECT_EQ(memory[3], 2);
  EXPECT_EQ(counts->made, 1);
  memory[3] = 0;
  EXPECT_TRUE(launch());
  EXPECT_EQ(memory[3], 2);
  EXPECT_EQ(counts->made, 2);
}

TEST_F(DeviceGraphTest, UpdateChangesWhatIsAnother) {
  cudaGraphNode_t first = addFill(1);
  cudaGraphNode_t kernel = addKernel({first});
  addCall();
  instantiate();
  cudaGraphExecUpdateResultInfo info;
  CUDA_OK(cudaGraphExecUpdate(exec, graph, &info)); // the same
  EXPECT_EQ(counts->set, 0);
  EXPECT_TRUE(launch());
  cudaKernelNodeParams params = parameters(&others);
  CUDA_OK(cudaGraphKernelNodeSetParams(kernel, &params));
  CUDA_OK(cudaGraphExecUpdate(exec, graph, &info));
  EXPECT_EQ(counts->set, 1);
  EXPECT_TRUE(launch());
  EXPECT_EQ(others.words.size(), 1u);
  cudaMemsetParams other = fill(9);
  CUDA_OK(cudaGraphMemsetNodeSetParams(first, &other));
  CUDA_OK(cudaGraphExecUpdate(exec, graph, &info));
  EXPECT_FALSE(launch());
  EXPECT_EQ(memory[0], 9);
  EXPECT_EQ(others.words.size(), 2u);
  EXPECT_TRUE(launch());
}

TEST_F(DeviceGraphTest, UpdateMayChangeTheOrder) {
  cudaGraphNode_t first = addFill(1), second = addFill(2);
  instantiate();
  EXPECT_EQ(counts->latest, "fill;fill;");
  CUDA_OK(cudaGraphAddDependencies(graph, &first, &second, 1));
  cudaGraphExecUpdateResultInfo info;
  CUDA_OK(cudaGraphExecUpdate(exec, graph, &info));
  EXPECT_FALSE(launch());
  EXPECT_TRUE(launch());
  EXPECT_EQ(counts->latest, "fill;fill 0;");
}

TEST_F(DeviceGraphTest, RefusedGraphsAreReplayed) {
  int value = 0;
  void *pointerToLaunches = &launches, *pack[] = {&pointerToLaunches};
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaLaunchHostFunc(stream, increment, &value));
  CUDA_OK(cudaLaunchCooperativeKernel(&plainStub, 1, 32, pack, 0, stream));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  instantiate();
  EXPECT_EQ(counts->made, 0);
  EXPECT_FALSE(launch());
  EXPECT_EQ(value, 1);
  EXPECT_EQ(launches.words.size(), 1u);
}

/// What it calls is there until it has run.
TEST_F(DeviceGraphTest, IsDestroyedWhileItRuns) {
  std::promise<void> goOn;
  CUDA_OK(cudaLaunchHostFunc(
      stream,
      [](void *on) { static_cast<std::promise<void> *>(on)->get_future().wait(); },
      &goOn));
  addCall();
  instantiate();
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaGraphExecDestroy(std::exchange(exec, nullptr)));
  EXPECT_EQ(calls, 0);
  goOn.set_value();
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(calls, 1);
}

/// Each calls with data of its own, which is in no table afterwards.
TEST_F(DeviceGraphTest, LeavesNothingBehind) {
  static char data[1 << 20];
  char *next = data;
  auto live = [&](int graphs) {
    for (int i = 0; i < graphs; ++i) {
      cudaGraph_t other = nullptr;
      cudaGraphNode_t node = nullptr;
      const cudaHostNodeParams params = {[](void *) {}, next++};
      CUDA_OK(cudaGraphCreate(&other, 0));
      CUDA_OK(cudaGraphAddHostNode(&node, other, nullptr, 0, &params));
      CUDA_OK(cudaGraphInstantiate(&exec, other, 0));
      CUDA_OK(cudaGraphLaunch(exec, stream));
      CUDA_OK(cudaGraphExecDestroy(std::exchange(exec, nullptr)));
      CUDA_OK(cudaGraphDestroy(other));
    }
    CUDA_OK(cudaStreamSynchronize(stream));
  };
  // The least of several: a thread that begins takes some memory once.
  size_t growth = SIZE_MAX;
  for (int times = 0; times < 5; ++times) {
    const size_t before = mallinfo2().uordblks;
    live(1000);
    growth = std::min(growth, std::max(mallinfo2().uordblks, before) - before);
  }
  EXPECT_LT(growth, size_t(16) << 10); // a byte of a thousand would be 24 KiB
}

TEST_F(DeviceGraphTest, OtherDevicesAndCapturesReplay) {
  addCall();
  instantiate();
  cudaStream_t other = nullptr;
  CUDA_OK(cudaSetDevice(1));
  CUDA_OK(cudaStreamCreate(&other));
  CUDA_OK(cudaGraphLaunch(exec, other));
  CUDA_OK(cudaStreamSynchronize(other));
  CUDA_OK(cudaStreamDestroy(other));
  CUDA_OK(cudaSetDevice(0));
  EXPECT_EQ(calls, 1);
  cudaGraph_t captured = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamEndCapture(stream, &captured));
  size_t nodes = 0;
  CUDA_OK(cudaGraphGetNodes(captured, nullptr, &nodes));
  EXPECT_EQ(nodes, 1u);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(counts->enqueued, 0);
  CUDA_OK(cudaGraphDestroy(captured));
}

TEST_F(DeviceGraphTest, IsMadeAnewAfterAReset) {
  addKernel();
  instantiate();
  EXPECT_TRUE(launch());
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaDeviceReset());
  EXPECT_EQ(counts->alive, 0);
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaMalloc(reinterpret_cast<void **>(&memory), 64));
  EXPECT_TRUE(launch());
  EXPECT_EQ(counts->made, 2);
  EXPECT_EQ(launches.words.size(), 2u);
}

TEST_F(DeviceGraphTest, LegacyStreamWaitsForIt) {
  addCall();
  instantiate();
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(nullptr));
  EXPECT_EQ(calls, 1);
  CUDA_OK(cudaGraphLaunch(exec, nullptr));
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaDeviceSynchronize());
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(counts->enqueued, 2);
}

} // namespace
