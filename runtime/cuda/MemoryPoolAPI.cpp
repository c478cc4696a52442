// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream-ordered allocation, and each device's default memory pool.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "GraphMemory.h"
#include "Memory.h"
#include "MemoryPool.h"
#include "PoolSharing.h"
#include "Stream.h"

using namespace het::cuda;

/// In a capture an allocation is a node. It has an address at once.
static cudaError_t captureAllocation(const cudaMemPool_t pool, CUstream_st &stream,
                                     void **pointer, size_t size) {
  if (!size)
    return cudaErrorInvalidValue;
  AllocateOperation operation;
  Device &device = pool ? pool->device : stream.device;
  if (cudaError_t error = makeGraphMemory(device, size, operation.memory))
    return error;
  void *address = operation.memory->pointer;
  if (cudaError_t error = capture(&stream, std::move(operation)))
    return error;
  *pointer = address;
  return cudaSuccess;
}

/// `pool`: null is the current one of the stream's device.
static cudaError_t allocateFrom(cudaMemPool_t pool, void **pointer, size_t size,
                                cudaStream_t handle) {
  if (!pointer)
    return cudaErrorInvalidValue;
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (cudaError_t refused = stream->admit())
    return refused;
  if (stream->capturing.load(std::memory_order_acquire))
    return captureAllocation(pool, *stream, pointer, size);
  PooledMemory &memory = *(pool ? pool->device : stream->device).pool;
  const PooledMemory::Pool from = memory.find(pool);
  if (!from || (from->shared && from->shared->isImported))
    return cudaErrorInvalidValue;
  const cudaError_t error = memory.allocate(from, pointer, size, *stream);
  if (!error)
    stream->hasReused = true;
  return error;
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) try {
  return remember(allocateFrom(nullptr, pointer, size, stream));
}
HET_CATCH

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) try {
  return remember(pool ? allocateFrom(pool, pointer, size, stream)
                       : cudaErrorInvalidValue);
}
HET_CATCH

/// Frees what a graph's launch has left, in the order of the stream: the graph keeps it.
/// Without a graph it is memory like any other.
static cudaError_t freeGraphMemory(const std::shared_ptr<GraphMemory> &memory,
                                   CUstream_st &stream) {
  if (!takeOutOfUse(memory))
    return cudaErrorInvalidValue;
  if (memory.use_count() > 1)
    return cudaSuccess;
  return memory->device.pool->free(letGo(*memory), stream);
}

static cudaError_t captureFree(CUstream_st &stream, void *pointer) {
  FreeOperation operation{findGraphMemory(pointer)};
  return operation.memory ? capture(&stream, std::move(operation))
                          : cudaErrorInvalidValue;
}

static cudaError_t freeAsync(void *pointer, cudaStream_t handle) {
  if (cudaError_t error = cudaSuccess; pointer && freeImported(pointer, error))
    return error;
  const MemoryRange range = findMemory(pointer);
  if (pointer &&
      (range.kind != MemoryKind::Device || range.base != pointer || range.isMapped))
    return cudaErrorInvalidValue;
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (cudaError_t refused = stream->admit())
    return refused;
  if (!pointer)
    return cudaSuccess;
  if (stream->capturing.load(std::memory_order_acquire))
    return captureFree(*stream, pointer);
  if (std::shared_ptr<GraphMemory> memory = findGraphMemory(pointer))
    return freeGraphMemory(memory, *stream);
  return deviceAt(range.device)->pool->free(pointer, *stream);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) try {
  return remember(freeAsync(pointer, stream));
}
HET_CATCH

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) try {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  *pool = deviceAt(device)->pool->standard();
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) try {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  *pool = deviceAt(device)->pool->find(nullptr).get();
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) try {
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  return remember(deviceAt(device)->pool->setCurrent(pool) ? cudaSuccess
                                                           : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const cudaMemPoolProps *properties) try {
  if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned)
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = currentDeviceError())
    return remember(error);
  if (properties->location.type != cudaMemLocationTypeDevice)
    HET_NOT_SUPPORTED("a memory pool of the host's memory");
  if (!validDevice(properties->location.id))
    return remember(cudaErrorInvalidDevice);
  Device &device = *deviceAt(properties->location.id);
  const bool isShared = properties->handleTypes != cudaMemHandleTypeNone;
  if (isShared && (properties->handleTypes != cudaMemHandleTypePosixFileDescriptor ||
                   !takesSharedPages(device)))
    HET_NOT_SUPPORTED("a memory pool that other processes share, on this device or by "
                      "handles other than POSIX descriptors");
  if (properties->usage)
    HET_NOT_SUPPORTED("cudaMemPoolCreateUsageHwDecompress");
  cudaMemPool_t made = device.pool->create(properties->maxSize);
  if (cudaError_t error = isShared ? makeShareable(*made) : cudaSuccess) {
    device.pool->destroy(made);
    return remember(error);
  }
  *pool = made;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) try {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  cudaError_t refused = beginCall();
  if (!refused && !pool->device.pool->destroy(pool))
    refused = cudaErrorInvalidValue;
  return remember(refused);
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
  pool->device.pool->trim(*pool, bytesToKeep);
  return cudaSuccess;
}
HET_CATCH

/// What a pool's own device may do can not be taken away.
static cudaError_t checkAccess(const CUmemPoolHandle_st &pool,
                               const cudaMemAccessDesc &access) {
  const bool isOwn = access.location.id == pool.device.ordinal;
  if (access.location.type != cudaMemLocationTypeDevice ||
      !validDevice(access.location.id))
    return cudaErrorInvalidDevice;
  if (access.flags != cudaMemAccessFlagsProtNone &&
      access.flags != cudaMemAccessFlagsProtRead &&
      access.flags != cudaMemAccessFlagsProtReadWrite)
    return cudaErrorInvalidValue;
  return isOwn && access.flags != cudaMemAccessFlagsProtReadWrite ? cudaErrorInvalidValue
                                                                  : cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *list,
                                 size_t count) try {
  if (!pool || (count && !list))
    return remember(cudaErrorInvalidValue);
  for (size_t index = 0; index < count; ++index)
    if (cudaError_t error = checkAccess(*pool, list[index]))
      return remember(error);
  for (size_t index = 0; index < count; ++index)
    pool->setAccess(list[index].location.id, list[index].flags);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 cudaMemLocation *location) try {
  if (!flags || !pool || !location)
    return remember(cudaErrorInvalidValue);
  if (location->type != cudaMemLocationTypeDevice || !validDevice(location->id))
    return remember(cudaErrorInvalidDevice);
  *flags = pool->accessOf(location->id);
  return cudaSuccess;
}
HET_CATCH
