// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs as wholes: creation, instantiation, launch, and questions about nodes
// and edges. The functions that add nodes are in GraphNodes.cpp.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "Graph.h"

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
  *clone = cloneGraph(*original).release();
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t original,
                                     cudaGraph_t clone) try {
  if (!found || !original || !clone ||
      original->graph->nodes.size() != clone->nodes.size())
    return remember(cudaErrorInvalidValue);
  const auto &nodes = original->graph->nodes;
  auto at = std::find_if(nodes.begin(), nodes.end(),
                         [&](const auto &node) { return node.get() == original; });
  *found = clone->nodes[static_cast<size_t>(at - nodes.begin())].get();
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) try {
  constexpr unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                       cudaGraphInstantiateFlagUpload |
                                       cudaGraphInstantiateFlagUseNodePriority;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    HET_NOT_SUPPORTED("cudaGraphInstantiateFlagDeviceLaunch");
  if (!exec || !graph || (flags & ~known))
    return remember(cudaErrorInvalidValue);
  std::unique_ptr<CUgraphExec_st> result;
  cudaError_t error = instantiate(*graph, result);
  if (Device *device = nullptr; !error && !useCurrentDevice(device))
    result->own.make(result->steps, *device);
  *exec = result.release();
  return remember(error);
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
  cudaError_t error = cudaGraphInstantiateWithFlags(exec, graph, params->flags);
  params->errNode_out = nullptr;
  params->result_out = error ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
  if (!error && (params->flags & cudaGraphInstantiateFlagUpload))
    return cudaGraphUpload(*exec, params->uploadStream);
  return error;
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
  *info = {};
  std::unique_ptr<CUgraphExec_st> fresh;
  if (cudaError_t error = instantiate(*graph, fresh))
    return remember(error);
  if (!update(*exec, std::move(fresh->steps))) {
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
    return remember(cudaErrorGraphExecUpdateFailure);
  }
  info->result = cudaGraphExecUpdateSuccess;
  return cudaSuccess;
}
HET_CATCH

/// CUDA's manner of returning a list: with no array, only the count is told;
/// with one, at most `count` elements are written and the rest is null.
template <typename Element>
static void giveList(const std::vector<Element> &list, Element *array, size_t *count) {
  if (!array) {
    *count = list.size();
    return;
  }
  for (size_t index = 0; index < *count; ++index)
    array[index] = index < list.size() ? list[index] : Element();
  *count = std::min(*count, list.size());
}

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

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *count) try {
  if (!graph || !count || !from != !to)
    return remember(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> sources, targets;
  for (const auto &node : graph->nodes)
    for (cudaGraphNode_t dependency : node->dependencies) {
      sources.push_back(dependency);
      targets.push_back(node.get());
    }
  size_t room = *count;
  giveList(sources, from, count);
  giveList(targets, to, from ? &room : count);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         size_t *count) try {
  if (!node || !count)
    return remember(cudaErrorInvalidValue);
  giveList(node->dependencies, nodes, count);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           size_t *count) try {
  if (!node || !count)
    return remember(cudaErrorInvalidValue);
  giveList(node->dependents, nodes, count);
  return cudaSuccess;
}
HET_CATCH

/// Checks a list of edges and hands each to `change`, which says whether it
/// could be made.
template <typename Change>
static cudaError_t changeEdges(cudaGraph_t graph, const cudaGraphNode_t *from,
                               const cudaGraphNode_t *to, size_t count, Change change) {
  if (!graph || (count && (!from || !to)))
    return cudaErrorInvalidValue;
  if (const size_t nodes = graph->nodes.size(); count > nodes * nodes)
    return cudaErrorInvalidValue; // no edge is listed twice
  for (size_t index = 0; index < count; ++index)
    if (!from[index] || !to[index] || !graph->owns(from[index]) ||
        !graph->owns(to[index]) || from[index] == to[index])
      return cudaErrorInvalidValue;
  for (size_t index = 0; index < count; ++index)
    if (!change(from[index], to[index]))
      return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count) try {
  return remember(changeEdges(graph, from, to, count, connect));
}
HET_CATCH

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count) try {
  return remember(changeEdges(graph, from, to, count, disconnect));
}
HET_CATCH

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) try {
  if (!node)
    return remember(cudaErrorInvalidValue);
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
