// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that launch kernels, copy, fill and call: adding them, and changing what a node
// or an instantiated step does.

#include "GraphNodes.h"
#include "Clusters.h"
#include "Copy.h"
#include "Launch.h"
#include "Module.h"
#include "Stream.h"
#include "driver/Driver.h"

using namespace het::cuda;

cudaError_t het::cuda::addNode(cudaGraphNode_t *node, cudaGraph_t graph,
                               const cudaGraphNode_t *dependencies,
                               const cudaGraphEdgeData *edges, size_t count,
                               Operation operation) {
  if (!node || !graph || (count && !dependencies) || count > graph->nodes.size() ||
      (edges && !dependencies))
    return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> list(dependencies, dependencies + count);
  for (size_t index = 0; index < count; ++index)
    if (!list[index] || !graph->owns(list[index]) ||
        (edges && !validEdge(*list[index], edges[index])))
      return cudaErrorInvalidValue;
  *node = graph->add(std::move(operation), list,
                     edges ? EdgeData(edges, edges + count) : EdgeData());
  return cudaSuccess;
}

cudaError_t het::cuda::makeKernel(const cudaKernelNodeParams *params,
                                  KernelOperation &kernel) {
  if (!params)
    return cudaErrorInvalidValue;
  Arguments arguments{params->kernelParams, {}};
  if (params->extra &&
      (params->kernelParams || !readExtra(params->extra, arguments.packed)))
    return cudaErrorInvalidValue;
  return prepareKernel(findFunction(params->func), params->gridDim, params->blockDim,
                       arguments, params->sharedMemBytes, false, kernel);
}

cudaError_t het::cuda::makeFill(const cudaMemsetParams *params, FillOperation &fill) {
  if (!params || !params->dst ||
      (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
    return cudaErrorInvalidValue;
  fill.to = {static_cast<char *>(params->dst), params->pitch, 0};
  fill.value = params->value;
  fill.elementSize = params->elementSize;
  fill.width = params->width;
  fill.height = params->height;
  return checkFill(fill);
}

cudaError_t het::cuda::makeHost(const cudaHostNodeParams *params, HostOperation &host) {
  if (!params || !params->fn)
    return cudaErrorInvalidValue;
  host = {params->fn, params->userData};
  return cudaSuccess;
}

cudaError_t het::cuda::makeEvent(cudaEvent_t event, std::shared_ptr<CUevent_st> &slot) {
  if (!event)
    return cudaErrorInvalidResourceHandle;
  slot = event->shared_from_this();
  return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies, size_t count) try {
  return remember(addNode(node, graph, dependencies, nullptr, count, EmptyOperation()));
}
HET_CATCH

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const cudaKernelNodeParams *params) try {
  return addMade<KernelOperation>(
      node, graph, dependencies, count,
      [&](KernelOperation &kernel) { return makeKernel(params, kernel); });
}
HET_CATCH

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams *params) try {
  return changeNode<KernelOperation>(node, [&](KernelOperation &kernel) {
    cudaError_t error = makeKernel(params, kernel);
    const auto &before = std::get<KernelOperation>(node->operation);
    kernel.attributes = before.attributes;
    kernel.cooperative = before.cooperative;
    return error ? error : updateCluster(kernel);
  });
}
HET_CATCH

/// The arguments are the node's own; they hold until it changes.
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         cudaKernelNodeParams *params) try {
  if (node && std::holds_alternative<NativeOperation>(node->operation))
    return remember(cudaErrorInvalidDeviceFunction); // as CUDA says of such kernels
  auto *kernel = node ? std::get_if<KernelOperation>(&node->operation) : nullptr;
  if (!kernel || !params)
    return remember(cudaErrorInvalidValue);
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return remember(error);
  LoadedKernel *loaded = nullptr;
  if (cudaError_t error = load(*kernel->function, *device, loaded))
    return remember(error);
  node->argumentPointers.clear();
  for (const het::Parameter &parameter : loaded->info().parameters)
    node->argumentPointers.push_back(kernel->arguments.data() + parameter.offset);
  bool none = node->argumentPointers.empty();
  // A kernel of the driver API has a handle, which is as good as a stub.
  const void *stub = kernel->function->stub;
  *params = {stub ? const_cast<void *>(stub) : driver::handleOf(kernel->function.get()),
             kernel->grid,
             kernel->block,
             static_cast<unsigned>(kernel->sharedBytes),
             none ? nullptr : node->argumentPointers.data(),
             nullptr};
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *params) try {
  return changeStep<KernelOperation>(
      exec, node, [&](KernelOperation &kernel) { return makeKernel(params, kernel); });
}
HET_CATCH

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const cudaMemcpy3DParms *params) try {
  cudaError_t error =
      addMade<CopyOperation>(node, graph, dependencies, count, [&](CopyOperation &copy) {
        return makeCopy3D(params, copy);
      });
  if (!error)
    (*node)->copyParams = *params;
  return error;
}
HET_CATCH

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms *params) try {
  cudaError_t error = changeNode<CopyOperation>(
      node, [&](CopyOperation &copy) { return makeCopy3D(params, copy); });
  if (!error)
    node->copyParams = *params;
  return error;
}
HET_CATCH

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *params) try {
  return changeStep<CopyOperation>(
      exec, node, [&](CopyOperation &copy) { return makeCopy3D(params, copy); });
}
HET_CATCH

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     void *to, const void *from, size_t size,
                                     cudaMemcpyKind kind) try {
  return addMade<CopyOperation>(
      node, graph, dependencies, count,
      [&](CopyOperation &copy) { return makeCopy(to, from, size, kind, copy); });
}
HET_CATCH

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to,
                                           const void *from, size_t size,
                                           cudaMemcpyKind kind) try {
  return changeNode<CopyOperation>(
      node, [&](CopyOperation &copy) { return makeCopy(to, from, size, kind, copy); });
}
HET_CATCH

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               void *to, const void *from, size_t size,
                                               cudaMemcpyKind kind) try {
  return changeStep<CopyOperation>(exec, node, [&](CopyOperation &copy) {
    return makeCopy(to, from, size, kind, copy);
  });
}
HET_CATCH

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const cudaMemsetParams *params) try {
  return addMade<FillOperation>(
      node, graph, dependencies, count,
      [&](FillOperation &fill) { return makeFill(params, fill); });
}
HET_CATCH

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemsetParams *params) try {
  return changeNode<FillOperation>(
      node, [&](FillOperation &fill) { return makeFill(params, fill); });
}
HET_CATCH

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams *params) try {
  return changeStep<FillOperation>(
      exec, node, [&](FillOperation &fill) { return makeFill(params, fill); });
}
HET_CATCH

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t count,
                                 const cudaHostNodeParams *params) try {
  return addMade<HostOperation>(
      node, graph, dependencies, count,
      [&](HostOperation &host) { return makeHost(params, host); });
}
HET_CATCH

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const cudaHostNodeParams *params) try {
  return changeNode<HostOperation>(
      node, [&](HostOperation &host) { return makeHost(params, host); });
}
HET_CATCH

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams *params) try {
  return changeStep<HostOperation>(
      exec, node, [&](HostOperation &host) { return makeHost(params, host); });
}
HET_CATCH

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       cudaHostNodeParams *params) try {
  auto *host = node ? std::get_if<HostOperation>(&node->operation) : nullptr;
  if (!host || !params)
    return remember(cudaErrorInvalidValue);
  params->fn = host->function;
  params->userData = host->data;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         cudaMemsetParams *params) try {
  auto *fill = node ? std::get_if<FillOperation>(&node->operation) : nullptr;
  if (!fill || !params)
    return remember(cudaErrorInvalidValue);
  *params = {fill->to.base,     fill->to.pitch, fill->value,
             fill->elementSize, fill->width,    fill->height};
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         cudaMemcpy3DParms *params) try {
  auto *copy = node ? std::get_if<CopyOperation>(&node->operation) : nullptr;
  if (!copy || !params)
    return remember(cudaErrorInvalidValue);
  if (node->copyParams) {
    *params = *node->copyParams;
    return cudaSuccess;
  }
  const auto pitched = [&](const Region &region) {
    return cudaPitchedPtr{region.base, region.pitch, copy->width,
                          region.pitch ? region.plane / region.pitch : copy->height};
  };
  *params = {};
  params->srcPtr = pitched(copy->from);
  params->dstPtr = pitched(copy->to);
  params->extent = {copy->width, copy->height, copy->depth};
  params->kind = copy->kind;
  return cudaSuccess;
}
HET_CATCH
