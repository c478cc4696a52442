// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the device in a range of the window, by the driver's virtual memory: physical
// memory, in pieces as large as the driver takes them, mapped at reserved addresses.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_WINDOWMEMORY_H
#define HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_WINDOWMEMORY_H

#include "LevelZeroContext.h"

#include <vector>

namespace het::spirv {

class WindowMemory {
public:
  /// Backs the range with memory; where a piece can not be had, none stays.
  int32_t map(LevelZeroContext &context, uint64_t address, uint64_t size,
              HetStatus *status);
  /// Releases all pieces. Continues after an error, and returns the first.
  ze_result_t unmap(LevelZeroContext &context);

private:
  struct Piece {
    uint64_t address, size;
    ze_physical_mem_handle_t memory = nullptr;
    bool isReserved = false, isMapped = false;
  };

  static int32_t chooseSize(LevelZeroContext &context, Piece &piece, HetStatus *status);
  static int32_t back(LevelZeroContext &context, Piece &piece, HetStatus *status);

  std::vector<Piece> pieces;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_WINDOWMEMORY_H
