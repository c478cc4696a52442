// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver's memory: reserved addresses are pages that nobody may touch, mapped
// ones are the host's.

#include "FakeState.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace fake;

void State::drop(CUmemGenericAllocationHandle memory) {
  auto it = allocations.find(memory);
  if (--it->second.uses)
    return;
  usedBytes -= it->second.size;
  allocations.erase(it);
}

std::set<int> State::reaching(uint64_t address) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto it = mappings.find(address);
  return it == mappings.end() ? std::set<int>() : it->second.devices;
}

EXPORTED CUresult cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *resource,
                                    const CUDA_TEXTURE_DESC *, const void *view) {
  FAKE(enterContext);
  const bool isPlane = resource->resType == CU_RESOURCE_TYPE_PITCH2D;
  if (view || (isPlane && resource->res.pitch2D.pitchInBytes % 32))
    return CUDA_ERROR_INVALID_VALUE;
  static CUtexObject last = 0;
  state().textures[ *out = ++last] = *resource;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuTexObjectDestroy(CUtexObject texture) {
  FAKE(enterContext);
  return state().textures.erase(texture) ? CUDA_SUCCESS
                                         : state().misuse(__func__, "no such texture");
}

EXPORTED CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  FAKE(enterContext);
  *total = state().memoryBytes;
  *free = *total - state().usedBytes;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemGetAllocationGranularity(size_t *bytes,
                                                const CUmemAllocationProp *kind, int) {
  FAKE(enter);
  *bytes = 64 << 10;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemAddressReserve(CUdeviceptr *out, size_t size, size_t,
                                      CUdeviceptr wanted, unsigned long long) {
  FAKE(enter);
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  auto *at = reinterpret_cast<void *>(wanted);
  void *memory = mmap(at, size, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED) // taken: somewhere else, as the driver does
    memory = mmap(nullptr, size, PROT_NONE, flags, -1, 0);
  if (memory == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *out = reinterpret_cast<CUdeviceptr>(memory);
  state().reservations[*out] = size;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemAddressFree(CUdeviceptr address, size_t size) {
  FAKE(enter);
  auto &reservations = state().reservations;
  auto it = reservations.find(address);
  if (it == reservations.end() || it->second != size)
    return state().misuse(__func__, "not reserved");
  for (auto &[mapped, mapping] : state().mappings)
    if (mapped >= address && mapped < address + size)
      return state().misuse(__func__, "something is mapped there");
  munmap(reinterpret_cast<void *>(address), size);
  reservations.erase(it);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemCreate(CUmemGenericAllocationHandle *out, size_t size,
                              const CUmemAllocationProp *kind, unsigned long long) {
  FAKE(enter);
  if (size > state().memoryBytes - state().usedBytes)
    return CUDA_ERROR_OUT_OF_MEMORY;
  static CUmemGenericAllocationHandle latest = 0;
  state().usedBytes += size;
  state().allocations[ *out = ++latest] = {size, kind->location.id, 1};
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemRelease(CUmemGenericAllocationHandle memory) {
  auto &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  CUresult result = all.enter(__func__);
  if (!all.allocations.count(memory))
    return all.misuse(__func__, "not allocated");
  all.drop(memory);
  return result;
}

EXPORTED CUresult cuMemMap(CUdeviceptr address, size_t size, size_t,
                           CUmemGenericAllocationHandle memory, unsigned long long) {
  FAKE(enter);
  auto &all = state();
  auto reserved = all.reservations.upper_bound(address);
  if (reserved == all.reservations.begin() ||
      address + size > std::prev(reserved)->first + std::prev(reserved)->second)
    return all.misuse(__func__, "not reserved");
  auto next = all.mappings.lower_bound(address);
  if ((next != all.mappings.end() && next->first < address + size) ||
      (next != all.mappings.begin() &&
       std::prev(next)->first + std::prev(next)->second.size > address))
    return CUDA_ERROR_INVALID_VALUE; // taken
  ++all.allocations.at(memory).uses;
  all.mappings[address] = {size, memory, {}};
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemUnmap(CUdeviceptr address, size_t size) {
  FAKE(enter);
  auto &all = state();
  auto it = all.mappings.find(address);
  if (it == all.mappings.end() || it->second.size != size)
    return all.misuse(__func__, "not mapped");
  Context &owner = all.contexts[all.allocations.at(it->second.memory).device];
  if (all.deadKeepsMemory && owner.dead)
    return owner.dead;
  (void)mmap(reinterpret_cast<void *>(address), size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  all.drop(it->second.memory);
  all.mappings.erase(it);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemSetAccess(CUdeviceptr address, size_t size,
                                 const CUmemAccessDesc *access, size_t count) {
  FAKE(enter);
  auto it = state().mappings.find(address);
  if (it == state().mappings.end() || it->second.size != size)
    return state().misuse(__func__, "not mapped");
  for (size_t i = 0; i < count; ++i)
    it->second.devices.insert(access[i].location.id);
  mprotect(reinterpret_cast<void *>(address), size, PROT_READ | PROT_WRITE);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemAllocManaged(CUdeviceptr *out, size_t size, unsigned flags) {
  FAKE(enterContext);
  if (!size || flags != CU_MEM_ATTACH_GLOBAL)
    return CUDA_ERROR_INVALID_VALUE;
  if (size > state().memoryBytes)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *out = reinterpret_cast<CUdeviceptr>(::operator new(size));
  state().managed[*out] = {size, current};
  return CUDA_SUCCESS;
}

static CUresult place(std::map<uint64_t, Range> &ranges, uint64_t &out, size_t size) {
  if (!size)
    return CUDA_ERROR_INVALID_VALUE;
  if (size > state().memoryBytes)
    return CUDA_ERROR_OUT_OF_MEMORY;
  out = reinterpret_cast<uint64_t>(::operator new(size));
  // Not what anybody expects; of much memory only a part, for it takes its time.
  std::memset(reinterpret_cast<void *>(out), 0xAA, std::min<size_t>(size, 4096));
  ranges[out] = {size, current};
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t size) {
  FAKE(enterContext);
  uint64_t address = 0;
  CUresult result = place(state().memory, address, size);
  *out = address;
  return result;
}

EXPORTED CUresult cuMemHostAlloc(void **out, size_t size, unsigned flags) {
  FAKE(enterContext);
  if (flags != CU_MEMHOSTALLOC_PORTABLE)
    return state().misuse(__func__, "flags");
  uint64_t address = 0;
  CUresult result = place(state().hostMemory, address, size);
  *out = reinterpret_cast<void *>(address);
  return result;
}

/// Also where the call says that it failed.
static CUresult release(const char *symbol, uint64_t address,
                        std::initializer_list<std::map<uint64_t, Range> *> kinds) {
  auto &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  CUresult result = all.enterContext(symbol);
  if (!current || current->dead)
    return result;
  for (auto *ranges : kinds)
    if (ranges->erase(address)) {
      all.runAll(); // what runs uses it
      ::operator delete(reinterpret_cast<void *>(address));
      return result;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

EXPORTED CUresult cuMemFree_v2(CUdeviceptr address) {
  return release(__func__, address, {&state().managed, &state().memory});
}

EXPORTED CUresult cuMemFreeHost(void *memory) {
  return release(__func__, reinterpret_cast<uint64_t>(memory), {&state().hostMemory});
}

EXPORTED CUresult cuMemHostRegister_v2(void *memory, size_t size, unsigned flags) {
  FAKE(enterContext);
  if (flags != (CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP))
    return state().misuse(__func__, "flags");
  auto begin = reinterpret_cast<uint64_t>(memory);
  for (auto [other, range] : state().pinned)
    if (begin < other + range.size && other < begin + size)
      return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  state().pinned[begin] = {size, current};
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemHostUnregister(void *memory) {
  auto &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  CUresult result = all.enterContext(__func__);
  if (!current || current->dead)
    return result;
  if (!all.pinned.erase(reinterpret_cast<uint64_t>(memory)))
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  return result;
}

EXPORTED CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *memory, unsigned) {
  FAKE(enterContext);
  *out = reinterpret_cast<CUdeviceptr>(memory) + (state().pinsElsewhere ? 4096 : 0);
  return CUDA_SUCCESS;
}
