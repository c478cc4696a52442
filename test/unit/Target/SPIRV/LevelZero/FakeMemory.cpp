// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake's memory. Where kernels do not run on the host, what is the device's alone
// lies elsewhere in the process; at its own addresses are pages that nobody may touch.

#include "FakeState.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/mman.h>

namespace {

using Bytes = std::shared_ptr<std::vector<uint8_t>>;

/// What copies and kernels of a context reach.
struct Region {
  uint64_t size;
  const void *context;
  uint8_t *onHost; ///< where its bytes are
  enum { Given, TakenIn, Pages } kind;
  Bytes bytes = nullptr; ///< of Pages that nobody may touch
};

struct Reservation {
  uint64_t size;
  const void *context;
};

struct Physical {
  uint64_t size = 0;
  Bytes bytes; ///< null: they are at the address
  int mappings = 0;
};

std::map<uint64_t, Region> regions;
std::map<uint64_t, Reservation> reservations;
std::map<uint64_t, Physical *> mapped;

uint64_t addressOf(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

/// The region that holds an address; null: none.
Region *findRegion(uint64_t address, const void *context, uint64_t &offset) {
  auto it = regions.upper_bound(address);
  if (it == regions.begin())
    return nullptr;
  --it;
  offset = address - it->first;
  if (offset >= it->second.size)
    return nullptr;
  expect(it->second.context == context, "memory of another context");
  return &it->second;
}

uint8_t *viewRange(const void *context, uint64_t address, size_t size) {
  uint64_t offset = 0;
  if (Region *region = findRegion(address, context, offset))
    return expect(size <= region->size - offset, "memory beyond its end")
               ? region->onHost + offset
               : nullptr;
  if (fake.systemMemory & 1)
    return reinterpret_cast<uint8_t *>(address);
  misuse("memory that the device does not reach");
  return nullptr;
}

uint64_t pageOf(uint64_t size) {
  constexpr uint64_t smallest = 64 << 10;
  uint64_t page = smallest;
  while (fake.pagesGrow && page * 2 <= size)
    page *= 2;
  return page;
}

void checkPages(uint64_t address, uint64_t size) {
  const uint64_t page = pageOf(size);
  expect(size && size % page == 0 && address % page == 0, "not whole pages");
}

bool isUsedUp(uint64_t size) {
  return fake.usedMemory + size > fake.totalMemory || size > fake.maxMemory;
}

void *reserveAt(uint64_t address, uint64_t size) {
  void *pages = mmap(reinterpret_cast<void *>(address), size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                         (address ? MAP_FIXED_NOREPLACE : 0),
                     -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

/// What backs memory of the device, if that is not at its address.
Bytes makeBytes(uint64_t size) {
  return hostReachesDevice() ? nullptr : std::make_shared<std::vector<uint8_t>>(size);
}

/// Lets the new region at reserved pages have its bytes.
void putBytes(uint64_t address, uint64_t offset) {
  Region &region = regions[address];
  region.onHost = reinterpret_cast<uint8_t *>(address);
  if (region.bytes)
    region.onHost = region.bytes->data() + offset;
  else
    mprotect(region.onHost, region.size, PROT_READ | PROT_WRITE);
}

void checkAllocation(ze_context_handle_t context, size_t size, size_t alignment) {
  isAlive(context, "context");
  expect(size && (alignment & (alignment - 1)) == 0, "an allocation's size or alignment");
}

ze_result_t giveHostMemory(const char *kind, const void *context, size_t size,
                           size_t alignment, void **out) {
  if (fake.usedMemory + size > fake.totalMemory)
    return OutOfDeviceMemory;
  alignment = std::max<size_t>(alignment, 64);
  *out = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  fake.objects[*out] = {kind, context};
  fake.usedMemory += size;
  regions[addressOf(*out)] = {size, context, static_cast<uint8_t *>(*out), Region::Given};
  return ZE_RESULT_SUCCESS;
}

/// zeMemAllocHost of memory that the process has.
ze_result_t takeSystemMemory(const void *context, const void *next, size_t size,
                             void **out) {
  auto *desc = static_cast<const ze_external_memmap_sysmem_ext_desc_t *>(next);
  const uint64_t address = addressOf(desc->pSystemMemory);
  if (!isLegal(desc) ||
      !expect(address % 4096 == 0 && desc->size % 4096 == 0 && desc->size == size,
              "memory of the process that is not whole pages"))
    return InvalidArgument;
  for (const auto &[begin, region] : regions)
    expect(address + size <= begin || begin + region.size <= address,
           "memory of the process that is there already");
  *out = desc->pSystemMemory;
  fake.objects[*out] = {"memory of the process", context};
  regions[address] = {size, context, static_cast<uint8_t *>(*out), Region::TakenIn};
  return ZE_RESULT_SUCCESS;
}

/// Reservations and mappings of one address are objects of their own.
const void *keyOf(const void *address, int number) {
  return static_cast<const char *>(address) + number;
}

std::vector<uint8_t> readDevice(uint64_t address, size_t size) {
  std::lock_guard<std::recursive_mutex> lock(fakeMutex);
  auto it = regions.upper_bound(address);
  if (it == regions.begin())
    return {};
  --it;
  if (address - it->first + size > it->second.size)
    return {};
  const uint8_t *from = it->second.onHost + (address - it->first);
  return std::vector<uint8_t>(from, from + size);
}

} // namespace

extern "C" __attribute__((visibility("default"))) FakeLevelZero *hetFakeLevelZero() {
  fake.read = readDevice;
  return &fake;
}

FakeView viewOf(const void *context) {
  return [context](uint64_t address, size_t size) {
    return viewRange(context, address, size);
  };
}

void copyBytes(const void *context, uint64_t to, uint64_t from, size_t size) {
  while (size) {
    uint64_t offset = 0;
    size_t part = size;
    for (uint64_t address : {to, from})
      if (Region *region = findRegion(address, context, offset))
        part = std::min<size_t>(part, region->size - offset);
    uint8_t *target = viewRange(context, to, part);
    const uint8_t *source = viewRange(context, from, part);
    if (!target || !source)
      return;
    std::memmove(target, source, part);
    to += part;
    from += part;
    size -= part;
  }
}

FAKE zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc,
                    size_t size, size_t alignment, void **out) {
  Call call("zeMemAllocHost");
  checkAllocation(context, size, alignment);
  if (!isLegal(desc, true) || call.result)
    return call.result;
  if (desc->pNext && fake.takesSystemMemory)
    return takeSystemMemory(context, desc->pNext, size, out);
  return giveHostMemory("host memory", context, size, alignment, out);
}

FAKE zeMemAllocShared(ze_context_handle_t context,
                      const ze_device_mem_alloc_desc_t *onDevice,
                      const ze_host_mem_alloc_desc_t *onHost, size_t size,
                      size_t alignment, ze_device_handle_t device, void **out) {
  Call call("zeMemAllocShared");
  checkAllocation(context, size, alignment);
  checkDevice(device);
  expect(fake.sharedMemory & 1, "shared memory that the device has not");
  if (!isLegal(onDevice) || !isLegal(onHost) || call.result)
    return call.result;
  return giveHostMemory("shared memory", context, size, alignment, out);
}

FAKE zeMemAllocDevice(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc,
                      size_t size, size_t alignment, ze_device_handle_t device,
                      void **out) {
  Call call("zeMemAllocDevice");
  checkAllocation(context, size, alignment);
  checkDevice(device);
  if (!isLegal(desc) || call.result)
    return call.result;
  if (isUsedUp(size))
    return OutOfDeviceMemory;
  *out = reserveAt(0, size);
  fake.objects[*out] = {"device memory", context};
  fake.usedMemory += size;
  regions[addressOf(*out)] = {size, context, nullptr, Region::Pages, makeBytes(size)};
  putBytes(addressOf(*out), 0);
  return ZE_RESULT_SUCCESS;
}

FAKE zeMemFree(ze_context_handle_t context, void *memory) {
  Call call("zeMemFree");
  isAlive(context, "context");
  auto it = regions.find(addressOf(memory));
  if (!expect(it != regions.end() && !mapped.count(addressOf(memory)),
              "freeing what was not given"))
    return call.result;
  expect(it->second.context == context, "memory of another context");
  if (it->second.kind == Region::Pages)
    munmap(memory, it->second.size);
  else if (it->second.kind == Region::Given)
    std::free(memory);
  if (it->second.kind != Region::TakenIn)
    fake.usedMemory -= it->second.size;
  fake.objects.erase(memory);
  regions.erase(it);
  return call.result;
}

FAKE zeVirtualMemQueryPageSize(ze_context_handle_t context, ze_device_handle_t device,
                               size_t size, size_t *page) {
  Call call("zeVirtualMemQueryPageSize");
  isAlive(context, "context");
  checkDevice(device);
  expect(size, "pages of nothing");
  if (!call.result)
    *page = pageOf(size);
  return call.result;
}

FAKE zeVirtualMemReserve(ze_context_handle_t context, const void *start, size_t size,
                         void **out) {
  Call call("zeVirtualMemReserve");
  isAlive(context, "context");
  checkPages(addressOf(start), size);
  if (call.result)
    return call.result;
  *out = fake.reservesElsewhere ? nullptr : reserveAt(addressOf(start), size);
  if (!*out)
    *out = reserveAt(0, size);
  fake.objects[keyOf(*out, 1)] = {"reservation", context};
  reservations[addressOf(*out)] = {size, context};
  return ZE_RESULT_SUCCESS;
}

FAKE zeVirtualMemFree(ze_context_handle_t context, const void *start, size_t size) {
  Call call("zeVirtualMemFree");
  auto it = reservations.find(addressOf(start));
  if (!expect(it != reservations.end() && it->second.size == size &&
                  it->second.context == context && !mapped.count(addressOf(start)),
              "freeing addresses that were not reserved or are mapped"))
    return call.result;
  munmap(const_cast<void *>(start), size);
  reservations.erase(it);
  fake.objects.erase(keyOf(start, 1));
  return call.result;
}

FAKE zePhysicalMemCreate(ze_context_handle_t context, ze_device_handle_t device,
                         ze_physical_mem_desc_t *desc, ze_physical_mem_handle_t *out) {
  Call call("zePhysicalMemCreate");
  isAlive(context, "context");
  checkDevice(device);
  if (!isLegal(desc) || call.result)
    return call.result;
  checkPages(0, desc->size);
  expect(desc->flags == ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_DEVICE,
         "physical memory of the wrong place");
  if (isUsedUp(desc->size))
    return OutOfDeviceMemory;
  auto *memory = make<Physical>("physical memory", context);
  memory->size = desc->size;
  memory->bytes = makeBytes(desc->size);
  fake.usedMemory += desc->size;
  *out = reinterpret_cast<ze_physical_mem_handle_t>(memory);
  return ZE_RESULT_SUCCESS;
}

FAKE zePhysicalMemDestroy(ze_context_handle_t context, ze_physical_mem_handle_t handle) {
  Call call("zePhysicalMemDestroy");
  isAlive(context, "context");
  if (auto *memory = alive<Physical>(handle, "physical memory")) {
    expect(!memory->mappings, "physical memory is destroyed while it is mapped");
    fake.usedMemory -= memory->size;
  }
  destroy<Physical>(handle, "physical memory");
  return call.result;
}

FAKE zeVirtualMemMap(ze_context_handle_t context, const void *start, size_t size,
                     ze_physical_mem_handle_t handle, size_t offset, uint32_t access) {
  Call call("zeVirtualMemMap");
  checkPages(addressOf(start), size);
  auto *memory = alive<Physical>(handle, "physical memory");
  auto it = reservations.find(addressOf(start));
  const bool isLegal = memory && it != reservations.end() && it->second.size >= size &&
                       it->second.context == context && contextOf(handle) == context &&
                       offset + size <= memory->size && !mapped.count(addressOf(start));
  expect(isLegal, "mapping what is not reserved, not there or mapped");
  expect(access == ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE, "an access without a meaning");
  if (call.result || !isLegal)
    return call.result;
  fake.objects[keyOf(start, 2)] = {"mapping", context};
  mapped[addressOf(start)] = memory;
  ++memory->mappings;
  regions[addressOf(start)] = {size, context, nullptr, Region::Pages, memory->bytes};
  putBytes(addressOf(start), offset);
  return ZE_RESULT_SUCCESS;
}

FAKE zeVirtualMemUnmap(ze_context_handle_t context, const void *start, size_t size) {
  Call call("zeVirtualMemUnmap");
  isAlive(context, "context");
  auto it = mapped.find(addressOf(start));
  if (!expect(it != mapped.end() && regions[addressOf(start)].size == size,
              "unmapping what is not mapped"))
    return call.result;
  --it->second->mappings;
  mapped.erase(it);
  madvise(const_cast<void *>(start), size, MADV_DONTNEED);
  mprotect(const_cast<void *>(start), size, PROT_NONE);
  regions.erase(addressOf(start));
  fake.objects.erase(keyOf(start, 2));
  return call.result;
}
