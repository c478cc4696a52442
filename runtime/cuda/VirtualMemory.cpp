// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of memory, and where it is mapped.

#include "VirtualMemory.h"
#include "Context.h"
#include "Stream.h"

#include <iterator>
#include <utility>
#include <vector>

namespace het::cuda {

static core::MemoryManager &managerOf(const PhysicalMemory &memory) {
  return memory.device.device.memory();
}

PhysicalMemory::~PhysicalMemory() {
  if (aside && !isLost)
    (void)translate(managerOf(*this).free(aside));
}

VirtualMemory &VirtualMemory::get() {
  static auto *instance = new VirtualMemory; // used until the process ends
  return *instance;
}

PhysicalHandle VirtualMemory::add(Physical memory) {
  handles[++lastHandle] = {std::move(memory), 1};
  return lastHandle;
}

cudaError_t VirtualMemory::create(Device &device, size_t size,
                                  const CUmemAllocationProp &properties,
                                  PhysicalHandle &handle) {
  auto memory = std::make_shared<PhysicalMemory>(device, size, properties);
  if (size > device.device.memory().available())
    return cudaErrorMemoryAllocation;
  if (takesSharedPages(device)) {
    Result<std::unique_ptr<SharedPages>> pages = SharedPages::create(size);
    if (!pages.ok())
      return translate(pages.status(), cudaErrorMemoryAllocation);
    memory->pages = pages.take();
  }
  std::lock_guard<std::mutex> lock(mutex);
  handle = add(std::move(memory));
  return cudaSuccess;
}

cudaError_t VirtualMemory::adopt(Device &device, int descriptor, PhysicalHandle &handle) {
  Result<std::unique_ptr<SharedPages>> pages = SharedPages::adopt(descriptor);
  if (!pages.ok())
    return translate(pages.status(), cudaErrorInvalidResourceHandle);
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device.ordinal};
  auto memory = std::make_shared<PhysicalMemory>(device, (*pages)->size(), properties);
  memory->pages = pages.take();
  std::lock_guard<std::mutex> lock(mutex);
  handle = add(std::move(memory));
  return cudaSuccess;
}

Physical VirtualMemory::find(PhysicalHandle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = handles.find(handle);
  return found == handles.end() ? nullptr : found->second.memory;
}

cudaError_t VirtualMemory::release(PhysicalHandle handle) {
  Physical last; // goes without the lock
  std::lock_guard<std::mutex> lock(mutex);
  auto found = handles.find(handle);
  if (found == handles.end())
    return cudaErrorInvalidValue;
  if (--found->second.count == 0) {
    last = std::move(found->second.memory);
    handles.erase(found);
  }
  return cudaSuccess;
}

cudaError_t VirtualMemory::retain(const void *address, PhysicalHandle &handle) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = at(address);
  if (found == mappings.end())
    return cudaErrorInvalidValue;
  for (auto &[known, entry] : handles)
    if (entry.memory == found->second.memory) {
      ++entry.count;
      handle = known;
      return cudaSuccess;
    }
  handle = add(found->second.memory);
  return cudaSuccess;
}

VirtualMemory::Mappings::iterator VirtualMemory::at(const void *address) {
  const auto key = reinterpret_cast<uintptr_t>(address);
  auto found = mappings.upper_bound(key);
  if (found == mappings.begin())
    return mappings.end();
  --found;
  return key - found->first < found->second.size ? found : mappings.end();
}

bool VirtualMemory::fill(const void *address, size_t size, Mappings::iterator &first,
                         Mappings::iterator &end) {
  auto next = reinterpret_cast<uintptr_t>(address);
  first = end = mappings.find(next);
  for (; size && end != mappings.end() && end->first == next; ++end) {
    if (end->second.size > size)
      return false;
    next += end->second.size;
    size -= end->second.size;
  }
  return size == 0;
}

/// Copies inside a device, and waits for it.
static cudaError_t copyNow(Device &device, void *to, const void *from, size_t size) {
  cudaStream_t stream = nullptr;
  if (cudaError_t error = device.createStream(cudaStreamNonBlocking, 0, &stream))
    return error;
  Status copied = stream->queue->copy(to, from, size);
  stream->queue->synchronize();
  device.destroyStream(stream);
  return copied.ok() ? device.fault() : translate(copied);
}

/// Puts memory behind addresses that have none; what it holds comes with it.
static cudaError_t fillIn(PhysicalMemory &memory, void *address, size_t offset,
                          size_t size) {
  if (memory.pages)
    return translate(memory.pages->mapOver(address, offset, size),
                     cudaErrorMemoryAllocation);
  if (!memory.aside)
    return cudaSuccess;
  if (cudaError_t error = copyNow(memory.device, address,
                                  static_cast<char *>(memory.aside) + offset, size))
    return error;
  return translate(managerOf(memory).free(std::exchange(memory.aside, nullptr)));
}

cudaError_t VirtualMemory::map(void *address, size_t size, size_t offset,
                               const Physical &memory) {
  if (memory->isLost)
    return cudaErrorContextIsDestroyed;
  std::lock_guard<std::mutex> lock(mutex);
  if (!memory->pages) {
    if (memory->mappings)
      HET_NOT_SUPPORTED("cuMemMap of memory that is mapped already, on this device");
    if (offset || size != memory->size)
      HET_NOT_SUPPORTED("cuMemMap of a part of memory, on this device");
  }
  decltype(mappings) made = {{reinterpret_cast<uintptr_t>(address),
                              {size, offset, memory, {}}}}; // before what it is for
  if (Status status = managerOf(*memory).mapReserved(address, size); !status.ok())
    return translate(status, status.code == Code::Unavailable ? cudaErrorMemoryAllocation
                                                              : cudaErrorInvalidValue);
  if (cudaError_t error = fillIn(*memory, address, offset, size)) {
    (void)translate(managerOf(*memory).free(address));
    return error;
  }
  ++memory->mappings;
  mappings.insert(made.extract(made.begin()));
  return cudaSuccess;
}

/// Takes memory from its address; what somebody may still want of it is put aside.
static cudaError_t takeAway(PhysicalMemory &memory, void *address, bool hasHandle) {
  if (!memory.pages && hasHandle) {
    Result<void *> aside = managerOf(memory).allocate(memory.size);
    if (!aside.ok())
      return translate(aside.status(), cudaErrorMemoryAllocation);
    memory.aside = *aside;
    if (cudaError_t error = copyNow(memory.device, *aside, address, memory.size)) {
      (void)translate(managerOf(memory).free(std::exchange(memory.aside, nullptr)));
      return error;
    }
  }
  --memory.mappings;
  return translate(managerOf(memory).free(address));
}

cudaError_t VirtualMemory::unmap(void *address, size_t size) {
  std::vector<Physical> gone; // go without the lock
  std::lock_guard<std::mutex> lock(mutex);
  Mappings::iterator first, end;
  if (!fill(address, size, first, end))
    return cudaErrorInvalidValue;
  while (first != end) {
    const Physical &memory = first->second.memory;
    bool hasHandle = false;
    for (auto &[handle, entry] : handles)
      hasHandle |= entry.memory == memory;
    if (cudaError_t error =
            takeAway(*memory, reinterpret_cast<void *>(first->first), hasHandle))
      return error;
    gone.push_back(memory);
    first = mappings.erase(first);
  }
  return cudaSuccess;
}

Device *VirtualMemory::deviceOf(const void *address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = at(address);
  return found == mappings.end() ? nullptr : &found->second.memory->device;
}

cudaError_t VirtualMemory::setAccess(void *address, size_t size, int device,
                                     CUmemAccess_flags flags) {
  std::lock_guard<std::mutex> lock(mutex);
  Mappings::iterator first, end;
  if (!fill(address, size, first, end))
    return cudaErrorInvalidValue;
  for (; first != end; ++first)
    first->second.access[device] = flags;
  return cudaSuccess;
}

cudaError_t VirtualMemory::getAccess(const void *address, int device,
                                     CUmemAccess_flags &flags) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = at(address);
  if (found == mappings.end())
    return cudaErrorInvalidValue;
  auto known = found->second.access.find(device);
  flags =
      known == found->second.access.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : known->second;
  return cudaSuccess;
}

void VirtualMemory::forget(const Device &device) {
  std::vector<Physical> gone; // go without the lock
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[handle, entry] : handles)
    if (&entry.memory->device == &device)
      entry.memory->isLost = true;
  for (auto at = mappings.begin(); at != mappings.end();) {
    const bool goes = &at->second.memory->device == &device;
    if (goes) {
      at->second.memory->isLost = true;
      gone.push_back(at->second.memory);
    }
    at = goes ? mappings.erase(at) : std::next(at);
  }
}

} // namespace het::cuda
