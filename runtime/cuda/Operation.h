// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One piece of work for a stream, as a value: what a graph's nodes hold and
// what a capturing stream records instead of running it. The plain paths
// (cudaMemcpyAsync, cudaLaunchKernel, … on a stream that is not capturing)
// build the same values on the stack and run them at once.

#ifndef HET_RUNTIME_CUDA_OPERATION_H
#define HET_RUNTIME_CUDA_OPERATION_H

#include "Api.h"

#include "het/Base/Bytes.h"

#include <map>
#include <memory>
#include <variant>
#include <vector>

namespace het::core {
class NativeWork;
}

namespace het::cuda {

struct Function;

/// Nothing: a node that only joins others.
struct EmptyOperation {};

/// A box of bytes in memory: rows `pitch` apart, planes `plane` apart.
struct Region {
  char *base = nullptr;
  size_t pitch = 0;
  size_t plane = 0;
};

struct CopyOperation {
  Region to, from;
  size_t width = 0; ///< Bytes of a row.
  size_t height = 1;
  size_t depth = 1;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

struct FillOperation {
  Region to;
  uint32_t value = 0;
  uint32_t elementSize = 1; ///< 1, 2 or 4 bytes.
  size_t width = 0;         ///< Elements of a row.
  size_t height = 1;
  size_t depth = 1;
};

/// Attributes of a launch that are kept for who asks (LaunchAttributes.h).
using LaunchAttributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;

/// Blocks that run at once, as a launch gives them to a device; 0 in all dimensions: none
/// of its code is about clusters.
struct Cluster {
  dim3 size = {0, 0, 0};
  bool isGiven = false; ///< The program has said the size.
};

struct KernelOperation {
  std::shared_ptr<Function> function; ///< Kept: its module may be unloaded (keep()).
  dim3 grid, block;
  size_t sharedBytes = 0;
  Bytes arguments; ///< Packed in the layout that the package states.
  bool cooperative = false;
  Cluster cluster;
  LaunchAttributes attributes;
};

struct HostOperation {
  cudaHostFn_t function = nullptr;
  void *data = nullptr;
  bool isCallback = false; ///< It is told of faults, so it is called after one, too.
};

/// Records an event, or waits for one. In a capture these are edges between
/// nodes, unless `external` makes them nodes that act when the graph runs.
struct RecordOperation {
  std::shared_ptr<CUevent_st> event; ///< Kept: the program may destroy it.
  bool external = false;
};

struct WaitOperation {
  std::shared_ptr<CUevent_st> event; ///< Likewise.
  bool external = false;
};

struct GraphOperation {
  std::shared_ptr<CUgraph_st> graph;
};

struct GraphMemory;
struct GraphCondition;

/// Memory of a graph's node is in use from here on, and no longer (GraphMemory.h).
struct AllocateOperation {
  std::shared_ptr<GraphMemory> memory;
};
struct FreeOperation {
  std::shared_ptr<GraphMemory> memory;
};

/// Runs some of its graphs, as a condition says that kernels set (GraphCondition.h).
struct ConditionalOperation {
  std::shared_ptr<GraphCondition> condition;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<CUgraph_st>> bodies;
  std::shared_ptr<std::vector<cudaGraph_t>> list; ///< The same, for the program.
};

/// What a library of the vendor's has put into a captured stream (NativeWork.h).
struct NativeWorkspace;
struct NativeOperation {
  std::shared_ptr<core::NativeWork> work;
  std::shared_ptr<NativeWorkspace> workspace; ///< Null: it needs none of the runtime's.
};

/// Values in memory that are written and waited for, in their order (StreamValues.h).
struct ValuesOperation {
  CUcontext context = nullptr;
  std::vector<CUstreamBatchMemOpParams> list;
};

using Operation =
    std::variant<EmptyOperation, CopyOperation, FillOperation, KernelOperation,
                 HostOperation, RecordOperation, WaitOperation, GraphOperation,
                 AllocateOperation, FreeOperation, ConditionalOperation, ValuesOperation,
                 NativeOperation>;

/// What a node with this operation is called.
cudaGraphNodeType typeOf(const Operation &operation);

/// Whether it is a wait for an event that was recorded in a capture.
bool waitsForCapture(const Operation &operation);

/// Runs an operation on a stream, or records it if the stream is capturing.
cudaError_t submit(cudaStream_t stream, Operation operation);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_OPERATION_H
