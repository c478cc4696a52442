// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: of the device in the window, by physical memory mapped at reserved addresses;
// managed; of the process, where the driver takes it in; and the door's own.

#include "Addresses.h"
#include "LevelZeroDoor.h"

namespace het::spirv {
namespace {

bool hasAll(uint32_t capabilities, uint32_t wanted) {
  return (capabilities & wanted) == wanted;
}

constexpr uint32_t commonUse =
    ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;

} // namespace

bool LevelZeroDoor::hasCommonMemory(const ze_device_memory_access_properties_t &access) {
  return hasAll(access.hostAllocCapabilities, commonUse) ||
         hasAll(access.sharedSingleDeviceAllocCapabilities, commonUse);
}

bool LevelZeroDoor::reachesAll() const {
  return hasAll(context.gpu.access.sharedSystemAllocCapabilities,
                ZE_MEMORY_ACCESS_CAP_FLAG_RW);
}

/// Memory of the host comes first: it does not move.
uint8_t *LevelZeroDoor::allocate(size_t bytes, size_t alignment, Place place) {
  ze_device_mem_alloc_desc_t onDevice;
  ze_host_mem_alloc_desc_t onHost;
  void *memory = nullptr;
  ze_result_t result;
  if (place == Place::Device)
    result = context.ze.zeMemAllocDevice(context.handle, &onDevice, bytes, alignment,
                                         context.gpu.device, &memory);
  else if (hasAll(context.gpu.access.hostAllocCapabilities, commonUse))
    result =
        context.ze.zeMemAllocHost(context.handle, &onHost, bytes, alignment, &memory);
  else
    result = context.ze.zeMemAllocShared(context.handle, &onDevice, &onHost, bytes,
                                         alignment, context.gpu.device, &memory);
  if (context.failed(result))
    return nullptr;
  ranges.add(reinterpret_cast<uint64_t>(memory), {ReachedRange::Own, bytes});
  return static_cast<uint8_t *>(memory);
}

/// Memory of the host stays where it is; shared memory may be on its way.
bool LevelZeroDoor::sharesWhileRunning() const {
  return hasAll(context.gpu.access.hostAllocCapabilities, commonUse) ||
         hasAll(context.gpu.access.sharedSingleDeviceAllocCapabilities,
                ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT);
}

void LevelZeroDoor::release(uint8_t *memory) {
  ReachedRange range = {ReachedRange::Own, 0};
  if (ranges.take(reinterpret_cast<uint64_t>(memory), range))
    context.failed(context.ze.zeMemFree(context.handle, memory));
}

ze_result_t LevelZeroDoor::drop(uint64_t address, ReachedRange &range) {
  switch (range.kind) {
  case ReachedRange::Window:
    return range.memory.unmap(context);
  case ReachedRange::Pinned:
    return range.pages ? context.ze.zeMemFree(context.handle, range.pages)
                       : ZE_RESULT_SUCCESS;
  case ReachedRange::Own:
  case ReachedRange::Managed:
    break;
  }
  return context.ze.zeMemFree(context.handle, pointerOf(address));
}

bool LevelZeroDoor::reaches(uint64_t address, uint64_t size) {
  return reachesAll() || ranges.contain(address, size);
}

int32_t LevelZeroDoor::mapMemory(uint64_t address, uint64_t size, HetStatus *status) {
  ReachedRange range = {ReachedRange::Window, size};
  if (range.memory.map(context, address, size, status))
    return status->code;
  ranges.add(address, std::move(range));
  return success(status);
}

int32_t LevelZeroDoor::unmapMemory(uint64_t address, uint64_t size, HetStatus *status) {
  ReachedRange range = {ReachedRange::Window, size};
  if (!ranges.take(address, range))
    return report(status, HET_INVALID,
                  "found no memory of " + sizeText(size) + " at " + hex(address) +
                      ", expected some");
  return context.check(range.memory.unmap(context), HET_INTERNAL,
                       "giving back memory at " + hex(address), status);
}

int32_t LevelZeroDoor::allocateManaged(uint64_t size, uint64_t *address,
                                       HetStatus *status) {
  ze_device_mem_alloc_desc_t onDevice;
  ze_host_mem_alloc_desc_t onHost;
  void *memory = nullptr;
  ze_result_t result;
  if (hasAll(context.gpu.access.sharedSingleDeviceAllocCapabilities,
             ZE_MEMORY_ACCESS_CAP_FLAG_RW))
    result = context.ze.zeMemAllocShared(context.handle, &onDevice, &onHost, size,
                                         hostPage, context.gpu.device, &memory);
  else
    result = context.ze.zeMemAllocHost(context.handle, &onHost, size, hostPage, &memory);
  if (result)
    return context.check(result, HET_UNAVAILABLE, "managed memory of " + sizeText(size),
                         status);
  *address = reinterpret_cast<uint64_t>(memory);
  ranges.add(*address, {ReachedRange::Managed, size});
  return success(status);
}

int32_t LevelZeroDoor::freeManaged(uint64_t address, HetStatus *status) {
  ReachedRange range = {ReachedRange::Managed, 0};
  if (!ranges.take(address, range))
    return report(status, HET_INVALID,
                  "found no managed memory at " + hex(address) + ", expected some");
  return context.check(drop(address, range), HET_INTERNAL,
                       "freeing managed memory at " + hex(address), status);
}

/// A driver that does not know the extension gives other memory; one that does takes no
/// page twice.
int32_t LevelZeroDoor::pinMemory(uint64_t address, uint64_t size, HetStatus *status) {
  std::lock_guard<std::mutex> lock(pinning);
  ReachedRange range = {ReachedRange::Pinned, size};
  if (reachesAll()) {
    ranges.add(address, std::move(range));
    return success(status);
  }
  const std::string what = "pinning " + sizeText(size) + " at " + hex(address);
  const uint64_t first = pageOf(address), end = pagesEnd(address, size);
  if (ranges.havePinnedPages(first, end))
    return report(status, HET_INVALID,
                  what + ": found pages that are pinned already, wholly or in part; "
                         "unpin them first, or pin whole pages");
  ze_external_memmap_sysmem_ext_desc_t pages;
  pages.pSystemMemory = pointerOf(first);
  pages.size = end - first;
  ze_host_mem_alloc_desc_t desc;
  desc.pNext = &pages;
  if (ze_result_t result = context.ze.zeMemAllocHost(context.handle, &desc, end - first,
                                                     hostPage, &range.pages))
    return context.check(result, HET_UNSUPPORTED, what, status);
  if (range.pages != pointerOf(first)) {
    context.failed(context.ze.zeMemFree(context.handle, range.pages));
    return report(status, HET_UNSUPPORTED,
                  what + ": found a driver without ZE_extension_external_memmap_sysmem, "
                         "expected it; use managed memory, or a newer driver");
  }
  ranges.add(address, std::move(range));
  return success(status);
}

int32_t LevelZeroDoor::unpinMemory(uint64_t address, HetStatus *status) {
  std::lock_guard<std::mutex> lock(pinning);
  ReachedRange range = {ReachedRange::Pinned, 0};
  if (!ranges.take(address, range))
    return report(status, HET_INVALID,
                  "found no pinned memory at " + hex(address) + ", expected some");
  return context.check(drop(address, range), HET_INTERNAL,
                       "unpinning memory at " + hex(address), status);
}

} // namespace het::spirv
