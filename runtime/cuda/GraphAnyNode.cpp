// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes of any kind, by one structure that has the parameters of all.

#include "Clusters.h"
#include "Copy.h"
#include "GraphCondition.h"
#include "GraphNodes.h"

using namespace het::cuda;

namespace {

/// Gives each kind of node to `use`, as an operation and the function that makes it.
/// `graph` is where it is to be; null: nowhere new.
struct Maker {
  cudaGraphNodeParams &params;
  const CUgraph_st *graph;
  Operation result;

  template <typename Made, typename Make> cudaError_t make(Make made) {
    return made(result.emplace<Made>());
  }

  cudaError_t makeEventOf(cudaEvent_t event, bool isRecord) {
    return isRecord ? make<RecordOperation>([&](RecordOperation &operation) {
      operation.external = true;
      return makeEvent(event, operation.event);
    })
                    : make<WaitOperation>([&](WaitOperation &operation) {
                        operation.external = true;
                        return makeEvent(event, operation.event);
                      });
  }

  cudaError_t makeKernelOf(const cudaKernelNodeParamsV2 &from) {
    const cudaKernelNodeParams plain = {from.func,         from.gridDim,
                                        from.blockDim,     from.sharedMemBytes,
                                        from.kernelParams, from.extra};
    return make<KernelOperation>(
        [&](KernelOperation &kernel) { return makeKernel(&plain, kernel); });
  }

  cudaError_t makeFillOf(const cudaMemsetParamsV2 &from) {
    const cudaMemsetParams plain = {from.dst,         from.pitch, from.value,
                                    from.elementSize, from.width, from.height};
    return make<FillOperation>(
        [&](FillOperation &fill) { return makeFill(&plain, fill); });
  }

  cudaError_t makeHostOf(const cudaHostNodeParamsV2 &from) {
    const cudaHostNodeParams plain = {from.fn, from.userData};
    return make<HostOperation>(
        [&](HostOperation &host) { return makeHost(&plain, host); });
  }

  cudaError_t makeAllocationOf(cudaMemAllocNodeParamsV2 &from) {
    cudaMemAllocNodeParams plain = {from.poolProps, from.accessDescs,
                                    from.accessDescCount, from.bytesize, nullptr};
    cudaError_t error = make<AllocateOperation>(
        [&](AllocateOperation &operation) { return makeAllocation(&plain, operation); });
    from.dptr = plain.dptr;
    return error;
  }

  cudaError_t operator()() {
    switch (params.type) {
    case cudaGraphNodeTypeEmpty:
      return cudaSuccess;
    case cudaGraphNodeTypeKernel:
      return makeKernelOf(params.kernel);
    case cudaGraphNodeTypeMemcpy:
      return make<CopyOperation>([&](CopyOperation &copy) {
        return makeCopy3D(&params.memcpy.copyParams, copy);
      });
    case cudaGraphNodeTypeMemset:
      return makeFillOf(params.memset);
    case cudaGraphNodeTypeHost:
      return makeHostOf(params.host);
    case cudaGraphNodeTypeGraph:
      return make<GraphOperation>([&](GraphOperation &operation) {
        return makeChild(graph, params.graph.graph, operation);
      });
    case cudaGraphNodeTypeEventRecord:
      return makeEventOf(params.eventRecord.event, true);
    case cudaGraphNodeTypeWaitEvent:
      return makeEventOf(params.eventWait.event, false);
    case cudaGraphNodeTypeMemAlloc:
      return makeAllocationOf(params.alloc);
    case cudaGraphNodeTypeMemFree:
      return make<FreeOperation>([&](FreeOperation &operation) {
        return makeFree(params.free.dptr, operation);
      });
    case cudaGraphNodeTypeConditional:
      return make<ConditionalOperation>([&](ConditionalOperation &operation) {
        return makeConditional(graph, &params.conditional, operation);
      });
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      HET_NOT_SUPPORTED("a node for external semaphores");
    default:
      return cudaErrorInvalidValue;
    }
  }
};

/// Kinds that can not be changed once they are there.
bool isFixed(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree ||
         type == cudaGraphNodeTypeConditional || type == cudaGraphNodeTypeEmpty;
}

void keepParams(cudaGraphNode_t node, const cudaGraphNodeParams &params) {
  node->copyParams.reset();
  if (params.type == cudaGraphNodeTypeMemcpy)
    node->copyParams = params.memcpy.copyParams;
}

} // namespace

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
                                const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *edges, size_t count,
                                cudaGraphNodeParams *params) try {
  if (!params || !graph)
    return remember(cudaErrorInvalidValue);
  Maker maker{*params, graph, {}};
  cudaError_t error = maker();
  std::shared_ptr<GraphCondition> condition;
  if (auto *made = std::get_if<ConditionalOperation>(&maker.result))
    condition = made->condition;
  if (!error)
    error = addNode(node, graph, dependencies, edges, count, std::move(maker.result));
  if (!error)
    keepParams(*node, *params);
  else if (condition)
    condition->isUsed = false;
  return remember(error);
}
HET_CATCH

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t count,
                             cudaGraphNodeParams *params) try {
  return cudaGraphAddNode_v2(node, graph, dependencies, nullptr, count, params);
}
HET_CATCH

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                   cudaGraphNodeParams *params) try {
  if (!node || !params || params->type != typeOf(node->operation) ||
      isFixed(params->type))
    return remember(cudaErrorInvalidValue);
  Maker maker{*params, node->graph, {}};
  if (cudaError_t error = maker())
    return remember(error);
  if (maker.result.index() != node->operation.index()) // a library's work
    return remember(cudaErrorInvalidDeviceFunction);
  if (auto *kernel = std::get_if<KernelOperation>(&maker.result)) {
    kernel->attributes = std::get<KernelOperation>(node->operation).attributes;
    kernel->cooperative = std::get<KernelOperation>(node->operation).cooperative;
    if (cudaError_t error = updateCluster(*kernel))
      return remember(error);
  }
  node->operation = std::move(maker.result);
  keepParams(node, *params);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams *params) try {
  if (!exec || !node || !params || isFixed(params->type))
    return remember(cudaErrorInvalidValue);
  if (params->type == cudaGraphNodeTypeGraph)
    return cudaGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
  const StepPlace place = findStep(*exec, node);
  if (!place.graph || typeOf(place.step().operation) != params->type)
    return remember(cudaErrorInvalidValue);
  Maker maker{*params, node->graph, {}};
  if (cudaError_t error = maker())
    return remember(error);
  if (maker.result.index() != place.step().operation.index()) // a library's work
    return remember(cudaErrorInvalidDeviceFunction);
  place.change(std::move(maker.result));
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) try {
  if (!node || !type)
    return remember(cudaErrorInvalidValue);
  *type = typeOf(node->operation);
  return cudaSuccess;
}
HET_CATCH

/// The step of a node that can be switched off.
static StepPlace findSwitch(cudaGraphExec_t exec, cudaGraphNode_t node) {
  const StepPlace place = exec && node ? findStep(*exec, node) : StepPlace();
  if (!place.graph)
    return {};
  const cudaGraphNodeType type = typeOf(place.step().operation);
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
                 type == cudaGraphNodeTypeMemset
             ? place
             : StepPlace();
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned isEnabled) try {
  const StepPlace place = findSwitch(exec, node);
  if (!place.graph)
    return remember(cudaErrorInvalidValue);
  if (place.step().isEnabled != (isEnabled != 0)) {
    place.step().isEnabled = isEnabled != 0;
    place.graph->own.changeAll();
  }
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned *isEnabled) try {
  const StepPlace place = findSwitch(exec, node);
  if (!place.graph || !isEnabled)
    return remember(cudaErrorInvalidValue);
  *isEnabled = place.step().isEnabled;
  return cudaSuccess;
}
HET_CATCH
