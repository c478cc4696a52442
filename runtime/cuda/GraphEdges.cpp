// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges of graphs, and what they carry. Functions that can not say what an edge carries
// fail with cudaErrorLossyQuery where one carries something.

#include "Errors.h"
#include "Graph.h"
#include "GraphLists.h"

using namespace het::cuda;

namespace {

/// Edges as three lists.
struct Edges {
  std::vector<cudaGraphNode_t> from, to;
  EdgeData data;

  void add(cudaGraphNode_t earlier, cudaGraphNode_t later,
           const cudaGraphEdgeData &edge) {
    from.push_back(earlier);
    to.push_back(later);
    data.push_back(edge);
  }
  /// All that lead to a node.
  void addBefore(CUgraphNode_st &node) {
    for (size_t index = 0; index < node.dependencies.size(); ++index)
      add(node.dependencies[index], &node, node.edges[index]);
  }
  /// All that begin at a node.
  void addAfter(CUgraphNode_st &node) {
    for (cudaGraphNode_t later : node.dependents) {
      const auto &before = later->dependencies;
      const auto at = std::find(before.begin(), before.end(), &node) - before.begin();
      add(&node, later, later->edges[static_cast<size_t>(at)]);
    }
  }

  /// Writes the lists that are asked for.
  cudaError_t give(cudaGraphNode_t *froms, cudaGraphNode_t *tos, cudaGraphEdgeData *edges,
                   size_t *count) const {
    if (!froms && !tos) {
      *count = from.size();
      return edges ? cudaErrorInvalidValue : cudaSuccess;
    }
    if (!edges && !std::all_of(data.begin(), data.end(), isPlain))
      return cudaErrorLossyQuery;
    const size_t room = *count;
    const auto giveOne = [&](const auto &list, auto *array) {
      *count = room;
      if (array)
        giveList(list, array, count);
    };
    giveOne(data, edges);
    giveOne(from, froms);
    giveOne(to, tos);
    *count = std::min(room, from.size());
    return cudaSuccess;
  }
};

} // namespace

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from,
                                 cudaGraphNode_t *to, cudaGraphEdgeData *edges,
                                 size_t *count) try {
  if (!graph || !count || !from != !to)
    return remember(cudaErrorInvalidValue);
  Edges all;
  for (const auto &node : graph->nodes)
    all.addBefore(*node);
  return remember(all.give(from, to, edges, count));
}
HET_CATCH

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *count) try {
  return cudaGraphGetEdges_v2(graph, from, to, nullptr, count);
}
HET_CATCH

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                            cudaGraphEdgeData *edges, size_t *count) try {
  if (!node || !count)
    return remember(cudaErrorInvalidValue);
  Edges before;
  before.addBefore(*node);
  return remember(before.give(nodes, nullptr, edges, count));
}
HET_CATCH

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         size_t *count) try {
  return cudaGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}
HET_CATCH

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node,
                                              cudaGraphNode_t *nodes,
                                              cudaGraphEdgeData *edges,
                                              size_t *count) try {
  if (!node || !count)
    return remember(cudaErrorInvalidValue);
  Edges after;
  after.addAfter(*node);
  return remember(after.give(nullptr, nodes, edges, count));
}
HET_CATCH

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           size_t *count) try {
  return cudaGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}
HET_CATCH

/// Checks a list of edges and hands each to `change`, which says whether it
/// could be made.
template <typename Change>
static cudaError_t changeEdges(cudaGraph_t graph, const cudaGraphNode_t *from,
                               const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                               size_t count, Change change) {
  if (!graph || (count && (!from || !to)))
    return cudaErrorInvalidValue;
  if (const size_t nodes = graph->nodes.size(); count > nodes * nodes)
    return cudaErrorInvalidValue; // no edge is listed twice
  const auto edgeAt = [&](size_t index) {
    return edges ? edges[index] : cudaGraphEdgeData{};
  };
  for (size_t index = 0; index < count; ++index)
    if (!from[index] || !to[index] || !graph->owns(from[index]) ||
        !graph->owns(to[index]) || from[index] == to[index] ||
        !validEdge(*from[index], edgeAt(index)))
      return cudaErrorInvalidValue;
  for (size_t index = 0; index < count; ++index)
    if (!change(from[index], to[index], edgeAt(index)))
      return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edges,
                                        size_t count) try {
  return remember(changeEdges(graph, from, to, edges, count, connect));
}
HET_CATCH

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count) try {
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
HET_CATCH

/// Takes an edge away if it carries this.
static bool takeAway(cudaGraphNode_t from, cudaGraphNode_t to,
                     const cudaGraphEdgeData &edge) {
  const auto &before = to->dependencies;
  const auto at = std::find(before.begin(), before.end(), from);
  if (at == before.end())
    return false;
  const cudaGraphEdgeData &known = to->edges[static_cast<size_t>(at - before.begin())];
  return known.from_port == edge.from_port && known.to_port == edge.to_port &&
         known.type == edge.type && disconnect(from, to);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                           const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edges,
                                           size_t count) try {
  if (graph && graph->hasMemoryNodes())
    HET_NOT_SUPPORTED("cudaGraphRemoveDependencies in a graph with nodes for memory");
  return remember(changeEdges(graph, from, to, edges, count, takeAway));
}
HET_CATCH

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count) try {
  return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
HET_CATCH
