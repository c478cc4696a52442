// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes of graphs: their parameters of all kinds, their memory, what their edges carry.

#include "Support.h"

#include <cstdio>
#include <string>
#include <unistd.h>

namespace {

void increment(void *counter) { ++*static_cast<int *>(counter); }

/// A graph that goes with its scope, and an instance of it.
struct Graph {
  Graph() { EXPECT_EQ(cudaGraphCreate(&handle, 0), cudaSuccess); }
  ~Graph() {
    if (exec)
      cudaGraphExecDestroy(exec);
    if (handle)
      cudaGraphDestroy(handle);
  }
  operator cudaGraph_t() const { return handle; }
  void instantiate(unsigned long long flags = 0) {
    ASSERT_EQ(cudaGraphInstantiate(&exec, handle, flags), cudaSuccess);
  }
  cudaError_t run() const {
    cudaError_t error = cudaGraphLaunch(exec, nullptr);
    return error ? error : cudaStreamSynchronize(nullptr);
  }
  cudaGraph_t handle = nullptr;
  cudaGraphExec_t exec = nullptr;
};

cudaGraphNodeParams paramsOf(cudaGraphNodeType type) {
  cudaGraphNodeParams params = {};
  params.type = type;
  return params;
}

cudaGraphNodeParams fillOf(void *to, unsigned value, size_t count) {
  cudaGraphNodeParams params = paramsOf(cudaGraphNodeTypeMemset);
  params.memset = {to, 0, value, 4, count, 1};
  return params;
}

cudaGraphNodeParams copyOf(void *to, const void *from, size_t bytes) {
  cudaGraphNodeParams params = paramsOf(cudaGraphNodeTypeMemcpy);
  cudaMemcpy3DParms &copy = params.memcpy.copyParams;
  copy.srcPtr = {const_cast<void *>(from), bytes, bytes, 1};
  copy.dstPtr = {to, bytes, bytes, 1};
  copy.extent = {bytes, 1, 1};
  copy.kind = cudaMemcpyDefault;
  return params;
}

} // namespace

TEST(GraphNodes, AreAddedAndChangedByOneStructure) {
  DeviceMemory<int> memory(4);
  int host[4] = {}, counter = 0;
  Graph graph;
  cudaGraphNode_t fill, copy, call, empty, child;
  cudaGraphNodeParams params = fillOf(memory, 3, 4);
  CUDA_OK(cudaGraphAddNode(&fill, graph, nullptr, 0, &params));
  cudaGraphNodeParams copyParams = copyOf(host, memory, 16);
  CUDA_OK(cudaGraphAddNode(&copy, graph, &fill, 1, &copyParams));
  cudaGraphNodeParams hostParams = paramsOf(cudaGraphNodeTypeHost);
  hostParams.host = {increment, &counter};
  CUDA_OK(cudaGraphAddNode(&call, graph, &copy, 1, &hostParams));
  params = paramsOf(cudaGraphNodeTypeEmpty);
  CUDA_OK(cudaGraphAddNode(&empty, graph, &call, 1, &params));
  Graph inner;
  cudaGraphNode_t innerCall;
  CUDA_OK(cudaGraphAddNode(&innerCall, inner, nullptr, 0, &hostParams));
  cudaGraphNodeParams childParams = paramsOf(cudaGraphNodeTypeGraph);
  childParams.graph.graph = inner;
  CUDA_OK(cudaGraphAddNode(&child, graph, &empty, 1, &childParams));
  graph.instantiate();
  CUDA_OK(graph.run());
  EXPECT_EQ(host[3], 3);
  EXPECT_EQ(counter, 2);

  // The instance changes, the graph does not.
  params = fillOf(memory, 4, 4);
  CUDA_OK(cudaGraphExecNodeSetParams(graph.exec, fill, &params));
  CUDA_OK(graph.run());
  EXPECT_EQ(host[0], 4);
  cudaMemsetParams found;
  CUDA_OK(cudaGraphMemsetNodeGetParams(fill, &found));
  EXPECT_EQ(found.value, 3u);
  CUDA_OK(cudaGraphNodeSetParams(fill, &params));
  CUDA_OK(cudaGraphMemsetNodeGetParams(fill, &found));
  EXPECT_EQ(found.value, 4u);
  int other = 0;
  hostParams.host.userData = &other;
  CUDA_OK(cudaGraphNodeSetParams(innerCall, &hostParams));
  CUDA_OK(cudaGraphExecNodeSetParams(graph.exec, child, &childParams));
  CUDA_OK(graph.run());
  EXPECT_EQ(other, 1);
  CUDA_OK(cudaGraphExecChildGraphNodeSetParams(graph.exec, child, inner));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphExecChildGraphNodeSetParams(graph.exec, fill, inner));
  Graph larger;
  CUDA_FAILS(cudaErrorGraphExecUpdateFailure,
             cudaGraphExecChildGraphNodeSetParams(graph.exec, child, larger));
}

TEST(GraphNodes, RefuseWhatIsNotTheirs) {
  DeviceMemory<int> memory(4);
  Graph graph;
  cudaGraphNode_t fill, node;
  cudaGraphNodeParams params = fillOf(memory, 3, 4);
  CUDA_OK(cudaGraphAddNode(&fill, graph, nullptr, 0, &params));
  graph.instantiate();
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, nullptr));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddNode(&node, nullptr, nullptr, 0, &params));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphNodeSetParams(nullptr, &params));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphExecNodeSetParams(nullptr, fill, &params));
  params = paramsOf(cudaGraphNodeTypeHost);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, &params));
  params.host.fn = increment;
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphNodeSetParams(fill, &params));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphExecNodeSetParams(graph.exec, fill, &params));
  params = paramsOf(static_cast<cudaGraphNodeType>(77));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, &params));
  params = paramsOf(cudaGraphNodeTypeExtSemaphoreSignal);
  CUDA_FAILS(cudaErrorNotSupported, cudaGraphAddNode(&node, graph, nullptr, 0, &params));
  params = paramsOf(cudaGraphNodeTypeEventRecord);
  CUDA_FAILS(cudaErrorInvalidResourceHandle,
             cudaGraphAddNode(&node, graph, nullptr, 0, &params));
}

TEST(GraphNodes, EventsOfAnyKindOfNode) {
  Graph graph;
  cudaEvent_t first, second, found;
  CUDA_OK(cudaEventCreate(&first));
  CUDA_OK(cudaEventCreate(&second));
  cudaGraphNode_t record, wait;
  cudaGraphNodeParams params = paramsOf(cudaGraphNodeTypeEventRecord);
  params.eventRecord.event = first;
  CUDA_OK(cudaGraphAddNode(&record, graph, nullptr, 0, &params));
  params = paramsOf(cudaGraphNodeTypeWaitEvent);
  params.eventWait.event = first;
  CUDA_OK(cudaGraphAddNode(&wait, graph, &record, 1, &params));
  CUDA_OK(cudaGraphEventRecordNodeGetEvent(record, &found));
  EXPECT_EQ(found, first);
  CUDA_OK(cudaGraphEventRecordNodeSetEvent(record, second));
  CUDA_OK(cudaGraphEventWaitNodeSetEvent(wait, second));
  CUDA_OK(cudaGraphEventWaitNodeGetEvent(wait, &found));
  EXPECT_EQ(found, second);
  graph.instantiate();
  CUDA_OK(cudaGraphExecEventRecordNodeSetEvent(graph.exec, record, first));
  CUDA_OK(cudaGraphExecEventWaitNodeSetEvent(graph.exec, wait, first));
  CUDA_OK(graph.run());
  CUDA_OK(cudaEventQuery(first));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphEventWaitNodeGetEvent(record, &found));
  CUDA_FAILS(cudaErrorInvalidResourceHandle,
             cudaGraphEventRecordNodeSetEvent(record, nullptr));
  CUDA_OK(cudaEventDestroy(first));
  CUDA_OK(cudaEventDestroy(second));
}

TEST(GraphNodes, AreSwitchedOff) {
  DeviceMemory<int> memory(1);
  int host = 0, counter = 0;
  Graph graph;
  cudaGraphNode_t fill, copy, call;
  cudaGraphNodeParams params = fillOf(memory, 5, 1);
  CUDA_OK(cudaMemset(memory, 0, 4));
  CUDA_OK(cudaGraphAddNode(&fill, graph, nullptr, 0, &params));
  params = copyOf(&host, memory, 4);
  CUDA_OK(cudaGraphAddNode(&copy, graph, &fill, 1, &params));
  cudaHostNodeParams hostParams = {increment, &counter};
  CUDA_OK(cudaGraphAddHostNode(&call, graph, &copy, 1, &hostParams));
  graph.instantiate();
  unsigned isEnabled = 0;
  CUDA_OK(cudaGraphNodeGetEnabled(graph.exec, fill, &isEnabled));
  EXPECT_EQ(isEnabled, 1u);
  CUDA_OK(cudaGraphNodeSetEnabled(graph.exec, fill, 0));
  CUDA_OK(cudaGraphNodeGetEnabled(graph.exec, fill, &isEnabled));
  EXPECT_EQ(isEnabled, 0u);
  for (int launches = 0; launches < 3; ++launches) {
    host = 1;
    CUDA_OK(graph.run());
    EXPECT_EQ(host, 0);
  }
  CUDA_OK(cudaGraphNodeSetEnabled(graph.exec, fill, 1));
  CUDA_OK(graph.run());
  EXPECT_EQ(host, 5);
  EXPECT_EQ(counter, 4);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(graph.exec, call, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(nullptr, fill, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphNodeGetEnabled(graph.exec, fill, nullptr));
}

TEST(GraphNodes, CopiesSayWhatTheyWereGiven) {
  DeviceMemory<char> memory(64);
  char host[64] = {};
  Graph graph;
  cudaGraphNode_t box, line;
  cudaGraphNodeParams params = copyOf(memory, host, 64);
  CUDA_OK(cudaGraphAddMemcpyNode(&box, graph, nullptr, 0, &params.memcpy.copyParams));
  CUDA_OK(cudaGraphAddMemcpyNode1D(&line, graph, nullptr, 0, memory, host, 32,
                                   cudaMemcpyHostToDevice));
  cudaMemcpy3DParms found;
  CUDA_OK(cudaGraphMemcpyNodeGetParams(box, &found));
  EXPECT_EQ(found.srcPtr.ptr, host);
  EXPECT_EQ(found.extent.width, 64u);
  CUDA_OK(cudaGraphMemcpyNodeGetParams(line, &found));
  EXPECT_EQ(found.dstPtr.ptr, memory.pointer);
  EXPECT_EQ(found.extent.width, 32u);
  EXPECT_EQ(found.kind, cudaMemcpyHostToDevice);
  CUDA_OK(cudaGraphMemcpyNodeSetParams(box, &found));
  CUDA_OK(cudaGraphMemcpyNodeSetParams1D(box, memory, host, 8, cudaMemcpyHostToDevice));
  CUDA_OK(cudaGraphMemcpyNodeGetParams(box, &found));
  EXPECT_EQ(found.extent.width, 8u);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphMemcpyNodeGetParams(box, nullptr));
  graph.instantiate();
  CUDA_OK(cudaGraphExecMemcpyNodeSetParams(graph.exec, box, &found));
  CUDA_OK(cudaGraphExecMemcpyNodeSetParams1D(graph.exec, line, memory, host, 4,
                                             cudaMemcpyHostToDevice));
  CUDA_OK(graph.run());
  cudaHostNodeParams call = {increment, nullptr};
  cudaGraphNode_t host1;
  CUDA_OK(cudaGraphAddHostNode(&host1, graph, nullptr, 0, &call));
  cudaHostNodeParams foundCall = {};
  CUDA_OK(cudaGraphHostNodeGetParams(host1, &foundCall));
  EXPECT_EQ(foundCall.fn, increment);
  CUDA_OK(cudaGraphHostNodeSetParams(host1, &call));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphExecHostNodeSetParams(graph.exec, host1, &call)); // not in it
}

TEST(GraphEdges, CarryWhatTheyWereGiven) {
  registerPackage();
  Graph graph;
  cudaGraphNode_t first, second, third;
  int *pointer = nullptr, value = 0;
  void *arguments[] = {&pointer, &value};
  cudaKernelNodeParams kernel = {
      const_cast<char *>(&plainStub), 1, 1, 0, arguments, nullptr};
  CUDA_OK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
  CUDA_OK(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &kernel));
  const cudaGraphEdgeData programmatic = {
      cudaGraphKernelNodePortProgrammatic, 0, cudaGraphDependencyTypeProgrammatic, {}};
  CUDA_OK(cudaGraphAddDependencies_v2(graph, &first, &second, &programmatic, 1));
  cudaGraphNodeParams params = paramsOf(cudaGraphNodeTypeKernel);
  params.kernel = {kernel.func, kernel.gridDim, kernel.blockDim, 0, arguments, nullptr};
  const cudaGraphEdgeData plain = {};
  CUDA_OK(cudaGraphAddNode_v2(&third, graph, &second, &plain, 1, &params));
  cudaGraphNode_t from[4], to[4];
  cudaGraphEdgeData edges[4];
  size_t count = 4;
  CUDA_FAILS(cudaErrorLossyQuery, cudaGraphGetEdges(graph, from, to, &count));
  count = 4;
  CUDA_OK(cudaGraphGetEdges_v2(graph, from, to, edges, &count));
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(edges[0].type, cudaGraphDependencyTypeProgrammatic);
  EXPECT_EQ(edges[1].type, cudaGraphDependencyTypeDefault);
  EXPECT_EQ(from[1], second);
  count = 1;
  CUDA_OK(cudaGraphNodeGetDependencies_v2(second, from, edges, &count));
  EXPECT_EQ(from[0], first);
  EXPECT_EQ(edges[0].from_port, cudaGraphKernelNodePortProgrammatic);
  CUDA_OK(cudaGraphNodeGetDependentNodes_v2(first, to, edges, &count));
  EXPECT_EQ(to[0], second);
  EXPECT_EQ(edges[0].from_port, cudaGraphKernelNodePortProgrammatic);
  CUDA_FAILS(cudaErrorLossyQuery, cudaGraphNodeGetDependencies(second, from, &count));
  CUDA_FAILS(cudaErrorLossyQuery, cudaGraphNodeGetDependentNodes(first, to, &count));
  // One that carries something else is not there.
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphRemoveDependencies(graph, &first, &second, 1));
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t copy = nullptr;
  CUDA_OK(cudaGraphClone(&clone, graph));
  CUDA_OK(cudaGraphRemoveDependencies_v2(graph, &first, &second, &programmatic, 1));
  CUDA_OK(cudaGraphNodeFindInClone(&copy, second, clone));
  count = 1;
  CUDA_OK(cudaGraphNodeGetDependencies_v2(copy, from, edges, &count));
  EXPECT_EQ(edges[0].type, cudaGraphDependencyTypeProgrammatic);
  CUDA_OK(cudaGraphDestroyNode(third));
  CUDA_OK(cudaGraphNodeFindInClone(&copy, first, clone)); // though the graph is another
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&copy, from[0], clone));
  CUDA_OK(cudaGraphDestroy(clone));
  cudaGraphEdgeData wrong = programmatic;
  wrong.reserved[0] = 1;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddDependencies_v2(graph, &first, &second, &wrong, 1));
  cudaGraphNode_t empty;
  CUDA_OK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddDependencies_v2(graph, &empty, &second, &programmatic, 1));
}

TEST(GraphEdges, OfCaptures) {
  registerPackage();
  Stream stream;
  Graph graph;
  int *pointer = nullptr, value = 0, counter = 0;
  void *arguments[] = {&pointer, &value};
  cudaKernelNodeParams kernel = {
      const_cast<char *>(&plainStub), 1, 1, 0, arguments, nullptr};
  cudaGraphNode_t first;
  CUDA_OK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
  const cudaGraphEdgeData edge = {cudaGraphKernelNodePortLaunchCompletion,
                                  0,
                                  cudaGraphDependencyTypeProgrammatic,
                                  {}};
  CUDA_OK(cudaStreamBeginCaptureToGraph(stream, graph, &first, &edge, 1,
                                        cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *nodes = nullptr;
  const cudaGraphEdgeData *edges = nullptr;
  size_t count = 0;
  CUDA_OK(cudaStreamGetCaptureInfo_v3(stream, &status, nullptr, nullptr, &nodes, &edges,
                                      &count));
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(edges[0].from_port, cudaGraphKernelNodePortLaunchCompletion);
  CUDA_FAILS(cudaErrorLossyQuery, cudaStreamGetCaptureInfo_v2(stream, &status, nullptr,
                                                              nullptr, &nodes, &count));
  CUDA_OK(cudaLaunchHostFunc(stream, increment, &counter));
  CUDA_OK(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, nullptr, &nodes, &count));
  cudaGraphNode_t last = nodes[0];
  CUDA_OK(cudaStreamUpdateCaptureDependencies_v2(stream, &first, &edge, 1,
                                                 cudaStreamSetCaptureDependencies));
  CUDA_OK(cudaStreamUpdateCaptureDependencies_v2(stream, &last, nullptr, 1,
                                                 cudaStreamAddCaptureDependencies));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaStreamUpdateCaptureDependencies_v2(stream, &last, &edge, 1,
                                                    cudaStreamAddCaptureDependencies));
  CUDA_OK(cudaLaunchHostFunc(stream, increment, &counter));
  cudaGraph_t same = nullptr;
  CUDA_OK(cudaStreamEndCapture(stream, &same));
  EXPECT_EQ(same, graph.handle);
  cudaGraphNode_t from[8], to[8];
  cudaGraphEdgeData all[8];
  count = 8;
  CUDA_OK(cudaGraphGetEdges_v2(graph, from, to, all, &count));
  ASSERT_EQ(count, 3u);
  EXPECT_EQ(all[0].from_port, cudaGraphKernelNodePortLaunchCompletion);
  EXPECT_EQ(all[1].from_port, cudaGraphKernelNodePortLaunchCompletion);
  EXPECT_EQ(all[2].from_port, 0);
}

TEST(GraphUpdate, SaysWhatDiffers) {
  DeviceMemory<int> memory(1);
  int counter = 0;
  Graph first, second, third;
  cudaGraphNode_t node, other;
  cudaGraphNodeParams fill = fillOf(memory, 1, 1);
  cudaHostNodeParams call = {increment, &counter};
  CUDA_OK(cudaGraphAddNode(&node, first, nullptr, 0, &fill));
  CUDA_OK(cudaGraphAddHostNode(&other, second, nullptr, 0, &call));
  first.instantiate(cudaGraphInstantiateFlagUseNodePriority);
  unsigned long long flags = 0;
  CUDA_OK(cudaGraphExecGetFlags(first.exec, &flags));
  EXPECT_EQ(flags, uint64_t(cudaGraphInstantiateFlagUseNodePriority));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphExecGetFlags(first.exec, nullptr));
  cudaGraphExecUpdateResultInfo info;
  CUDA_FAILS(cudaErrorGraphExecUpdateFailure,
             cudaGraphExecUpdate(first.exec, second, &info));
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(info.errorNode, other);
  CUDA_FAILS(cudaErrorGraphExecUpdateFailure,
             cudaGraphExecUpdate(first.exec, third, &info));
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(info.errorNode, nullptr);
  CUDA_OK(cudaGraphExecUpdate(first.exec, first, &info));
  EXPECT_EQ(info.result, cudaGraphExecUpdateSuccess);
}

TEST(GraphInstances, SayWhyThereIsNone) {
  Graph graph, empty;
  cudaGraphNode_t first, second;
  CUDA_OK(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
  CUDA_OK(cudaGraphAddEmptyNode(&second, graph, &first, 1));
  CUDA_OK(cudaGraphAddDependencies(graph, &second, &first, 1));
  cudaGraphInstantiateParams params = {};
  cudaGraphExec_t exec = nullptr;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphInstantiateWithParams(&exec, graph, &params));
  EXPECT_EQ(params.result_out, cudaGraphInstantiateInvalidStructure);
  // Kernels do not call the host.
  Graph calls;
  int counter = 0;
  cudaGraphNode_t call;
  cudaHostNodeParams host = {increment, &counter};
  CUDA_OK(cudaGraphAddHostNode(&call, calls, nullptr, 0, &host));
  params.flags = cudaGraphInstantiateFlagDeviceLaunch;
  CUDA_FAILS(cudaErrorNotSupported,
             cudaGraphInstantiateWithParams(&exec, calls, &params));
  EXPECT_EQ(params.result_out, cudaGraphInstantiateNodeOperationNotSupported);
  params.flags = cudaGraphInstantiateFlagUpload;
  CUDA_OK(cudaGraphInstantiateWithParams(&exec, empty, &params));
  EXPECT_EQ(params.result_out, cudaGraphInstantiateSuccess);
  CUDA_OK(cudaGraphUpload(exec, nullptr));
  CUDA_OK(cudaGraphExecDestroy(exec));
}

TEST(GraphInstances, ThatKernelsMayLaunchAreLaunchedByTheHost) {
  DeviceMemory<int> memory(2);
  Graph graph;
  cudaGraphNode_t filled, copied;
  cudaGraphNodeParams fill = fillOf(memory, 7, 1);
  CUDA_OK(cudaGraphAddNode(&filled, graph, nullptr, 0, &fill));
  CUDA_OK(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, memory + 1, memory,
                                   sizeof(int), cudaMemcpyDeviceToDevice));
  graph.instantiate(cudaGraphInstantiateFlagDeviceLaunch);
  CUDA_OK(cudaGraphUpload(graph.exec, nullptr));
  for (int value : {7, 9}) {
    CUDA_OK(cudaGraphLaunch(graph.exec, nullptr));
    CUDA_OK(cudaDeviceSynchronize());
    int found[2] = {};
    CUDA_OK(cudaMemcpy(found, memory, sizeof(found), cudaMemcpyDeviceToHost));
    EXPECT_EQ(found[0], value);
    EXPECT_EQ(found[1], value);
    cudaMemsetParams other = {};
    other.dst = memory;
    other.value = 9;
    other.elementSize = sizeof(int);
    other.width = other.height = 1;
    CUDA_OK(cudaGraphExecMemsetNodeSetParams(graph.exec, filled, &other));
  }
}

TEST(UserObjects, GoWithTheLastThatHasThem) {
  int destroyed = 0;
  cudaUserObject_t object = nullptr;
  CUDA_OK(cudaUserObjectCreate(&object, &destroyed, increment, 1,
                               cudaUserObjectNoDestructorSync));
  cudaGraphExec_t exec = nullptr;
  cudaGraph_t clone = nullptr;
  {
    Graph graph;
    CUDA_OK(cudaGraphRetainUserObject(graph, object, 2, 0));
    CUDA_OK(cudaUserObjectRetain(object, 1));
    CUDA_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    CUDA_FAILS(cudaErrorInvalidValue, cudaGraphReleaseUserObject(graph, object, 4));
    CUDA_OK(cudaGraphReleaseUserObject(graph, object, 1));
    CUDA_OK(cudaUserObjectRelease(object, 1));
    CUDA_OK(cudaGraphClone(&clone, graph));
    CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  }
  EXPECT_EQ(destroyed, 0);
  CUDA_OK(cudaGraphDestroy(clone));
  EXPECT_EQ(destroyed, 0);
  CUDA_OK(cudaGraphLaunch(exec, nullptr));
  CUDA_OK(cudaStreamSynchronize(nullptr));
  CUDA_OK(cudaGraphExecDestroy(exec));
  EXPECT_EQ(destroyed, 1);
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaUserObjectCreate(&object, nullptr, increment, 1, 0)); // no flag
  CUDA_FAILS(cudaErrorInvalidValue, cudaUserObjectCreate(&object, nullptr, nullptr, 1,
                                                         cudaUserObjectNoDestructorSync));
  CUDA_FAILS(cudaErrorInvalidValue, cudaUserObjectRetain(nullptr, 1));
  CUDA_FAILS(cudaErrorInvalidValue, cudaUserObjectRelease(nullptr, 1));
}

TEST(GraphDot, IsWritten) {
  Graph graph, inner;
  int counter = 0;
  cudaGraphNode_t first, second;
  cudaHostNodeParams call = {increment, &counter};
  CUDA_OK(cudaGraphAddHostNode(&first, inner, nullptr, 0, &call));
  CUDA_OK(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
  CUDA_OK(cudaGraphAddChildGraphNode(&second, graph, &first, 1, inner));
  const std::string path = testing::TempDir() + "het-graph-" + std::to_string(getpid());
  CUDA_OK(cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsVerbose));
  std::string text;
  FILE *file = std::fopen(path.c_str(), "r");
  ASSERT_NE(file, nullptr);
  for (int character; (character = std::fgetc(file)) != EOF;)
    text += static_cast<char>(character);
  std::fclose(file);
  std::remove(path.c_str());
  for (const char *part : {"digraph dot {", "EMPTY", "GRAPH", "HOST", " -> ", "graph_1"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  CUDA_FAILS(cudaErrorOperatingSystem,
             cudaGraphDebugDotPrint(graph, "/nonexistent/graph.dot", 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphDebugDotPrint(nullptr, path.c_str(), 0));
}
