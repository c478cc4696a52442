// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How captures grow, join, are refused and are forgotten. The API functions
// that begin, end and question them are in CaptureAPI.cpp.

#include "Capture.h"
#include "Stream.h"

#include <algorithm>
#include <utility>

namespace het::cuda {

CaptureState &captureState() {
  static CaptureState *state = new CaptureState; // outlives static destruction
  return *state;
}

void joinCapture(cudaStream_t stream, const CapturePoint &point) {
  stream->point = point;
  stream->capturing.store(true, std::memory_order_release);
  point.capture->streams.push_back(stream);
}

void leaveCapture(cudaStream_t stream) {
  if (const std::shared_ptr<Capture> &capture = stream->point.capture) {
    auto &streams = capture->streams;
    streams.erase(std::remove(streams.begin(), streams.end(), stream), streams.end());
  }
  stream->capturing.store(false, std::memory_order_release);
  stream->point = {};
}

void endCapture(Capture &capture, Workspaces &workspaces) {
  CaptureState &state = captureState();
  while (!capture.streams.empty())
    leaveCapture(capture.streams.back());
  auto &active = state.active;
  active.erase(std::remove(active.begin(), active.end(), &capture), active.end());
  state.count.store(active.size(), std::memory_order_release);
  workspaces.swap(capture.workspaces); // the nodes keep theirs
  capture.ended = true;
}

static cudaError_t invalidate(Capture &capture, cudaError_t error) {
  capture.invalidated = true;
  return error;
}

static void addToFrontier(CapturePoint &point,
                          const std::vector<CUgraphNode_st *> &nodes) {
  for (CUgraphNode_st *node : nodes)
    if (std::find(point.frontier.begin(), point.frontier.end(), node) ==
        point.frontier.end())
      point.frontier.push_back(node);
}

static cudaError_t waitCaptured(cudaStream_t stream, cudaEvent_t event) {
  CapturePoint &point = stream->point;
  const CapturePoint &other = event->point;
  if (!other.capture)
    return invalidate(*point.capture, cudaErrorStreamCaptureIsolation);
  if (other.capture != point.capture) {
    invalidate(*other.capture, cudaSuccess);
    return invalidate(*point.capture, cudaErrorStreamCaptureMerge);
  }
  addToFrontier(point, other.frontier);
  return cudaSuccess;
}

/// Where a kernel need not wait for what is before it: the edge from another kernel.
static void makeProgrammatic(CapturePoint &point) {
  if (point.frontier.size() == 1 && point.edges.empty() &&
      std::holds_alternative<KernelOperation>(point.frontier.front()->operation))
    point.edges = {{cudaGraphKernelNodePortProgrammatic,
                    0,
                    cudaGraphDependencyTypeProgrammatic,
                    {}}};
}

cudaError_t capture(cudaStream_t stream, Operation operation, bool programmatic) {
  std::lock_guard<std::mutex> lock(captureState().mutex);
  CapturePoint &point = stream->point;
  if (!point.capture)
    return cudaErrorStreamCaptureInvalidated; // ended by another thread
  if (point.capture->invalidated)
    return cudaErrorStreamCaptureInvalidated;
  if (const auto *record = std::get_if<RecordOperation>(&operation)) {
    if (!record->external) {
      record->event->point = point;
      return cudaSuccess;
    }
  }
  if (const auto *wait = std::get_if<WaitOperation>(&operation))
    if (!wait->external)
      return waitCaptured(stream, wait->event.get());
  if (programmatic)
    makeProgrammatic(point);
  point.frontier = {
      point.capture->graph->add(std::move(operation), point.frontier, point.edges)};
  point.edges.clear();
  return cudaSuccess;
}

cudaError_t waitForCapturedEvent(cudaStream_t stream, cudaEvent_t event) {
  std::lock_guard<std::mutex> lock(captureState().mutex);
  const CapturePoint &point = event->point;
  if (!point.capture || point.capture->ended)
    return cudaErrorCapturedEvent;
  if (point.capture->invalidated)
    return cudaErrorStreamCaptureInvalidated;
  joinCapture(stream, point);
  return cudaSuccess;
}

void abandonCapture(cudaStream_t stream) {
  if (!stream->capturing.load(std::memory_order_acquire))
    return;
  std::unique_ptr<CUgraph_st> abandoned; // both go without the lock
  Workspaces workspaces;
  std::lock_guard<std::mutex> lock(captureState().mutex);
  std::shared_ptr<Capture> capture = stream->point.capture;
  if (!capture)
    return;
  if (capture->origin == stream) {
    endCapture(*capture, workspaces);
    abandoned = std::move(capture->owned);
  } else
    leaveCapture(stream);
}

void spoilCapturesInto(const CUgraph_st &graph) {
  CaptureState &state = captureState();
  if (state.count.load(std::memory_order_acquire) == 0)
    return;
  std::lock_guard<std::mutex> lock(state.mutex);
  for (Capture *capture : state.active)
    if (capture->graph == &graph)
      invalidate(*capture, cudaSuccess);
}

cudaError_t refuseIfCapturing(cudaStream_t stream) {
  if (!stream->capturing.load(std::memory_order_acquire))
    return cudaSuccess;
  std::lock_guard<std::mutex> lock(captureState().mutex);
  if (stream->point.capture)
    invalidate(*stream->point.capture, cudaSuccess);
  return cudaErrorStreamCaptureUnsupported;
}

/// Invalidates every active capture that `concerned` picks; `error` if any.
template <typename Predicate>
static cudaError_t refuseIf(cudaError_t error, Predicate concerned) {
  CaptureState &state = captureState();
  if (state.count.load(std::memory_order_acquire) == 0)
    return cudaSuccess;
  std::lock_guard<std::mutex> lock(state.mutex);
  cudaError_t result = cudaSuccess;
  for (Capture *capture : state.active)
    if (concerned(*capture))
      result = invalidate(*capture, error);
  return result;
}

cudaError_t refuseIfAnyCapturing(int device) {
  return refuseIf(cudaErrorStreamCaptureUnsupported,
                  [&](Capture &capture) { return capture.origin->ordinal() == device; });
}

cudaError_t refuseLegacyWhileCapturing(int device) {
  return refuseIf(cudaErrorStreamCaptureImplicit, [&](Capture &capture) {
    auto blocking = [](cudaStream_t stream) { return stream->blocking(); };
    return capture.origin->ordinal() == device &&
           std::any_of(capture.streams.begin(), capture.streams.end(), blocking);
  });
}

cudaStreamCaptureMode exchangeCaptureMode(cudaStreamCaptureMode mode) {
  return std::exchange(threadState().captureMode, mode);
}

cudaError_t refuseUnsafeCall() {
  return refuseIf(cudaErrorStreamCaptureUnsupported, [](Capture &capture) {
    const cudaStreamCaptureMode threadMode = threadState().captureMode;
    bool own = capture.thread == std::this_thread::get_id();
    if (threadMode == cudaStreamCaptureModeRelaxed ||
        capture.mode == cudaStreamCaptureModeRelaxed)
      return false;
    return own || (threadMode == cudaStreamCaptureModeGlobal &&
                   capture.mode == cudaStreamCaptureModeGlobal);
  });
}

} // namespace het::cuda
