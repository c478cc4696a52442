// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProcessMemory.h"
#include "../../Support/SoftwareQueueFunctions.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace het::spirv {

static int32_t reportErrno(HetStatus *status, const char *what) {
  return report(status, HET_UNAVAILABLE, std::string(what) + ": " + std::strerror(errno));
}

uint8_t *ProcessMemoryDoor::allocate(size_t bytes, size_t alignment, Place) {
  return static_cast<uint8_t *>(std::aligned_alloc(alignment, bytes));
}

void ProcessMemoryDoor::release(uint8_t *memory) { std::free(memory); }

int32_t ProcessMemoryDoor::mapMemory(uint64_t address, uint64_t size, HetStatus *status) {
  void *wanted = reinterpret_cast<void *>(address);
  void *memory =
      mmap(wanted, size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED)
    return reportErrno(status, "mmap in the address window");
  if (memory != wanted) {
    munmap(memory, size);
    return report(status, HET_UNAVAILABLE, "the address window is taken");
  }
  madvise(memory, size, MADV_HUGEPAGE);
  return success(status);
}

int32_t ProcessMemoryDoor::unmapMemory(uint64_t address, uint64_t size,
                                       HetStatus *status) {
  if (munmap(reinterpret_cast<void *>(address), size))
    return reportErrno(status, "munmap");
  return success(status);
}

std::string ProcessMemoryCommands::copy(uint64_t to, uint64_t from, size_t size) {
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), size);
  return "";
}

std::string ProcessMemoryCommands::fill(uint64_t to, uint32_t pattern,
                                        uint32_t patternBytes, size_t size) {
  target::fillMemory(to, pattern, patternBytes, size);
  return "";
}

} // namespace het::spirv
