// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs made by hand and by capture, and their replay.

#include "Support.h"

#include <vector>

namespace {

void increment(void *counter) { ++*static_cast<int *>(counter); }

/// A stream that is capturing into a graph that is never used.
struct Capturing {
  explicit Capturing(cudaStreamCaptureMode mode) {
    EXPECT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
  }
  cudaError_t end() {
    cudaGraph_t graph = nullptr;
    cudaError_t error = cudaStreamEndCapture(stream, &graph);
    EXPECT_EQ(graph == nullptr, error != cudaSuccess);
    if (graph)
      cudaGraphDestroy(graph);
    cudaGetLastError();
    return error;
  }
  Stream stream;
};

} // namespace

TEST(Graphs, NodesRunInOrderOfEdges) {
  DeviceMemory<int> device(4);
  int host[4] = {}, counter = 0;
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  // Made in the wrong order, put right by edges.
  cudaGraphNode_t back, call, fill;
  CUDA_OK(cudaGraphAddMemcpyNode1D(&back, graph, nullptr, 0, host, device, 16,
                                   cudaMemcpyDeviceToHost));
  cudaHostNodeParams hostParams = {increment, &counter};
  CUDA_OK(cudaGraphAddHostNode(&call, graph, nullptr, 0, &hostParams));
  cudaMemsetParams fillParams = {device, 0, 7, 4, 4, 1};
  CUDA_OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &fillParams));
  CUDA_OK(cudaGraphAddDependencies(graph, &fill, &call, 1));
  CUDA_OK(cudaGraphAddDependencies(graph, &call, &back, 1));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &call, &back, 1));
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  Stream stream;
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(counter, 2);
  EXPECT_EQ(host[3], 7);
  fillParams.value = 9;
  CUDA_OK(cudaGraphExecMemsetNodeSetParams(exec, fill, &fillParams));
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(host[0], 9);
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
}

TEST(Graphs, QuestionsAboutNodes) {
  cudaGraph_t graph = nullptr, clone = nullptr;
  cudaGraphNode_t first, second;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
  CUDA_OK(cudaGraphAddEmptyNode(&second, graph, &first, 1));
  size_t count = 0;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 2u);
  CUDA_OK(cudaGraphGetRootNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 1u);
  cudaGraphNode_t nodes[2] = {};
  count = 2;
  CUDA_OK(cudaGraphNodeGetDependencies(second, nodes, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(nodes[0], first);
  cudaGraphNodeType type;
  CUDA_OK(cudaGraphNodeGetType(first, &type));
  EXPECT_EQ(type, cudaGraphNodeTypeEmpty);
  CUDA_OK(cudaGraphClone(&clone, graph));
  CUDA_OK(cudaGraphDestroyNode(second));
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 1u);
  CUDA_OK(cudaGraphGetEdges(clone, nullptr, nullptr, &count));
  EXPECT_EQ(count, 1u);
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaGraphDestroy(clone));
}

TEST(Graphs, CyclesAreRefused) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t first, second;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
  CUDA_OK(cudaGraphAddEmptyNode(&second, graph, &first, 1));
  CUDA_OK(cudaGraphAddDependencies(graph, &second, &first, 1));
  cudaGraphExec_t exec = nullptr;
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, graph, 0));
  CUDA_OK(cudaGraphDestroy(graph));
}

TEST(Graphs, CaptureAndReplay) {
  Stream stream;
  DeviceMemory<int> device(1);
  int *host = nullptr;
  CUDA_OK(cudaMallocHost(reinterpret_cast<void **>(&host), 8));
  host[0] = 3;
  host[1] = 0;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice, stream));
  CUDA_OK(cudaMemcpyAsync(host + 1, device, 4, cudaMemcpyDeviceToHost, stream));
  CUDA_OK(cudaLaunchHostFunc(stream, increment, host + 1));
  cudaStreamCaptureStatus status;
  CUDA_OK(cudaStreamIsCapturing(stream, &status));
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_EQ(host[1], 0); // nothing has run
  size_t count = 0;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 3u);
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(host[1], 4);
  host[0] = 10;
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(host[1], 11);
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaFreeHost(host));
}

TEST(Graphs, CaptureOfTwoStreams) {
  Stream first, second(cudaStreamNonBlocking);
  cudaEvent_t fork, join;
  int counter = 0;
  CUDA_OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CUDA_OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CUDA_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
  CUDA_OK(cudaLaunchHostFunc(first, increment, &counter));
  CUDA_OK(cudaEventRecord(fork, first));
  CUDA_OK(cudaStreamWaitEvent(second, fork, 0));
  CUDA_OK(cudaLaunchHostFunc(second, increment, &counter));
  CUDA_OK(cudaEventRecord(join, second));
  CUDA_OK(cudaStreamWaitEvent(first, join, 0));
  CUDA_OK(cudaLaunchHostFunc(first, increment, &counter));
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamEndCapture(first, &graph));
  size_t edges = 0;
  CUDA_OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
  EXPECT_EQ(edges, 3u); // first to both others, second to the last
  cudaStreamCaptureStatus status;
  CUDA_OK(cudaStreamIsCapturing(second, &status));
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaEventDestroy(fork));
  CUDA_OK(cudaEventDestroy(join));
}

TEST(Graphs, CaptureIsSpoilt) {
  Capturing one(cudaStreamCaptureModeThreadLocal);
  CUDA_FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(one.stream));
  EXPECT_EQ(one.end(), cudaErrorStreamCaptureInvalidated);
  Capturing two(cudaStreamCaptureModeThreadLocal);
  CUDA_FAILS(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  EXPECT_EQ(two.end(), cudaErrorStreamCaptureInvalidated);
  Capturing three(cudaStreamCaptureModeThreadLocal);
  CUDA_FAILS(cudaErrorStreamCaptureImplicit,
             cudaLaunchHostFunc(nullptr, increment, nullptr));
  EXPECT_EQ(three.end(), cudaErrorStreamCaptureInvalidated);
  void *pointer = nullptr;
  Capturing four(cudaStreamCaptureModeGlobal);
  CUDA_FAILS(cudaErrorStreamCaptureUnsupported, cudaMalloc(&pointer, 16));
  EXPECT_EQ(four.end(), cudaErrorStreamCaptureInvalidated);
  Capturing five(cudaStreamCaptureModeRelaxed);
  CUDA_OK(cudaMalloc(&pointer, 16));
  CUDA_OK(cudaFree(pointer));
  EXPECT_EQ(five.end(), cudaSuccess);
}

TEST(Graphs, CaptureMustBeJoined) {
  Stream other(cudaStreamNonBlocking);
  Capturing capture(cudaStreamCaptureModeRelaxed);
  cudaEvent_t fork;
  CUDA_OK(cudaEventCreate(&fork));
  CUDA_OK(cudaEventRecord(fork, capture.stream));
  CUDA_OK(cudaStreamWaitEvent(other, fork, 0));
  CUDA_OK(cudaLaunchHostFunc(other, increment, nullptr));
  EXPECT_EQ(capture.end(), cudaErrorStreamCaptureUnjoined);
  CUDA_OK(cudaEventDestroy(fork));
}

TEST(Graphs, ACaptureGoesWithItsThread) {
  std::thread([] {
    EXPECT_EQ(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal),
              cudaSuccess);
  }).join();
  void *memory = nullptr;
  CUDA_OK(cudaMalloc(&memory, 16)); // no capture is under way
  CUDA_OK(cudaFree(memory));
  CUDA_OK(cudaDeviceSynchronize());
}

TEST(Graphs, AnUpdatedGraphIsChangedByTheNodesItWasMadeFrom) {
  int first = 0, second = 0, third = 0;
  auto make = [](int &counter, cudaGraph_t &graph, cudaGraphNode_t &node) {
    const cudaHostNodeParams params = {increment, &counter};
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, &params), cudaSuccess);
  };
  cudaGraph_t graph = nullptr, other = nullptr;
  cudaGraphNode_t node = nullptr, otherNode = nullptr;
  make(first, graph, node);
  make(second, other, otherNode);
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  cudaGraphExecUpdateResultInfo info;
  CUDA_OK(cudaGraphExecUpdate(exec, other, &info));
  CUDA_OK(cudaGraphDestroy(other));
  Stream stream;
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(second, 1);
  const cudaHostNodeParams params = {increment, &third};
  CUDA_OK(cudaGraphExecHostNodeSetParams(exec, node, &params));
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(third, 1);
  EXPECT_EQ(first, 0);
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
}

TEST(Graphs, CaptureRefusesWhatIsWrong) {
  Stream stream;
  cudaGraph_t graph = nullptr;
  CUDA_FAILS(cudaErrorStreamCaptureUnsupported,
             cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  CUDA_FAILS(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaStreamBeginCapture(stream, cudaStreamCaptureMode(9)));
  Capturing capture(cudaStreamCaptureModeRelaxed);
  CUDA_FAILS(cudaErrorIllegalState,
             cudaStreamBeginCapture(capture.stream, cudaStreamCaptureModeRelaxed));
  EXPECT_EQ(capture.end(), cudaSuccess);
}
