// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pools of a device, and what a program asks of one.

#include "Context.h"
#include "Memory.h"
#include "MemoryPool.h"

using namespace het::cuda;

PooledMemory::Pool PooledMemory::find(const CUmemPoolHandle_st *pool) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!pool)
    return current;
  if (pool == defaultPool.get())
    return defaultPool;
  auto found = created.find(pool);
  return found == created.end() ? nullptr : found->second;
}

bool PooledMemory::setCurrent(const CUmemPoolHandle_st *pool) {
  Pool found = find(pool);
  if (!pool || !found || (found->shared && found->shared->isImported))
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  current = std::move(found);
  return true;
}

CUmemPoolHandle_st *PooledMemory::create(uint64_t maxBytes) {
  auto pool = std::make_shared<CUmemPoolHandle_st>(device);
  pool->maxBytes = maxBytes;
  std::lock_guard<std::mutex> lock(mutex);
  return (created[pool.get()] = pool).get();
}

bool PooledMemory::destroy(const CUmemPoolHandle_st *pool) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = created.find(pool);
  if (found == created.end())
    return false;
  if (current == found->second)
    current = defaultPool;
  found->second->releaseThreshold = 0;
  trimLocked(pool, 0);
  created.erase(found);
  return true;
}

CUmemPoolHandle_st *PooledMemory::poolOf(void *pointer) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = blocks.find(pointer);
  return found == blocks.end() ? nullptr : found->second.pool.get();
}

CUmemPoolHandle_st *het::cuda::poolOf(void *pointer) {
  const MemoryRange range = findMemory(pointer);
  return range.kind == MemoryKind::Device
             ? deviceAt(range.device)->pool->poolOf(range.base)
             : nullptr;
}

bool CUmemPoolHandle_st::hasRoom(uint64_t bytes) const {
  if (!maxBytes)
    return true;
  std::lock_guard<std::mutex> lock(device.pool->mutex);
  return bytes <= maxBytes && reserved.current <= maxBytes - bytes;
}

void CUmemPoolHandle_st::setAccess(int peer, cudaMemAccessFlags flags) {
  std::lock_guard<std::mutex> lock(device.pool->mutex);
  access[peer] = flags;
}

cudaMemAccessFlags CUmemPoolHandle_st::accessOf(int peer) const {
  std::lock_guard<std::mutex> lock(device.pool->mutex);
  auto found = access.find(peer);
  if (found != access.end())
    return found->second;
  return peer == device.ordinal ? cudaMemAccessFlagsProtReadWrite
                                : cudaMemAccessFlagsProtNone;
}

cudaError_t CUmemPoolHandle_st::setAttribute(cudaMemPoolAttr attribute,
                                             const void *value) {
  std::lock_guard<std::mutex> lock(device.pool->mutex);
  const auto flag = [&] { return *static_cast<const int *>(value) != 0; };
  const auto bytes = [&] { return *static_cast<const uint64_t *>(value); };
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
    followsEvents = flag();
    return cudaSuccess;
  case cudaMemPoolReuseAllowOpportunistic:
    isOpportunistic = flag();
    return cudaSuccess;
  case cudaMemPoolReuseAllowInternalDependencies:
    addsDependencies = flag();
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold:
    releaseThreshold = bytes();
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh: {
    if (bytes() != 0)
      return cudaErrorInvalidValue;
    MemoryGauge &gauge = attribute == cudaMemPoolAttrUsedMemHigh ? used : reserved;
    gauge.high = gauge.current;
    return cudaSuccess;
  }
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t CUmemPoolHandle_st::getAttribute(cudaMemPoolAttr attribute,
                                             void *value) const {
  std::lock_guard<std::mutex> lock(device.pool->mutex);
  auto give = [&](auto what) {
    *static_cast<decltype(what) *>(value) = what;
    return cudaSuccess;
  };
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
    return give(followsEvents);
  case cudaMemPoolReuseAllowOpportunistic:
    return give(isOpportunistic);
  case cudaMemPoolReuseAllowInternalDependencies:
    return give(addsDependencies);
  case cudaMemPoolAttrReleaseThreshold:
    return give(releaseThreshold);
  case cudaMemPoolAttrReservedMemCurrent:
    return give(reserved.current);
  case cudaMemPoolAttrReservedMemHigh:
    return give(reserved.high);
  case cudaMemPoolAttrUsedMemCurrent:
    return give(used.current);
  case cudaMemPoolAttrUsedMemHigh:
    return give(used.high);
  default:
    return cudaErrorInvalidValue;
  }
}
