// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory as CUDA sees it: device and managed memory of the core, and the host's
// memory that was pinned here; whose an address is; CUDA's codes.
//
// Pinned memory is pages of the host with an entry in a table: host and device reach it
// at the same address, where a device can reach it at all.

#ifndef HET_RUNTIME_CUDA_MEMORY_H
#define HET_RUNTIME_CUDA_MEMORY_H

#include "Api.h"

#include <cstddef>

namespace het::cuda {

struct Device;

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
  unsigned flags = 0;      ///< As given to cudaHostAlloc or cudaHostRegister.
  bool registered = false; ///< Pinned by cudaHostRegister, or a managed variable.
  bool isMapped = false;   ///< By cuMemMap: it is unmapped, not freed.
};
MemoryRange findMemory(const void *address);

/// Whether calls that copy from or to an allocation wait for that in any case
/// (CU_POINTER_ATTRIBUTE_SYNC_MEMOPS); until it is freed.
void setWaited(const MemoryRange &range, bool isWaited);
bool isWaited(const MemoryRange &range);

/// Allocates on a device; 0 bytes give a null pointer, here and below.
cudaError_t allocate(Device &device, void **pointer, size_t size);

/// The same on the current device.
cudaError_t allocateDevice(void **pointer, size_t size);

/// Gives device or managed memory back: after its device has done what it was
/// given; at once. Null is nothing.
cudaError_t freeDevice(void *pointer);
cudaError_t releaseDevice(void *pointer);

cudaError_t allocatePinned(Device &device, void **pointer, size_t size, unsigned flags);
cudaError_t allocateManaged(Device &device, void **pointer, size_t size);
/// Managed memory that the device's driver has placed goes with a reset of it.
void forgetManaged(int device);
/// The storage of a managed variable, which is the program's own: it is managed memory to
/// copies, prefetches and questions, and cannot be freed.
void addManagedVariable(void *storage, size_t size);
void forgetManagedVariable(void *storage);
cudaError_t freePinned(void *pointer);
/// Pinned memory goes with a reset of its device: what was allocated is unmapped, what
/// was registered is the program's alone again.
void forgetPinned(Device &device);
cudaError_t registerHost(Device &device, void *pointer, size_t size, unsigned flags);
cudaError_t unregisterHost(void *pointer);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_MEMORY_H
