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

#include <memory>
#include <vector>

struct CUgraphNode_st {
  CUgraph_st *graph = nullptr;
  het::cuda::Operation operation;
  std::vector<CUgraphNode_st *> dependencies;
  std::vector<CUgraphNode_st *> dependents;
  /// Where a kernel's arguments lie, for who asks (cudaGraphKernelNodeGetParams).
  std::vector<void *> argumentPointers;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes; ///< In order of creation.
  bool isPrograms = true; ///< False: a node or a capture owns it.

  /// Adds a node that runs after `dependencies`, which are nodes of this graph.
  CUgraphNode_st *add(het::cuda::Operation operation,
                      const std::vector<CUgraphNode_st *> &dependencies);

  bool owns(const CUgraphNode_st *node) const { return node->graph == this; }
};

struct CUgraphExec_st {
  /// Each after everything that it depends on.
  std::vector<het::cuda::GraphStep> steps;
  het::cuda::DeviceGraph own; ///< The same in the device's own form, if there is one.
  /// The stream of the latest launch, while that may have work.
  std::weak_ptr<het::core::Stream> latest;
};

namespace het::cuda {

/// Makes `later` run after `earlier`. False if the edge is there already.
bool connect(CUgraphNode_st *earlier, CUgraphNode_st *later);
bool disconnect(CUgraphNode_st *earlier, CUgraphNode_st *later);

/// The nodes in an order in which each stands after its dependencies; fewer
/// nodes than the graph has if there is a cycle.
std::vector<CUgraphNode_st *> topologicalOrder(const CUgraph_st &graph);

/// A copy with nodes in the same order.
std::unique_ptr<CUgraph_st> cloneGraph(const CUgraph_st &graph);

/// Checks the graph and makes its executable form. Child graphs are flattened.
cudaError_t instantiate(const CUgraph_st &graph, std::unique_ptr<CUgraphExec_st> &result);

/// Gives it what the steps of another graph do. They stay those of the nodes that it was
/// instantiated from. False if the other graph does not have the same kinds of steps.
bool update(CUgraphExec_st &graph, std::vector<GraphStep> steps);

/// Launches the device's own form, or submits every step to the stream.
cudaError_t launch(CUgraphExec_st &graph, cudaStream_t stream);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_GRAPH_H
