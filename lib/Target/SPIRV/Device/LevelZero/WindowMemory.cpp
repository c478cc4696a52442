// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps memory of the device in the window, and gives it back.

#include "WindowMemory.h"
#include "Addresses.h"

#include <algorithm>

namespace het::spirv {

/// Makes the piece as large as the driver takes one at its address: its pages may grow
/// with the size that is asked for.
int32_t WindowMemory::chooseSize(LevelZeroContext &context, Piece &piece,
                                 HetStatus *status) {
  const uint64_t most =
      std::max(context.granularity, context.gpu.properties.maxMemAllocSize /
                                        context.granularity * context.granularity);
  piece.size = std::min(piece.size, most);
  size_t page = 0;
  for (uint64_t size = piece.size; size >= context.granularity;) {
    if (ze_result_t result = context.ze.zeVirtualMemQueryPageSize(
            context.handle, context.gpu.device, size, &page))
      return context.check(result, HET_UNAVAILABLE, "zeVirtualMemQueryPageSize", status);
    if (page && size % page == 0 && piece.address % page == 0) {
      piece.size = size;
      return success(status);
    }
    // The largest power of two below it that may do.
    uint64_t smaller = context.granularity;
    while (smaller * 2 < size && piece.address % (smaller * 2) == 0)
      smaller *= 2;
    size = size > smaller ? smaller : size / 2;
  }
  return report(status, HET_UNAVAILABLE,
                "memory at " + hex(piece.address) + ": found pages of " +
                    std::to_string(page) + " bytes, expected them to divide " +
                    std::to_string(context.granularity));
}

int32_t WindowMemory::back(LevelZeroContext &context, Piece &piece, HetStatus *status) {
  void *const wanted = pointerOf(piece.address), *given = nullptr;
  const std::string addresses =
      "the addresses " + hex(piece.address) + " to " + hex(piece.address + piece.size);
  if (ze_result_t result =
          context.ze.zeVirtualMemReserve(context.handle, wanted, piece.size, &given))
    return context.check(result, HET_UNAVAILABLE, addresses, status);
  if (given != wanted) {
    context.failed(context.ze.zeVirtualMemFree(context.handle, given, piece.size));
    return report(status, HET_UNAVAILABLE,
                  addresses + ": the driver gave " +
                      hex(reinterpret_cast<uint64_t>(given)) +
                      " instead; something of the process lies there");
  }
  piece.isReserved = true;
  ze_physical_mem_desc_t desc;
  desc.flags = ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_DEVICE;
  desc.size = piece.size;
  if (ze_result_t result = context.ze.zePhysicalMemCreate(
          context.handle, context.gpu.device, &desc, &piece.memory)) {
    piece.memory = nullptr;
    return context.check(result, HET_UNAVAILABLE, "memory of " + sizeText(piece.size),
                         status);
  }
  if (ze_result_t result =
          context.ze.zeVirtualMemMap(context.handle, wanted, piece.size, piece.memory, 0,
                                     ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE))
    return context.check(result, HET_UNAVAILABLE, "zeVirtualMemMap", status);
  piece.isMapped = true;
  return success(status);
}

ze_result_t WindowMemory::unmap(LevelZeroContext &context) {
  ze_result_t first = ZE_RESULT_SUCCESS;
  auto note = [&](ze_result_t result) {
    if (context.failed(result) && !first)
      first = result;
  };
  for (Piece &piece : pieces) {
    if (piece.isMapped)
      note(context.ze.zeVirtualMemUnmap(context.handle, pointerOf(piece.address),
                                        piece.size));
    if (piece.memory)
      note(context.ze.zePhysicalMemDestroy(context.handle, piece.memory));
    if (piece.isReserved)
      note(context.ze.zeVirtualMemFree(context.handle, pointerOf(piece.address),
                                       piece.size));
  }
  pieces.clear();
  return first;
}

int32_t WindowMemory::map(LevelZeroContext &context, uint64_t address, uint64_t size,
                          HetStatus *status) {
  const uint64_t end = address + size;
  for (uint64_t at = address; at < end; at += pieces.back().size) {
    pieces.push_back({at, end - at});
    Piece &piece = pieces.back();
    if (chooseSize(context, piece, status) || back(context, piece, status)) {
      unmap(context);
      return status->code;
    }
  }
  return success(status);
}

} // namespace het::spirv
