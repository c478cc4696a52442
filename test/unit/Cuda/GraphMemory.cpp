// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of graphs' nodes, and conditions.

#include "Support.h"

namespace {

constexpr size_t size = 1 << 20;

cudaMemAllocNodeParams allocationOf(size_t bytes, int device = 0) {
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location = {cudaMemLocationTypeDevice, device};
  params.bytesize = bytes;
  return params;
}

uint64_t attributeOf(cudaGraphMemAttributeType attribute) {
  uint64_t value = 0;
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, attribute, &value), cudaSuccess);
  return value;
}

cudaError_t launch(cudaGraphExec_t exec) {
  cudaError_t error = cudaGraphLaunch(exec, nullptr);
  return error ? error : cudaStreamSynchronize(nullptr);
}

} // namespace

TEST(GraphMemory, IsAllocatedAndFreedByNodes) {
  const uint64_t used = attributeOf(cudaGraphMemAttrUsedMemCurrent);
  const uint64_t reserved = attributeOf(cudaGraphMemAttrReservedMemCurrent);
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t allocation, fill, back, freeing;
  int host = 0;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams params = allocationOf(size), found = {};
  CUDA_OK(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &params));
  ASSERT_NE(params.dptr, nullptr);
  cudaMemsetParams fillParams = {params.dptr, 0, 9, 4, size / 4, 1};
  CUDA_OK(cudaGraphAddMemsetNode(&fill, graph, &allocation, 1, &fillParams));
  CUDA_OK(cudaGraphAddMemcpyNode1D(&back, graph, &fill, 1, &host, params.dptr, 4,
                                   cudaMemcpyDeviceToHost));
  CUDA_OK(cudaGraphAddMemFreeNode(&freeing, graph, &back, 1, params.dptr));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddMemFreeNode(&freeing, graph, &back, 1, params.dptr)); // twice
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddMemFreeNode(&freeing, graph, &back, 1, &host));
  CUDA_OK(cudaGraphMemAllocNodeGetParams(allocation, &found));
  EXPECT_EQ(found.dptr, params.dptr);
  EXPECT_EQ(found.bytesize, size);
  void *freed = nullptr;
  CUDA_OK(cudaGraphMemFreeNodeGetParams(freeing, &freed));
  EXPECT_EQ(freed, params.dptr);
  cudaGraphExec_t exec = nullptr, second = nullptr;
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int launches = 0; launches < 2; ++launches) {
    CUDA_OK(launch(exec));
    EXPECT_EQ(host, 9);
    EXPECT_EQ(attributeOf(cudaGraphMemAttrUsedMemCurrent), used);
  }
  EXPECT_GE(attributeOf(cudaGraphMemAttrUsedMemHigh), used + size);
  EXPECT_EQ(attributeOf(cudaGraphMemAttrReservedMemCurrent), reserved + size);
  // What CUDA does not allow of such graphs.
  cudaGraph_t clone = nullptr;
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphInstantiate(&second, graph, 0));
  CUDA_FAILS(cudaErrorNotSupported, cudaGraphClone(&clone, graph));
  CUDA_FAILS(cudaErrorNotSupported, cudaGraphDestroyNode(fill));
  CUDA_FAILS(cudaErrorNotSupported,
             cudaGraphRemoveDependencies(graph, &back, &freeing, 1));
  cudaGraph_t outer = nullptr;
  cudaGraphNode_t child;
  CUDA_OK(cudaGraphCreate(&outer, 0));
  CUDA_FAILS(cudaErrorNotSupported,
             cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  CUDA_OK(cudaGraphDestroy(outer));
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  EXPECT_EQ(attributeOf(cudaGraphMemAttrReservedMemCurrent), reserved);
}

/// What a launch allocates and no node frees is the program's, beyond the graph.
TEST(GraphMemory, IsFreedByTheProgram) {
  Stream stream;
  const uint64_t used = attributeOf(cudaGraphMemAttrUsedMemCurrent);
  void *pointer = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaMallocAsync(&pointer, size, stream));
  CUDA_OK(cudaMemsetAsync(pointer, 3, size, stream));
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaFree(pointer)); // not in use
  CUDA_FAILS(cudaErrorInvalidValue, cudaFreeAsync(pointer, stream));
  CUDA_OK(launch(exec));
  EXPECT_EQ(attributeOf(cudaGraphMemAttrUsedMemCurrent), used + size);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphLaunch(exec, nullptr)); // in use
  CUDA_OK(cudaFreeAsync(pointer, stream));
  EXPECT_EQ(attributeOf(cudaGraphMemAttrUsedMemCurrent), used);
  CUDA_OK(launch(exec));
  CUDA_OK(cudaFree(pointer));
  CUDA_OK(launch(exec));
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  char last = 0;
  CUDA_OK(cudaMemcpy(&last, static_cast<char *>(pointer) + size - 1, 1,
                     cudaMemcpyDeviceToHost));
  EXPECT_EQ(last, 3);
  CUDA_OK(cudaFreeAsync(pointer, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, pointer));
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
}

TEST(GraphMemory, IsFreedByTheNextLaunchOnRequest) {
  Stream stream;
  void *pointer = nullptr, *other = nullptr;
  CUDA_OK(cudaMalloc(&other, 16));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CUDA_OK(cudaMallocAsync(&pointer, size, stream));
  CUDA_FAILS(cudaErrorInvalidValue, cudaFreeAsync(other, stream)); // no graph's
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CUDA_OK(launch(exec));
  CUDA_OK(launch(exec));
  CUDA_OK(cudaFree(pointer));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CUDA_FAILS(cudaErrorNotSupported, cudaGraphLaunch(exec, stream));
  cudaGraph_t empty = nullptr;
  CUDA_OK(cudaStreamEndCapture(stream, &empty));
  CUDA_OK(cudaGraphDestroy(empty));
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaFree(other));
}

/// A launch that can not free what is not in use takes nothing into use.
TEST(GraphMemory, ALaunchThatFailsLeavesAllAsItWas) {
  const uint64_t used = attributeOf(cudaGraphMemAttrUsedMemCurrent);
  cudaGraph_t first = nullptr, second = nullptr;
  cudaGraphExec_t allocates = nullptr, frees = nullptr;
  cudaGraphNode_t node, own;
  CUDA_OK(cudaGraphCreate(&first, 0));
  CUDA_OK(cudaGraphCreate(&second, 0));
  cudaMemAllocNodeParams params = allocationOf(size), ownParams = allocationOf(size);
  CUDA_OK(cudaGraphAddMemAllocNode(&node, first, nullptr, 0, &params));
  CUDA_OK(cudaGraphAddMemAllocNode(&own, second, nullptr, 0, &ownParams));
  CUDA_OK(cudaGraphAddMemFreeNode(&node, second, &own, 1, params.dptr)); // of the other
  CUDA_OK(cudaGraphInstantiate(&allocates, first, 0));
  CUDA_OK(cudaGraphInstantiate(&frees, second, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphLaunch(frees, nullptr));
  EXPECT_EQ(attributeOf(cudaGraphMemAttrUsedMemCurrent), used);
  CUDA_OK(launch(allocates));
  CUDA_OK(launch(frees));
  EXPECT_EQ(attributeOf(cudaGraphMemAttrUsedMemCurrent), used + size);
  CUDA_OK(cudaFree(ownParams.dptr));
  CUDA_OK(cudaGraphExecDestroy(allocates));
  CUDA_OK(cudaGraphExecDestroy(frees));
  CUDA_OK(cudaGraphDestroy(first));
  CUDA_OK(cudaGraphDestroy(second));
}

TEST(GraphMemory, RefusesWrongWishes) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams params = allocationOf(0);
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  params = allocationOf(16, 9);
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  params = allocationOf(16);
  params.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  params = allocationOf(16);
  params.accessDescCount = 1;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddMemAllocNode(&node, nullptr, nullptr, 0, &params));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddMemFreeNode(&node, nullptr, nullptr, 0, nullptr));
  cudaGraphNode_t empty;
  void *pointer = nullptr;
  CUDA_OK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphMemAllocNodeGetParams(empty, &params));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphMemFreeNodeGetParams(empty, &pointer));
  CUDA_OK(cudaGraphDestroy(graph));
  uint64_t value = 0;
  CUDA_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
  CUDA_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &value));
  EXPECT_EQ(attributeOf(cudaGraphMemAttrUsedMemHigh),
            attributeOf(cudaGraphMemAttrUsedMemCurrent));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &value));
  value = 1;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaDeviceGetGraphMemAttribute(9, cudaGraphMemAttrUsedMemHigh, &value));
  CUDA_OK(cudaDeviceGraphMemTrim(0));
  CUDA_FAILS(cudaErrorInvalidDevice, cudaDeviceGraphMemTrim(9));
}

namespace {

/// A graph with a condition of a fixed value, and a node that depends on it.
struct Conditional {
  Conditional(cudaGraphConditionalNodeType type, unsigned value, unsigned bodies) {
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, value,
                                               cudaGraphCondAssignDefault),
              cudaSuccess);
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = bodies;
    added = cudaGraphAddNode(&node, graph, nullptr, 0, &params);
  }
  ~Conditional() {
    if (exec)
      cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }
  /// Fills memory with a value in one of its graphs.
  void fill(unsigned body, void *memory, unsigned value) {
    cudaMemsetParams to = {memory, 0, value, 4, 1, 1};
    cudaGraphNode_t made;
    ASSERT_EQ(cudaGraphAddMemsetNode(&made, params.conditional.phGraph_out[body], nullptr,
                                     0, &to),
              cudaSuccess);
  }
  void run() {
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    ASSERT_EQ(launch(exec), cudaSuccess);
  }
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphConditionalHandle handle = 0;
  cudaGraphNodeParams params = {};
  cudaGraphNode_t node = nullptr;
  cudaError_t added = cudaSuccess;
};

} // namespace

TEST(GraphConditions, ChooseAGraph) {
  struct {
    cudaGraphConditionalNodeType type;
    unsigned value, bodies, expected; ///< 0: none is run.
  } const cases[] = {
      {cudaGraphCondTypeIf, 1, 1, 1},     {cudaGraphCondTypeIf, 0, 1, 0},
      {cudaGraphCondTypeIf, 7, 2, 1},     {cudaGraphCondTypeIf, 0, 2, 2},
      {cudaGraphCondTypeSwitch, 0, 3, 1}, {cudaGraphCondTypeSwitch, 2, 3, 3},
      {cudaGraphCondTypeSwitch, 3, 3, 0}, {cudaGraphCondTypeWhile, 0, 1, 0},
  };
  for (const auto &one : cases) {
    DeviceMemory<unsigned> memory(1);
    CUDA_OK(cudaMemset(memory, 0, 4));
    Conditional conditional(one.type, one.value, one.bodies);
    CUDA_OK(conditional.added);
    cudaGraphNodeType type;
    CUDA_OK(cudaGraphNodeGetType(conditional.node, &type));
    EXPECT_EQ(type, cudaGraphNodeTypeConditional);
    for (unsigned body = 0; body < one.bodies; ++body)
      conditional.fill(body, memory, body + 1);
    conditional.run();
    unsigned found = 99;
    CUDA_OK(cudaMemcpy(&found, memory, 4, cudaMemcpyDeviceToHost));
    EXPECT_EQ(found, one.expected) << one.type << ' ' << one.value << ' ' << one.bodies;
  }
}

TEST(GraphConditions, AreRefusedWhereTheyDoNotFit) {
  Conditional conditional(cudaGraphCondTypeWhile, 0, 1);
  CUDA_OK(conditional.added);
  cudaGraphNode_t node;
  cudaGraphNodeParams params = conditional.params;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddNode(&node, conditional.graph, nullptr, 0, &params)); // used
  cudaGraph_t clone = nullptr, body = conditional.params.conditional.phGraph_out[0];
  CUDA_FAILS(cudaErrorNotSupported, cudaGraphClone(&clone, conditional.graph));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphDestroy(body)); // the node's
  cudaHostNodeParams call = {[](void *) {}, nullptr};
  CUDA_OK(cudaGraphAddHostNode(&node, body, nullptr, 0, &call));
  CUDA_FAILS(cudaErrorNotSupported,
             cudaGraphInstantiate(&conditional.exec, conditional.graph, 0));
  for (unsigned bodies : {0u, 2u}) {
    Conditional other(cudaGraphCondTypeWhile, 0, bodies);
    EXPECT_EQ(other.added, cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    // A handle that no node has got.
    cudaGraphInstantiateParams instance = {};
    CUDA_FAILS(cudaErrorInvalidValue,
               cudaGraphInstantiateWithParams(&other.exec, other.graph, &instance));
    EXPECT_EQ(instance.result_out, cudaGraphInstantiateConditionalHandleUnused);
  }
  cudaGraphConditionalHandle handle;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphConditionalHandleCreate(nullptr, conditional.graph, 0, 0));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphConditionalHandleCreate(&handle, nullptr, 0, 0));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphConditionalHandleCreate(&handle, conditional.graph, 0, 8));
}
