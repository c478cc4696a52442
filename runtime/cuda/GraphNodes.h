// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions about nodes share: adding a node, giving one another operation, or
// the step of one. Each kind of node has a function that makes its operation out of its
// parameters.

#ifndef HET_RUNTIME_CUDA_GRAPHNODES_H
#define HET_RUNTIME_CUDA_GRAPHNODES_H

#include "Errors.h"
#include "Graph.h"

#include <utility>

namespace het::cuda {

/// Adds a node after checking the list of dependencies. `edges` may be null.
cudaError_t addNode(cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                    size_t count, Operation operation);

cudaError_t makeKernel(const cudaKernelNodeParams *params, KernelOperation &kernel);
cudaError_t makeFill(const cudaMemsetParams *params, FillOperation &fill);
cudaError_t makeHost(const cudaHostNodeParams *params, HostOperation &host);
cudaError_t makeEvent(cudaEvent_t event, std::shared_ptr<CUevent_st> &slot);
cudaError_t makeChild(const CUgraph_st *parent, cudaGraph_t child,
                      GraphOperation &operation);
/// The memory is made here; `params` is told its address.
cudaError_t makeAllocation(cudaMemAllocNodeParams *params, AllocateOperation &operation);
cudaError_t makeFree(void *pointer, FreeOperation &operation);
/// `params` is told the graphs.
cudaError_t makeConditional(const CUgraph_st *graph, cudaConditionalNodeParams *params,
                            ConditionalOperation &operation);

/// Adds what `make` makes; `make` fills an operation or fails.
template <typename Made, typename Make>
cudaError_t addMade(cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *dependencies, size_t count, Make make) {
  Made operation;
  if (cudaError_t error = make(operation))
    return remember(error);
  return remember(
      addNode(node, graph, dependencies, nullptr, count, std::move(operation)));
}

/// Replaces the operation of a node by one of the same type.
template <typename Made, typename Make>
cudaError_t changeNode(cudaGraphNode_t node, Make make) {
  if (!node || !std::holds_alternative<Made>(node->operation))
    return remember(cudaErrorInvalidValue);
  Made operation;
  if (cudaError_t error = make(operation))
    return remember(error);
  node->operation = std::move(operation);
  node->copyParams.reset();
  return cudaSuccess;
}

/// The same for the step that an instantiated graph made from a node.
template <typename Made, typename Make>
cudaError_t changeStep(cudaGraphExec_t exec, cudaGraphNode_t node, Make make) {
  if (!exec || !node)
    return remember(cudaErrorInvalidValue);
  const StepPlace place = findStep(*exec, node);
  if (!place.graph || !std::holds_alternative<Made>(place.step().operation))
    return remember(cudaErrorInvalidValue);
  Made operation;
  if (cudaError_t error = make(operation))
    return remember(error);
  place.change(std::move(operation));
  return cudaSuccess;
}

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_GRAPHNODES_H
