// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream-ordered allocation and the default memory pool. Memory is taken at the
// call; giving it back waits for its turn in the stream.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "Memory.h"
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

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t handle) {
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  return onStream("cudaMallocAsync in a capture", handle,
                  [&](CUstream_st &stream) {
                    return allocate(stream.device, pointer, size);
                  });
}

static void freeLater(void *pointer) { releaseDevice(pointer); }

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
  if (pointer && (findMemory(pointer).kind != MemoryKind::Device ||
                  findMemory(pointer).base != pointer))
    return remember(cudaErrorInvalidValue);
  return onStream(
      "cudaFreeAsync in a capture", handle, [&](CUstream_st &stream) {
        return pointer ? stream.call(freeLater, pointer) : cudaSuccess;
      });
}

/// The default pool of a device. It has no state of its own beyond its
/// settings, since memory is not kept back.
struct CUmemPoolHandle_st {
  int device;
  uint64_t attributes[9]; ///< By cudaMemPoolAttr; 0 is unused.
};

static CUmemPoolHandle_st *defaultPool(int device) {
  static auto *pools = new std::vector<CUmemPoolHandle_st *>;
  static auto *mutex = new std::mutex;
  std::lock_guard<std::mutex> lock(*mutex);
  while (pools->size() <= static_cast<size_t>(device))
    pools->push_back(new CUmemPoolHandle_st{static_cast<int>(pools->size()),
                                            {0, 1, 1, 1, 0, 0, 0, 0, 0}});
  return (*pools)[static_cast<size_t>(device)];
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  *pool = defaultPool(device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  return remember(pool == defaultPool(device) ? cudaSuccess
                                              : cudaErrorInvalidValue);
}

static bool isFlag(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                    cudaMemPoolAttr attribute, void *value) {
  if (!pool || !value)
    return remember(cudaErrorInvalidValue);
  if (isFlag(attribute))
    pool->attributes[attribute] = *static_cast<int *>(value) != 0;
  else if (attribute == cudaMemPoolAttrReleaseThreshold)
    pool->attributes[attribute] = *static_cast<uint64_t *>(value);
  else if ((attribute == cudaMemPoolAttrReservedMemHigh ||
            attribute == cudaMemPoolAttrUsedMemHigh) &&
           *static_cast<uint64_t *>(value) == 0)
    pool->attributes[attribute] = 0;
  else
    return remember(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                    cudaMemPoolAttr attribute, void *value) {
  if (!pool || !value || attribute < cudaMemPoolReuseFollowEventDependencies ||
      attribute > cudaMemPoolAttrUsedMemHigh)
    return remember(cudaErrorInvalidValue);
  if (isFlag(attribute)) {
    *static_cast<int *>(value) = static_cast<int>(pool->attributes[attribute]);
    return cudaSuccess;
  }
  if (attribute != cudaMemPoolAttrReleaseThreshold)
    HET_NOT_SUPPORTED("cudaMemPoolGetAttribute of memory counts");
  *static_cast<uint64_t *>(value) = pool->attributes[attribute];
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return remember(pool ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const cudaMemAccessDesc *list, size_t count) {
  if (!pool || (count && !list))
    return remember(cudaErrorInvalidValue);
  for (size_t index = 0; index < count; ++index)
    if (list[index].location.type != cudaMemLocationTypeDevice ||
        !validDevice(list[index].location.id))
      return remember(cudaErrorInvalidDevice);
  return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size,
                                    cudaMemPool_t pool, cudaStream_t stream) {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  return cudaMallocAsync(pointer, size, stream);
}
