// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: of the device at the addresses that the runtime chose, by the driver's
// virtual memory management; managed; of the host, pinned.

#include "PTXDevice.h"

namespace het::ptx {
namespace {

/// Why memory is not to be had, with how much there is.
int32_t reportMemory(HetDevice &device, CUresult result, const char *kind, uint64_t size,
                     HetStatus *status) {
  const std::string what = device.text() + ": " + kind;
  const std::string asked = std::to_string(size) + " bytes";
  size_t free = 0, total = 0;
  if (result != CUDA_ERROR_OUT_OF_MEMORY ||
      device.driver.cuMemGetInfo(&free, &total) != CUDA_SUCCESS)
    return device.check(result, HET_UNAVAILABLE, what + " of " + asked, status);
  return report(status, HET_UNAVAILABLE,
                what + ": found " + std::to_string(free) + " bytes free of " +
                    std::to_string(total) + ", expected " + asked +
                    "; free some, or ask for less");
}

/// Puts memory of the device behind reserved addresses, for itself alone.
CUresult back(HetDevice &device, uint64_t address, uint64_t size) {
  const Driver &driver = device.driver;
  CUmemAllocationProp kind = {};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, device.handle};
  CUmemGenericAllocationHandle memory = 0;
  if (CUresult result = driver.cuMemCreate(&memory, size, &kind, 0))
    return result;
  CUresult result = driver.cuMemMap(address, size, 0, memory, 0);
  // The memory lives as long as it is mapped, or is free now.
  driver.cuMemRelease(memory);
  if (result)
    return result;
  CUmemAccessDesc access = {kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  result = driver.cuMemSetAccess(address, size, &access, 1);
  if (result && driver.cuMemUnmap(address, size)) {
    std::lock_guard<std::mutex> lock(device.mutex);
    device.mappings[address] = size; // goes when the device is closed
  }
  return result;
}

} // namespace

int32_t mapMemory(HetDevice *device, uint64_t address, uint64_t size, HetStatus *status) {
  if (CUresult result = enter(*device))
    return device->check(result, HET_UNAVAILABLE, device->text(), status);
  if (useWindow(*device, address, size, status) != HET_OK)
    return status->code;
  if (CUresult result = back(*device, address, size))
    return reportMemory(*device, result, "memory", size, status);
  std::lock_guard<std::mutex> lock(device->mutex);
  device->mappings[address] = size;
  sharePeers(*device, address, size);
  return success(status);
}

int32_t unmapMemory(HetDevice *device, uint64_t address, uint64_t size,
                    HetStatus *status) {
  enter(*device); // not needed where the context is gone
  CUresult result = CUDA_SUCCESS;
  {
    std::lock_guard<std::mutex> lock(device->mutex);
    auto it = device->mappings.find(address);
    if (it == device->mappings.end() || it->second != size)
      return report(status, HET_INVALID,
                    device->text() + ": found no memory of " + std::to_string(size) +
                        " bytes at " + hex(address) + ", expected some");
    result = device->driver.cuMemUnmap(address, size);
    if (result == CUDA_SUCCESS)
      device->mappings.erase(it);
  }
  // Memory of a dead context goes when the device is closed.
  if (device->failed(result) || device->hasFault())
    return success(status);
  return device->check(result, HET_INTERNAL,
                       device->text() + ": giving back memory at " + hex(address),
                       status);
}

void unmapRest(HetDevice &device) {
  for (auto [address, size] : device.mappings)
    device.driver.cuMemUnmap(address, size);
  leaveWindow(device);
}

int32_t allocateManaged(HetDevice *device, uint64_t size, uint64_t *address,
                        HetStatus *status) {
  CUdeviceptr memory = 0;
  CUresult result = enter(*device);
  if (result == CUDA_SUCCESS)
    result = device->driver.cuMemAllocManaged(&memory, size, CU_MEM_ATTACH_GLOBAL);
  if (result)
    return reportMemory(*device, result, "managed memory", size, status);
  *address = memory;
  return success(status);
}

int32_t freeManaged(HetDevice *device, uint64_t address, HetStatus *status) {
  CUresult result = enter(*device);
  if (result == CUDA_SUCCESS)
    result = device->driver.cuMemFree(address);
  if (device->failed(result) || device->hasFault())
    return success(status); // goes with the context
  return device->check(result, HET_INVALID,
                       device->text() + ": freeing managed memory at " + hex(address),
                       status);
}

int32_t pinMemory(HetDevice *device, uint64_t address, uint64_t size, HetStatus *status) {
  auto *memory = reinterpret_cast<void *>(address);
  const std::string what =
      device->text() + ": pinning " + std::to_string(size) + " bytes at " + hex(address);
  CUresult result = enter(*device);
  if (result == CUDA_SUCCESS)
    result = device->driver.cuMemHostRegister(
        memory, size, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
  if (result == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
    return report(status, HET_INVALID,
                  what + ": found memory that is pinned already, wholly or in part; "
                         "unpin it first");
  if (result == CUDA_ERROR_INVALID_VALUE)
    return report(status, HET_INVALID, what + ": " + device->driver.text(result));
  if (result)
    return device->check(result, HET_UNAVAILABLE, what, status);
  CUdeviceptr onDevice = 0;
  result = device->driver.cuMemHostGetDevicePointer(&onDevice, memory, 0);
  if (result == CUDA_SUCCESS && onDevice == address)
    return success(status);
  device->driver.cuMemHostUnregister(memory);
  if (result)
    return device->check(result, HET_UNAVAILABLE, what, status);
  return report(status, HET_UNSUPPORTED,
                what + ": the device has it at " + hex(onDevice) +
                    ", expected the same address");
}

int32_t unpinMemory(HetDevice *device, uint64_t address, HetStatus *status) {
  CUresult result = enter(*device);
  if (result == CUDA_SUCCESS)
    result = device->driver.cuMemHostUnregister(reinterpret_cast<void *>(address));
  if (device->failed(result) || device->hasFault())
    return success(status); // goes with the context
  return device->check(result, HET_INVALID,
                       device->text() + ": unpinning memory at " + hex(address), status);
}

} // namespace het::ptx
