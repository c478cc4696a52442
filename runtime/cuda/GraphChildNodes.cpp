// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that record events, wait for them, or have graphs of their own.

#include "GraphNodes.h"
#include "Stream.h"

using namespace het::cuda;

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

cudaError_t het::cuda::makeChild(const CUgraph_st *parent, cudaGraph_t child,
                                 GraphOperation &operation) {
  if (!child || child == parent)
    return cudaErrorInvalidValue;
  if (child->hasMemoryNodes() || child->hasConditions())
    HET_NOT_SUPPORTED("a child graph with nodes for memory or conditions");
  operation.graph = cloneGraph(*child);
  operation.graph->isPrograms = false;
  return cudaSuccess;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t count,
                                       cudaGraph_t child) try {
  return addMade<GraphOperation>(
      node, graph, dependencies, count,
      [&](GraphOperation &operation) { return makeChild(graph, child, operation); });
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

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                 cudaGraphNode_t node,
                                                 cudaGraph_t child) try {
  auto *operation = node ? std::get_if<GraphOperation>(&node->operation) : nullptr;
  if (!exec || !operation || !child)
    return remember(cudaErrorInvalidValue);
  return remember(updateChild(*exec, *operation->graph, *child));
}
HET_CATCH
