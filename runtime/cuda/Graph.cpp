// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph itself: nodes, edges, order, copying. What runs is in GraphInstance.cpp, the
// API functions over both in GraphAPI.cpp and Graph…Nodes.cpp.

#include "Graph.h"
#include "GraphCondition.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>

using namespace het::cuda;

static unsigned long long nextId() {
  static std::atomic<unsigned long long> last{0};
  return ++last;
}

CUgraphNode_st *CUgraph_st::add(Operation operation,
                                const std::vector<CUgraphNode_st *> &dependencies,
                                const EdgeData &edges) {
  nodes.push_back(std::make_unique<CUgraphNode_st>());
  CUgraphNode_st *node = nodes.back().get();
  node->graph = this;
  node->operation = std::move(operation);
  node->id = nextId();
  for (size_t index = 0; index < dependencies.size(); ++index)
    connect(dependencies[index], node,
            index < edges.size() ? edges[index] : cudaGraphEdgeData{});
  return node;
}

/// Whether a node, or one of a child graph, is of such a kind.
template <typename... Kinds> static bool hasNode(const CUgraph_st &graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto &node) {
    const auto *child = std::get_if<GraphOperation>(&node->operation);
    return (std::holds_alternative<Kinds>(node->operation) || ...) ||
           (child && hasNode<Kinds...>(*child->graph));
  });
}

bool CUgraph_st::hasMemoryNodes() const {
  return hasNode<AllocateOperation, FreeOperation>(*this);
}

bool CUgraph_st::hasConditions() const { return hasNode<ConditionalOperation>(*this); }

namespace het::cuda {

static bool contains(const std::vector<CUgraphNode_st *> &nodes,
                     const CUgraphNode_st *node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

bool isPlain(const cudaGraphEdgeData &edge) {
  return !edge.from_port && !edge.to_port && !edge.type;
}

bool isProgrammatic(const cudaGraphEdgeData &edge) {
  return edge.from_port == cudaGraphKernelNodePortProgrammatic &&
         edge.type == cudaGraphDependencyTypeProgrammatic;
}

bool validEdge(const CUgraphNode_st &earlier, const cudaGraphEdgeData &edge) {
  for (unsigned char reserved : edge.reserved)
    if (reserved)
      return false;
  if (isPlain(edge))
    return true;
  return std::holds_alternative<KernelOperation>(earlier.operation) && !edge.to_port &&
         edge.from_port <= cudaGraphKernelNodePortLaunchCompletion &&
         edge.type <= cudaGraphDependencyTypeProgrammatic;
}

bool connect(CUgraphNode_st *earlier, CUgraphNode_st *later,
             const cudaGraphEdgeData &edge) {
  if (contains(later->dependencies, earlier))
    return false;
  later->dependencies.push_back(earlier);
  later->edges.push_back(edge);
  earlier->dependents.push_back(later);
  return true;
}

bool disconnect(CUgraphNode_st *earlier, CUgraphNode_st *later) {
  if (!contains(later->dependencies, earlier))
    return false;
  auto &before = later->dependencies;
  const auto at = std::find(before.begin(), before.end(), earlier);
  later->edges.erase(later->edges.begin() + (at - before.begin()));
  before.erase(at);
  auto &after = earlier->dependents;
  after.erase(std::find(after.begin(), after.end(), later));
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

/// A child graph is copied, too: it can be changed.
static Operation copyOf(const Operation &operation) {
  if (const auto *child = std::get_if<GraphOperation>(&operation)) {
    GraphOperation copy{cloneGraph(*child->graph)};
    copy.graph->isPrograms = false;
    return copy;
  }
  return operation;
}

std::unique_ptr<CUgraph_st> cloneGraph(const CUgraph_st &graph) {
  auto copy = std::make_unique<CUgraph_st>();
  copy->userObjects.add(graph.userObjects);
  std::unordered_map<const CUgraphNode_st *, CUgraphNode_st *> copies;
  for (const auto &node : graph.nodes) {
    CUgraphNode_st *made = copies[node.get()] = copy->add(copyOf(node->operation), {});
    made->copyOf = node->id;
    made->copyParams = node->copyParams;
  }
  for (const auto &node : graph.nodes)
    for (size_t index = 0; index < node->dependencies.size(); ++index)
      connect(copies[node->dependencies[index]], copies[node.get()], node->edges[index]);
  return copy;
}

} // namespace het::cuda
