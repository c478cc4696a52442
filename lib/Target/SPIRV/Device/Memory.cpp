// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory is the process's, at the window's addresses.

#include "SPIRVDevice.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace het::spirv;

namespace het::spirv {

Memory allocate(size_t bytes, size_t alignment) {
  bytes = (bytes + alignment - 1) / alignment * alignment;
  return Memory(static_cast<uint8_t *>(std::aligned_alloc(alignment, bytes)));
}

namespace {

int32_t reportErrno(HetStatus *status, const char *what) {
  return report(status, HET_UNAVAILABLE, std::string(what) + ": " + std::strerror(errno));
}

int32_t mapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *status) {
  void *wanted = reinterpret_cast<void *>(address);
  void *memory = mmap(wanted, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                      -1, 0);
  if (memory == MAP_FAILED)
    return reportErrno(status, "mmap in the address window");
  if (memory != wanted) {
    munmap(memory, size);
    return report(status, HET_UNAVAILABLE, "the address window is taken");
  }
  madvise(memory, size, MADV_HUGEPAGE);
  return success(status);
}

int32_t unmapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *status) {
  if (munmap(reinterpret_cast<void *>(address), size))
    return reportErrno(status, "munmap");
  return success(status);
}

/// The heap is made when a kernel is first launched; its size is settled then.
int32_t setLimit(HetDevice *device, uint32_t limit, uint64_t value, HetStatus *status) {
  if (limit == HET_LIMIT_PRINTF_BUFFER)
    device->outputBytes = value;
  std::lock_guard<std::mutex> lock(device->mutex);
  if (limit == HET_LIMIT_HEAP) {
    if (device->heap.begin && value > device->heap.bytes)
      return report(status, HET_INVALID,
                    "heap of kernels: it has been used; set its size before");
    device->heapLimit = value;
  }
  return success(status);
}

} // namespace

void fillInMemory(HetDeviceABI &table) {
  table.mapMemory = mapMemory;
  table.unmapMemory = unmapMemory;
  table.setLimit = setLimit;
}

} // namespace het::spirv

HetSpirvHeap *HetDevice::getHeap() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!heap.begin) {
    void *memory = mmap(nullptr, heapLimit + 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
      heap.begin = reinterpret_cast<uint64_t>(memory);
      heap.bytes = heapLimit;
    }
  }
  return &heap;
}

HetDevice::~HetDevice() {
  if (heap.begin)
    munmap(reinterpret_cast<void *>(heap.begin), heap.bytes + 4096);
  if (context)
    cl.clReleaseContext(context);
}

void HetDevice::fail(int32_t kind, const std::string &message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (faultKind.load())
    return;
  faultMessage = message;
  faultKind = kind;
}
