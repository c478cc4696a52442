// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver's graphs. Nodes are done in the order in which they were
// made, which is one that their dependencies allow.

#include "FakeState.h"

#include <algorithm>
#include <cstring>

using namespace fake;

EXPORTED CUresult cuGraphCreate(CUgraph *out, unsigned flags) {
  FAKE(enterContext);
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  auto *graph = new Graph{current, {}};
  state().graphs.insert(graph);
  *out = reinterpret_cast<CUgraph>(graph);
  return CUDA_SUCCESS;
}

/// A dead context's objects go with it.
template <class Object>
static CUresult destroy(const char *symbol, std::set<Object *> &objects, Object *object) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (!objects.count(object))
    return state().misuse(symbol, "not a graph");
  CUresult result = state().enterContextOf(symbol, object->context);
  if (current && current->dead)
    return result;
  objects.erase(object);
  delete object;
  return result;
}

EXPORTED CUresult cuGraphDestroy(CUgraph graph) {
  return destroy(__func__, state().graphs, unwrap(graph));
}

EXPORTED CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return destroy(__func__, state().graphExecs, unwrap(exec));
}

namespace {

/// What a new node is given.
struct NewNode {
  const char *symbol;
  CUgraphNode *out;
  CUgraph graph;
  const CUgraphNode *after;
  size_t count;

  CUresult check() const {
    if (!state().graphs.count(unwrap(graph)))
      return state().misuse(symbol, "not a graph");
    if (CUresult failure = state().enterContextOf(symbol, unwrap(graph)->context))
      return failure;
    const std::set<CUgraphNode> different(after, after + count);
    if (different.size() != count)
      return state().misuse(symbol, "a dependency twice");
    for (CUgraphNode node : different)
      if (unwrap(node)->graph != unwrap(graph))
        return state().misuse(symbol, "a dependency on another graph's node");
    return CUDA_SUCCESS;
  }

  CUresult add(std::function<void(Stream &)> work, bool isLaunch = false) const {
    auto &nodes = unwrap(graph)->nodes;
    nodes.push_back(
        std::make_unique<GraphNode>(GraphNode{unwrap(graph), isLaunch, std::move(work)}));
    *out = reinterpret_cast<CUgraphNode>(nodes.back().get());
    return CUDA_SUCCESS;
  }

  /// Work of which the stream needs nothing.
  CUresult addPlain(const std::function<void()> &work, bool isLaunch = false) const {
    return add([work](Stream &stream) { stream.work.push_back(work); }, isLaunch);
  }
};

CUresult prepare(const char *symbol, const CUDA_KERNEL_NODE_PARAMS &given,
                 std::function<void()> &work) {
  if (!given.func || given.kern || given.extra || given.ctx)
    return state().misuse(symbol, "a kernel other than by its function");
  return prepareLaunch(symbol,
                       {given.func, given.gridDim, given.blockDim, given.sharedMemBytes,
                        given.kernelParams, false},
                       work);
}

} // namespace

#define NODE_PARAMETERS                                                                  \
  CUgraphNode *out, CUgraph graph, const CUgraphNode *after, size_t count
#define FAKE_NODE                                                                        \
  std::unique_lock<std::recursive_mutex> lock(state().mutex);                            \
  const NewNode node = {__func__, out, graph, after, count};                             \
  if (CUresult failure = node.check())                                                   \
    return failure;

EXPORTED CUresult cuGraphAddEmptyNode(NODE_PARAMETERS) {
  FAKE_NODE;
  return node.addPlain([] {});
}

EXPORTED CUresult cuGraphAddKernelNode_v2(NODE_PARAMETERS,
                                          const CUDA_KERNEL_NODE_PARAMS *parameters) {
  FAKE_NODE;
  std::function<void()> work;
  if (CUresult failure = prepare(__func__, *parameters, work))
    return failure;
  return node.addPlain(work, true);
}

EXPORTED CUresult cuGraphAddMemcpyNode(NODE_PARAMETERS, const CUDA_MEMCPY3D *given,
                                       CUcontext context) {
  FAKE_NODE;
  const CUDA_MEMCPY3D copy = *given;
  for (const CUDA_MEMCPY3D_SIDE *side : {&copy.src, &copy.dst})
    if (side->memoryType != CU_MEMORYTYPE_UNIFIED || side->host || side->array ||
        side->pitch > INT32_MAX || (copy.Height > 1 && side->pitch < copy.WidthInBytes))
      return CUDA_ERROR_INVALID_VALUE;
  if (unwrap(context) != current || !copy.WidthInBytes || !copy.Height || copy.Depth != 1)
    return CUDA_ERROR_INVALID_VALUE;
  return node.addPlain([copy] {
    for (size_t row = 0; row < copy.Height; ++row)
      std::memmove(reinterpret_cast<char *>(copy.dst.device) + row * copy.dst.pitch,
                   reinterpret_cast<char *>(copy.src.device) + row * copy.src.pitch,
                   copy.WidthInBytes);
  });
}

EXPORTED CUresult cuGraphAddMemsetNode(NODE_PARAMETERS,
                                       const CUDA_MEMSET_NODE_PARAMS *given,
                                       CUcontext context) {
  FAKE_NODE;
  const CUDA_MEMSET_NODE_PARAMS fill = *given;
  if (unwrap(context) != current || !fill.width || !fill.height ||
      (fill.elementSize < 4 && fill.value >> (8 * fill.elementSize)))
    return CUDA_ERROR_INVALID_VALUE;
  return node.addPlain([fill] {
    for (size_t row = 0; row < fill.height; ++row)
      for (size_t i = 0; i < fill.width; ++i)
        std::memcpy(reinterpret_cast<char *>(fill.dst) + row * fill.pitch +
                        i * fill.elementSize,
                    &fill.value, fill.elementSize);
  });
}

EXPORTED CUresult cuGraphAddHostNode(NODE_PARAMETERS,
                                     const CUDA_HOST_NODE_PARAMS *given) {
  FAKE_NODE;
  return node.addPlain([call = *given] { call.fn(call.userData); });
}

EXPORTED CUresult cuGraphAddEventRecordNode(NODE_PARAMETERS, CUevent event) {
  FAKE_NODE;
  if (!state().events.count(unwrap(event)))
    return state().misuse(__func__, "not an event");
  return node.add([event](Stream &stream) { record(*unwrap(event), stream); });
}

EXPORTED CUresult cuGraphAddEventWaitNode(NODE_PARAMETERS, CUevent event) {
  FAKE_NODE;
  if (!state().events.count(unwrap(event)))
    return state().misuse(__func__, "not an event");
  return node.add([event](Stream &stream) { wait(*unwrap(event), stream); });
}

EXPORTED CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  std::unique_lock<std::recursive_mutex> lock(state().mutex);
  if (!state().graphs.count(unwrap(graph)))
    return state().misuse(__func__, "not a graph");
  if (CUresult failure = state().enterContextOf(__func__, unwrap(graph)->context))
    return failure;
  const auto &all = unwrap(graph)->nodes;
  for (size_t i = 0; nodes && i < *count && i < all.size(); ++i)
    nodes[i] = reinterpret_cast<CUgraphNode>(all[i].get());
  *count = all.size();
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuGraphNodeGetType(CUgraphNode node, int *type) {
  FAKE(enterContext);
  *type = unwrap(node)->type;
  return CUDA_SUCCESS;
}

std::function<void(Stream &)> fake::workOf(const Graph &graph) {
  std::vector<std::function<void(Stream &)>> all;
  for (auto &node : graph.nodes)
    all.push_back(node->work);
  return [all](Stream &stream) {
    for (auto &work : all)
      work(stream);
  };
}

EXPORTED CUresult cuGraphAddChildGraphNode(NODE_PARAMETERS, CUgraph child) {
  FAKE_NODE;
  if (!state().graphs.count(unwrap(child)) || child == graph)
    return state().misuse(__func__, "not a graph");
  if (CUresult failure = node.add(workOf(*unwrap(child))))
    return failure;
  unwrap(*out)->children = unwrap(child)->nodes.size();
  return CUDA_SUCCESS;
}

/// Where a node stands among those of its graph.
static int placeOf(const GraphNode *node) {
  const auto &all = node->graph->nodes;
  return static_cast<int>(
      std::find_if(all.begin(), all.end(),
                   [&](const auto &one) { return one.get() == node; }) -
      all.begin());
}

EXPORTED CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                            const CUgraphNode *to,
                                            const CUgraphEdgeData *edges, size_t count) {
  std::unique_lock<std::recursive_mutex> lock(state().mutex);
  if (!state().graphs.count(unwrap(graph)))
    return state().misuse(__func__, "not a graph");
  if (CUresult failure = state().enterContextOf(__func__, unwrap(graph)->context))
    return failure;
  for (size_t i = 0; i < count; ++i) {
    if (edges[i].from_port != CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC ||
        edges[i].type != CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC || edges[i].to_port ||
        !unwrap(from[i])->isLaunch || !unwrap(to[i])->isLaunch)
      return CUDA_ERROR_INVALID_VALUE;
    state().programmaticEdges.emplace_back(placeOf(unwrap(from[i])),
                                           placeOf(unwrap(to[i])));
  }
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph,
                                              unsigned long long flags) {
  std::unique_lock<std::recursive_mutex> lock(state().mutex);
  if (!state().graphs.count(unwrap(graph)))
    return state().misuse(__func__, "not a graph");
  if (CUresult failure = state().enterContextOf(__func__, unwrap(graph)->context))
    return failure;
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  auto *exec = new GraphExec{current, unwrap(graph), {}};
  for (auto &node : unwrap(graph)->nodes)
    exec->work.emplace_back(node.get(), node->work);
  state().graphExecs.insert(exec);
  *out = reinterpret_cast<CUgraphExec>(exec);
  return CUDA_SUCCESS;
}

static CUresult enterExec(const char *symbol, CUgraphExec exec) {
  if (!state().graphExecs.count(unwrap(exec)))
    return state().misuse(symbol, "not an executable graph");
  return state().enterContextOf(symbol, unwrap(exec)->context);
}

EXPORTED CUresult cuGraphExecKernelNodeSetParams_v2(
    CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *parameters) {
  std::unique_lock<std::recursive_mutex> lock(state().mutex);
  if (CUresult failure = enterExec(__func__, exec))
    return failure;
  if (!state().graphs.count(unwrap(exec)->graph))
    return state().misuse(__func__, "a node of a graph that is gone");
  std::function<void()> work;
  if (CUresult failure = prepare(__func__, *parameters, work))
    return failure;
  for (auto &[of, own] : unwrap(exec)->work)
    if (of == unwrap(node) && of->isLaunch) {
      own = [work](Stream &stream) { stream.work.push_back(work); };
      return CUDA_SUCCESS;
    }
  return state().misuse(__func__, "not a kernel's node of the graph");
}

EXPORTED CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                     CUgraph child) {
  std::unique_lock<std::recursive_mutex> lock(state().mutex);
  if (CUresult failure = enterExec(__func__, exec))
    return failure;
  if (!state().graphs.count(unwrap(exec)->graph) || !state().graphs.count(unwrap(child)))
    return state().misuse(__func__, "a graph that is gone");
  for (auto &[of, own] : unwrap(exec)->work)
    if (of == unwrap(node) && of->children) {
      if (of->children != unwrap(child)->nodes.size())
        return CUDA_ERROR_INVALID_VALUE; // not of the same form
      own = workOf(*unwrap(child));
      return CUDA_SUCCESS;
    }
  return state().misuse(__func__, "not a child graph's node of the graph");
}

EXPORTED CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  std::unique_lock<std::recursive_mutex> lock(state().mutex);
  if (CUresult failure = enterExec(__func__, exec))
    return failure;
  if (!state().streams.count(unwrap(stream)))
    return state().misuse(__func__, "not a stream");
  for (auto &[node, work] : unwrap(exec)->work)
    work(*unwrap(stream));
  return CUDA_SUCCESS;
}
