// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Managed memory: moving it ahead of time, advice about its use, and what was
// said about it. It is one piece of memory that host and device reach at the
// same address, so nothing of this changes what a program computes.

#include "Context.h"
#include "Errors.h"
#include "Memory.h"
#include "MemoryAdvice.h"
#include "Stream.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace het::cuda;

/// `count` bytes from `pointer` on are managed.
static bool managed(const void *pointer, size_t count) {
  MemoryRange range = findMemory(pointer);
  if (range.kind != MemoryKind::Managed)
    return false;
  size_t offset = static_cast<size_t>(static_cast<const char *>(pointer) - range.base);
  return count && count <= range.size - offset;
}

static bool validPlace(const MemoryPlace &place) {
  switch (place.type) {
  case cudaMemLocationTypeDevice:
    return validDevice(place.id);
  case cudaMemLocationTypeHost:
  case cudaMemLocationTypeHostNuma:
  case cudaMemLocationTypeHostNumaCurrent:
    return true;
  default:
    return false;
  }
}

static cudaError_t prefetch(const void *pointer, size_t count, const MemoryPlace &place,
                            cudaStream_t stream) {
  if (!validPlace(place))
    return cudaErrorInvalidDevice;
  if (!managed(pointer, count))
    return cudaErrorInvalidValue;
  CUstream_st *on = nullptr;
  if (cudaError_t error = resolveStream(stream, on))
    return error;
  changeAdvice(pointer, count, [&](MemoryAdvice &advice) { advice.prefetched = place; });
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, int device,
                                 cudaStream_t stream) try {
  return remember(prefetch(pointer, count, MemoryPlace::ofDevice(device), stream));
}
HET_CATCH

cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t count,
                                    cudaMemLocation location, unsigned flags,
                                    cudaStream_t stream) try {
  if (flags)
    return remember(cudaErrorInvalidValue);
  return remember(prefetch(pointer, count, {location.type, location.id}, stream));
}
HET_CATCH

static void apply(cudaMemoryAdvise what, const MemoryPlace &place, MemoryAdvice &advice) {
  switch (what) {
  case cudaMemAdviseSetReadMostly:
  case cudaMemAdviseUnsetReadMostly:
    advice.readMostly = what == cudaMemAdviseSetReadMostly;
    break;
  case cudaMemAdviseSetPreferredLocation:
    advice.preferred = place;
    break;
  case cudaMemAdviseUnsetPreferredLocation:
    advice.preferred = {};
    break;
  case cudaMemAdviseSetAccessedBy:
    advice.accessedBy.insert(place.device());
    break;
  case cudaMemAdviseUnsetAccessedBy:
    advice.accessedBy.erase(place.device());
    break;
  }
}

static cudaError_t advise(const void *pointer, size_t count, cudaMemoryAdvise what,
                          const MemoryPlace &place) {
  if (what < cudaMemAdviseSetReadMostly || what > cudaMemAdviseUnsetAccessedBy ||
      !managed(pointer, count))
    return cudaErrorInvalidValue;
  bool placed = what != cudaMemAdviseSetReadMostly &&
                what != cudaMemAdviseUnsetReadMostly &&
                what != cudaMemAdviseUnsetPreferredLocation;
  if (placed && !validPlace(place))
    return cudaErrorInvalidDevice;
  changeAdvice(pointer, count, [&](MemoryAdvice &advice) { apply(what, place, advice); });
  return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void *pointer, size_t count, cudaMemoryAdvise what,
                          int device) try {
  return remember(advise(pointer, count, what, MemoryPlace::ofDevice(device)));
}
HET_CATCH

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t count, cudaMemoryAdvise what,
                             cudaMemLocation location) try {
  return remember(advise(pointer, count, what, {location.type, location.id}));
}
HET_CATCH

/// Advice that holds for the whole range: a part with other advice makes it nothing.
static MemoryAdvice adviceOfAll(const void *pointer, size_t count) {
  std::optional<MemoryAdvice> all;
  visitAdvice(pointer, count, [&](const MemoryAdvice &part) {
    if (!all) {
      all = part;
      return;
    }
    all->readMostly &= part.readMostly;
    if (!(all->preferred == part.preferred))
      all->preferred = {};
    if (!(all->prefetched == part.prefetched))
      all->prefetched = {};
    std::set<int> both;
    for (int device : all->accessedBy)
      if (part.accessedBy.count(device))
        both.insert(device);
    all->accessedBy = std::move(both);
  });
  return all.value_or(MemoryAdvice());
}

/// The devices in their order; places behind the last are invalid.
static std::vector<int> accessList(const MemoryAdvice &advice, size_t length) {
  std::vector<int> list(advice.accessedBy.begin(), advice.accessedBy.end());
  list.resize(length, cudaInvalidDeviceId);
  return list;
}

static cudaError_t readAttribute(const MemoryAdvice &advice,
                                 cudaMemRangeAttribute attribute, void *data,
                                 size_t size) {
  static_assert(sizeof(cudaMemLocationType) == sizeof(int),
                "every attribute is made of ints");
  size_t length = size / sizeof(int);
  bool isList = attribute == cudaMemRangeAttributeAccessedBy;
  if (!data || !length || size % sizeof(int) || (length != 1 && !isList))
    return cudaErrorInvalidValue;
  std::vector<int> values(1);
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly:
    values[0] = advice.readMostly;
    break;
  case cudaMemRangeAttributePreferredLocation:
    values[0] = advice.preferred.device();
    break;
  case cudaMemRangeAttributeAccessedBy:
    values = accessList(advice, length);
    break;
  case cudaMemRangeAttributeLastPrefetchLocation:
    values[0] = advice.prefetched.device();
    break;
  case cudaMemRangeAttributePreferredLocationType:
    values[0] = advice.preferred.type;
    break;
  case cudaMemRangeAttributePreferredLocationId:
    values[0] = advice.preferred.id;
    break;
  case cudaMemRangeAttributeLastPrefetchLocationType:
    values[0] = advice.prefetched.type;
    break;
  case cudaMemRangeAttributeLastPrefetchLocationId:
    values[0] = advice.prefetched.id;
    break;
  default:
    return cudaErrorInvalidValue;
  }
  std::memcpy(data, values.data(), size);
  return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes,
                                      cudaMemRangeAttribute *attributes, size_t number,
                                      const void *pointer, size_t count) try {
  if (!data || !sizes || !attributes || !number || !managed(pointer, count))
    return remember(cudaErrorInvalidValue);
  MemoryAdvice advice = adviceOfAll(pointer, count);
  for (size_t index = 0; index < number; ++index)
    if (cudaError_t error =
            readAttribute(advice, attributes[index], data[index], sizes[index]))
      return remember(error);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaMemRangeGetAttribute(void *data, size_t size,
                                     cudaMemRangeAttribute attribute, const void *pointer,
                                     size_t count) try {
  return cudaMemRangeGetAttributes(&data, &size, &attribute, 1, pointer, count);
}
HET_CATCH
