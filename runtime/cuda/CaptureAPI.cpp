// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaStreamBeginCapture, cudaStreamEndCapture and the functions that question
// or steer a capture (Capture.h).

#include "Capture.h"
#include "Context.h"
#include "Stream.h"

#include <algorithm>
#include <unordered_set>

using namespace het::cuda;

static bool validMode(cudaStreamCaptureMode mode) {
  return mode == cudaStreamCaptureModeGlobal ||
         mode == cudaStreamCaptureModeThreadLocal || mode == cudaStreamCaptureModeRelaxed;
}

/// Begins a capture into `graph`, or into a new one if that is null.
static cudaError_t begin(cudaStream_t handle, cudaStreamCaptureMode mode,
                         CUgraph_st *graph, std::vector<CUgraphNode_st *> frontier,
                         EdgeData edges = {}) {
  if (!validMode(mode))
    return cudaErrorInvalidValue;
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (stream->legacy())
    return cudaErrorStreamCaptureUnsupported;
  CaptureState &state = captureState();
  std::lock_guard<std::mutex> lock(state.mutex);
  if (stream->point.capture)
    return cudaErrorIllegalState;
  auto capture = std::make_shared<Capture>();
  if (!graph) {
    capture->owned = std::make_unique<CUgraph_st>();
    capture->owned->isPrograms = false;
    graph = capture->owned.get();
  }
  capture->graph = graph;
  capture->origin = stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->id = ++state.lastId;
  state.active.push_back(capture.get());
  state.count.store(state.active.size(), std::memory_order_release);
  joinCapture(stream, {capture, std::move(frontier), std::move(edges)});
  return cudaSuccess;
}

/// A list of different nodes of a graph.
static bool areNodesOf(const CUgraph_st &graph, const cudaGraphNode_t *nodes,
                       size_t count) {
  return (nodes || !count) && count <= graph.nodes.size() &&
         std::all_of(nodes, nodes + count, [&](const CUgraphNode_st *node) {
           return node && graph.owns(node);
         });
}

/// Whether what is to come may be behind these nodes with such edges; null: plain ones.
static bool areValid(const cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges,
                     size_t count) {
  for (size_t index = 0; edges && index < count; ++index)
    if (!validEdge(*nodes[index], edges[index]))
      return false;
  return true;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) try {
  return remember(begin(stream, mode, nullptr, {}));
}
HET_CATCH

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          cudaStreamCaptureMode mode) try {
  if (!graph || !areNodesOf(*graph, dependencies, count) ||
      !areValid(dependencies, edges, count))
    return remember(cudaErrorInvalidValue);
  return remember(begin(stream, mode, graph, {dependencies, dependencies + count},
                        edges ? EdgeData(edges, edges + count) : EdgeData()));
}
HET_CATCH

/// Every node that another stream has captured last is one that the origin's
/// end depends on.
static bool joined(const Capture &capture) {
  std::unordered_set<const CUgraphNode_st *> seen;
  std::vector<CUgraphNode_st *> open = capture.origin->point.frontier;
  while (!open.empty()) {
    CUgraphNode_st *node = open.back();
    open.pop_back();
    if (seen.insert(node).second)
      open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  for (cudaStream_t stream : capture.streams)
    for (const CUgraphNode_st *node : stream->point.frontier)
      if (!seen.count(node))
        return false;
  return true;
}

static cudaError_t end(cudaStream_t handle, cudaGraph_t *graph) {
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  std::unique_ptr<CUgraph_st> owned; // both go without the lock
  Workspaces workspaces;
  std::lock_guard<std::mutex> lock(captureState().mutex);
  std::shared_ptr<Capture> capture = stream->point.capture;
  if (!capture)
    return cudaErrorIllegalState;
  if (!graph && capture->owned)
    return cudaErrorInvalidValue; // nobody would have it
  if (capture->origin != stream)
    return cudaErrorStreamCaptureUnmatched;
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  cudaError_t result = capture->invalidated ? cudaErrorStreamCaptureInvalidated
                       : joined(*capture)   ? cudaSuccess
                                            : cudaErrorStreamCaptureUnjoined;
  endCapture(*capture, workspaces);
  owned = std::move(capture->owned);
  if (result)
    return result;
  if (owned)
    owned->isPrograms = true;
  if (graph)
    *graph = owned ? owned.release() : capture->graph;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) try {
  if (graph)
    *graph = nullptr;
  return remember(end(stream, graph));
}
HET_CATCH

static cudaStreamCaptureStatus statusOf(const Capture *capture) {
  return !capture               ? cudaStreamCaptureStatusNone
         : capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle,
                                  cudaStreamCaptureStatus *status) try {
  if (!status)
    return remember(cudaErrorInvalidValue);
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return remember(error);
  std::lock_guard<std::mutex> lock(captureState().mutex);
  *status = statusOf(stream->point.capture.get());
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t handle,
                                        cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        const cudaGraphEdgeData **edges,
                                        size_t *count) try {
  if (!status)
    return remember(cudaErrorInvalidValue);
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return remember(error);
  std::lock_guard<std::mutex> lock(captureState().mutex);
  CapturePoint &point = stream->point;
  *status = statusOf(point.capture.get());
  if (*status != cudaStreamCaptureStatusActive)
    return cudaSuccess;
  const EdgeData &all = point.allEdges();
  if (dependencies && !edges && !std::all_of(all.begin(), all.end(), isPlain))
    return remember(cudaErrorLossyQuery);
  if (id)
    *id = point.capture->id;
  if (graph)
    *graph = point.capture->graph;
  if (dependencies)
    *dependencies = point.frontier.data();
  if (edges)
    *edges = all.data();
  if (count)
    *count = point.frontier.size();
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                        cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        size_t *count) try {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr,
                                     count);
}
HET_CATCH

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t handle,
                                                   cudaGraphNode_t *dependencies,
                                                   const cudaGraphEdgeData *edges,
                                                   size_t count, unsigned flags) try {
  if ((count && !dependencies) || flags > cudaStreamSetCaptureDependencies)
    return remember(cudaErrorInvalidValue);
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return remember(error);
  std::lock_guard<std::mutex> lock(captureState().mutex);
  CapturePoint &point = stream->point;
  if (!point.capture)
    return remember(cudaErrorIllegalState);
  if (point.capture->invalidated) // its graph may be gone
    return remember(cudaErrorStreamCaptureInvalidated);
  if (!areNodesOf(*point.capture->graph, dependencies, count) ||
      !areValid(dependencies, edges, count))
    return remember(cudaErrorInvalidValue);
  if (flags == cudaStreamSetCaptureDependencies) {
    point.frontier.clear();
    point.edges.clear();
  }
  EdgeData &all = point.allEdges();
  point.frontier.insert(point.frontier.end(), dependencies, dependencies + count);
  if (edges)
    all.insert(all.end(), edges, edges + count);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                cudaGraphNode_t *dependencies,
                                                size_t count, unsigned flags) try {
  return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count,
                                                flags);
}
HET_CATCH

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) try {
  if (!mode || !validMode(*mode))
    return remember(cudaErrorInvalidValue);
  *mode = exchangeCaptureMode(*mode);
  return cudaSuccess;
}
HET_CATCH
