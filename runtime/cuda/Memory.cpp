// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation and look-up of memory.

#include "Memory.h"
#include "Context.h"

namespace het::cuda {

MemoryRange findMemory(const void *address) {
  core::Allocation found;
  MemoryRange range;
  if (!address || deviceCount() == 0 ||
      !runtime().memory().find(address, found))
    return range;
  switch (found.kind) {
  case core::MemoryKind::Device:
    range.kind = MemoryKind::Device;
    break;
  case core::MemoryKind::Managed:
    range.kind = MemoryKind::Managed;
    break;
  case core::MemoryKind::Registered:
    range.registered = true;
    [[fallthrough]];
  case core::MemoryKind::Pinned:
    range.kind = MemoryKind::Pinned;
    break;
  }
  range.base = reinterpret_cast<char *>(found.base);
  range.size = found.size;
  range.device = found.device;
  range.flags = found.flags;
  return range;
}

/// Hands out what an allocation gave.
static cudaError_t give(Result<void *> memory, void **pointer) {
  if (!memory.ok())
    return translate(memory.status(), cudaErrorMemoryAllocation);
  *pointer = *memory;
  return cudaSuccess;
}

cudaError_t allocate(Device &device, void **pointer, size_t size) {
  *pointer = nullptr;
  return size ? give(runtime().memory().allocate(device.device, size), pointer)
              : cudaSuccess;
}

cudaError_t allocateDevice(void **pointer, size_t size) {
  Device *device = currentDevice();
  return device ? allocate(*device, pointer, size) : currentDeviceError();
}

static cudaError_t allocateHost(core::MemoryKind kind, Device &device,
                                void **pointer, size_t size, unsigned flags) {
  *pointer = nullptr;
  return size ? give(runtime().memory().allocateHost(kind, device.ordinal, size,
                                                     flags),
                     pointer)
              : cudaSuccess;
}

cudaError_t allocatePinned(Device &device, void **pointer, size_t size,
                           unsigned flags) {
  return allocateHost(core::MemoryKind::Pinned, device, pointer, size, flags);
}

cudaError_t allocateManaged(Device &device, void **pointer, size_t size,
                            unsigned flags) {
  return allocateHost(core::MemoryKind::Managed, device, pointer, size, flags);
}

/// Waits for all devices: any of them may be using memory of the host.
static cudaError_t synchronizeAll() {
  for (int ordinal = 0; ordinal < deviceCount(); ++ordinal)
    if (cudaError_t error = deviceAt(ordinal)->synchronize())
      return error;
  return cudaSuccess;
}

cudaError_t releaseDevice(void *pointer) {
  return pointer ? translate(runtime().memory().free(pointer)) : cudaSuccess;
}

cudaError_t freeDevice(void *pointer) {
  if (cudaError_t error = currentDeviceError())
    return error;
  if (!pointer)
    return cudaSuccess;
  MemoryRange range = findMemory(pointer);
  if (range.base != pointer || (range.kind != MemoryKind::Device &&
                                range.kind != MemoryKind::Managed))
    return cudaErrorInvalidValue;
  cudaError_t error = range.kind == MemoryKind::Managed
                          ? synchronizeAll()
                          : deviceAt(range.device)->synchronize();
  return error ? error : releaseDevice(pointer);
}

cudaError_t freePinned(void *pointer) {
  MemoryRange range = findMemory(pointer);
  if (range.base != pointer || range.kind != MemoryKind::Pinned ||
      range.registered)
    return cudaErrorInvalidValue;
  cudaError_t error = synchronizeAll();
  return error ? error : releaseDevice(pointer);
}

cudaError_t registerHost(Device &device, void *pointer, size_t size,
                         unsigned flags) {
  MemoryRange range = findMemory(pointer);
  if (range.kind != MemoryKind::Unknown && !range.registered)
    return cudaErrorInvalidValue; // the runtime's own memory
  return translate(
      runtime().memory().registerHost(pointer, size, device.ordinal, flags),
      cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t unregisterHost(void *pointer) {
  MemoryRange range = findMemory(pointer);
  if (!range.registered || range.base != pointer)
    return cudaErrorHostMemoryNotRegistered;
  if (cudaError_t error = synchronizeAll())
    return error;
  return translate(runtime().memory().unregisterHost(pointer),
                   cudaErrorHostMemoryNotRegistered);
}

} // namespace het::cuda
