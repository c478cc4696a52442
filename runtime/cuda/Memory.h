// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this layer asks about memory: whose an address is, and plain allocation
// on the current device.

#ifndef HET_CUDA_MEMORY_H
#define HET_CUDA_MEMORY_H

#include "Api.h"

#include <cstddef>

namespace het::cuda {

enum class MemoryKind {
  Unknown, ///< Ordinary (pageable) memory of the host, or nobody's.
  Device,
  Pinned, ///< Allocated by or registered with the runtime, on the host.
  Managed,
};

/// The allocation that an address lies in.
struct MemoryRange {
  MemoryKind kind = MemoryKind::Unknown;
  char *base = nullptr;
  size_t size = 0;
  int device = 0;
  unsigned flags = 0;       ///< As given to cudaHostAlloc, cudaHostRegister, ….
  bool registered = false;  ///< Pinned by cudaHostRegister.
};
MemoryRange findMemory(const void *address);

/// Allocates on the current device; 0 bytes give a null pointer. Frees, after
/// the device has done what it was given; null is nothing.
cudaError_t allocateDevice(void **pointer, size_t size);
cudaError_t freeDevice(void *pointer);

} // namespace het::cuda

#endif // HET_CUDA_MEMORY_H
