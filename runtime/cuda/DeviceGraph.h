// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instantiated graph in the form of the device that it was instantiated for,
// where the device has one and all steps can be in it. Everything else replays
// the steps one by one: launches on another device's streams and in captures,
// too.

#ifndef HET_RUNTIME_CUDA_DEVICEGRAPH_H
#define HET_RUNTIME_CUDA_DEVICEGRAPH_H

#include "Operation.h"

#include "core/Graph.h"

#include <memory>
#include <vector>

namespace het::cuda {

struct Device;

/// A copy of a node's operation, with the node that the graph was instantiated from (for
/// cudaGraphExec…SetParams).
struct GraphStep {
  const CUgraphNode_st *origin;
  Operation operation;
  std::vector<uint32_t> after; ///< The earlier steps that it depends on.
  /// Those of them, each a kernel as it is one, that need not have ended when it begins.
  std::vector<uint32_t> programmatic = {};
  bool isEnabled = true; ///< Else it does nothing.
  /// Of a conditional operation: what its graphs do.
  std::vector<std::shared_ptr<CUgraphExec_st>> bodies = {};
};

/// What a graph's nodes call; they have its address.
using HostCalls = std::vector<std::unique_ptr<HostOperation>>;

class DeviceGraph {
public:
  DeviceGraph() = default;
  ~DeviceGraph();
  DeviceGraph(const DeviceGraph &) = delete;
  DeviceGraph &operator=(const DeviceGraph &) = delete;

  /// For a device that has no fault.
  void make(const std::vector<GraphStep> &steps, Device &device);

  /// The graph to launch on this stream; null: replay the steps.
  core::Graph *find(const std::vector<GraphStep> &steps, CUstream_st &stream);

  /// A step is another now than the one that it was made of. Kernels change in
  /// place. After any other change the next launch is a replay, and the one
  /// after it makes the graph anew: a graph that changes before each launch is
  /// not worth making.
  void change(size_t step, const Operation &operation);
  /// Steps or the order between them are others now.
  void changeAll();

private:
  bool isOf(const CUstream_st &stream) const;
  /// Destroys the graph, which may still run: its calls go when it has ended.
  void letGo();

  enum class State {
    Made,
    Changed, ///< To be replayed once.
    ToMake,
    Refused ///< Until it changes.
  };
  State state = State::Refused;
  Device *device = nullptr; ///< Where it was instantiated; null: nowhere.
  std::unique_ptr<core::Graph> graph;
  HostCalls calls;
  std::weak_ptr<core::Stream> latest; ///< Of its latest launch, if it has calls.
  std::vector<uint32_t> places;       ///< The first node of each step.
  uint64_t unloads = 0;               ///< unloadCount() when it was last looked at.
  bool hasEvents = false;
};

/// Whether both do the same.
bool same(const Operation &a, const Operation &b);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_DEVICEGRAPH_H
