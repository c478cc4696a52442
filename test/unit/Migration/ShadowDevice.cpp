// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target `shadow`: the host's table, with memory elsewhere, which copies and fills
// find by the addresses of the window.

#include "Shadow.h"
#include "Support/SoftwareQueue.h"
#include "het/Target/TargetABI.h"

#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <sys/mman.h>

using het::target::report;
using het::target::success;

namespace {

ShadowControl control;
const HetDeviceABI *host = nullptr;

struct Shadow {
  uint64_t size, address;
};
std::mutex mutex;
std::map<uint64_t, Shadow> shadows; ///< By address in the window.

uint64_t place(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto after = shadows.upper_bound(address);
  if (after == shadows.begin())
    return address;
  auto [begin, shadow] = *std::prev(after);
  return address - begin < shadow.size ? shadow.address + (address - begin) : address;
}

/// Counts down, and stays at 0.
bool fails(std::atomic<int> &untilFailure) {
  int left = untilFailure;
  while (left > 0 && !untilFailure.compare_exchange_weak(left, left - 1)) {
  }
  return left == 0;
}

int32_t properties(HetDevice *device, HetDeviceProperties *out, HetStatus *status) {
  host->properties(device, out, status);
  std::strcpy(out->arch, "shadow");
  out->sharesHostMemory = 0;
  return status->code;
}

int32_t mapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *status) {
  if (fails(control.mapsUntilFailure))
    return report(status, HET_UNAVAILABLE, "there is no memory left");
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  std::lock_guard<std::mutex> lock(mutex);
  auto after = shadows.upper_bound(address);
  if (memory == MAP_FAILED || (after != shadows.end() && after->first < address + size) ||
      (after != shadows.begin() &&
       std::prev(after)->first + std::prev(after)->second.size > address))
    return report(status, HET_UNAVAILABLE, "the addresses are taken");
  shadows[address] = {size, reinterpret_cast<uint64_t>(memory)};
  control.mappedBytes += size;
  return success(status);
}

int32_t unmapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *status) {
  std::lock_guard<std::mutex> lock(mutex);
  auto shadow = shadows.find(address);
  if (shadow == shadows.end() || shadow->second.size != size)
    return report(status, HET_INVALID, "there is no memory");
  munmap(reinterpret_cast<void *>(shadow->second.address), size);
  shadows.erase(shadow);
  control.mappedBytes -= size;
  return success(status);
}

int32_t enqueueCopy(HetQueue *queue, uint64_t to, uint64_t from, size_t size,
                    HetStatus *status) {
  if (fails(control.copiesUntilFailure))
    return report(status, HET_INTERNAL, "the copy fails");
  return host->enqueueCopy(queue, place(to), place(from), size, status);
}

int32_t enqueueFill(HetQueue *queue, uint64_t to, uint32_t pattern, uint32_t patternBytes,
                    size_t size, HetStatus *status) {
  return host->enqueueFill(queue, place(to), pattern, patternBytes, size, status);
}

int32_t pinMemory(HetDevice *, uint64_t, uint64_t, HetStatus *status) {
  return success(status);
}

int32_t unpinMemory(HetDevice *, uint64_t, HetStatus *status) { return success(status); }

HetDeviceABI makeTable() {
  void *library = dlopen(HET_TEST_TARGETS "/het-host-device.so", RTLD_NOW | RTLD_LOCAL);
  host = reinterpret_cast<HetDeviceEntry>(dlsym(library, "hetDeviceABI"))();
  HetDeviceABI table = *host;
  table.name = "shadow";
  table.role = HET_ROLE_ON_REQUEST;
  table.properties = properties;
  table.mapMemory = mapMemory;
  table.unmapMemory = unmapMemory;
  table.enqueueCopy = enqueueCopy;
  table.enqueueCopyRows = nullptr;
  table.enqueueFill = enqueueFill;
  table.pinMemory = pinMemory;
  table.unpinMemory = unpinMemory;
  return table;
}

} // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const HetDeviceABI *hetDeviceABI(void) {
  static const HetDeviceABI table = makeTable();
  return &table;
}

EXPORTED ShadowControl *hetShadowControl(void) { return &control; }
