// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: a directed acyclic graph of operations, made by hand (cudaGraphAdd…)
// or by capturing streams (Capture.h), and its instantiation, which the
// device has in a form of its own (DeviceGraph.h), or which replays the operations on a
// stream in an order that respects the edges.
//
// A graph belongs to its user and is changed by one thread at a time, as CUDA
// asks. Nodes belong to their graph.

#ifndef HET_RUNTIME_CUDA_GRAPH_H
#define HET_RUNTIME_CUDA_GRAPH_H

#include "DeviceGraph.h"
#include "Operation.h"
#include "UserObjects.h"

#include <memory>
#include <optional>
#include <vector>

namespace het::cuda {

/// What edges carry. Ports say when a kernel that follows may begin. In a device's own
/// form of a graph it may then; elsewhere it begins when the earlier one has ended.
using EdgeData = std::vector<cudaGraphEdgeData>;

} // namespace het::cuda

struct CUgraphNode_st {
  CUgraph_st *graph = nullptr;
  het::cuda::Operation operation;
  std::vector<CUgraphNode_st *> dependencies;
  het::cuda::EdgeData edges; ///< One for each dependency.
  std::vector<CUgraphNode_st *> dependents;
  unsigned long long id = 0;     ///< No other node has it.
  unsigned long long copyOf = 0; ///< The id of the node that it was cloned from.
  /// Where a kernel's arguments lie, for who asks (cudaGraphKernelNodeGetParams).
  std::vector<void *> argumentPointers;
  /// What a copy was made of, with its arrays.
  std::optional<cudaMemcpy3DParms> copyParams;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes; ///< In order of creation.
  bool isPrograms = true; ///< False: a node or a capture owns it.
  het::cuda::UserObjects userObjects;
  std::vector<std::shared_ptr<het::cuda::GraphCondition>> conditions;
  std::weak_ptr<void> instance; ///< Of the latest instantiation, if it is there.

  /// Adds a node that runs after `dependencies`, which are nodes of this graph. Edges
  /// that nothing is said of are plain.
  CUgraphNode_st *add(het::cuda::Operation operation,
                      const std::vector<CUgraphNode_st *> &dependencies,
                      const het::cuda::EdgeData &edges = {});

  bool owns(const CUgraphNode_st *node) const { return node->graph == this; }
  /// Whether nodes allocate or free memory; such a graph has one instance, and no clones.
  bool hasMemoryNodes() const;
  bool hasConditions() const;
};

struct CUgraphExec_st {
  ~CUgraphExec_st();

  /// Each after everything that it depends on.
  std::vector<het::cuda::GraphStep> steps;
  het::cuda::DeviceGraph own; ///< The same in the device's own form, if there is one.
  /// The stream of the latest launch, while that may have work.
  std::weak_ptr<het::core::Stream> latest;
  unsigned long long flags = 0;
  /// Those that get their initial value first.
  std::vector<std::shared_ptr<het::cuda::GraphCondition>> conditions;
  std::shared_ptr<het::cuda::UserObjects> userObjects;
  std::shared_ptr<void> instance;         ///< What the graph knows it by.
  het::cuda::Device *offeredTo = nullptr; ///< Whose kernels may launch it; null: none's.
};

namespace het::cuda {

/// Makes `later` run after `earlier`. False if the edge is there already.
bool connect(CUgraphNode_st *earlier, CUgraphNode_st *later,
             const cudaGraphEdgeData &edge = {});
bool disconnect(CUgraphNode_st *earlier, CUgraphNode_st *later);

/// Whether an edge between these nodes may carry that.
bool validEdge(const CUgraphNode_st &earlier, const cudaGraphEdgeData &edge);
bool isPlain(const cudaGraphEdgeData &edge);
/// Whether the later kernel may begin when the earlier one lets it.
bool isProgrammatic(const cudaGraphEdgeData &edge);

/// The nodes in an order in which each stands after its dependencies; fewer
/// nodes than the graph has if there is a cycle.
std::vector<CUgraphNode_st *> topologicalOrder(const CUgraph_st &graph);

/// A copy with nodes in the same order.
std::unique_ptr<CUgraph_st> cloneGraph(const CUgraph_st &graph);

/// Checks the graph and makes its executable form. Child graphs are flattened. `result`
/// is null where it fails; `why` says more.
cudaError_t instantiate(const CUgraph_st &graph, std::unique_ptr<CUgraphExec_st> &result,
                        cudaGraphInstantiateResult *why = nullptr);

/// Lets kernels of a device launch it, and no longer; launches it as they do.
cudaError_t offerToKernels(CUgraphExec_st &exec, Device &device);
void takeFromKernels(CUgraphExec_st &exec);
cudaError_t launchOffered(CUgraphExec_st &exec, CUstream_st &stream);

/// Gives it what another graph does. Its steps stay those of the nodes that it was
/// instantiated from.
cudaError_t update(CUgraphExec_st &graph, const CUgraph_st &from,
                   cudaGraphExecUpdateResultInfo &info);

/// Where the step of a node is: a conditional node's graphs are instances of their own.
struct StepPlace {
  CUgraphExec_st *graph = nullptr; ///< Null: the node has no step.
  size_t index = 0;

  GraphStep &step() const { return graph->steps[index]; }
  /// Gives the step another operation of the same kind.
  void change(Operation operation) const;
};
StepPlace findStep(CUgraphExec_st &graph, const CUgraphNode_st *node);

/// Gives the steps of a child graph's node what another graph does.
cudaError_t updateChild(CUgraphExec_st &graph, const CUgraph_st &child,
                        const CUgraph_st &from);

/// Launches the device's own form, or submits every step to the stream.
cudaError_t launch(CUgraphExec_st &graph, cudaStream_t stream);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_GRAPH_H
