// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: values in memory that streams write and wait for. The stream's own thread
// looks at them, so the memory must be the process's: pinned, managed, or of a device
// that shares the host's.

#include "Driver.h"

#include "../Memory.h"
#include "../Stream.h"

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

cudaError_t give(CUstream handle, std::vector<ValueOperation> operations) {
  for (const ValueOperation &operation : operations)
    if (cudaError_t error = check(operation))
      return error;
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (cudaError_t error = stream->admit())
    return error;
  if (stream->capturing.load(std::memory_order_acquire)) {
    cudaError_t refused = refuseIfCapturing(stream);
    static std::atomic<bool> said{false};
    notSupported("cuStreamWaitValue and cuStreamWriteValue in a capture", said);
    return refused;
  }
  core::Device &device = stream->device.device;
  // One that waits holds the stream's thread, which a device that moves must stop.
  if (!device.executor().keepsMemory())
    HET_NOT_SUPPORTED("cuStreamWaitValue and cuStreamWriteValue on a device that moves");
  return translate(stream->queue->call([operations = std::move(operations), &device] {
    for (const ValueOperation &operation : operations)
      carryOut(operation, device);
  }));
}

CUresult wait(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags,
              bool isWide) {
  const unsigned how = flags & ~unsigned(CU_STREAM_WAIT_VALUE_FLUSH);
  if (how > CU_STREAM_WAIT_VALUE_NOR)
    return CUDA_ERROR_INVALID_VALUE;
  return through(
      [&] { return give(stream, {{true, isWide, pointerOf(address), value, how}}); });
}

CUresult write(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags,
               bool isWide) {
  if (flags & ~unsigned(CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER))
    return CUDA_ERROR_INVALID_VALUE;
  return through(
      [&] { return give(stream, {{false, isWide, pointerOf(address), value, 0}}); });
}

/// Appends one of a batch. Barriers and flushes are in what follows anyway.
bool append(const CUstreamBatchMemOpParams &params,
            std::vector<ValueOperation> &operations) {
  const auto &waiting = params.waitValue;
  const auto &writing = params.writeValue;
  const unsigned how = waiting.flags & ~unsigned(CU_STREAM_WAIT_VALUE_FLUSH);
  switch (params.operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32:
  case CU_STREAM_MEM_OP_WAIT_VALUE_64: {
    const bool isWide = params.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
    operations.push_back({true, isWide, pointerOf(waiting.address),
                          isWide ? waiting.value64 : waiting.value, how});
    return how <= CU_STREAM_WAIT_VALUE_NOR;
  }
  case CU_STREAM_MEM_OP_WRITE_VALUE_32:
  case CU_STREAM_MEM_OP_WRITE_VALUE_64: {
    const bool isWide = params.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
    operations.push_back({false, isWide, pointerOf(writing.address),
                          isWide ? writing.value64 : writing.value, 0});
    return true;
  }
  case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
  case CU_STREAM_MEM_OP_BARRIER:
    return true;
  }
  return false;
}

} // namespace

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                unsigned flags) try {
  return wait(stream, address, value, flags, false);
}
HET_CATCH

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                unsigned flags) try {
  return wait(stream, address, value, flags, true);
}
HET_CATCH

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                 unsigned flags) try {
  return write(stream, address, value, flags, false);
}
HET_CATCH

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                 unsigned flags) try {
  return write(stream, address, value, flags, true);
}
HET_CATCH

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count,
                               CUstreamBatchMemOpParams *list, unsigned flags) try {
  constexpr unsigned most = 256; // CUDA's
  if (!list || count > most || flags)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<ValueOperation> operations;
  for (unsigned index = 0; index < count; ++index)
    if (!append(list[index], operations))
      return CUDA_ERROR_INVALID_VALUE;
  return through([&] { return give(stream, std::move(operations)); });
}
HET_CATCH
