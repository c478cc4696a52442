// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs as wholes: creation, instantiation, launch, and their nodes. Functions about
// edges are in GraphEdges.cpp, those that add nodes in Graph…Nodes.cpp.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "Graph.h"
#include "GraphLists.h"

#include <algorithm>

using namespace het::cuda;

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) try {
  if (!graph || flags)
    return remember(cudaErrorInvalidValue);
  *graph = new CUgraph_st;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphDestroy(cudaGraph_t graph) try {
  if (!graph || !graph->isPrograms)
    return remember(cudaErrorInvalidValue);
  spoilCapturesInto(*graph);
  delete graph;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original) try {
  if (!clone || !original)
    return remember(cudaErrorInvalidValue);
  if (original->hasMemoryNodes() || original->hasConditions())
    HET_NOT_SUPPORTED("cudaGraphClone of a graph with nodes for memory or conditions");
  *clone = cloneGraph(*original).release();
  return cudaSuccess;
}
HET_CATCH

/// The copy of a node in a graph or its child graphs; null if it has none.
static cudaGraphNode_t findCopy(const CUgraph_st &graph, const CUgraphNode_st &original) {
  for (const auto &node : graph.nodes) {
    if (node->copyOf == original.id)
      return node.get();
    if (const auto *child = std::get_if<GraphOperation>(&node->operation))
      if (cudaGraphNode_t found = findCopy(*child->graph, original))
        return found;
  }
  return nullptr;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t original,
                                     cudaGraph_t clone) try {
  if (!found || !original || !clone)
    return remember(cudaErrorInvalidValue);
  *found = findCopy(*clone, *original);
  return remember(*found ? cudaSuccess : cudaErrorInvalidValue);
}
HET_CATCH

/// Makes the device's own form of an instance, and of those in it.
static void makeOwn(CUgraphExec_st &exec, Device &device) {
  exec.own.make(exec.steps, device);
  for (const GraphStep &step : exec.steps)
    for (const std::shared_ptr<CUgraphExec_st> &body : step.bodies)
      makeOwn(*body, device);
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                               unsigned long long flags,
                               cudaGraphInstantiateResult &why) {
  constexpr unsigned long long known =
      cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
      cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
  why = cudaGraphInstantiateError;
  if (!exec || !graph || (flags & ~known))
    return cudaErrorInvalidValue;
  *exec = nullptr;
  if (graph->hasMemoryNodes() && !graph->instance.expired())
    return cudaErrorInvalidValue; // one instance at a time
  std::unique_ptr<CUgraphExec_st> result;
  if (cudaError_t error = het::cuda::instantiate(*graph, result, &why))
    return error;
  result->flags = flags;
  graph->instance = result->instance = std::make_shared<int>();
  Device *device = nullptr;
  const cudaError_t noDevice = useCurrentDevice(device);
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
    if (noDevice)
      return noDevice;
    if (cudaError_t error = offerToKernels(*result, *device)) {
      why = cudaGraphInstantiateNodeOperationNotSupported;
      return error;
    }
  } else if (!noDevice) {
    makeOwn(*result, *device);
  }
  *exec = result.release();
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) try {
  cudaGraphInstantiateResult why;
  return remember(instantiate(exec, graph, flags, why));
}
HET_CATCH

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) try {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
HET_CATCH

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params) try {
  if (!params)
    return remember(cudaErrorInvalidValue);
  params->errNode_out = nullptr;
  cudaError_t error = instantiate(exec, graph, params->flags, params->result_out);
  if (!error && (params->flags & cudaGraphInstantiateFlagUpload))
    return cudaGraphUpload(*exec, params->uploadStream);
  return remember(error);
}
HET_CATCH

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) try {
  if (!exec || !flags)
    return remember(cudaErrorInvalidValue);
  *flags = exec->flags & ~uint64_t(cudaGraphInstantiateFlagUpload);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) try {
  if (!exec)
    return remember(cudaErrorInvalidValue);
  return remember(launch(*exec, stream));
}
HET_CATCH

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) try {
  return remember(exec ? cudaSuccess : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) try {
  if (!exec)
    return remember(cudaErrorInvalidValue);
  if (cudaError_t refused = beginCall())
    return remember(refused);
  delete exec;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) try {
  if (!exec || !graph || !info)
    return remember(cudaErrorInvalidValue);
  return remember(update(*exec, *graph, *info));
}
HET_CATCH

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *count) try {
  if (!graph || !count)
    return remember(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> all;
  for (const auto &node : graph->nodes)
    all.push_back(node.get());
  giveList(all, nodes, count);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                  size_t *count) try {
  if (!graph || !count)
    return remember(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> roots;
  for (const auto &node : graph->nodes)
    if (node->dependencies.empty())
      roots.push_back(node.get());
  giveList(roots, nodes, count);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) try {
  if (!node)
    return remember(cudaErrorInvalidValue);
  if (node->graph->hasMemoryNodes())
    HET_NOT_SUPPORTED("cudaGraphDestroyNode in a graph with nodes for memory");
  spoilCapturesInto(*node->graph);
  while (!node->dependencies.empty())
    disconnect(node->dependencies.back(), node);
  while (!node->dependents.empty())
    disconnect(node, node->dependents.back());
  auto &nodes = node->graph->nodes;
  nodes.erase(std::find_if(nodes.begin(), nodes.end(),
                           [&](const auto &other) { return other.get() == node; }));
  return cudaSuccess;
}
HET_CATCH
