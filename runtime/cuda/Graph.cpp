// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph itself: edges, order, copying, instantiation and replay. The API
// functions over it are in GraphAPI.cpp and GraphNodes.cpp.

#include "Graph.h"

#include <algorithm>
#include <unordered_map>

using namespace het::cuda;

CUgraphNode_st *
CUgraph_st::add(Operation operation,
                const std::vector<CUgraphNode_st *> &dependencies) {
  nodes.push_back(std::make_unique<CUgraphNode_st>());
  CUgraphNode_st *node = nodes.back().get();
  node->graph = this;
  node->operation = std::move(operation);
  for (CUgraphNode_st *dependency : dependencies)
    connect(dependency, node);
  return node;
}

namespace het::cuda {

static bool contains(const std::vector<CUgraphNode_st *> &nodes,
                     const CUgraphNode_st *node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

bool connect(CUgraphNode_st *earlier, CUgraphNode_st *later) {
  if (contains(later->dependencies, earlier))
    return false;
  later->dependencies.push_back(earlier);
  earlier->dependents.push_back(later);
  return true;
}

bool disconnect(CUgraphNode_st *earlier, CUgraphNode_st *later) {
  if (!contains(later->dependencies, earlier))
    return false;
  auto drop = [](std::vector<CUgraphNode_st *> &from, CUgraphNode_st *node) {
    from.erase(std::find(from.begin(), from.end(), node));
  };
  drop(later->dependencies, earlier);
  drop(earlier->dependents, later);
  return true;
}

std::vector<CUgraphNode_st *> topologicalOrder(const CUgraph_st &graph) {
  std::unordered_map<const CUgraphNode_st *, size_t> waiting;
  std::vector<CUgraphNode_st *> order;
  for (const auto &node : graph.nodes) {
    waiting[node.get()] = node->dependencies.size();
    if (node->dependencies.empty())
      order.push_back(node.get());
  }
  for (size_t next = 0; next < order.size(); ++next)
    for (CUgraphNode_st *dependent : order[next]->dependents)
      if (--waiting[dependent] == 0)
        order.push_back(dependent);
  return order;
}

std::unique_ptr<CUgraph_st> cloneGraph(const CUgraph_st &graph) {
  auto copy = std::make_unique<CUgraph_st>();
  std::unordered_map<const CUgraphNode_st *, CUgraphNode_st *> copies;
  for (const auto &node : graph.nodes)
    copies[node.get()] = copy->add(node->operation, {});
  for (const auto &node : graph.nodes)
    for (CUgraphNode_st *dependency : node->dependencies)
      connect(copies[dependency], copies[node.get()]);
  return copy;
}

static cudaError_t flatten(const CUgraph_st &graph, CUgraphExec_st &result) {
  std::vector<CUgraphNode_st *> order = topologicalOrder(graph);
  if (order.size() != graph.nodes.size())
    return cudaErrorInvalidValue;
  for (const CUgraphNode_st *node : order) {
    if (const auto *child = std::get_if<GraphOperation>(&node->operation)) {
      if (cudaError_t error = flatten(*child->graph, result))
        return error;
      continue;
    }
    result.steps.push_back({node, node->operation});
  }
  return cudaSuccess;
}

cudaError_t instantiate(const CUgraph_st &graph,
                        std::unique_ptr<CUgraphExec_st> &result) {
  auto exec = std::make_unique<CUgraphExec_st>();
  if (cudaError_t error = flatten(graph, *exec))
    return error;
  result = std::move(exec);
  return cudaSuccess;
}

cudaError_t launch(const CUgraphExec_st &graph, cudaStream_t stream) {
  for (const CUgraphExec_st::Step &step : graph.steps)
    if (cudaError_t error = submit(stream, step.operation))
      return error;
  return cudaSuccess;
}

} // namespace het::cuda
