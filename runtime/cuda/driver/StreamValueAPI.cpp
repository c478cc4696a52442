// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: values in memory that streams and graphs write and wait for. The stream's
// own thread looks at them, so the memory must be the process's: pinned, managed, or of a
// device that shares the host's.

#include "Driver.h"

#include "../GraphNodes.h"
#include "../Memory.h"
#include "../Stream.h"
#include "../StreamValues.h"

#include "core/Executor.h"

#include <thread>
#include <vector>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

namespace {

/// One write, or one wait.
struct ValueOperation {
  bool isWait, isWide;
  void *address;
  uint64_t value;
  unsigned how; ///< Of a wait.
};

uint64_t load(const ValueOperation &operation) {
  if (operation.isWide)
    return __atomic_load_n(static_cast<uint64_t *>(operation.address), __ATOMIC_ACQUIRE);
  return __atomic_load_n(static_cast<uint32_t *>(operation.address), __ATOMIC_ACQUIRE);
}

/// Comparisons of CU_STREAM_WAIT_VALUE_GEQ go round the end of the numbers.
bool isReached(const ValueOperation &operation) {
  const uint64_t found = load(operation);
  const uint64_t mask = operation.isWide ? UINT64_MAX : UINT32_MAX;
  const uint64_t value = operation.value & mask;
  switch (operation.how) {
  case CU_STREAM_WAIT_VALUE_EQ:
    return found == value;
  case CU_STREAM_WAIT_VALUE_AND:
    return (found & value) != 0;
  case CU_STREAM_WAIT_VALUE_NOR:
    return (~(found | value) & mask) != 0;
  default:
    return operation.isWide ? static_cast<int64_t>(found - value) >= 0
                            : static_cast<int32_t>(found - value) >= 0;
  }
}

void carryOut(const ValueOperation &operation, core::Device &device) {
  if (operation.isWait) {
    while (!isReached(operation) && device.faultKind() == HET_FAULT_NONE)
      std::this_thread::yield();
  } else if (operation.isWide) {
    __atomic_store_n(static_cast<uint64_t *>(operation.address), operation.value,
                     __ATOMIC_RELEASE);
  } else {
    __atomic_store_n(static_cast<uint32_t *>(operation.address),
                     static_cast<uint32_t>(operation.value), __ATOMIC_RELEASE);
  }
}

cudaError_t check(const ValueOperation &operation) {
  const MemoryRange range = findMemory(operation.address);
  const size_t width = operation.isWide ? 8 : 4;
  if (range.kind == MemoryKind::Unknown || operation.address == nullptr ||
      reinterpret_cast<uintptr_t>(operation.address) % width ||
      range.size -
              static_cast<size_t>(static_cast<char *>(operation.address) - range.base) <
          width)
    return cudaErrorInvalidValue;
  const core::Executor &executor = deviceAt(range.device)->device.executor();
  if (range.kind == MemoryKind::Device &&
      !(executor.sharesHostMemory() && executor.keepsMemory()))
    HET_NOT_SUPPORTED("cuStreamWaitValue and cuStreamWriteValue of this device's memory");
  return cudaSuccess;
}

/// One of a batch; false where it can not be. Barriers and flushes are in what follows
/// anyway, and leave `operation` without an address.
bool convert(const CUstreamBatchMemOpParams &params, ValueOperation &operation) {
  const auto &waiting = params.waitValue;
  const auto &writing = params.writeValue;
  const unsigned how = waiting.flags & ~unsigned(CU_STREAM_WAIT_VALUE_FLUSH);
  switch (params.operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32:
  case CU_STREAM_MEM_OP_WAIT_VALUE_64: {
    const bool isWide = params.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
    operation = {true, isWide, pointerOf(waiting.address),
                 isWide ? waiting.value64 : waiting.value, how};
    return how <= CU_STREAM_WAIT_VALUE_NOR;
  }
  case CU_STREAM_MEM_OP_WRITE_VALUE_32:
  case CU_STREAM_MEM_OP_WRITE_VALUE_64: {
    const bool isWide = params.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
    operation = {false, isWide, pointerOf(writing.address),
                 isWide ? writing.value64 : writing.value, 0};
    return true;
  }
  case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
  case CU_STREAM_MEM_OP_BARRIER:
    operation = {};
    return true;
  }
  return false;
}

/// `operation` says the kind of one operation, whose fields are the same for all widths.
CUresult give(CUstream stream, CUstreamBatchMemOpType operation, CUdeviceptr address,
              uint64_t value, unsigned flags) {
  CUstreamBatchMemOpParams params = {};
  params.operation = operation;
  if (operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
      operation == CU_STREAM_MEM_OP_WAIT_VALUE_64) {
    params.waitValue.address = address;
    params.waitValue.value64 = value;
    params.waitValue.flags = flags;
  } else {
    params.writeValue.address = address;
    params.writeValue.value64 = value;
    params.writeValue.flags = flags;
    if (flags & ~unsigned(CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER))
      return CUDA_ERROR_INVALID_VALUE;
  }
  return cuStreamBatchMemOp_v2(stream, 1, &params, 0);
}

} // namespace

namespace het::cuda {

cudaError_t makeValues(const CUstreamBatchMemOpParams *list, unsigned count,
                       unsigned flags, ValuesOperation &values) {
  constexpr unsigned most = 256; // CUDA's
  if (!list || count > most || flags)
    return cudaErrorInvalidValue;
  for (unsigned index = 0; index < count; ++index) {
    ValueOperation operation;
    if (!convert(list[index], operation))
      return cudaErrorInvalidValue;
    const bool hasAddress = list[index].operation != CU_STREAM_MEM_OP_BARRIER &&
                            list[index].operation != CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
    if (cudaError_t error = hasAddress ? check(operation) : cudaSuccess)
      return error;
  }
  values.list.assign(list, list + count);
  return cudaSuccess;
}

cudaError_t runValues(CUstream_st &stream, const ValuesOperation &values) {
  core::Device &device = stream.device.device;
  // One that waits holds the stream's thread, which a device that moves must stop.
  if (!device.executor().keepsMemory())
    HET_NOT_SUPPORTED("cuStreamWaitValue and cuStreamWriteValue on a device that moves");
  std::vector<ValueOperation> operations;
  for (const CUstreamBatchMemOpParams &params : values.list)
    if (ValueOperation operation; convert(params, operation) && operation.address)
      operations.push_back(operation);
  return translate(stream.queue->call([operations = std::move(operations), &device] {
    for (const ValueOperation &operation : operations)
      carryOut(operation, device);
  }));
}

} // namespace het::cuda

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                unsigned flags) try {
  return give(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}
HET_CATCH

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                unsigned flags) try {
  return give(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}
HET_CATCH

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                 unsigned flags) try {
  return give(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}
HET_CATCH

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                 unsigned flags) try {
  return give(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}
HET_CATCH

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count,
                               CUstreamBatchMemOpParams *list, unsigned flags) try {
  return through([&] {
    ValuesOperation values;
    values.context = currentContext();
    cudaError_t error = makeValues(list, count, flags, values);
    return error ? error : submit(stream, std::move(values));
  });
}
HET_CATCH

// Nodes of graphs.

/// Returns a function that makes the operation of a node.
static auto withValues(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
  return [params](ValuesOperation &values) {
    if (!params)
      return cudaErrorInvalidValue;
    if (!params->ctx)
      return cudaErrorDeviceUninitialized; // CUDA_ERROR_INVALID_CONTEXT
    values.context = params->ctx;
    return makeValues(params->paramArray, params->count, params->flags, values);
  };
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph,
                                  const CUgraphNode *dependencies, size_t count,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) try {
  return through([&] {
    return addMade<ValuesOperation>(node, graph, dependencies, count, withValues(params));
  });
}
HET_CATCH

/// The list is the node's own; it holds until the node changes.
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node,
                                        CUDA_BATCH_MEM_OP_NODE_PARAMS *params) try {
  return through([&] {
    auto *values = node ? std::get_if<ValuesOperation>(&node->operation) : nullptr;
    if (!values || !params)
      return cudaErrorInvalidValue;
    *params = {values->context, static_cast<unsigned>(values->list.size()),
               values->list.data(), 0};
    return cudaSuccess;
  });
}
HET_CATCH

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) try {
  return through([&] { return changeNode<ValuesOperation>(node, withValues(params)); });
}
HET_CATCH

CUresult
cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                   const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) try {
  return through(
      [&] { return changeStep<ValuesOperation>(exec, node, withValues(params)); });
}
HET_CATCH
