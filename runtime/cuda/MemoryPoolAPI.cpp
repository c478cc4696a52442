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
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return remember(error);
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

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) try {
  return allocateFrom(nullptr, pointer, size, stream);
}
HET_CATCH

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) try {
  return pool ? allocateFrom(pool, pointer, size, stream)
              : remember(cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) try {
  const MemoryRange range = findMemory(pointer);
  if (pointer && (range.kind != MemoryKind::Device || range.base != pointer))
    return remember(cudaErrorInvalidValue);
  return onStream("cudaFreeAsync in a capture", handle, [&](CUstream_st &stream) {
    return pointer ? deviceAt(range.device)->pool->free(pointer, stream) : cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) try {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  *pool = deviceAt(device)->pool.get();
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) try {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
HET_CATCH

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) try {
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  return remember(pool == deviceAt(device)->pool.get() ? cudaSuccess
                                                       : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                    void *value) try {
  return remember(pool && value ? pool->setAttribute(attribute, value)
                                : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                    void *value) try {
  return remember(pool && value ? pool->getAttribute(attribute, value)
                                : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytesToKeep) try {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = currentDeviceError())
    return remember(error);
  pool->trim(bytesToKeep);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *list,
                                 size_t count) try {
  if (!pool || (count && !list))
    return remember(cudaErrorInvalidValue);
  for (size_t index = 0; index < count; ++index)
    if (list[index].location.type != cudaMemLocationTypeDevice ||
        !validDevice(list[index].location.id))
      return remember(cudaErrorInvalidDevice);
  return cudaSuccess;
}
HET_CATCH
