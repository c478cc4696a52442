// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that allocate and free memory, and questions about that memory.

#include "Context.h"
#include "GraphMemory.h"
#include "GraphNodes.h"

using namespace het::cuda;

cudaError_t het::cuda::makeAllocation(cudaMemAllocNodeParams *params,
                                      AllocateOperation &operation) {
  if (!params || !params->bytesize ||
      params->poolProps.allocType != cudaMemAllocationTypePinned ||
      (params->accessDescCount && !params->accessDescs))
    return cudaErrorInvalidValue;
  if (params->poolProps.location.type != cudaMemLocationTypeDevice ||
      !validDevice(params->poolProps.location.id))
    return cudaErrorInvalidDevice;
  if (params->poolProps.handleTypes != cudaMemHandleTypeNone)
    return cudaErrorInvalidValue; // other processes reach no graph's memory
  std::vector<cudaMemAccessDesc> access(params->accessDescs,
                                        params->accessDescs + params->accessDescCount);
  for (const cudaMemAccessDesc &one : access)
    if (one.location.type != cudaMemLocationTypeDevice || !validDevice(one.location.id))
      return cudaErrorInvalidDevice;
  Device &device = *deviceAt(params->poolProps.location.id);
  if (cudaError_t error = makeGraphMemory(device, params->bytesize, operation.memory))
    return error;
  operation.memory->pool = params->poolProps;
  operation.memory->access = std::move(access);
  params->dptr = operation.memory->pointer;
  return cudaSuccess;
}

cudaError_t het::cuda::makeFree(void *pointer, FreeOperation &operation) {
  operation.memory = findGraphMemory(pointer);
  return operation.memory ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     cudaMemAllocNodeParams *params) try {
  return addMade<AllocateOperation>(
      node, graph, dependencies, count,
      [&](AllocateOperation &operation) { return makeAllocation(params, operation); });
}
HET_CATCH

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams *params) try {
  auto *operation = node ? std::get_if<AllocateOperation>(&node->operation) : nullptr;
  if (!operation || !params)
    return remember(cudaErrorInvalidValue);
  const GraphMemory &memory = *operation->memory;
  *params = {memory.pool, memory.access.empty() ? nullptr : memory.access.data(),
             memory.access.size(), memory.size, memory.pointer};
  return cudaSuccess;
}
HET_CATCH

/// Whether a graph has a node that frees this memory.
static bool frees(const CUgraph_st &graph, const GraphMemory &memory) {
  for (const auto &node : graph.nodes)
    if (const auto *freeing = std::get_if<FreeOperation>(&node->operation))
      if (freeing->memory.get() == &memory)
        return true;
  return false;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t count,
                                    void *pointer) try {
  if (!graph)
    return remember(cudaErrorInvalidValue);
  return addMade<FreeOperation>(
      node, graph, dependencies, count, [&](FreeOperation &operation) {
        cudaError_t error = makeFree(pointer, operation);
        return !error && frees(*graph, *operation.memory) ? cudaErrorInvalidValue : error;
      });
}
HET_CATCH

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer) try {
  auto *operation = node ? std::get_if<FreeOperation>(&node->operation) : nullptr;
  if (!operation || !pointer)
    return remember(cudaErrorInvalidValue);
  *static_cast<void **>(pointer) = operation->memory->pointer;
  return cudaSuccess;
}
HET_CATCH

/// Hands the gauge that an attribute is of to `use`.
template <typename Use>
static cudaError_t withGauge(int device, cudaGraphMemAttributeType attribute,
                             const void *value, Use use) {
  if (!value || attribute < cudaGraphMemAttrUsedMemCurrent ||
      attribute > cudaGraphMemAttrReservedMemHigh)
    return cudaErrorInvalidValue;
  if (!validDevice(device))
    return cudaErrorInvalidDevice;
  const bool isUse = attribute <= cudaGraphMemAttrUsedMemHigh;
  const bool isHigh = attribute == cudaGraphMemAttrUsedMemHigh ||
                      attribute == cudaGraphMemAttrReservedMemHigh;
  return use(isUse ? graphMemoryInUse : graphMemoryReserved, *deviceAt(device), isHigh);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                           cudaGraphMemAttributeType attribute,
                                           void *value) try {
  return remember(
      withGauge(device, attribute, value, [&](auto read, const Device &of, bool isHigh) {
        const MemoryGauge gauge = read(of, false);
        *static_cast<uint64_t *>(value) = isHigh ? gauge.high : gauge.current;
        return cudaSuccess;
      }));
}
HET_CATCH

cudaError_t cudaDeviceSetGraphMemAttribute(int device,
                                           cudaGraphMemAttributeType attribute,
                                           void *value) try {
  return remember(
      withGauge(device, attribute, value, [&](auto read, const Device &of, bool isHigh) {
        if (!isHigh || *static_cast<uint64_t *>(value))
          return cudaErrorInvalidValue;
        read(of, true);
        return cudaSuccess;
      }));
}
HET_CATCH

/// Memory of graphs is theirs as long as they have its nodes: none is kept beyond that.
cudaError_t cudaDeviceGraphMemTrim(int device) try {
  return remember(validDevice(device) ? cudaSuccess : cudaErrorInvalidDevice);
}
HET_CATCH
