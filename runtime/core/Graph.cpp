// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes graphs in a device's own form, and keeps the code of their launches up to date.

#include "core/Graph.h"
#include "core/DirectCode.h"
#include "core/DirectQueue.h"
#include "core/Executor.h"
#include "core/Module.h"
#include "core/NativeWork.h"

#include <algorithm>

namespace het::core {

void GraphNode::set(Kernel &launched, const LaunchShape &shape, const void *arguments,
                    size_t argumentBytes) {
  kernel = &launched;
  node.kind = HET_NODE_LAUNCH;
  node.work.launch = makeLaunch(shape, arguments, argumentBytes);
}

bool Graph::isOfferedBy(Device &device) {
  return device.abi().createGraph && device.executor().takesGraphs();
}

static HetArtifact *chooseSpecial(Kernel &kernel, const HetLaunch &launch) {
  return DirectCode::of(kernel).choose(shapeOf(launch), launch.arguments,
                                       launch.argumentBytes);
}

/// The kernel's code: that which is there for these constants, else the general
/// one.
Status Graph::fillIn(GraphNode &node) {
  if (node.node.kind == HET_NODE_LAUNCH) {
    HetLaunch &launch = node.node.work.launch;
    Result<HetArtifact *> general = DirectCode::of(*node.kernel).load();
    if (!general.ok())
      return general.status();
    HetArtifact *special = chooseSpecial(*node.kernel, launch);
    launch.artifact = special ? special : *general;
  }
  if (node.event) {
    auto &event = static_cast<DirectEvent &>(*node.event);
    if (&event.of().target() != &owner.target())
      return unsupported("an event of " + event.of().name() + " in a graph",
                         owner.name());
    node.node.work.event = event.handle();
  }
  if (node.native) {
    if (&node.native->device() != &owner || !node.native->isAlive())
      return unsupported("such native work in a graph", owner.name());
    node.node.work.native = node.native->handle;
  }
  if (!node.programmatic.empty())
    node.node.programmatic = node.programmatic.data();
  node.node.dependencies = node.after.data();
  node.node.dependencyCount = static_cast<uint32_t>(node.after.size());
  return Status::success();
}

Result<std::unique_ptr<Graph>> Graph::create(Device &device,
                                             std::vector<GraphNode> nodes) {
  if (!isOfferedBy(device))
    return unsupported("graphs", device.name());
  std::unique_ptr<Graph> graph(new Graph(device));
  std::vector<HetGraphNode> list;
  for (GraphNode &node : nodes) {
    if (Status status = graph->fillIn(node); !status.ok())
      return status;
    list.push_back(node.node);
  }
  HetStatus status = {};
  if (device.abi().createGraph(device.handle(), list.data(), list.size(), &graph->handle,
                               &status) != HET_OK)
    return toStatus(status, device.name());
  for (uint32_t place = 0; place < nodes.size(); ++place)
    graph->watch(place, nodes[place]);
  std::lock_guard<std::mutex> lock(device.mutex);
  device.graphs.insert(graph.get());
  return graph;
}

Status Graph::set(uint32_t place, const GraphNode &launch) {
  GraphNode filled = launch;
  if (Status status = fillIn(filled); !status.ok())
    return status;
  HetStatus status = {};
  owner.abi().setGraphLaunch(handle, place, &filled.node.work.launch, &status);
  if (status.code == HET_OK) {
    auto isBefore = [=](const Watched &one) { return one.place == place; };
    watched.erase(std::remove_if(watched.begin(), watched.end(), isBefore),
                  watched.end());
    watch(place, filled);
  }
  return toStatus(status, owner.name());
}

Status Graph::setNative(uint32_t place, NativeWork &work) {
  if (&work.device() != &owner || !work.isAlive())
    return unsupported("such native work in a graph", owner.name());
  HetStatus status = {};
  owner.abi().setGraphNative(handle, place, work.handle, &status);
  return toStatus(status, owner.name());
}

void Graph::watch(uint32_t place, const GraphNode &node) {
  if (node.node.kind != HET_NODE_LAUNCH || !DirectCode::of(*node.kernel).specialises())
    return;
  const HetLaunch &launch = node.node.work.launch;
  auto *packed = static_cast<const uint8_t *>(launch.arguments);
  Watched &one = watched.emplace_back(
      Watched{place, node.kernel, Bytes(packed, packed + launch.argumentBytes), launch});
  one.launch.arguments = one.arguments.data();
}

/// To tell each kernel's specialisations of each launch would cost more than the
/// launch of the graph. One after the other they are told, and what they have
/// is resumed.
void Graph::watchOne() {
  if (watched.empty())
    return;
  Watched &one = watched[next++ % watched.size()];
  HetArtifact *variant = chooseSpecial(*one.kernel, one.launch);
  if (!variant || variant == one.launch.artifact)
    return;
  HetLaunch launch = one.launch;
  launch.artifact = variant;
  HetStatus status;
  if (owner.abi().setGraphLaunch(handle, one.place, &launch, &status) == HET_OK)
    one.launch.artifact = variant;
  else
    DirectCode::of(*one.kernel).drop(variant);
}

Status Graph::enqueue(HetQueue *queue) {
  if (!isAlive())
    return unavailable("a graph of before its device was reset", owner.name());
  watchOne();
  HetStatus status;
  return owner.abi().enqueueGraph(queue, handle, &status) == HET_OK
             ? Status::success()
             : toStatus(status, owner.name());
}

void Graph::release() {
  if (handle)
    owner.abi().destroyGraph(handle);
  handle = nullptr;
}

Graph::~Graph() {
  std::lock_guard<std::mutex> lock(owner.mutex);
  owner.graphs.erase(this);
  release();
}

} // namespace het::core
