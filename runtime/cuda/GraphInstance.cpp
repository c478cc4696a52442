// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of graphs: flattening, launching, updating.

#include "Errors.h"
#include "Graph.h"
#include "GraphCondition.h"
#include "GraphMemory.h"
#include "NativeWork.h"
#include "Stream.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

using namespace het::cuda;

CUgraphExec_st::~CUgraphExec_st() {
  takeFromKernels(*this);
  std::shared_ptr<het::core::Stream> busy = latest.lock();
  if (!userObjects || userObjects->empty() || !busy || busy->isIdle())
    return;
  if (!busy->call([held = userObjects] {}).ok())
    busy->synchronize();
}

namespace het::cuda {

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

bool isProgrammatic(const CUgraphNode_st &earlier, const CUgraphNode_st &later,
                    const cudaGraphEdgeData &edge) {
  return cuda::isProgrammatic(edge) &&
         std::holds_alternative<KernelOperation>(earlier.operation) &&
         std::holds_alternative<KernelOperation>(later.operation);
}

/// Makes `before` all steps that one depends on, and leaves those that are programmatic
/// and nothing else.
void addProgrammatic(Places &before, Places &programmatic) {
  makeUnique(before);
  const auto isAlsoPlain = [&](uint32_t place) {
    return std::binary_search(before.begin(), before.end(), place);
  };
  programmatic.erase(
      std::remove_if(programmatic.begin(), programmatic.end(), isAlsoPlain),
      programmatic.end());
  append(before, programmatic);
  makeUnique(before);
  makeUnique(programmatic);
}

/// Whether a conditional node's graph may have such a node.
bool mayBeConditional(const Operation &operation) {
  return !std::holds_alternative<HostOperation>(operation) &&
         !std::holds_alternative<RecordOperation>(operation) &&
         !std::holds_alternative<WaitOperation>(operation) &&
         !std::holds_alternative<AllocateOperation>(operation) &&
         !std::holds_alternative<FreeOperation>(operation) &&
         !std::holds_alternative<ValuesOperation>(operation);
}

/// Makes one instance out of a graph and its child graphs.
struct Flattener {
  CUgraphExec_st &result;
  cudaGraphInstantiateResult why = cudaGraphInstantiateSuccess;
  /// The latest step in each workspace.
  std::unordered_map<const NativeWorkspace *, uint32_t> inWorkspace = {};

  cudaError_t fail(cudaError_t error, cudaGraphInstantiateResult reason) {
    if (why == cudaGraphInstantiateSuccess)
      why = reason;
    return error;
  }

  cudaError_t addBodies(const ConditionalOperation &operation, GraphStep &step) {
    for (const std::shared_ptr<CUgraph_st> &body : operation.bodies) {
      std::unique_ptr<CUgraphExec_st> made;
      for (const auto &node : body->nodes)
        if (!mayBeConditional(node->operation)) {
          why = cudaGraphInstantiateNodeOperationNotSupported;
          HET_NOT_SUPPORTED("such a node in the graph of a conditional node");
        }
      if (cudaError_t error = instantiate(*body, made, &why))
        return error;
      step.bodies.push_back(std::move(made));
    }
    return cudaSuccess;
  }

  /// Has native work follow what is in its workspace already.
  void followWorkspace(const Operation &operation, Places &before) {
    const auto *native = std::get_if<NativeOperation>(&operation);
    if (!native || !native->workspace)
      return;
    const auto place = static_cast<uint32_t>(result.steps.size());
    const auto [latest, isFirst] =
        inWorkspace.try_emplace(native->workspace.get(), place);
    if (isFirst)
      return;
    before.push_back(latest->second);
    makeUnique(before);
    latest->second = place;
  }

  cudaError_t addStep(const CUgraphNode_st &node, Places before, Places programmatic) {
    followWorkspace(node.operation, before);
    GraphStep step{&node, node.operation, std::move(before), std::move(programmatic)};
    if (const auto *conditional = std::get_if<ConditionalOperation>(&node.operation))
      if (cudaError_t error = addBodies(*conditional, step))
        return error;
    result.steps.push_back(std::move(step));
    return cudaSuccess;
  }

  /// Appends the steps of a graph that comes after these. `ends` becomes the steps that
  /// what comes after the graph must wait for.
  cudaError_t add(const CUgraph_st &graph, const Places &after, Places &ends) {
    std::vector<CUgraphNode_st *> order = topologicalOrder(graph);
    if (order.size() != graph.nodes.size())
      return fail(cudaErrorInvalidValue, cudaGraphInstantiateInvalidStructure);
    for (const auto &condition : graph.conditions) {
      if (!condition->isUsed)
        return fail(cudaErrorInvalidValue, cudaGraphInstantiateConditionalHandleUnused);
      result.conditions.push_back(condition);
    }
    result.userObjects->add(graph.userObjects);
    std::unordered_map<const CUgraphNode_st *, Places> endsOf;
    ends = order.empty() ? after : Places();
    for (const CUgraphNode_st *node : order) {
      Places before = node->dependencies.empty() ? after : Places(), programmatic;
      for (size_t index = 0; index < node->dependencies.size(); ++index) {
        const CUgraphNode_st *dependency = node->dependencies[index];
        append(isProgrammatic(*dependency, *node, node->edges[index]) ? programmatic
                                                                      : before,
               endsOf[dependency]);
      }
      addProgrammatic(before, programmatic);
      Places &own = endsOf[node];
      if (const auto *child = std::get_if<GraphOperation>(&node->operation)) {
        if (cudaError_t error = add(*child->graph, before, own))
          return error;
      } else {
        own = {static_cast<uint32_t>(result.steps.size())};
        if (cudaError_t error =
                addStep(*node, std::move(before), std::move(programmatic)))
          return error;
      }
      if (node->dependents.empty())
        append(ends, own);
    }
    makeUnique(ends);
    return cudaSuccess;
  }
};

} // namespace

cudaError_t instantiate(const CUgraph_st &graph, std::unique_ptr<CUgraphExec_st> &result,
                        cudaGraphInstantiateResult *why) {
  auto exec = std::make_unique<CUgraphExec_st>();
  exec->userObjects = std::make_shared<UserObjects>();
  Places ends;
  Flattener flattener{*exec};
  cudaError_t error = flattener.add(graph, {}, ends);
  if (error && flattener.why == cudaGraphInstantiateSuccess)
    flattener.why = cudaGraphInstantiateError;
  if (why)
    *why = flattener.why;
  if (!error)
    result = std::move(exec);
  return error;
}

StepPlace findStep(CUgraphExec_st &graph, const CUgraphNode_st *node) {
  for (size_t index = 0; index < graph.steps.size(); ++index) {
    if (graph.steps[index].origin == node)
      return {&graph, index};
    for (const std::shared_ptr<CUgraphExec_st> &body : graph.steps[index].bodies)
      if (StepPlace place = findStep(*body, node); place.graph)
        return place;
  }
  return {};
}

void StepPlace::change(Operation operation) const {
  if (step().isEnabled)
    graph->own.change(index, operation);
  step().operation = std::move(operation);
}

static bool isMemorys(const Operation &operation) {
  return std::holds_alternative<AllocateOperation>(operation) ||
         std::holds_alternative<FreeOperation>(operation);
}

/// Whether a step may become another.
static cudaGraphExecUpdateResult compare(const GraphStep &now, const GraphStep &then) {
  if (now.operation.index() != then.operation.index())
    return cudaGraphExecUpdateErrorNodeTypeChanged;
  if (isMemorys(now.operation) && !same(now.operation, then.operation))
    return cudaGraphExecUpdateErrorNotSupported;
  if (now.bodies.size() != then.bodies.size())
    return cudaGraphExecUpdateErrorParametersChanged;
  return cudaGraphExecUpdateSuccess;
}

/// Compares all steps first: an update is made whole, or not at all.
static bool compare(const CUgraphExec_st &now, const CUgraphExec_st &then,
                    cudaGraphExecUpdateResultInfo &info) {
  if (now.steps.size() != then.steps.size()) {
    info.result = cudaGraphExecUpdateErrorTopologyChanged;
    return false;
  }
  for (size_t index = 0; index < now.steps.size(); ++index) {
    const GraphStep &step = then.steps[index];
    info.result = compare(now.steps[index], step);
    if (info.result) {
      info.errorNode = const_cast<cudaGraphNode_t>(step.origin);
      return false;
    }
    for (size_t body = 0; body < step.bodies.size(); ++body)
      if (!compare(*now.steps[index].bodies[body], *step.bodies[body], info))
        return false;
  }
  return true;
}

/// Makes the steps those of an instance with the same kinds of steps.
static void take(CUgraphExec_st &graph, CUgraphExec_st &from) {
  graph.conditions = std::move(from.conditions);
  for (size_t index = 0; index < from.steps.size(); ++index) {
    GraphStep &now = graph.steps[index], &then = from.steps[index];
    then.origin = now.origin;
    then.isEnabled = now.isEnabled;
    if (then.after != now.after || then.programmatic != now.programmatic)
      graph.own.changeAll();
    else if (then.isEnabled && !same(then.operation, now.operation))
      graph.own.change(index, then.operation);
    for (size_t body = 0; body < now.bodies.size(); ++body)
      take(*now.bodies[body], *then.bodies[body]);
    then.bodies = std::move(now.bodies);
  }
  graph.steps = std::move(from.steps);
}

cudaError_t update(CUgraphExec_st &graph, const CUgraph_st &from,
                   cudaGraphExecUpdateResultInfo &info) {
  std::unique_ptr<CUgraphExec_st> fresh;
  info = {};
  if (cudaError_t error = instantiate(from, fresh)) {
    info.result = cudaGraphExecUpdateError;
    return error;
  }
  if (!compare(graph, *fresh, info))
    return cudaErrorGraphExecUpdateFailure;
  graph.userObjects->add(*fresh->userObjects);
  take(graph, *fresh);
  return cudaSuccess;
}

/// The nodes of a graph and its child graphs.
static void collect(const CUgraph_st &graph,
                    std::unordered_set<const CUgraphNode_st *> &nodes) {
  for (const auto &node : graph.nodes) {
    nodes.insert(node.get());
    if (const auto *child = std::get_if<GraphOperation>(&node->operation))
      collect(*child->graph, nodes);
  }
}

/// What a step comes after among those of a child graph, by their numbers in it.
static std::vector<size_t> within(const std::vector<uint32_t> &after,
                                  const std::vector<size_t> &places) {
  std::vector<size_t> numbers;
  for (uint32_t index : after) {
    const auto found = std::find(places.begin(), places.end(), index);
    if (found != places.end())
      numbers.push_back(static_cast<size_t>(found - places.begin()));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Whether steps of a child graph can take the places of others: between them they come
/// after each other alike, and none shares its memory for work with a step elsewhere.
static bool canReplace(const std::vector<GraphStep> &steps,
                       const std::vector<size_t> &places,
                       const std::vector<GraphStep> &fresh) {
  std::vector<size_t> own(fresh.size());
  std::iota(own.begin(), own.end(), size_t(0));
  const auto workspaceOf = [](const GraphStep &step) {
    const auto *native = std::get_if<NativeOperation>(&step.operation);
    return native ? native->workspace.get() : nullptr;
  };
  for (size_t index = 0; index < fresh.size(); ++index) {
    const GraphStep &before = steps[places[index]];
    if (within(before.after, places) != within(fresh[index].after, own) ||
        within(before.programmatic, places) != within(fresh[index].programmatic, own))
      return false;
    if (const auto *workspace = workspaceOf(fresh[index]))
      for (size_t other = 0; other < steps.size(); ++other)
        if (workspaceOf(steps[other]) == workspace &&
            std::find(places.begin(), places.end(), other) == places.end())
          return false;
  }
  return true;
}

cudaError_t updateChild(CUgraphExec_st &graph, const CUgraph_st &child,
                        const CUgraph_st &from) {
  std::unique_ptr<CUgraphExec_st> fresh;
  if (cudaError_t error = instantiate(from, fresh))
    return error;
  std::unordered_set<const CUgraphNode_st *> nodes;
  collect(child, nodes);
  std::vector<size_t> places;
  for (size_t index = 0; index < graph.steps.size(); ++index)
    if (nodes.count(graph.steps[index].origin))
      places.push_back(index);
  if (places.size() != fresh->steps.size() ||
      !canReplace(graph.steps, places, fresh->steps))
    return cudaErrorGraphExecUpdateFailure;
  for (size_t index = 0; index < places.size(); ++index)
    if (compare(graph.steps[places[index]], fresh->steps[index]))
      return cudaErrorGraphExecUpdateFailure;
  for (size_t index = 0; index < places.size(); ++index)
    StepPlace{&graph, places[index]}.change(std::move(fresh->steps[index].operation));
  graph.userObjects->add(*fresh->userObjects);
  return cudaSuccess;
}

/// Whether what an earlier launch has left is freed: by the program, or by this launch.
static bool isFree(const CUgraphExec_st &graph) {
  for (const GraphStep &step : graph.steps)
    if (const auto *allocation = std::get_if<AllocateOperation>(&step.operation)) {
      if (!isInUse(*allocation->memory))
        continue;
      if (!(graph.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch))
        return false;
      takeOutOfUse(allocation->memory);
    }
  return true;
}

/// Notes what memory the first steps take into use and out of it; returns how many could.
static size_t noteSteps(const std::vector<GraphStep> &steps) {
  for (size_t index = 0; index < steps.size(); ++index) {
    const Operation &operation = steps[index].operation;
    if (const auto *allocation = std::get_if<AllocateOperation>(&operation)) {
      if (!takeIntoUse(allocation->memory))
        return index;
    } else if (const auto *freeing = std::get_if<FreeOperation>(&operation)) {
      if (!takeOutOfUse(freeing->memory))
        return index;
    }
  }
  return steps.size();
}

/// Notes what memory a launch takes into use and out of it; nothing, where it fails.
static cudaError_t noteMemory(const CUgraphExec_st &graph) {
  if (!isFree(graph))
    return cudaErrorInvalidValue;
  const size_t noted = noteSteps(graph.steps);
  if (noted == graph.steps.size())
    return cudaSuccess;
  for (size_t index = noted; index-- > 0;) {
    const Operation &operation = graph.steps[index].operation;
    if (const auto *allocation = std::get_if<AllocateOperation>(&operation))
      takeOutOfUse(allocation->memory);
    else if (const auto *freeing = std::get_if<FreeOperation>(&operation))
      takeIntoUse(freeing->memory);
  }
  return cudaErrorInvalidValue;
}

static cudaError_t run(CUgraphExec_st &graph, CUstream_st &stream);

/// Which of its graphs a conditional node runs now; none if there is no such.
static CUgraphExec_st *chooseBody(const GraphStep &step, unsigned value) {
  const auto &operation = std::get<ConditionalOperation>(step.operation);
  size_t place = value;
  if (operation.type != cudaGraphCondTypeSwitch)
    place = value ? 0 : operation.type == cudaGraphCondTypeIf ? 1 : step.bodies.size();
  return place < step.bodies.size() ? step.bodies[place].get() : nullptr;
}

/// Waits for what kernels have set, and does what follows from it.
static cudaError_t runConditional(const GraphStep &step, CUstream_st &stream) {
  const auto &operation = std::get<ConditionalOperation>(step.operation);
  for (;;) {
    unsigned value = 0;
    if (cudaError_t error = read(stream, *operation.condition, value))
      return error;
    CUgraphExec_st *body = chooseBody(step, value);
    if (!body)
      return cudaSuccess;
    cudaError_t error = run(*body, stream);
    if (error || operation.type != cudaGraphCondTypeWhile)
      return error;
  }
}

static cudaError_t launchOwn(const CUgraphExec_st &graph, core::Graph &own,
                             CUstream_st &stream) {
  WorkspaceUse use;
  for (const GraphStep &step : graph.steps)
    use.add(step.operation);
  if (cudaError_t error = use.begin(*stream.queue))
    return error;
  return translate(stream.queue->launch(own));
}

/// On a stream that is not being captured.
static cudaError_t run(CUgraphExec_st &graph, CUstream_st &stream) {
  for (const std::shared_ptr<GraphCondition> &condition : graph.conditions)
    if (condition->isAssigned)
      if (cudaError_t error = assign(stream, *condition))
        return error;
  if (core::Graph *own = graph.own.find(graph.steps, stream))
    return launchOwn(graph, *own, stream);
  for (const GraphStep &step : graph.steps) {
    if (!step.isEnabled)
      continue;
    cudaError_t error = std::holds_alternative<ConditionalOperation>(step.operation)
                            ? runConditional(step, stream)
                            : submit(&stream, step.operation);
    if (error)
      return error;
  }
  return cudaSuccess;
}

/// The steps become nodes of the capture.
static cudaError_t captureSteps(const CUgraphExec_st &graph, cudaStream_t stream) {
  for (const GraphStep &step : graph.steps)
    if (isMemorys(step.operation) ||
        std::holds_alternative<ConditionalOperation>(step.operation))
      HET_NOT_SUPPORTED(
          "cudaGraphLaunch in a capture, of a graph with nodes for memory or "
          "conditions");
  for (const GraphStep &step : graph.steps)
    if (step.isEnabled)
      if (cudaError_t error = submit(stream, step.operation))
        return error;
  return cudaSuccess;
}

cudaError_t launch(CUgraphExec_st &graph, cudaStream_t handle) {
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (cudaError_t error = stream->admit())
    return error;
  if (stream->capturing.load(std::memory_order_acquire))
    return captureSteps(graph, handle);
  // Launches of one graph follow each other.
  if (cudaError_t error = follow(*stream->queue, graph.latest))
    return error;
  if (cudaError_t error = noteMemory(graph))
    return error;
  graph.latest = stream->queue->weak_from_this();
  return graph.offeredTo ? launchOffered(graph, *stream) : run(graph, *stream);
}

} // namespace het::cuda
