// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs in a device's own form: work with the order in which it is done, made
// once and put into a stream as one piece, any number of times.

#ifndef HET_RUNTIME_CORE_GRAPH_H
#define HET_RUNTIME_CORE_GRAPH_H

#include "core/Device.h"

#include <memory>
#include <vector>

namespace het::core {

/// One node: as in TargetABI.h, with its kernel or event in our form and its dependencies
/// beside it.
struct GraphNode {
  HetGraphNode node = {};
  std::vector<uint32_t> after; ///< Places of earlier nodes.
  /// Which of them a launch need not wait for to begin: one for each; empty: none.
  std::vector<uint8_t> programmatic;
  Kernel *kernel = nullptr;     ///< For a launch.
  Event *event = nullptr;       ///< For a signal and for a wait.
  NativeWork *native = nullptr; ///< For native work.

  /// Makes the node a launch.
  void set(Kernel &launched, const LaunchShape &shape, const void *arguments,
           size_t argumentBytes);
};

/// Kernels and events must outlive it, native work need not. One thread at a time uses
/// it.
class Graph {
public:
  /// Whether the device has such a form at all.
  static bool isOfferedBy(Device &device);

  /// Fails, with Unsupported or otherwise, where one of the nodes can not be in
  /// it: then each is put into the stream by itself, which says what is wrong,
  /// if anything is.
  static Result<std::unique_ptr<Graph>> create(Device &device,
                                               std::vector<GraphNode> nodes);
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  /// Another launch for a node that is one; other work for one that is native.
  Status set(uint32_t place, const GraphNode &launch);
  Status setNative(uint32_t place, NativeWork &work);

  /// Not after a reset of its device.
  bool isAlive() const { return handle; }
  Device &device() const { return owner; }

private:
  friend class Device;
  friend class DirectQueue;
  explicit Graph(Device &device) : owner(device) {}
  Status fillIn(GraphNode &node);
  void watch(uint32_t place, const GraphNode &launch);
  void watchOne();
  Status enqueue(HetQueue *queue);
  void release();

  /// A launch whose kernel gets code for its constants, sooner or later.
  struct Watched {
    uint32_t place;
    Kernel *kernel;
    Bytes arguments;
    HetLaunch launch; ///< Has the code in use now, and these arguments.
  };

  Device &owner;
  HetGraph *handle = nullptr;
  std::vector<Watched> watched;
  size_t next = 0; ///< Whose turn it is.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_GRAPH_H
