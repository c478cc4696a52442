// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From steps to the nodes of a device's graph.

#include "DeviceGraph.h"
#include "Copy.h"
#include "HostFunction.h"
#include "Launch.h"
#include "Module.h"
#include "NativeWork.h"
#include "Stream.h"

#include "het/Base/Log.h"

#include <algorithm>
#include <utility>

namespace het::cuda {

namespace {

/// The node of a kernel on a device; false where it can not be launched there.
bool makeNode(const KernelOperation &kernel, Device &device, core::GraphNode &node) {
  LoadedKernel *loaded = nullptr;
  if (load(*kernel.function, device, loaded) || prepare(*loaded) ||
      loaded->kernel->mayLaunch())
    return false;
  node.set(*loaded->kernel, shapeOf(kernel), kernel.arguments.data(),
           kernel.arguments.size());
  return true;
}

/// Makes the nodes of one step after the other. A step may take several, all of
/// which come after all nodes of the steps that it depends on.
struct NodeMaker {
  Device &device;
  std::vector<core::GraphNode> nodes;
  std::vector<uint32_t> places;      ///< The first node of each step.
  std::vector<uint32_t> after;       ///< Nodes that the current step depends on.
  std::vector<uint8_t> programmatic; ///< Which of them are so; empty: none.
  HostCalls calls;
  bool hasEvents = false;

  core::GraphNode &add(uint32_t kind) {
    core::GraphNode &node = nodes.emplace_back();
    node.node.kind = kind;
    node.after = after;
    return node;
  }

  /// Whether it is memory of the host or of this device.
  bool reaches(const void *memory) const {
    const core::Device *owner = runtime().ownerOf(memory);
    return !owner || owner == &device.device;
  }

  bool operator()(const EmptyOperation &) {
    add(HET_NODE_EMPTY);
    return true;
  }

  bool operator()(CopyOperation copy) {
    if (!reaches(copy.to.base) || !reaches(copy.from.base))
      return false;
    if (isEmpty(copy))
      return (*this)(EmptyOperation());
    mergeRows(copy);
    for (size_t z = 0; z < copy.depth; ++z)
      add(HET_NODE_COPY).node.work.copy = {
          reinterpret_cast<uint64_t>(copy.to.base + z * copy.to.plane),
          reinterpret_cast<uint64_t>(copy.from.base + z * copy.from.plane),
          copy.to.pitch,
          copy.from.pitch,
          copy.width,
          copy.height};
    return true;
  }

  bool operator()(FillOperation fill) {
    if (!reaches(fill.to.base))
      return false;
    if (isEmpty(fill))
      return (*this)(EmptyOperation());
    mergeRows(fill);
    for (size_t z = 0; z < fill.depth; ++z)
      add(HET_NODE_FILL).node.work.fill = {
          reinterpret_cast<uint64_t>(fill.to.base + z * fill.to.plane),
          fill.to.pitch,
          fill.width * fill.elementSize,
          fill.height,
          fill.value,
          fill.elementSize};
    return true;
  }

  bool operator()(const KernelOperation &kernel) {
    core::GraphNode &node = add(HET_NODE_LAUNCH);
    node.programmatic = std::move(programmatic);
    return makeNode(kernel, device, node);
  }

  bool operator()(const HostOperation &host) {
    HostOperation &held = *calls.emplace_back(std::make_unique<HostOperation>(host));
    add(HET_NODE_CALL).node.work.call = {callHeld, &held};
    return true;
  }

  bool operator()(const RecordOperation &record) {
    return add(HET_NODE_SIGNAL, *record.event);
  }
  bool operator()(const WaitOperation &wait) { return add(HET_NODE_WAIT, *wait.event); }

  bool add(uint32_t kind, CUevent_st &event) {
    if (event.shared) // with other processes
      return false;
    hasEvents = true;
    add(kind).event = event.event.get();
    return event.event != nullptr;
  }

  /// Steps have no child graphs: these were flattened.
  bool operator()(const GraphOperation &) { return false; }

  /// A launch has noted these before.
  bool operator()(const AllocateOperation &) { return (*this)(EmptyOperation()); }
  bool operator()(const FreeOperation &) { return (*this)(EmptyOperation()); }

  /// What they do is known when they are reached.
  bool operator()(const ConditionalOperation &) { return false; }
  bool operator()(const ValuesOperation &) { return false; }

  bool operator()(const NativeOperation &native) {
    add(HET_NODE_NATIVE).native = native.work.get();
    return &native.work->device() == &device.device;
  }

  bool add(const GraphStep &step) {
    after.clear();
    programmatic.clear();
    const std::vector<uint32_t> &few = step.programmatic;
    for (uint32_t earlier : step.after) {
      const uint32_t end = earlier + 1 < places.size()
                               ? places[earlier + 1]
                               : static_cast<uint32_t>(nodes.size());
      for (uint32_t place = places[earlier]; place < end; ++place)
        after.push_back(place);
      if (!few.empty())
        programmatic.resize(after.size(),
                            std::binary_search(few.begin(), few.end(), earlier));
    }
    places.push_back(static_cast<uint32_t>(nodes.size()));
    return step.isEnabled ? std::visit(*this, step.operation) : (*this)(EmptyOperation());
  }
};

/// Does what a launch of an event's step does beside the work of its stream. False where
/// the step is to be replayed, because it stands for a capture.
bool prepareEvents(const std::vector<GraphStep> &steps) {
  for (const GraphStep &step : steps)
    if (waitsForCapture(step.operation))
      return false;
  for (const GraphStep &step : steps)
    if (const auto *record = std::get_if<RecordOperation>(&step.operation)) {
      record->event->noteRecord();
      record->event->recorded.store(true, std::memory_order_release);
    }
  return true;
}

} // namespace

DeviceGraph::~DeviceGraph() { letGo(); }

bool DeviceGraph::isOf(const CUstream_st &stream) const {
  return device == &stream.device;
}

void DeviceGraph::make(const std::vector<GraphStep> &steps, Device &onDevice) {
  device = &onDevice;
  letGo();
  state = State::Refused;
  if (!core::Graph::isOfferedBy(device->device))
    return;
  NodeMaker maker{*device, {}, {}, {}, {}, {}, false};
  for (const GraphStep &step : steps)
    if (!maker.add(step)) {
      log(Level::Debug, "graph: step %zu is for a replay", maker.places.size() - 1);
      return;
    }
  Result<std::unique_ptr<core::Graph>> made =
      core::Graph::create(device->device, std::move(maker.nodes));
  if (!made.ok()) {
    log(Level::Debug, "graph: it is replayed: %s", made.status().text().c_str());
    return;
  }
  graph = made.take();
  calls = std::move(maker.calls);
  places = std::move(maker.places);
  hasEvents = maker.hasEvents;
  state = State::Made;
}

static bool hasKernelThatIsGone(const std::vector<GraphStep> &steps) {
  return std::any_of(steps.begin(), steps.end(), [](const GraphStep &step) {
    const auto *kernel = std::get_if<KernelOperation>(&step.operation);
    return kernel && kernel->function->binary->isGone;
  });
}

core::Graph *DeviceGraph::find(const std::vector<GraphStep> &steps, CUstream_st &stream) {
  if (!isOf(stream) || stream.capturing.load(std::memory_order_acquire))
    return nullptr;
  if (const uint64_t count = unloadCount(); std::exchange(unloads, count) != count)
    if (hasKernelThatIsGone(steps)) { // a replay says so
      letGo();
      state = State::Refused;
    }
  if (graph && !graph->isAlive()) { // the device was reset
    letGo();
    state = State::ToMake;
  }
  if (state == State::Changed) {
    state = State::ToMake;
    return nullptr;
  }
  if (state == State::ToMake)
    make(steps, *device);
  if (state != State::Made || (hasEvents && !prepareEvents(steps)))
    return nullptr;
  if (!calls.empty())
    latest = stream.queue->weak_from_this();
  return graph.get();
}

void DeviceGraph::letGo() {
  graph.reset();
  if (calls.empty())
    return;
  std::shared_ptr<core::Stream> busy = latest.lock();
  if (!busy || busy->isIdle()) {
    calls.clear();
    return;
  }
  // Launches of one graph follow each other, so the latest is the last to make them.
  auto held = std::make_shared<HostCalls>(std::move(calls));
  calls.clear();
  if (!busy->call([held] {}).ok())
    busy->synchronize();
}

void DeviceGraph::change(size_t step, const Operation &operation) {
  const auto *kernel = std::get_if<KernelOperation>(&operation);
  const auto *native = std::get_if<NativeOperation>(&operation);
  core::GraphNode node;
  if (state == State::Made && native && graph->isAlive() &&
      graph->setNative(places[step], *native->work).ok())
    return;
  if (state == State::Made && kernel && graph->isAlive() &&
      makeNode(*kernel, *device, node) && graph->set(places[step], node).ok())
    return;
  changeAll();
}

void DeviceGraph::changeAll() {
  if (device)
    state = State::Changed;
}

static bool same(const Region &a, const Region &b) {
  return a.base == b.base && a.pitch == b.pitch && a.plane == b.plane;
}

static bool same(const dim3 &a, const dim3 &b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

namespace {

/// Compares with an operation of the same kind.
struct Comparison {
  const Operation &other;

  template <class Kind> const Kind &of(const Kind &) const {
    return std::get<Kind>(other);
  }
  bool operator()(const EmptyOperation &) const { return true; }
  bool operator()(const CopyOperation &a) const {
    const CopyOperation &b = of(a);
    return same(a.to, b.to) && same(a.from, b.from) && a.width == b.width &&
           a.height == b.height && a.depth == b.depth;
  }
  bool operator()(const FillOperation &a) const {
    const FillOperation &b = of(a);
    return same(a.to, b.to) && a.value == b.value && a.elementSize == b.elementSize &&
           a.width == b.width && a.height == b.height && a.depth == b.depth;
  }
  bool operator()(const KernelOperation &a) const {
    const KernelOperation &b = of(a);
    return a.function == b.function && same(a.grid, b.grid) && same(a.block, b.block) &&
           a.sharedBytes == b.sharedBytes && a.arguments == b.arguments &&
           a.cooperative == b.cooperative && same(a.cluster.size, b.cluster.size) &&
           a.cluster.isGiven == b.cluster.isGiven;
  }
  bool operator()(const HostOperation &a) const {
    return a.function == of(a).function && a.data == of(a).data;
  }
  bool operator()(const RecordOperation &a) const { return a.event == of(a).event; }
  bool operator()(const WaitOperation &a) const { return a.event == of(a).event; }
  bool operator()(const GraphOperation &a) const { return a.graph == of(a).graph; }
  bool operator()(const AllocateOperation &a) const { return a.memory == of(a).memory; }
  bool operator()(const FreeOperation &a) const { return a.memory == of(a).memory; }
  bool operator()(const ConditionalOperation &a) const {
    return a.condition == of(a).condition;
  }
  bool operator()(const NativeOperation &a) const { return a.work == of(a).work; }
  /// They are no part of a device's graph.
  bool operator()(const ValuesOperation &) const { return false; }
};

} // namespace

bool same(const Operation &a, const Operation &b) {
  return a.index() == b.index() && std::visit(Comparison{b}, a);
}

} // namespace het::cuda
