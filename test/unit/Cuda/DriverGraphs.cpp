// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's graphs, captures, and values in memory that streams wait for.

#include "DriverSupport.h"

#include <cstdio>
#include <string>
#include <unistd.h>

namespace {

void increment(void *counter) { ++*static_cast<int *>(counter); }

CUdeviceptr addressOf(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

struct DriverGraph : Driver {
  void SetUp() override {
    Driver::SetUp();
    ASSERT_EQ(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAlloc(&memory, 64), CUDA_SUCCESS);
    ASSERT_EQ(cuMemsetD32(memory, 0, 16), CUDA_SUCCESS);
  }
  void TearDown() override {
    if (exec)
      cuGraphExecDestroy(exec);
    cuGraphDestroy(graph);
    cuMemFree(memory);
    Driver::TearDown();
  }
  CUresult run() {
    if (!exec)
      if (CUresult error = cuGraphInstantiate(&exec, graph, 0))
        return error;
    CUresult error = cuGraphLaunch(exec, nullptr);
    return error ? error : cuStreamSynchronize(nullptr);
  }
  CUDA_MEMCPY3D copyTo(void *host, size_t bytes) const {
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host;
    copy.srcPitch = copy.dstPitch = copy.WidthInBytes = bytes;
    copy.Height = copy.Depth = copy.srcHeight = copy.dstHeight = 1;
    return copy;
  }
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr memory = 0;
};

} // namespace

TEST_F(DriverGraph, NodesRunAndChange) {
  CUgraphNode fill, copy, call, empty;
  unsigned host[4] = {};
  int counter = 0;
  CUDA_MEMSET_NODE_PARAMS fillParams = {memory, 0, 5, 4, 4, 1}, foundFill = {};
  CU_OK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &fillParams, context));
  CUDA_MEMCPY3D copyParams = copyTo(host, 16), foundCopy = {};
  CU_OK(cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &copyParams, context));
  CUDA_HOST_NODE_PARAMS callParams = {increment, &counter}, foundCall = {};
  CU_OK(cuGraphAddHostNode(&call, graph, &copy, 1, &callParams));
  CU_OK(cuGraphAddEmptyNode(&empty, graph, &call, 1));
  CU_OK(run());
  EXPECT_EQ(host[3], 5u);
  EXPECT_EQ(counter, 1);
  CU_OK(cuGraphMemsetNodeGetParams(fill, &foundFill));
  EXPECT_EQ(foundFill.dst, memory);
  CU_OK(cuGraphMemcpyNodeGetParams(copy, &foundCopy));
  EXPECT_EQ(foundCopy.srcDevice, memory);
  EXPECT_EQ(foundCopy.dstHost, host);
  EXPECT_EQ(foundCopy.WidthInBytes, 16u);
  CU_OK(cuGraphHostNodeGetParams(call, &foundCall));
  EXPECT_EQ(foundCall.userData, &counter);
  fillParams.value = 6;
  CU_OK(cuGraphExecMemsetNodeSetParams(exec, fill, &fillParams, context));
  CU_OK(cuGraphMemsetNodeSetParams(fill, &fillParams));
  copyParams = copyTo(host + 1, 4);
  CU_OK(cuGraphExecMemcpyNodeSetParams(exec, copy, &copyParams, context));
  CU_OK(cuGraphMemcpyNodeSetParams(copy, &copyParams));
  int other = 0;
  callParams.userData = &other;
  CU_OK(cuGraphExecHostNodeSetParams(exec, call, &callParams));
  CU_OK(cuGraphHostNodeSetParams(call, &callParams));
  CU_OK(run());
  EXPECT_EQ(host[1], 6u);
  EXPECT_EQ(host[3], 5u);
  EXPECT_EQ(other, 1);
  unsigned isEnabled = 1;
  CU_OK(cuGraphNodeSetEnabled(exec, fill, 0));
  CU_OK(cuGraphNodeGetEnabled(exec, fill, &isEnabled));
  EXPECT_EQ(isEnabled, 0u);
  CUgraphNodeType type;
  CU_OK(cuGraphNodeGetType(call, &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_HOST);
  CUgraphExecUpdateResultInfo info;
  CU_OK(cuGraphExecUpdate(exec, graph, &info));
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  cuuint64_t flags = 7;
  CU_OK(cuGraphExecGetFlags(exec, &flags));
  EXPECT_EQ(flags, 0u);
  CU_OK(cuGraphUpload(exec, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuGraphAddMemcpyNode(&copy, graph, nullptr, 0, nullptr, context));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphMemcpyNodeGetParams(call, &foundCopy));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(nullptr, nullptr));
}

TEST_F(DriverGraph, NodesOfAnyKind) {
  CUgraphNode fill, copy, allocation;
  unsigned host = 0;
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset = {memory, 0, 8, 4, 1, 1, context};
  CU_OK(cuGraphAddNode(&fill, graph, nullptr, 0, &params));
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  params.memcpy.copyParams = copyTo(&host, 4);
  const CUgraphEdgeData plain = {};
  CU_OK(cuGraphAddNode_v2(&copy, graph, &fill, &plain, 1, &params));
  CU_OK(run());
  EXPECT_EQ(host, 8u);
  CU_OK(cuGraphNodeSetParams(copy, &params));
  CU_OK(cuGraphExecNodeSetParams(exec, copy, &params));
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset = {memory, 0, 9, 4, 1, 1, context};
  CU_OK(cuGraphNodeSetParams(fill, &params));
  CU_OK(cuGraphExecNodeSetParams(exec, fill, &params));
  CU_OK(run());
  EXPECT_EQ(host, 9u);
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  params.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.alloc.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  params.alloc.bytesize = 1024;
  CU_OK(cuGraphAddNode(&allocation, graph, nullptr, 0, &params));
  CUDA_MEM_ALLOC_NODE_PARAMS found = {};
  CU_OK(cuGraphMemAllocNodeGetParams(allocation, &found));
  EXPECT_EQ(found.dptr, params.alloc.dptr);
  EXPECT_NE(found.dptr, 0u);
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&fill, graph, nullptr, 0, &params));
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_KERNEL;
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuGraphAddNode(&fill, graph, nullptr, 0, &params));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&fill, graph, nullptr, 0, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetParams(copy, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphExecNodeSetParams(exec, copy, nullptr));
}

TEST_F(DriverGraph, KernelsByTheirHandles) {
  const het::Bytes package = makePackage();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CU_OK(cuModuleLoadData(&module, package.data()));
  CU_OK(cuModuleGetFunction(&function, module, "plain"));
  int value = 3;
  void *arguments[] = {&memory, &value};
  CUDA_KERNEL_NODE_PARAMS params = {function, 2,  1,         1,       4,       1,
                                    1,        16, arguments, nullptr, nullptr, nullptr};
  CUgraphNode node, copy;
  CU_OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CUDA_KERNEL_NODE_PARAMS found = {};
  CU_OK(cuGraphKernelNodeGetParams(node, &found));
  EXPECT_EQ(found.func, function);
  EXPECT_EQ(found.gridDimX, 2u);
  EXPECT_EQ(found.sharedMemBytes, 16u);
  EXPECT_EQ(*static_cast<int *>(found.kernelParams[1]), 3);
  found.func = nullptr; // the other handle is enough
  found.gridDimX = 5;
  CU_OK(cuGraphKernelNodeSetParams(node, &found));
  CU_OK(cuGraphKernelNodeGetParams(node, &found));
  EXPECT_EQ(found.gridDimX, 5u);
  CU_OK(cuGraphAddKernelNode(&copy, graph, nullptr, 0, &params));
  CUkernelNodeAttrValue attribute = {};
  attribute.priority = -1;
  CU_OK(
      cuGraphKernelNodeSetAttribute(node, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &attribute));
  CU_OK(cuGraphKernelNodeCopyAttributes(copy, node));
  attribute.priority = 0;
  CU_OK(
      cuGraphKernelNodeGetAttribute(copy, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &attribute));
  EXPECT_EQ(attribute.priority, -1);
  CU_OK(cuGraphInstantiate(&exec, graph, 0));
  CU_OK(cuGraphExecKernelNodeSetParams(exec, node, &params));
  params.func = nullptr;
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE,
           cuGraphExecKernelNodeSetParams(exec, node, &params));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE,
           cuGraphAddKernelNode(&copy, graph, nullptr, 0, &params));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeSetParams(node, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeGetParams(node, nullptr));
  CU_OK(cuModuleUnload(module));
}

TEST_F(DriverGraph, EdgesAndCopies) {
  CUgraphNode first, second, nodes[2], found;
  CU_OK(cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  CU_OK(cuGraphAddEmptyNode(&second, graph, nullptr, 0));
  CU_OK(cuGraphAddDependencies(graph, &first, &second, 1));
  size_t count = 2;
  CU_OK(cuGraphGetNodes(graph, nodes, &count));
  EXPECT_EQ(count, 2u);
  CU_OK(cuGraphGetRootNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 1u);
  CU_OK(cuGraphGetEdges(graph, nullptr, nullptr, &count));
  EXPECT_EQ(count, 1u);
  CUgraphNode from, to;
  CUgraphEdgeData edge = {};
  CU_OK(cuGraphGetEdges_v2(graph, &from, &to, &edge, &count));
  EXPECT_EQ(from, first);
  CU_OK(cuGraphNodeGetDependencies(second, &found, &count));
  EXPECT_EQ(found, first);
  CU_OK(cuGraphNodeGetDependencies_v2(second, &found, &edge, &count));
  CU_OK(cuGraphNodeGetDependentNodes(first, &found, &count));
  EXPECT_EQ(found, second);
  CU_OK(cuGraphNodeGetDependentNodes_v2(first, &found, &edge, &count));
  CUgraph clone = nullptr;
  CU_OK(cuGraphClone(&clone, graph));
  CU_OK(cuGraphNodeFindInClone(&found, first, clone));
  EXPECT_NE(found, first);
  CU_OK(cuGraphDestroy(clone));
  CU_OK(cuGraphRemoveDependencies(graph, &first, &second, 1));
  CU_OK(cuGraphAddDependencies_v2(graph, &second, &first, &edge, 1));
  CU_OK(cuGraphRemoveDependencies_v2(graph, &second, &first, &edge, 1));
  edge.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuGraphAddDependencies_v2(graph, &second, &first, &edge, 1));
  CU_OK(cuGraphDestroyNode(second));
  CU_OK(cuGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 1u);
  const std::string path = testing::TempDir() + "het-dot-" + std::to_string(getpid());
  CU_OK(cuGraphDebugDotPrint(graph, path.c_str(), CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
  std::remove(path.c_str());
  CUDA_GRAPH_INSTANTIATE_PARAMS params = {};
  CU_OK(cuGraphInstantiateWithParams(&exec, graph, &params));
  EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
}

TEST_F(DriverGraph, ChildrenEventsAndObjects) {
  CUgraph inner = nullptr, found = nullptr;
  CUgraphNode call, child, record, wait;
  int counter = 0, other = 0, destroyed = 0;
  CUevent first = nullptr, second = nullptr, event = nullptr;
  CU_OK(cuGraphCreate(&inner, 0));
  CUDA_HOST_NODE_PARAMS params = {increment, &counter};
  CU_OK(cuGraphAddHostNode(&call, inner, nullptr, 0, &params));
  CU_OK(cuGraphAddChildGraphNode(&child, graph, nullptr, 0, inner));
  CU_OK(cuGraphChildGraphNodeGetGraph(child, &found));
  EXPECT_NE(found, inner);
  CU_OK(cuEventCreate(&first, CU_EVENT_DEFAULT));
  CU_OK(cuEventCreate(&second, CU_EVENT_DEFAULT));
  CU_OK(cuGraphAddEventRecordNode(&record, graph, &child, 1, first));
  CU_OK(cuGraphAddEventWaitNode(&wait, graph, &record, 1, first));
  CU_OK(cuGraphEventRecordNodeSetEvent(record, second));
  CU_OK(cuGraphEventRecordNodeGetEvent(record, &event));
  EXPECT_EQ(event, second);
  CU_OK(cuGraphEventWaitNodeSetEvent(wait, second));
  CU_OK(cuGraphEventWaitNodeGetEvent(wait, &event));
  EXPECT_EQ(event, second);
  CUuserObject object = nullptr;
  CU_OK(cuUserObjectCreate(&object, &destroyed, increment, 1,
                           CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  CU_OK(cuUserObjectRetain(object, 1));
  CU_OK(cuUserObjectRelease(object, 1));
  CU_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  CU_OK(run());
  EXPECT_EQ(counter, 1);
  CU_OK(cuGraphExecEventRecordNodeSetEvent(exec, record, first));
  CU_OK(cuGraphExecEventWaitNodeSetEvent(exec, wait, first));
  params.userData = &other;
  CU_OK(cuGraphHostNodeSetParams(call, &params));
  CU_OK(cuGraphExecChildGraphNodeSetParams(exec, child, inner));
  CU_OK(run());
  EXPECT_EQ(other, 1);
  CU_OK(cuEventQuery(first));
  CU_OK(cuGraphReleaseUserObject(graph, object, 1));
  EXPECT_EQ(destroyed, 0); // the instance has it
  CU_OK(cuGraphExecDestroy(exec));
  exec = nullptr;
  EXPECT_EQ(destroyed, 1);
  CU_OK(cuGraphDestroy(inner));
  CU_OK(cuEventDestroy(first));
  CU_OK(cuEventDestroy(second));
}

TEST_F(DriverGraph, MemoryAndConditions) {
  CUgraphNode allocation, freeing, conditional, fill;
  CUDA_MEM_ALLOC_NODE_PARAMS params = {};
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  params.bytesize = 1 << 20;
  CU_OK(cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &params));
  CU_OK(cuGraphAddMemFreeNode(&freeing, graph, &allocation, 1, params.dptr));
  CUdeviceptr freed = 0;
  CU_OK(cuGraphMemFreeNodeGetParams(freeing, &freed));
  EXPECT_EQ(freed, params.dptr);
  CUgraphConditionalHandle handle = 0;
  CU_OK(cuGraphConditionalHandleCreate(&handle, graph, context, 1,
                                       CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraphNodeParams node = {};
  node.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  node.conditional.handle = handle;
  node.conditional.type = CU_GRAPH_COND_TYPE_IF;
  node.conditional.size = 1;
  CU_OK(cuGraphAddNode(&conditional, graph, &freeing, 1, &node));
  CUDA_MEMSET_NODE_PARAMS fillParams = {memory, 0, 12, 4, 1, 1};
  CU_OK(cuGraphAddMemsetNode(&fill, node.conditional.phGraph_out[0], nullptr, 0,
                             &fillParams, context));
  CU_OK(run());
  unsigned value = 0;
  CU_OK(cuMemcpyDtoH(&value, memory, 4));
  EXPECT_EQ(value, 12u);
  cuuint64_t used = 0;
  CU_OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
  EXPECT_GE(used, 1u << 20);
  used = 0;
  CU_OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
  CU_OK(cuDeviceGraphMemTrim(0));
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGraphMemTrim(7));
}

TEST_F(DriverGraph, Captures) {
  CUstream stream = nullptr;
  int counter = 0;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CU_OK(cuLaunchHostFunc(stream, increment, &counter));
  CUstreamCaptureStatus status;
  CU_OK(cuStreamIsCapturing(stream, &status));
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  cuuint64_t id = 0;
  CUgraph captured = nullptr;
  const CUgraphNode *nodes = nullptr;
  const CUgraphEdgeData *edges = nullptr;
  size_t count = 0;
  CU_OK(cuStreamGetCaptureInfo(stream, &status, &id, &captured, &nodes, &count));
  ASSERT_EQ(count, 1u);
  CUgraphNode last = nodes[0];
  CU_OK(
      cuStreamGetCaptureInfo_v3(stream, &status, &id, &captured, &nodes, &edges, &count));
  CU_OK(cuStreamUpdateCaptureDependencies(stream, nullptr, 0,
                                          CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  CU_OK(cuStreamUpdateCaptureDependencies_v2(stream, &last, nullptr, 1,
                                             CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
  CUgraph ended = nullptr;
  CU_OK(cuStreamEndCapture(stream, &ended));
  EXPECT_EQ(ended, captured);
  CU_OK(cuGraphDestroy(ended));
  CU_OK(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                    CU_STREAM_CAPTURE_MODE_RELAXED));
  CU_OK(cuLaunchHostFunc(stream, increment, &counter));
  CU_OK(cuStreamEndCapture(stream, nullptr));
  CU_OK(run());
  EXPECT_EQ(counter, 1);
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  CU_OK(cuThreadExchangeStreamCaptureMode(&mode));
  CU_OK(cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
  CU_FAILS(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(stream, &ended));
  CU_OK(cuStreamDestroy(stream));
}

/// A stream waits for what another one writes.
TEST_F(DriverGraph, ValuesInMemory) {
  unsigned *words = nullptr;
  CU_OK(cuMemAllocHost(reinterpret_cast<void **>(&words), 64));
  words[0] = words[1] = 0;
  auto *wide = reinterpret_cast<cuuint64_t *>(words + 4);
  *wide = 0;
  CUstream waiting = nullptr, writing = nullptr;
  CU_OK(cuStreamCreate(&waiting, CU_STREAM_NON_BLOCKING));
  CU_OK(cuStreamCreate(&writing, CU_STREAM_NON_BLOCKING));
  CUresult first =
      cuStreamWaitValue32(waiting, addressOf(words), 5, CU_STREAM_WAIT_VALUE_GEQ);
  if (first == CUDA_ERROR_NOT_SUPPORTED) {
    CU_OK(cuMemFreeHost(words));
    GTEST_SKIP() << "the device moves, so its streams wait for no values";
  }
  CU_OK(first);
  CU_OK(cuStreamWaitValue64(waiting, addressOf(wide), 1ull << 40,
                            CU_STREAM_WAIT_VALUE_AND));
  CU_OK(cuStreamWriteValue32(waiting, addressOf(words + 1), 1,
                             CU_STREAM_WRITE_VALUE_DEFAULT));
  CU_FAILS(CUDA_ERROR_NOT_READY, cuStreamQuery(waiting));
  CU_OK(cuStreamWriteValue32(writing, addressOf(words), 6, 0));
  CU_OK(cuStreamWriteValue64(writing, addressOf(wide), 3ull << 40, 0));
  CU_OK(cuStreamSynchronize(waiting));
  EXPECT_EQ(words[1], 1u);
  CUstreamBatchMemOpParams batch[3] = {};
  batch[0].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, addressOf(words), {9}, 0, 0};
  batch[1].memoryBarrier = {CU_STREAM_MEM_OP_BARRIER, 0};
  batch[2].waitValue = {
      CU_STREAM_MEM_OP_WAIT_VALUE_32, addressOf(words), {9}, CU_STREAM_WAIT_VALUE_EQ, 0};
  CU_OK(cuStreamBatchMemOp(writing, 3, batch, 0));
  CU_OK(cuStreamSynchronize(writing));
  EXPECT_EQ(words[0], 9u);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(writing, 3, nullptr, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(writing, 3, batch, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuStreamWaitValue32(waiting, addressOf(&first), 5, 0)); // not pinned
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuStreamWaitValue32(waiting, addressOf(words) + 2, 5, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64(waiting, addressOf(wide), 5, 7));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuStreamWriteValue64(waiting, addressOf(wide), 5, 7));
  CU_OK(cuStreamDestroy(waiting));
  CU_OK(cuStreamDestroy(writing));
  CU_OK(cuMemFreeHost(words));
}
