// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of memory that belongs to graphs.

#include "GraphMemory.h"
#include "Context.h"
#include "Memory.h"

#include <utility>

namespace het::cuda {

namespace {

struct Table {
  std::mutex mutex; ///< Guards what follows, and `isInUse` of all memory.
  std::map<const void *, std::weak_ptr<GraphMemory>> all;
  /// What is in use, which the program may free after its graphs are gone.
  std::map<const void *, std::shared_ptr<GraphMemory>> inUse;
  std::map<int, MemoryGauge> used, reserved; ///< By device.
};

Table &table() {
  static auto *instance = new Table;
  return *instance;
}

MemoryGauge readGauge(std::map<int, MemoryGauge> Table::*gauges, const Device &device,
                      bool isReset) {
  std::lock_guard<std::mutex> lock(table().mutex);
  MemoryGauge &gauge = (table().*gauges)[device.ordinal];
  if (isReset)
    gauge.high = gauge.current;
  return gauge;
}

} // namespace

GraphMemory::~GraphMemory() {
  if (!pointer)
    return;
  {
    std::lock_guard<std::mutex> lock(table().mutex);
    table().all.erase(pointer);
    table().reserved[device.ordinal].remove(size);
  }
  if (wasInUse)
    device.device.synchronize();
  (void)translate(device.device.memory().free(pointer));
}

cudaError_t makeGraphMemory(Device &device, size_t size,
                            std::shared_ptr<GraphMemory> &memory) {
  auto made = std::make_shared<GraphMemory>(device, size);
  made->pool.allocType = cudaMemAllocationTypePinned;
  made->pool.location = {cudaMemLocationTypeDevice, device.ordinal};
  void *pointer = nullptr;
  if (cudaError_t error = allocate(device, &pointer, size))
    return error;
  std::lock_guard<std::mutex> lock(table().mutex);
  table().all[pointer] = made;
  table().reserved[device.ordinal].add(size);
  made->pointer = pointer;
  memory = std::move(made);
  return cudaSuccess;
}

std::shared_ptr<GraphMemory> findGraphMemory(const void *pointer) {
  std::lock_guard<std::mutex> lock(table().mutex);
  auto found = table().all.find(pointer);
  return found == table().all.end() ? nullptr : found->second.lock();
}

bool takeIntoUse(const std::shared_ptr<GraphMemory> &memory) {
  std::lock_guard<std::mutex> lock(table().mutex);
  if (memory->isInUse || !memory->pointer)
    return false;
  table().inUse[memory->pointer] = memory;
  memory->isInUse = memory->wasInUse = true;
  table().used[memory->device.ordinal].add(memory->size);
  return true;
}

bool takeOutOfUse(const std::shared_ptr<GraphMemory> &memory) {
  std::lock_guard<std::mutex> lock(table().mutex);
  if (!memory->isInUse)
    return false;
  memory->isInUse = false;
  table().used[memory->device.ordinal].remove(memory->size);
  table().inUse.erase(memory->pointer); // the caller has it
  return true;
}

void *letGo(GraphMemory &memory) {
  std::lock_guard<std::mutex> lock(table().mutex);
  table().all.erase(memory.pointer);
  table().reserved[memory.device.ordinal].remove(memory.size);
  return std::exchange(memory.pointer, nullptr);
}

bool isInUse(const GraphMemory &memory) {
  std::lock_guard<std::mutex> lock(table().mutex);
  return memory.isInUse;
}

void forgetGraphMemory(const Device &device) {
  std::vector<std::shared_ptr<GraphMemory>> gone; // go without the lock
  std::lock_guard<std::mutex> lock(table().mutex);
  for (auto at = table().all.begin(); at != table().all.end();) {
    std::shared_ptr<GraphMemory> memory = at->second.lock();
    if (memory && &memory->device != &device) {
      ++at;
      continue;
    }
    if (memory) {
      table().inUse.erase(memory->pointer);
      memory->pointer = nullptr;
      memory->isInUse = false;
      gone.push_back(std::move(memory));
    }
    at = table().all.erase(at);
  }
  table().used.erase(device.ordinal);
  table().reserved.erase(device.ordinal);
}

MemoryGauge graphMemoryInUse(const Device &device, bool isReset) {
  return readGauge(&Table::used, device, isReset);
}

MemoryGauge graphMemoryReserved(const Device &device, bool isReset) {
  return readGauge(&Table::reserved, device, isReset);
}

} // namespace het::cuda
