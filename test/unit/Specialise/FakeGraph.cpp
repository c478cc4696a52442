// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake target's graphs: lists of nodes that are enqueued one by one.

#include "FakeGraph.h"
#include "FakeDevice.h"
#include "FakeTarget.h"
#include "Support/SoftwareQueue.h"

#include <memory>

using het::target::report;
using het::target::success;

namespace {

const HetDeviceABI *functions = nullptr;
GraphCounts counts;

struct Node {
  HetGraphNode node;
  std::vector<uint8_t> arguments;

  explicit Node(const HetGraphNode &given) : node(given) {
    if (node.kind == HET_NODE_LAUNCH)
      set(node.work.launch);
  }
  void set(const HetLaunch &launch) {
    auto *packed = static_cast<const uint8_t *>(launch.arguments);
    arguments.assign(packed, packed + launch.argumentBytes);
    node.work.launch = launch;
  }
};

std::string describe(const HetGraphNode &node) {
  static const char *const names[] = {"empty", "launch", "copy", "fill",
                                      "call",  "signal", "wait"};
  std::string text = names[node.kind];
  for (uint32_t i = 0; i < node.dependencyCount; ++i)
    text += " " + std::to_string(node.dependencies[i]) +
            (node.programmatic && node.programmatic[i] ? "p" : "");
  return text + ";";
}

int32_t enqueue(HetQueue *queue, const Node &held, HetStatus *status) {
  const auto &work = held.node.work;
  switch (held.node.kind) {
  case HET_NODE_LAUNCH: {
    HetLaunch launch = work.launch;
    launch.arguments = held.arguments.data();
    return functions->enqueueLaunch(queue, &launch, status);
  }
  case HET_NODE_COPY:
    for (size_t row = 0; row < work.copy.rows; ++row)
      functions->enqueueCopy(queue, work.copy.to + row * work.copy.toPitch,
                             work.copy.from + row * work.copy.fromPitch, work.copy.width,
                             status);
    return status->code;
  case HET_NODE_FILL:
    for (size_t row = 0; row < work.fill.rows; ++row)
      functions->enqueueFill(queue, work.fill.to + row * work.fill.pitch,
                             work.fill.pattern, work.fill.patternBytes, work.fill.width,
                             status);
    return status->code;
  case HET_NODE_CALL:
    return functions->enqueueCall(queue, work.call.function, work.call.data, status);
  case HET_NODE_SIGNAL:
    return functions->enqueueSignal(queue, work.event, status);
  case HET_NODE_WAIT:
    return functions->enqueueWait(queue, work.event, status);
  default:
    return success(status);
  }
}

} // namespace

struct HetGraph {
  std::vector<Node> nodes;
};

static int32_t createGraph(HetDevice *, const HetGraphNode *nodes, size_t count,
                           HetGraph **out, HetStatus *status) {
  auto graph = std::make_unique<HetGraph>();
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (nodes[i].kind == HET_NODE_LAUNCH && nodes[i].work.launch.cooperative)
      return report(status, HET_UNSUPPORTED, "no cooperative launch");
    graph->nodes.emplace_back(nodes[i]);
    text += describe(nodes[i]);
  }
  ++counts.made;
  ++counts.alive;
  counts.latest = text;
  *out = graph.release();
  return success(status);
}

static int32_t setGraphLaunch(HetGraph *graph, size_t node, const HetLaunch *launch,
                              HetStatus *status) {
  ++counts.set;
  graph->nodes[node].set(*launch);
  return success(status);
}

static int32_t enqueueGraph(HetQueue *queue, HetGraph *graph, HetStatus *status) {
  ++counts.enqueued;
  for (const Node &node : graph->nodes)
    if (enqueue(queue, node, status) != HET_OK)
      return status->code;
  return success(status);
}

static void destroyGraph(HetGraph *graph) {
  --counts.alive;
  delete graph;
}

void fillInFakeGraphs(HetDeviceABI &table) {
  functions = &table;
  table.createGraph = createGraph;
  table.setGraphLaunch = setGraphLaunch;
  table.enqueueGraph = enqueueGraph;
  table.destroyGraph = destroyGraph;
}

FAKE_EXPORTED GraphCounts *hetFakeGraphs(void) { return &counts; }
