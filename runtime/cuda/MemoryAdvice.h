// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the advice that a program gives about ranges of managed memory (cudaMemAdvise,
// cudaMemPrefetchAsync). Host and device reach that memory at one address, so it changes
// nothing but what cudaMemRangeGetAttribute answers.

#ifndef HET_RUNTIME_CUDA_MEMORYADVICE_H
#define HET_RUNTIME_CUDA_MEMORYADVICE_H

#include "Api.h"

#include <functional>
#include <set>

namespace het::cuda {

/// A device, the host, or neither.
struct MemoryPlace {
  cudaMemLocationType type = cudaMemLocationTypeInvalid;
  int id = cudaInvalidDeviceId;

  static MemoryPlace ofDevice(int device);
  /// The number that the older attributes give: cudaCpuDeviceId is the host.
  int device() const;
  bool operator==(const MemoryPlace &other) const {
    return type == other.type && id == other.id;
  }
};

struct MemoryAdvice {
  bool readMostly = false;
  MemoryPlace preferred, prefetched;
  std::set<int> accessedBy; ///< Devices, and cudaCpuDeviceId.

  bool operator==(const MemoryAdvice &other) const {
    return readMostly == other.readMostly && preferred == other.preferred &&
           prefetched == other.prefetched && accessedBy == other.accessedBy;
  }
};

/// Changes what was said about a range.
void changeAdvice(const void *pointer, size_t size,
                  const std::function<void(MemoryAdvice &)> &change);

/// Shows what was said about each part of a range.
void visitAdvice(const void *pointer, size_t size,
                 const std::function<void(const MemoryAdvice &)> &visit);

/// The range is memory that comes or goes: nothing was said of it.
void forgetAdvice(const void *pointer, size_t size);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_MEMORYADVICE_H
