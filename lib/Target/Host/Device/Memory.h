// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that kernels address by types of any alignment: shared memory, frames and
// arguments.

#ifndef HET_LIB_TARGET_HOST_DEVICE_MEMORY_H
#define HET_LIB_TARGET_HOST_DEVICE_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace het::host {

/// Alignment of the parts of shared memory.
constexpr size_t blockAlignment = 128;
/// Alignment of memory as a whole: programs ask for up to 1024 (bulk copies).
constexpr size_t memoryAlignment = 1024;

constexpr size_t alignUp(size_t size, size_t alignment = blockAlignment) {
  return (size + alignment - 1) / alignment * alignment;
}

struct FreeMemory {
  void operator()(uint8_t *memory) const { std::free(memory); }
};

/// Memory that grows on demand and is kept.
struct Memory {
  std::unique_ptr<uint8_t, FreeMemory> bytes;
  size_t size = 0;

  /// Null where there is none.
  uint8_t *get(size_t wanted);
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_DEVICE_MEMORY_H
