// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Doors to devices whose kernels reach all memory of the process at the process's
// addresses: device memory is the process's own, and copies are the host's.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_PROCESSMEMORY_H
#define HET_LIB_TARGET_SPIRV_DEVICE_PROCESSMEMORY_H

#include "Door.h"

namespace het::spirv {

class ProcessMemoryDoor : public Door {
public:
  uint8_t *allocate(size_t bytes, size_t alignment, Place place) override;
  void release(uint8_t *memory) override;
  int32_t mapMemory(uint64_t address, uint64_t size, HetStatus *status) override;
  int32_t unmapMemory(uint64_t address, uint64_t size, HetStatus *status) override;
};

class ProcessMemoryCommands : public Commands {
public:
  std::string copy(uint64_t to, uint64_t from, size_t size) override;
  std::string fill(uint64_t to, uint32_t pattern, uint32_t patternBytes,
                   size_t size) override;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_PROCESSMEMORY_H
