// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs are the driver's: their nodes are made in one graph, which is
// instantiated once. A launch that needs more than the driver's is refused: of
// a kernel with grid barriers, which waits for the one before, and a
// cooperative one.

#include "Queue.h"

#include <memory>

namespace het::ptx {
namespace {

void release(HetGraph &graph) {
  HetDevice &device = *graph.device;
  enter(device);
  if (graph.exec)
    device.failed(device.driver.cuGraphExecDestroy(graph.exec));
  if (graph.graph)
    device.failed(device.driver.cuGraphDestroy(graph.graph));
}

/// Makes the nodes of one graph, in their order.
class Maker {
public:
  Maker(HetGraph &graph, HetStatus *status)
      : graph(graph), device(*graph.device), driver(device.driver), status(status) {}

  int32_t add(const HetGraphNode &node) {
    after.clear();
    early.clear();
    for (uint32_t i = 0; i < node.dependencyCount; ++i) {
      if (node.dependencies[i] >= graph.nodes.size())
        return report(status, HET_INVALID,
                      what(node) + ": found a dependency on node " +
                          std::to_string(node.dependencies[i]) +
                          ", expected one of an earlier node");
      (isProgrammatic(node, i) ? early : after)
          .push_back(graph.nodes[node.dependencies[i]].node);
    }
    if (node.kind == HET_NODE_LAUNCH && checkLaunch(node.work.launch) != HET_OK)
      return status->code;
    HetGraph::Node made;
    CUresult result = make(node, made.node);
    if (result == CUDA_SUCCESS && !early.empty())
      result = dependEarly(made.node);
    if (result)
      return result == CUDA_ERROR_NOT_SUPPORTED
                 ? report(status, HET_UNSUPPORTED, what(node) + ": not in a graph")
                 : device.check(result, HET_INVALID, what(node), status);
    if (node.kind == HET_NODE_LAUNCH)
      made.kernel = node.work.launch.artifact;
    made.isNative = node.kind == HET_NODE_NATIVE && !node.work.native->isEmpty;
    made.isProgrammatic = !early.empty();
    graph.nodes.push_back(made);
    return success(status);
  }

  /// Lets the kernel have its shared memory, too.
  int32_t checkLaunch(const HetLaunch &launch) {
    HetArtifact &kernel = *launch.artifact;
    if (kernel.device != &device)
      return report(status, HET_INVALID,
                    describe(launch) + ": found a kernel of " + kernel.device->text() +
                        ", expected one of " + device.text());
    if (launch.cooperative || kernel.meetsGrid)
      return report(status, HET_UNSUPPORTED,
                    describe(launch) + ": found a kernel that meets at grid barriers, "
                                       "expected none in a graph");
    if (launch.clusterGiven)
      return report(status, HET_UNSUPPORTED,
                    describe(launch) + ": found clusters, expected none in a graph");
    if (kernel.isParkable)
      return report(status, HET_UNSUPPORTED,
                    describe(launch) + ": found parkable code, expected none in a graph");
    return allowShared(kernel, launch.dynamicSharedBytes, status);
  }

  /// The parameters point into `arguments`.
  static CUDA_KERNEL_NODE_PARAMS parametersOf(const HetLaunch &launch,
                                              ArgumentPointers &arguments) {
    CUDA_KERNEL_NODE_PARAMS out = {};
    out.func = launch.artifact->function;
    for (int axis = 0; axis < 3; ++axis) {
      out.gridDim[axis] = launch.grid[axis];
      out.blockDim[axis] = launch.block[axis];
    }
    out.sharedMemBytes = launch.dynamicSharedBytes;
    out.kernelParams = arguments.data();
    return out;
  }

private:
  /// Whether a node's dependency lets it begin before the earlier one has ended.
  bool isProgrammatic(const HetGraphNode &node, uint32_t dependency) const {
    return node.programmatic && node.programmatic[dependency] &&
           driver.cuGraphAddDependencies && node.kind == HET_NODE_LAUNCH &&
           node.work.launch.artifact->mayBeginEarly() &&
           graph.nodes[node.dependencies[dependency]].kernel;
  }

  CUresult dependEarly(CUgraphNode made) {
    const std::vector<CUgraphNode> to(early.size(), made);
    const std::vector<CUgraphEdgeData> edges(early.size(),
                                             {CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                                              0,
                                              CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC,
                                              {}});
    return driver.cuGraphAddDependencies(graph.graph, early.data(), to.data(),
                                         edges.data(), early.size());
  }

  std::string what(const HetGraphNode &node) const {
    return "node " + std::to_string(graph.nodes.size()) +
           (node.kind == HET_NODE_LAUNCH ? ", " + describe(node.work.launch)
                                         : std::string());
  }

  CUresult make(const HetGraphNode &node, CUgraphNode &made) {
    switch (node.kind) {
    case HET_NODE_EMPTY:
      return driver.cuGraphAddEmptyNode(&made, graph.graph, after.data(), after.size());
    case HET_NODE_LAUNCH:
      return makeLaunch(node.work.launch, made);
    case HET_NODE_COPY:
      return makeCopy(node, made);
    case HET_NODE_FILL:
      return makeFill(node, made);
    case HET_NODE_CALL: {
      CUDA_HOST_NODE_PARAMS call = {node.work.call.function, node.work.call.data};
      return driver.cuGraphAddHostNode(&made, graph.graph, after.data(), after.size(),
                                       &call);
    }
    case HET_NODE_NATIVE:
      return makeNative(*node.work.native, made);
    case HET_NODE_SIGNAL:
    case HET_NODE_WAIT:
      return makeEvent(node, made);
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  }

  CUresult makeLaunch(const HetLaunch &launch, CUgraphNode &made) {
    ArgumentPointers arguments(launch);
    if (!arguments.areWhole())
      return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS parameters = parametersOf(launch, arguments);
    return driver.cuGraphAddKernelNode(&made, graph.graph, after.data(), after.size(),
                                       &parameters);
  }

  CUresult makeCopy(const HetGraphNode &node, CUgraphNode &made) {
    const auto &copy = node.work.copy;
    CUDA_MEMCPY3D rows = {};
    rows.src.memoryType = rows.dst.memoryType = CU_MEMORYTYPE_UNIFIED;
    rows.src.device = copy.from;
    rows.dst.device = copy.to;
    if (copy.rows > 1) {
      rows.src.pitch = copy.fromPitch;
      rows.dst.pitch = copy.toPitch;
    }
    rows.WidthInBytes = copy.width;
    rows.Height = copy.rows;
    rows.Depth = 1;
    return driver.cuGraphAddMemcpyNode(&made, graph.graph, after.data(), after.size(),
                                       &rows, device.context);
  }

  CUresult makeFill(const HetGraphNode &node, CUgraphNode &made) {
    const auto &fill = node.work.fill;
    if (fill.patternBytes != 1 && fill.patternBytes != 2 && fill.patternBytes != 4)
      return CUDA_ERROR_INVALID_VALUE;
    const uint32_t mask = UINT32_MAX >> (32 - 8 * fill.patternBytes);
    CUDA_MEMSET_NODE_PARAMS rows = {};
    rows.dst = fill.to;
    rows.pitch = fill.rows > 1 ? fill.pitch : 0;
    rows.value = fill.pattern & mask;
    rows.elementSize = fill.patternBytes;
    rows.width = fill.width / fill.patternBytes;
    rows.height = fill.rows;
    return driver.cuGraphAddMemsetNode(&made, graph.graph, after.data(), after.size(),
                                       &rows, device.context);
  }

  /// A device's events are signalled and waited for by its own graphs alone:
  /// what becomes of another's fault can not be told.
  CUresult makeEvent(const HetGraphNode &node, CUgraphNode &made) {
    const HetEvent &event = *node.work.event;
    if (event.device != &device)
      return CUDA_ERROR_NOT_SUPPORTED;
    auto add = node.kind == HET_NODE_SIGNAL ? driver.cuGraphAddEventRecordNode
                                            : driver.cuGraphAddEventWaitNode;
    return add(&made, graph.graph, after.data(), after.size(), event.event);
  }

  CUresult makeNative(const HetNativeWork &work, CUgraphNode &made) {
    if (work.device != &device)
      return CUDA_ERROR_NOT_SUPPORTED;
    return work.isEmpty ? driver.cuGraphAddEmptyNode(&made, graph.graph, after.data(),
                                                     after.size())
                        : driver.cuGraphAddChildGraphNode(
                              &made, graph.graph, after.data(), after.size(), work.graph);
  }

  HetGraph &graph;
  HetDevice &device;
  const Driver &driver;
  HetStatus *const status;
  std::vector<CUgraphNode> after, early; ///< What it depends on, by how.
};

int32_t make(HetGraph &graph, const HetGraphNode *nodes, size_t count,
             HetStatus *status) {
  HetDevice &device = *graph.device;
  const std::string what = device.text() + ": a graph";
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS)
    result = device.driver.cuGraphCreate(&graph.graph, 0);
  if (result)
    return device.check(result, HET_UNAVAILABLE, what, status);
  Maker maker(graph, status);
  for (size_t i = 0; i < count; ++i)
    if (maker.add(nodes[i]) != HET_OK)
      return status->code;
  result = device.driver.cuGraphInstantiate(&graph.exec, graph.graph, 0);
  return device.check(result,
                      result == CUDA_ERROR_OUT_OF_MEMORY ? HET_UNAVAILABLE : HET_INVALID,
                      what, status);
}

int32_t createGraph(HetDevice *device, const HetGraphNode *nodes, size_t count,
                    HetGraph **out, HetStatus *status) {
  if (device->hasFault())
    return report(status, HET_UNAVAILABLE, device->text() + ": a graph after a fault");
  auto graph = std::make_unique<HetGraph>();
  graph->device = device;
  if (make(*graph, nodes, count, status) != HET_OK) {
    release(*graph);
    return status->code;
  }
  *out = graph.release();
  return success(status);
}

int32_t setGraphLaunch(HetGraph *graph, size_t node, const HetLaunch *launch,
                       HetStatus *status) {
  HetDevice &device = *graph->device;
  if (node >= graph->nodes.size() || !graph->nodes[node].kernel)
    return report(status, HET_INVALID,
                  "graph: found no launch at node " + std::to_string(node) +
                      ", expected one");
  if (Maker(*graph, status).checkLaunch(*launch) != HET_OK)
    return status->code;
  if (graph->nodes[node].isProgrammatic && !launch->artifact->mayBeginEarly())
    return report(status, HET_UNSUPPORTED,
                  describe(*launch) + ": found a kernel that does not wait for grids, "
                                      "expected one that does at this node");
  ArgumentPointers arguments(*launch);
  CUDA_KERNEL_NODE_PARAMS parameters = Maker::parametersOf(*launch, arguments);
  CUresult result = arguments.areWhole() ? enter(device) : CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = device.driver.cuGraphExecKernelNodeSetParams(
        graph->exec, graph->nodes[node].node, &parameters);
  if (result == CUDA_SUCCESS)
    graph->nodes[node].kernel = launch->artifact;
  return device.check(result, HET_INVALID, describe(*launch), status);
}

int32_t setGraphNative(HetGraph *graph, size_t node, HetNativeWork *work,
                       HetStatus *status) {
  HetDevice &device = *graph->device;
  if (node >= graph->nodes.size() || !graph->nodes[node].isNative || work->isEmpty ||
      work->device != &device)
    return report(status, HET_INVALID,
                  "graph: found no such native work at node " + std::to_string(node) +
                      ", expected some");
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS)
    result = device.driver.cuGraphExecChildGraphNodeSetParams(
        graph->exec, graph->nodes[node].node, work->graph);
  return device.check(result, HET_INVALID,
                      "graph: other native work at node " + std::to_string(node), status);
}

int32_t enqueueGraph(HetQueue *queue, HetGraph *graph, HetStatus *status) {
  if (queue->device != graph->device)
    return report(status, HET_INVALID,
                  "graph: found one of " + graph->device->text() + ", expected one of " +
                      queue->device->text());
  int32_t code =
      enqueue(queue, "graph", status, [=](const Driver &driver, CUstream stream) {
        return driver.cuGraphLaunch(graph->exec, stream);
      });
  // A fault is said to be of the queue's latest kernel.
  for (size_t i = graph->nodes.size(); code == HET_OK && i-- > 0;)
    if (graph->nodes[i].kernel) {
      queue->latest.store(graph->nodes[i].kernel, std::memory_order_relaxed);
      break;
    }
  return code;
}

/// The driver lets a graph that runs end first.
void destroyGraph(HetGraph *graph) {
  release(*graph);
  delete graph;
}

} // namespace

void fillInGraphs(HetDeviceABI &table) {
  table.createGraph = createGraph;
  table.setGraphLaunch = setGraphLaunch;
  table.setGraphNative = setGraphNative;
  table.enqueueGraph = enqueueGraph;
  table.destroyGraph = destroyGraph;
}

} // namespace het::ptx
