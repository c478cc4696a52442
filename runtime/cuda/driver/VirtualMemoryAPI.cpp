// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: virtual memory. Access is what the program says of it: every device that
// reaches another's memory may use it.

#include "Driver.h"

#include "../VirtualMemory.h"

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

/// The device that new addresses are of.
static Device &currentDevice() {
  CUcontext current = currentContext();
  return current ? current->device : *deviceAt(0);
}

/// For calls that need no context.
static CUresult requireStart() {
  return initialised() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

static bool isDevice(const CUmemLocation &location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE && validDevice(location.id);
}

static CUresult checkProperties(const CUmemAllocationProp *properties) {
  if (CUresult error = requireStart())
    return error;
  if (!properties || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  if (properties->location.type > CU_MEM_LOCATION_TYPE_DEVICE &&
      properties->location.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
    HET_NOT_SUPPORTED_DRIVER("cuMemCreate of the host's memory");
  if (!isDevice(properties->location))
    return CUDA_ERROR_INVALID_DEVICE;
  const int types = properties->requestedHandleTypes;
  if (types & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    HET_NOT_SUPPORTED_DRIVER("cuMemCreate of memory with such handles");
  if (types && !takesSharedPages(*deviceAt(properties->location.id)))
    HET_NOT_SUPPORTED_DRIVER("cuMemCreate of memory to be exported, on this device");
  return CUDA_SUCCESS;
}

static size_t granularityOf(const Device &device) {
  return device.device.properties().memoryGranularity;
}

CUresult cuMemGetAllocationGranularity(size_t *granularity,
                                       const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option) try {
  if (CUresult error = checkProperties(properties))
    return error;
  if (!granularity || option < CU_MEM_ALLOC_GRANULARITY_MINIMUM ||
      option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
    return CUDA_ERROR_INVALID_VALUE;
  *granularity = granularityOf(*deviceAt(properties->location.id));
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t size, size_t alignment,
                             CUdeviceptr, unsigned long long flags) try {
  if (CUresult error = requireStart())
    return error;
  Device &device = currentDevice();
  if (!address || flags || !size || size % granularityOf(device) ||
      (alignment & (alignment - 1)))
    return CUDA_ERROR_INVALID_VALUE;
  Result<void *> reserved = device.device.memory().reserve(size, alignment);
  if (!reserved.ok())
    return convert(translate(reserved.status(), cudaErrorMemoryAllocation));
  *address = addressOf(*reserved);
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuMemAddressFree(CUdeviceptr address, size_t size) try {
  if (CUresult error = requireStart())
    return error;
  core::Device *owner = runtime().ownerOf(pointerOf(address));
  if (!owner)
    return CUDA_ERROR_INVALID_VALUE;
  return convert(translate(owner->memory().giveBack(pointerOf(address), size)));
}
HET_CATCH

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *properties,
                     unsigned long long flags) try {
  if (CUresult error = checkProperties(properties))
    return error;
  Device &device = *deviceAt(properties->location.id);
  if (!handle || flags || !size || size % granularityOf(device))
    return CUDA_ERROR_INVALID_VALUE;
  return convert(VirtualMemory::get().create(device, size, *properties, *handle));
}
HET_CATCH

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) try {
  if (CUresult error = requireStart())
    return error;
  return convert(VirtualMemory::get().release(handle));
}
HET_CATCH

CUresult cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) try {
  if (CUresult error = requireStart())
    return error;
  const Physical memory = VirtualMemory::get().find(handle);
  if (!memory || flags)
    return CUDA_ERROR_INVALID_VALUE;
  const size_t granularity = granularityOf(memory->device);
  if (!size || size % granularity || offset % granularity || address % granularity ||
      offset > memory->size || size > memory->size - offset)
    return CUDA_ERROR_INVALID_VALUE;
  core::Device *owner = runtime().ownerOf(pointerOf(address));
  if (!owner)
    return CUDA_ERROR_INVALID_VALUE;
  if (owner != &memory->device.device)
    HET_NOT_SUPPORTED_DRIVER("cuMemMap at addresses that were reserved while another "
                             "device was current");
  return convert(VirtualMemory::get().map(pointerOf(address), size, offset, memory));
}
HET_CATCH

CUresult cuMemUnmap(CUdeviceptr address, size_t size) try {
  if (CUresult error = requireStart())
    return error;
  Device *device = VirtualMemory::get().deviceOf(pointerOf(address));
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (cudaError_t error = device->synchronize())
    return convert(error);
  return convert(VirtualMemory::get().unmap(pointerOf(address), size));
}
HET_CATCH

static CUresult checkAccess(const Device &owner, const CUmemAccessDesc &access) {
  if (access.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
      access.flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
      access.flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
    return CUDA_ERROR_INVALID_VALUE;
  if (access.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    HET_NOT_SUPPORTED_DRIVER("cuMemSetAccess for the host");
  if (!validDevice(access.location.id))
    return CUDA_ERROR_INVALID_DEVICE;
  Device &device = *deviceAt(access.location.id);
  if (&device == &owner || !(access.flags & CU_MEM_ACCESS_FLAGS_PROT_READ))
    return CUDA_SUCCESS;
  return device.device.setAccess(owner.device, true) ? CUDA_SUCCESS
                                                     : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc *list,
                        size_t count) try {
  if (CUresult error = requireStart())
    return error;
  const Device *owner = VirtualMemory::get().deviceOf(pointerOf(address));
  if (!owner || !list || !count)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t index = 0; index < count; ++index)
    if (CUresult error = checkAccess(*owner, list[index]))
      return error;
  for (size_t index = 0; index < count; ++index)
    if (cudaError_t error = VirtualMemory::get().setAccess(
            pointerOf(address), size, list[index].location.id, list[index].flags))
      return convert(error);
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr address) try {
  if (CUresult error = requireStart())
    return error;
  if (!flags || !location)
    return CUDA_ERROR_INVALID_VALUE;
  if (!isDevice(*location))
    return CUDA_ERROR_INVALID_DEVICE;
  CUmemAccess_flags found = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  cudaError_t error =
      VirtualMemory::get().getAccess(pointerOf(address), location->id, found);
  *flags = found;
  return convert(error);
}
HET_CATCH

CUresult cuMemExportToShareableHandle(void *result, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type,
                                      unsigned long long flags) try {
  if (CUresult error = requireStart())
    return error;
  const Physical memory = VirtualMemory::get().find(handle);
  if (!result || !memory || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
      memory->properties.requestedHandleTypes != type)
    return CUDA_ERROR_INVALID_VALUE;
  const int descriptor = memory->pages->duplicate();
  if (descriptor < 0)
    return CUDA_ERROR_OPERATING_SYSTEM;
  *static_cast<int *>(result) = descriptor;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *from,
                                        CUmemAllocationHandleType type) try {
  if (CUresult error = requireStart())
    return error;
  if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_INVALID_VALUE;
  Device &device = currentDevice();
  if (!takesSharedPages(device))
    HET_NOT_SUPPORTED_DRIVER("cuMemImportFromShareableHandle on this device");
  const auto descriptor = static_cast<int>(reinterpret_cast<uintptr_t>(from));
  return convert(VirtualMemory::get().adopt(device, descriptor, *handle));
}
HET_CATCH

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle handle) try {
  if (CUresult error = requireStart())
    return error;
  const Physical memory = VirtualMemory::get().find(handle);
  if (!properties || !memory)
    return CUDA_ERROR_INVALID_VALUE;
  *properties = memory->properties;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle,
                                     void *address) try {
  if (CUresult error = requireStart())
    return error;
  return handle ? convert(VirtualMemory::get().retain(address, *handle))
                : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH
