// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream-ordered allocation, and each device's default memory pool.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "Memory.h"
#include "MemoryPool.h"
#include "Stream.h"

using namespace het::cuda;

/// Hands the stream to `use` after refusing captures, which would need nodes
/// that own memory.
template <typename Use>
static cudaError_t onStream(const char *what, cudaStream_t handle, Use use) {
  CUstream_st *stream = resolveStream(handle);
  if (!stream)
    return remember(currentDeviceError());
  if (stream->capturing.load(std::memory_order_acquire)) {
    static std::atomic<bool> said{false};
    refuseIfCapturing(stream);
    return remember(notSupported(what, said));
  }
  cudaError_t refused = stream->admit();
  return remember(refused ? refused : use(*stream));
}

/// `pool`: null is that of the stream's device.
static cudaError_t allocateFrom(cudaMemPool_t pool, void **pointer, size_t size,
                                cudaStream_t handle) {
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  return onStream("cudaMallocAsync in a capture", handle, [&](CUstream_st &stream) {
    return (pool ? *pool : *stream.device.pool).allocate(pointer, size, stream);
  });
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) {
  return allocateFrom(nullptr, pointer, size, stream);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return pool ? allocateFrom(pool, pointer, size, stream)
              : remember(cudaErrorInvalidValue);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
  const MemoryRange range = findMemory(pointer);
  if (pointer && (range.kind != MemoryKind::Device || range.base != pointer))
    return remember(cudaErrorInvalidValue);
  return onStream("cudaFreeAsync in a capture", handle, [&](CUstream_st &stream) {
    return pointer ? deviceAt(range.device)->pool->free(pointer, stream) : cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  *pool = deviceAt(device)->pool.get();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  return remember(pool == deviceAt(device)->pool.get() ? cudaSuccess
                                                       : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                    void *value) {
  return remember(pool && value ? pool->setAttribute(attribute, value)
                                : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                    void *value) {
  return remember(pool && value ? pool->getAttribute(attribute, value)
                                : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytesToKeep) {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = currentDeviceError())
    return remember(error);
  pool->trim(bytesToKeep);
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *list,
                                 size_t count) {
  if (!pool || (count && !list))
    return remember(cudaErrorInvalidValue);
  for (size_t index = 0; index < count; ++index)
    if (list[index].location.type != cudaMemLocationTypeDevice ||
        !validDevice(list[index].location.id))
      return remember(cudaErrorInvalidDevice);
  return cudaSuccess;
}
