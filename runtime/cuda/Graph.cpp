// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph itself: edges, order, copying, instantiation and replay. The API
// functions over it are in GraphAPI.cpp and GraphNodes.cpp.

#include "Graph.h"
#include "Errors.h"
#include "Stream.h"

#include <algorithm>
#include <unordered_map>

using namespace het::cuda;

CUgraphNode_st *CUgraph_st::add(Operation operation,
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

namespace {

/// Places of steps.
using Places = std::vector<uint32_t>;

void append(Places &to, const Places &from) {
  to.insert(to.end(), from.begin(), from.end());
}

void makeUnique(Places &places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

/// Appends the steps of a graph that comes after these. `ends` becomes the steps that
/// what comes after the graph must wait for.
cudaError_t flatten(const CUgraph_st &graph, const Places &after, CUgraphExec_st &result,
                    Places &ends) {
  std::vector<CUgraphNode_st *> order = topologicalOrder(graph);
  if (order.size() != graph.nodes.size())
    return cudaErrorInvalidValue;
  std::unordered_map<const CUgraphNode_st *, Places> endsOf;
  ends = order.empty() ? after : Places();
  for (const CUgraphNode_st *node : order) {
    Places before = node->dependencies.empty() ? after : Places();
    for (const CUgraphNode_st *dependency : node->dependencies)
      append(before, endsOf[dependency]);
    makeUnique(before);
    Places &own = endsOf[node];
    if (const auto *child = std::get_if<GraphOperation>(&node->operation)) {
      if (cudaError_t error = flatten(*child->graph, before, result, own))
        return error;
    } else {
      own = {static_cast<uint32_t>(result.steps.size())};
      result.steps.push_back({node, node->operation, std::move(before)});
    }
    if (node->dependents.empty())
      append(ends, own);
  }
  makeUnique(ends);
  return cudaSuccess;
}

} // namespace

cudaError_t instantiate(const CUgraph_st &graph,
                        std::unique_ptr<CUgraphExec_st> &result) {
  auto exec = std::make_unique<CUgraphExec_st>();
  Places ends;
  if (cudaError_t error = flatten(graph, {}, *exec, ends))
    return error;
  result = std::move(exec);
  return cudaSuccess;
}

bool update(CUgraphExec_st &graph, std::vector<GraphStep> steps) {
  auto hasKindOf = [](const GraphStep &a, const GraphStep &b) {
    return a.operation.index() == b.operation.index();
  };
  if (!std::equal(steps.begin(), steps.end(), graph.steps.begin(), graph.steps.end(),
                  hasKindOf))
    return false;
  for (size_t index = 0; index < steps.size(); ++index) {
    steps[index].origin = graph.steps[index].origin;
    if (steps[index].after != graph.steps[index].after)
      graph.own.changeAll();
    else if (!same(steps[index].operation, graph.steps[index].operation))
      graph.own.change(index, steps[index].operation);
  }
  graph.steps = std::move(steps);
  return true;
}

/// Makes a stream wait for the graph's latest launch, in another stream: launches of one
/// graph follow each other.
static cudaError_t followLatest(CUgraphExec_st &graph, core::Stream &stream) {
  std::shared_ptr<core::Stream> latest = graph.latest.lock();
  if (!latest || latest.get() == &stream)
    return cudaSuccess;
  Result<std::shared_ptr<core::Event>> event = core::Event::create(latest->device());
  if (!event.ok())
    return translate(event.status(), cudaErrorMemoryAllocation);
  if (Status status = latest->record(**event); !status.ok())
    return translate(status);
  return translate(stream.wait(**event));
}

cudaError_t launch(CUgraphExec_st &graph, cudaStream_t stream) {
  CUstream_st *on = nullptr;
  if (cudaError_t error = resolveStream(stream, on))
    return error;
  if (cudaError_t error = on->admit())
    return error;
  if (!on->capturing.load(std::memory_order_acquire)) {
    if (cudaError_t error = followLatest(graph, *on->queue))
      return error;
    graph.latest = on->queue->weak_from_this();
  }
  if (core::Graph *own = graph.own.find(graph.steps, *on))
    return translate(on->queue->launch(*own));
  for (const GraphStep &step : graph.steps)
    if (cudaError_t error = submit(stream, step.operation))
      return error;
  return cudaSuccess;
}

} // namespace het::cuda
