// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: pages of this process at the addresses that the runtime chose. A
// device whose driver cannot place memory sets `reservesWindow` to 0.

#include "NullDevice.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

using het::target::report;
using het::target::success;

namespace het::null {

int32_t mapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *status) {
  void *wanted = reinterpret_cast<void *>(address);
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void *memory = mmap(wanted, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED)
    return report(status, HET_UNAVAILABLE, std::strerror(errno));
  if (memory != wanted) { // a kernel that does not know the flag
    munmap(memory, size);
    return report(status, HET_UNAVAILABLE, "the addresses are taken");
  }
  return success(status);
}

int32_t unmapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *status) {
  if (munmap(reinterpret_cast<void *>(address), size))
    return report(status, HET_INVALID, std::strerror(errno));
  return success(status);
}

} // namespace het::null
