// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Giving an operation to a stream: recording it, or running it now.

#include "Operation.h"
#include "Capture.h"
#include "Copy.h"
#include "Graph.h"
#include "Launch.h"
#include "NativeWork.h"
#include "Stream.h"
#include "StreamValues.h"

#include <iterator>

namespace het::cuda {

namespace {

/// Runs each kind of operation on one stream.
struct Runner {
  CUstream_st &stream;

  cudaError_t operator()(const EmptyOperation &) { return cudaSuccess; }
  cudaError_t operator()(const CopyOperation &copy) { return runCopy(stream, copy); }
  cudaError_t operator()(const FillOperation &fill) { return runFill(stream, fill); }
  cudaError_t operator()(const KernelOperation &kernel) {
    return runKernel(stream, kernel);
  }
  cudaError_t operator()(const HostOperation &host) { return stream.call(host); }
  cudaError_t operator()(const RecordOperation &record) {
    return stream.record(*record.event);
  }
  cudaError_t operator()(const WaitOperation &wait) { return stream.wait(*wait.event); }
  cudaError_t operator()(const GraphOperation &child) {
    for (const CUgraphNode_st *node : topologicalOrder(*child.graph))
      if (cudaError_t error = std::visit(*this, node->operation))
        return error;
    return cudaSuccess;
  }
  // Launches of graphs do these (Graph.cpp).
  cudaError_t operator()(const AllocateOperation &) { return cudaSuccess; }
  cudaError_t operator()(const FreeOperation &) { return cudaSuccess; }
  cudaError_t operator()(const ConditionalOperation &) { return cudaErrorUnknown; }
  cudaError_t operator()(const ValuesOperation &values) {
    return runValues(stream, values);
  }
  cudaError_t operator()(const NativeOperation &native) {
    return runNative(stream, native);
  }
};

} // namespace

cudaGraphNodeType typeOf(const Operation &operation) {
  static constexpr cudaGraphNodeType types[] = {
      cudaGraphNodeTypeEmpty,
      cudaGraphNodeTypeMemcpy,
      cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeKernel,
      cudaGraphNodeTypeHost,
      cudaGraphNodeTypeEventRecord,
      cudaGraphNodeTypeWaitEvent,
      cudaGraphNodeTypeGraph,
      cudaGraphNodeTypeMemAlloc,
      cudaGraphNodeTypeMemFree,
      cudaGraphNodeTypeConditional,
      static_cast<cudaGraphNodeType>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP),
      cudaGraphNodeTypeKernel};
  static_assert(std::size(types) == std::variant_size_v<Operation>,
                "one type for each alternative of Operation, in its order");
  return types[operation.index()];
}

bool waitsForCapture(const Operation &operation) {
  const auto *wait = std::get_if<WaitOperation>(&operation);
  if (!wait)
    return false;
  std::lock_guard<std::mutex> lock(captureState().mutex);
  return wait->event->point.capture != nullptr;
}

cudaError_t submit(cudaStream_t handle, Operation operation) {
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (cudaError_t error = stream->admit())
    return error;
  if (stream->capturing.load(std::memory_order_acquire))
    return capture(stream, std::move(operation));
  if (waitsForCapture(operation))
    return waitForCapturedEvent(stream, std::get<WaitOperation>(operation).event.get());
  return std::visit(Runner{*stream}, operation);
}

} // namespace het::cuda
