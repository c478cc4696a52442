// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation of device, pinned and managed memory, registration of host memory,
// and questions about pointers.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "Memory.h"
#include "MemoryAdvice.h"
#include "Module.h"
#include "Stream.h"

using namespace het::cuda;

static constexpr size_t pitchAlignment = 512;

static constexpr unsigned hostAllocFlags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
static constexpr unsigned registerFlags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory |
    cudaHostRegisterReadOnly;

cudaError_t cudaMalloc(void **pointer, size_t size) try {
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  cudaError_t refused = refuseUnsafeCall();
  return remember(refused ? refused : allocateDevice(pointer, size));
}
HET_CATCH

cudaError_t cudaFree(void *pointer) try {
  cudaError_t refused = pointer ? refuseUnsafeCall() : cudaSuccess;
  return remember(refused ? refused : freeDevice(pointer));
}
HET_CATCH

/// Allocates rows of `width` bytes at a pitch that suits every device.
static cudaError_t allocatePitched(void **pointer, size_t *pitch, size_t width,
                                   size_t rows) {
  if (!pointer || !pitch)
    return cudaErrorInvalidValue;
  if (width > SIZE_MAX - pitchAlignment)
    return cudaErrorMemoryAllocation;
  *pitch =
      width && rows ? (width + pitchAlignment - 1) / pitchAlignment * pitchAlignment : 0;
  size_t size = 0;
  if (__builtin_mul_overflow(*pitch, rows, &size))
    return cudaErrorMemoryAllocation;
  return allocateDevice(pointer, size);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width,
                            size_t height) try {
  return remember(allocatePitched(pointer, pitch, width, height));
}
HET_CATCH

cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) try {
  size_t rows = 0;
  if (!pointer || __builtin_mul_overflow(extent.height, extent.depth, &rows))
    return remember(cudaErrorInvalidValue);
  *pointer = {nullptr, 0, extent.width, extent.height};
  return remember(allocatePitched(&pointer->ptr, &pointer->pitch, extent.width, rows));
}
HET_CATCH

/// Hands the current device to `use`.
template <typename Use> static cudaError_t onDevice(Use use) {
  Device *device = nullptr;
  cudaError_t error = useCurrentDevice(device);
  return remember(error ? error : use(*device));
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags) try {
  if (!pointer || (flags & ~hostAllocFlags))
    return remember(cudaErrorInvalidValue);
  return onDevice(
      [&](Device &device) { return allocatePinned(device, pointer, size, flags); });
}
HET_CATCH

cudaError_t cudaMallocHost(void **pointer, size_t size) try {
  return cudaHostAlloc(pointer, size, cudaHostAllocDefault);
}
HET_CATCH

cudaError_t cudaFreeHost(void *pointer) try {
  if (!pointer)
    return cudaSuccess;
  return onDevice([&](Device &) { return freePinned(pointer); });
}
HET_CATCH

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags) try {
  if (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &device) {
    cudaError_t error = allocateManaged(device, pointer, size);
    if (!error)
      forgetAdvice(*pointer, size);
    return error;
  });
}
HET_CATCH

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned flags) try {
  if (!pointer || !size || (flags & ~registerFlags))
    return remember(cudaErrorInvalidValue);
  return onDevice(
      [&](Device &device) { return registerHost(device, pointer, size, flags); });
}
HET_CATCH

cudaError_t cudaHostUnregister(void *pointer) try {
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &) { return unregisterHost(pointer); });
}
HET_CATCH

/// Whether the host may read and write at this address by itself.
static bool hostMemory(const MemoryRange &range) {
  return range.kind == MemoryKind::Pinned || range.kind == MemoryKind::Managed;
}

cudaError_t cudaHostGetDevicePointer(void **pointer, void *host, unsigned flags) try {
  if (!pointer || !host || flags || !hostMemory(findMemory(host)))
    return remember(cudaErrorInvalidValue);
  *pointer = host;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) try {
  MemoryRange range = findMemory(host);
  if (!flags || range.kind != MemoryKind::Pinned)
    return remember(cudaErrorInvalidValue);
  *flags = range.flags | cudaHostAllocMapped;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) try {
  return onDevice([&](Device &device) {
    if (free)
      *free = device.device.memory().available();
    if (total)
      *total = device.properties.totalGlobalMem;
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                     const void *pointer) try {
  if (!attributes)
    return remember(cudaErrorInvalidValue);
  void *address = const_cast<void *>(pointer);
  MemoryRange range = findMemory(pointer);
  switch (range.kind) {
  case MemoryKind::Unknown:
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
    break;
  case MemoryKind::Device:
    *attributes = {cudaMemoryTypeDevice, range.device, address, nullptr};
    break;
  case MemoryKind::Pinned:
    *attributes = {cudaMemoryTypeHost, range.device, address, address};
    break;
  case MemoryKind::Managed:
    *attributes = {cudaMemoryTypeManaged, range.device, address, address};
    break;
  }
  return cudaSuccess;
}
HET_CATCH
