// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adding nodes to graphs, and changing what a node or an instantiated step
// does.

#include "Copy.h"
#include "Errors.h"
#include "Graph.h"
#include "Launch.h"
#include "Module.h"
#include "Stream.h"

#include <cstring>

using namespace het::cuda;

/// Adds a node after checking the list of dependencies.
static cudaError_t addNode(cudaGraphNode_t *node, cudaGraph_t graph,
                           const cudaGraphNode_t *dependencies, size_t count,
                           Operation operation) {
  if (!node || !graph || (count && !dependencies) || count > graph->nodes.size())
    return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> list(dependencies, dependencies + count);
  for (cudaGraphNode_t dependency : list)
    if (!dependency || !graph->owns(dependency))
      return cudaErrorInvalidValue;
  *node = graph->add(std::move(operation), list);
  return cudaSuccess;
}

/// Adds what `make` makes; `make` fills an operation or fails.
template <typename Made, typename Make>
static cudaError_t addMade(cudaGraphNode_t *node, cudaGraph_t graph,
                           const cudaGraphNode_t *dependencies, size_t count, Make make) {
  Made operation;
  if (cudaError_t error = make(operation))
    return remember(error);
  return remember(addNode(node, graph, dependencies, count, std::move(operation)));
}

/// Replaces the operation of a node by one of the same type.
template <typename Made, typename Make>
static cudaError_t changeNode(cudaGraphNode_t node, Make make) {
  if (!node || !std::holds_alternative<Made>(node->operation))
    return remember(cudaErrorInvalidValue);
  Made operation;
  if (cudaError_t error = make(operation))
    return remember(error);
  node->operation = std::move(operation);
  return cudaSuccess;
}

/// The same for the step that an instantiated graph made from a node.
template <typename Made, typename Make>
static cudaError_t changeStep(cudaGraphExec_t exec, cudaGraphNode_t node, Make make) {
  if (!exec || !node)
    return remember(cudaErrorInvalidValue);
  for (size_t index = 0; index < exec->steps.size(); ++index) {
    GraphStep &step = exec->steps[index];
    if (step.origin != node || !std::holds_alternative<Made>(step.operation))
      continue;
    Made operation;
    if (cudaError_t error = make(operation))
      return remember(error);
    exec->own.change(index, operation);
    step.operation = std::move(operation);
    return cudaSuccess;
  }
  return remember(cudaErrorInvalidValue);
}

static cudaError_t makeKernel(const cudaKernelNodeParams *params,
                              KernelOperation &kernel) {
  if (!params)
    return cudaErrorInvalidValue;
  if (params->extra)
    HET_NOT_SUPPORTED("cudaKernelNodeParams::extra");
  return prepareKernel(findFunction(params->func), params->gridDim, params->blockDim,
                       {params->kernelParams, {}}, params->sharedMemBytes, false, kernel);
}

static cudaError_t makeFill(const cudaMemsetParams *params, FillOperation &fill) {
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

static cudaError_t makeHost(const cudaHostNodeParams *params, HostOperation &host) {
  if (!params || !params->fn)
    return cudaErrorInvalidValue;
  host = {params->fn, params->userData};
  return cudaSuccess;
}

static cudaError_t makeEvent(cudaEvent_t event, std::shared_ptr<CUevent_st> &slot) {
  if (!event)
    return cudaErrorInvalidResourceHandle;
  slot = event->shared_from_this();
  return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies, size_t count) try {
  return remember(addNode(node, graph, dependencies, count, EmptyOperation()));
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
  return changeNode<KernelOperation>(
      node, [&](KernelOperation &kernel) { return makeKernel(params, kernel); });
}
HET_CATCH

/// The arguments are the node's own; they hold until it changes.
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         cudaKernelNodeParams *params) try {
  auto *kernel = node ? std::get_if<KernelOperation>(&node->operation) : nullptr;
  if (!kernel || !params)
    return remember(cudaErrorInvalidValue);
  if (!kernel->function->stub)
    return remember(cudaErrorInvalidDeviceFunction); // of the driver API
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
  *params = {const_cast<void *>(kernel->function->stub),
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
  return addMade<CopyOperation>(
      node, graph, dependencies, count,
      [&](CopyOperation &copy) { return makeCopy3D(params, copy); });
}
HET_CATCH

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms *params) try {
  return changeNode<CopyOperation>(
      node, [&](CopyOperation &copy) { return makeCopy3D(params, copy); });
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

/// The event of a node that records one, or waits for one.
template <typename Made>
static cudaError_t getEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  auto *made = node ? std::get_if<Made>(&node->operation) : nullptr;
  if (!made || !event)
    return remember(cudaErrorInvalidValue);
  *event = made->event.get();
  return cudaSuccess;
}

/// Returns a function that gives an operation its event.
template <typename Made> static auto withEvent(cudaEvent_t event) {
  return [event](Made &made) {
    made.external = true;
    return makeEvent(event, made.event);
  };
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies, size_t count,
                                        cudaEvent_t event) try {
  return addMade<RecordOperation>(node, graph, dependencies, count,
                                  withEvent<RecordOperation>(event));
}
HET_CATCH

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies, size_t count,
                                      cudaEvent_t event) try {
  return addMade<WaitOperation>(node, graph, dependencies, count,
                                withEvent<WaitOperation>(event));
}
HET_CATCH

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                             cudaEvent_t *event) try {
  return getEvent<RecordOperation>(node, event);
}
HET_CATCH

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) try {
  return getEvent<WaitOperation>(node, event);
}
HET_CATCH

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node,
                                             cudaEvent_t event) try {
  return changeNode<RecordOperation>(node, withEvent<RecordOperation>(event));
}
HET_CATCH

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) try {
  return changeNode<WaitOperation>(node, withEvent<WaitOperation>(event));
}
HET_CATCH

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec,
                                                 cudaGraphNode_t node,
                                                 cudaEvent_t event) try {
  return changeStep<RecordOperation>(exec, node, withEvent<RecordOperation>(event));
}
HET_CATCH

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) try {
  return changeStep<WaitOperation>(exec, node, withEvent<WaitOperation>(event));
}
HET_CATCH

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t count,
                                       cudaGraph_t child) try {
  return addMade<GraphOperation>(node, graph, dependencies, count,
                                 [&](GraphOperation &operation) {
                                   if (!child || child == graph)
                                     return cudaErrorInvalidValue;
                                   operation.graph = cloneGraph(*child);
                                   operation.graph->isPrograms = false;
                                   return cudaSuccess;
                                 });
}
HET_CATCH

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                            cudaGraph_t *graph) try {
  if (!node || !graph)
    return remember(cudaErrorInvalidValue);
  auto *child = std::get_if<GraphOperation>(&node->operation);
  if (!child)
    return remember(cudaErrorInvalidValue);
  *graph = child->graph.get();
  return cudaSuccess;
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

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) try {
  if (!node || !type)
    return remember(cudaErrorInvalidValue);
  static constexpr cudaGraphNodeType types[] = {
      cudaGraphNodeTypeEmpty,     cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeKernel,    cudaGraphNodeTypeHost,   cudaGraphNodeTypeEventRecord,
      cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeGraph};
  static_assert(std::size(types) == std::variant_size_v<Operation>,
                "one type for each alternative of Operation, in its order");
  *type = types[node->operation.index()];
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t count,
                             cudaGraphNodeParams *params) try {
  if (!params)
    return remember(cudaErrorInvalidValue);
  switch (params->type) {
  case cudaGraphNodeTypeEmpty:
    return cudaGraphAddEmptyNode(node, graph, dependencies, count);
  case cudaGraphNodeTypeMemset: {
    const auto &set = params->memset;
    cudaMemsetParams plain = {set.dst,         set.pitch, set.value,
                              set.elementSize, set.width, set.height};
    return cudaGraphAddMemsetNode(node, graph, dependencies, count, &plain);
  }
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphAddMemcpyNode(node, graph, dependencies, count,
                                  &params->memcpy.copyParams);
  case cudaGraphNodeTypeHost: {
    cudaHostNodeParams host = {params->host.fn, params->host.userData};
    return cudaGraphAddHostNode(node, graph, dependencies, count, &host);
  }
  case cudaGraphNodeTypeKernel: {
    const auto &kernel = params->kernel;
    cudaKernelNodeParams plain = {kernel.func,         kernel.gridDim,
                                  kernel.blockDim,     kernel.sharedMemBytes,
                                  kernel.kernelParams, kernel.extra};
    return cudaGraphAddKernelNode(node, graph, dependencies, count, &plain);
  }
  case cudaGraphNodeTypeGraph:
    return cudaGraphAddChildGraphNode(node, graph, dependencies, count,
                                      params->graph.graph);
  case cudaGraphNodeTypeEventRecord:
    return cudaGraphAddEventRecordNode(node, graph, dependencies, count,
                                       params->eventRecord.event);
  case cudaGraphNodeTypeWaitEvent:
    return cudaGraphAddEventWaitNode(node, graph, dependencies, count,
                                     params->eventWait.event);
  default:
    HET_NOT_SUPPORTED("cudaGraphAddNode with this type of node");
  }
}
HET_CATCH
