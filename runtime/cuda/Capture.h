// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: between cudaStreamBeginCapture and cudaStreamEndCapture the
// operations given to a stream become nodes of a graph. A second stream joins
// by waiting for an event that was recorded in a capturing stream, and must be
// joined back to the first one, in the same way, before the end.
//
// A capture, once something forbidden was done during it, is *invalidated*:
// nothing more is recorded and its end fails. One lock guards all captures;
// streams that are not capturing never take it.

#ifndef HET_RUNTIME_CUDA_CAPTURE_H
#define HET_RUNTIME_CUDA_CAPTURE_H

#include "Graph.h"

#include <atomic>
#include <mutex>
#include <thread>

namespace het::cuda {

/// Who lets go of a workspace may wait for work in it, so not with the lock of captures.
using Workspaces = std::map<cudaStream_t, std::shared_ptr<NativeWorkspace>>;

struct Capture {
  std::unique_ptr<CUgraph_st> owned; ///< Null when the user gave the graph.
  CUgraph_st *graph = nullptr;
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread; ///< Where it began.
  unsigned long long id = 0;
  bool invalidated = false;
  bool ended = false;
  std::vector<cudaStream_t> streams; ///< All that take part.
  Workspaces workspaces;             ///< Of native work in each of them, until the end.
};

/// A point in a capture: what comes next depends on these nodes. Streams and
/// events hold one; without a capture it is no point.
struct CapturePoint {
  std::shared_ptr<Capture> capture;
  std::vector<CUgraphNode_st *> frontier;
  EdgeData edges; ///< What the edges from the first of them will carry; others are plain.

  /// One for each node.
  EdgeData &allEdges() {
    edges.resize(frontier.size());
    return edges;
  }
};

/// All captures of the process that have begun and not ended.
struct CaptureState {
  std::mutex mutex; ///< Guards everything here and every CapturePoint.
  std::vector<Capture *> active;
  std::atomic<size_t> count{0}; ///< active.size(), readable without the lock.
  unsigned long long lastId = 0;
};
CaptureState &captureState();

/// With the lock held: a stream takes part from this point on; takes part no
/// more; the capture is over for all its streams, and its workspaces are the caller's.
void joinCapture(cudaStream_t stream, const CapturePoint &point);
void leaveCapture(cudaStream_t stream);
void endCapture(Capture &capture, Workspaces &workspaces);

/// Records an operation of a capturing stream. Handles event operations too.
/// `programmatic`: a kernel that need not wait for the one before it to begin.
cudaError_t capture(cudaStream_t stream, Operation operation, bool programmatic = false);

/// A stream that is not capturing waits for an event recorded in a capture: it
/// joins that capture.
cudaError_t waitForCapturedEvent(cudaStream_t stream, cudaEvent_t event);

/// Forgets what a stream that is being destroyed had captured.
void abandonCapture(cudaStream_t stream);

/// Invalidates captures into a graph that loses nodes: streams and events stand at them.
void spoilCapturesInto(const CUgraph_st &graph);

/// Fails, and invalidates the capture, if the stream is capturing: for calls
/// that cannot be recorded (synchronise, query).
cudaError_t refuseIfCapturing(cudaStream_t stream);

/// The same for calls that wait for a whole device, and for its legacy stream,
/// which would wait for every capturing stream that is not non-blocking.
cudaError_t refuseIfAnyCapturing(int device);
cudaError_t refuseLegacyWhileCapturing(int device);

/// Fails if this thread may not make a call that synchronises in secret (such
/// as cudaMalloc) because of a capture in global or thread-local mode.
cudaError_t refuseUnsafeCall();

/// Sets this thread's mode for refuseUnsafeCall and returns the old one.
cudaStreamCaptureMode exchangeCaptureMode(cudaStreamCaptureMode mode);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_CAPTURE_H
