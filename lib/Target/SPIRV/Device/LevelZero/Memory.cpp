// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: of the device in the window, by physical memory mapped at reserved addresses;
// managed; of the process, where the driver takes it in; and the door's own.

#include "LevelZeroDoor.h"

#include <algorithm>
#include <cstdio>

namespace het::spirv {
namespace {

constexpr uint64_t hostPage = 4096;

void *pointerOf(uint64_t address) { return reinterpret_cast<void *>(address); }

std::string hex(uint64_t address) {
  char text[19];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

uint64_t pageOf(uint64_t address) { return address / hostPage * hostPage; }

uint64_t pagesEnd(uint64_t address, uint64_t size) {
  return pageOf(address + size + hostPage - 1);
}

std::string sizeText(uint64_t size) { return std::to_string(size) + " bytes"; }

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
  return hasAll(gpu.access.sharedSystemAllocCapabilities, ZE_MEMORY_ACCESS_CAP_FLAG_RW);
}

/// Memory of the host comes first: it does not move.
uint8_t *LevelZeroDoor::allocate(size_t bytes, size_t alignment, Place place) {
  ze_device_mem_alloc_desc_t onDevice;
  ze_host_mem_alloc_desc_t onHost;
  void *memory = nullptr;
  ze_result_t result;
  if (place == Place::Device)
    result =
        ze.zeMemAllocDevice(context, &onDevice, bytes, alignment, gpu.device, &memory);
  else if (hasAll(gpu.access.hostAllocCapabilities, commonUse))
    result = ze.zeMemAllocHost(context, &onHost, bytes, alignment, &memory);
  else
    result = ze.zeMemAllocShared(context, &onDevice, &onHost, bytes, alignment,
                                 gpu.device, &memory);
  if (failed(result))
    return nullptr;
  addRange(reinterpret_cast<uint64_t>(memory), {Kind::Own, bytes});
  return static_cast<uint8_t *>(memory);
}

/// Memory of the host stays where it is; shared memory may be on its way.
bool LevelZeroDoor::sharesWhileRunning() const {
  return hasAll(gpu.access.hostAllocCapabilities, commonUse) ||
         hasAll(gpu.access.sharedSingleDeviceAllocCapabilities,
                ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT);
}

void LevelZeroDoor::release(uint8_t *memory) {
  Range range = {Kind::Own, 0};
  if (takeRange(reinterpret_cast<uint64_t>(memory), range))
    failed(ze.zeMemFree(context, memory));
}

void LevelZeroDoor::addRange(uint64_t address, Range range) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  ranges[address] = std::move(range);
}

bool LevelZeroDoor::takeRange(uint64_t address, Range &range) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  auto it = ranges.find(address);
  if (it == ranges.end() || it->second.kind != range.kind ||
      (range.size && it->second.size != range.size))
    return false;
  range = std::move(it->second);
  ranges.erase(it);
  return true;
}

ze_result_t LevelZeroDoor::dropRange(uint64_t address, Range &range) {
  switch (range.kind) {
  case Kind::Window:
    return dropPieces(range.pieces);
  case Kind::Pinned:
    return range.pages ? ze.zeMemFree(context, range.pages) : ZE_RESULT_SUCCESS;
  case Kind::Own:
  case Kind::Managed:
    break;
  }
  return ze.zeMemFree(context, pointerOf(address));
}

bool LevelZeroDoor::reaches(uint64_t address, uint64_t size) {
  if (reachesAll())
    return true;
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto it = ranges.upper_bound(address);
  if (it == ranges.begin())
    return false;
  --it;
  return address - it->first <= it->second.size &&
         size <= it->second.size - (address - it->first);
}

/// Makes the piece as large as the driver takes one at its address: its pages may grow
/// with the size that is asked for.
int32_t LevelZeroDoor::choosePiece(Piece &piece, HetStatus *status) {
  const uint64_t most =
      std::max(granularity, gpu.properties.maxMemAllocSize / granularity * granularity);
  piece.size = std::min(piece.size, most);
  size_t page = 0;
  for (uint64_t size = piece.size; size >= granularity;) {
    if (ze_result_t result =
            ze.zeVirtualMemQueryPageSize(context, gpu.device, size, &page))
      return check(result, HET_UNAVAILABLE, "zeVirtualMemQueryPageSize", status);
    if (page && size % page == 0 && piece.address % page == 0) {
      piece.size = size;
      return success(status);
    }
    uint64_t smaller = granularity; // the largest power of two below it that may do
    while (smaller * 2 < size && piece.address % (smaller * 2) == 0)
      smaller *= 2;
    size = size > smaller ? smaller : size / 2;
  }
  return report(status, HET_UNAVAILABLE,
                "memory at " + hex(piece.address) + ": found pages of " +
                    std::to_string(page) + " bytes, expected them to divide " +
                    std::to_string(granularity));
}

int32_t LevelZeroDoor::backPiece(Piece &piece, HetStatus *status) {
  void *const wanted = pointerOf(piece.address), *given = nullptr;
  const std::string addresses =
      "the addresses " + hex(piece.address) + " to " + hex(piece.address + piece.size);
  if (ze_result_t result = ze.zeVirtualMemReserve(context, wanted, piece.size, &given))
    return check(result, HET_UNAVAILABLE, addresses, status);
  if (given != wanted) {
    failed(ze.zeVirtualMemFree(context, given, piece.size));
    return report(status, HET_UNAVAILABLE,
                  addresses + ": the driver gave " +
                      hex(reinterpret_cast<uint64_t>(given)) +
                      " instead; something of the process lies there");
  }
  piece.isReserved = true;
  ze_physical_mem_desc_t desc;
  desc.flags = ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_DEVICE;
  desc.size = piece.size;
  if (ze_result_t result =
          ze.zePhysicalMemCreate(context, gpu.device, &desc, &piece.memory)) {
    piece.memory = nullptr;
    return check(result, HET_UNAVAILABLE, "memory of " + sizeText(piece.size), status);
  }
  if (ze_result_t result = ze.zeVirtualMemMap(context, wanted, piece.size, piece.memory,
                                              0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE))
    return check(result, HET_UNAVAILABLE, "zeVirtualMemMap", status);
  piece.isMapped = true;
  return success(status);
}

/// Goes on after an error, and gives the first.
ze_result_t LevelZeroDoor::dropPieces(std::vector<Piece> &pieces) {
  ze_result_t first = ZE_RESULT_SUCCESS;
  auto note = [&](ze_result_t result) {
    if (failed(result) && !first)
      first = result;
  };
  for (Piece &piece : pieces) {
    if (piece.isMapped)
      note(ze.zeVirtualMemUnmap(context, pointerOf(piece.address), piece.size));
    if (piece.memory)
      note(ze.zePhysicalMemDestroy(context, piece.memory));
    if (piece.isReserved)
      note(ze.zeVirtualMemFree(context, pointerOf(piece.address), piece.size));
  }
  pieces.clear();
  return first;
}

int32_t LevelZeroDoor::mapMemory(uint64_t address, uint64_t size, HetStatus *status) {
  Range range = {Kind::Window, size};
  const uint64_t end = address + size;
  for (uint64_t at = address; at < end; at += range.pieces.back().size) {
    range.pieces.push_back({at, end - at});
    Piece &piece = range.pieces.back();
    if (choosePiece(piece, status) || backPiece(piece, status)) {
      dropPieces(range.pieces);
      return status->code;
    }
  }
  addRange(address, std::move(range));
  return success(status);
}

int32_t LevelZeroDoor::unmapMemory(uint64_t address, uint64_t size, HetStatus *status) {
  Range range = {Kind::Window, size};
  if (!takeRange(address, range))
    return report(status, HET_INVALID,
                  "found no memory of " + sizeText(size) + " at " + hex(address) +
                      ", expected some");
  return check(dropPieces(range.pieces), HET_INTERNAL,
               "giving back memory at " + hex(address), status);
}

int32_t LevelZeroDoor::allocateManaged(uint64_t size, uint64_t *address,
                                       HetStatus *status) {
  ze_device_mem_alloc_desc_t onDevice;
  ze_host_mem_alloc_desc_t onHost;
  void *memory = nullptr;
  ze_result_t result;
  if (hasAll(gpu.access.sharedSingleDeviceAllocCapabilities,
             ZE_MEMORY_ACCESS_CAP_FLAG_RW))
    result = ze.zeMemAllocShared(context, &onDevice, &onHost, size, hostPage, gpu.device,
                                 &memory);
  else
    result = ze.zeMemAllocHost(context, &onHost, size, hostPage, &memory);
  if (result)
    return check(result, HET_UNAVAILABLE, "managed memory of " + sizeText(size), status);
  *address = reinterpret_cast<uint64_t>(memory);
  addRange(*address, {Kind::Managed, size});
  return success(status);
}

int32_t LevelZeroDoor::freeManaged(uint64_t address, HetStatus *status) {
  Range range = {Kind::Managed, 0};
  if (!takeRange(address, range))
    return report(status, HET_INVALID,
                  "found no managed memory at " + hex(address) + ", expected some");
  return check(dropRange(address, range), HET_INTERNAL,
               "freeing managed memory at " + hex(address), status);
}

bool LevelZeroDoor::hasPinnedPages(uint64_t first, uint64_t end) {
  std::shared_lock<std::shared_mutex> lock(mutex);
  return std::any_of(ranges.begin(), ranges.end(), [=](const auto &entry) {
    const auto &[address, range] = entry;
    return range.kind == Kind::Pinned && pageOf(address) < end &&
           first < pagesEnd(address, range.size);
  });
}

/// A driver that does not know the extension gives other memory; one that does takes no
/// page twice.
int32_t LevelZeroDoor::pinMemory(uint64_t address, uint64_t size, HetStatus *status) {
  std::lock_guard<std::mutex> lock(pinning);
  Range range = {Kind::Pinned, size};
  if (reachesAll()) {
    addRange(address, std::move(range));
    return success(status);
  }
  const std::string what = "pinning " + sizeText(size) + " at " + hex(address);
  const uint64_t first = pageOf(address), end = pagesEnd(address, size);
  if (hasPinnedPages(first, end))
    return report(status, HET_INVALID,
                  what + ": found pages that are pinned already, wholly or in part; "
                         "unpin them first, or pin whole pages");
  ze_external_memmap_sysmem_ext_desc_t pages;
  pages.pSystemMemory = pointerOf(first);
  pages.size = end - first;
  ze_host_mem_alloc_desc_t desc;
  desc.pNext = &pages;
  if (ze_result_t result =
          ze.zeMemAllocHost(context, &desc, end - first, hostPage, &range.pages))
    return check(result, HET_UNSUPPORTED, what, status);
  if (range.pages != pointerOf(first)) {
    failed(ze.zeMemFree(context, range.pages));
    return report(status, HET_UNSUPPORTED,
                  what + ": found a driver without ZE_extension_external_memmap_sysmem, "
                         "expected it; use managed memory, or a newer driver");
  }
  addRange(address, std::move(range));
  return success(status);
}

int32_t LevelZeroDoor::unpinMemory(uint64_t address, HetStatus *status) {
  std::lock_guard<std::mutex> lock(pinning);
  Range range = {Kind::Pinned, 0};
  if (!takeRange(address, range))
    return report(status, HET_INVALID,
                  "found no pinned memory at " + hex(address) + ", expected some");
  return check(dropRange(address, range), HET_INTERNAL,
               "unpinning memory at " + hex(address), status);
}

} // namespace het::spirv
