// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, which the door places, the heap of kernels, and the device's fault.

#include "SPIRVDevice.h"

using namespace het::spirv;

namespace het::spirv {
namespace {

int32_t mapMemory(HetDevice *device, uint64_t address, uint64_t size, HetStatus *status) {
  return device->check(device->door->mapMemory(address, size, status), status);
}

/// What a device that is gone held is gone with it.
int32_t unmapMemory(HetDevice *device, uint64_t address, uint64_t size,
                    HetStatus *status) {
  device->check(device->door->unmapMemory(address, size, status), status);
  return device->door->isLost() ? success(status) : status->code;
}

int32_t allocateManaged(HetDevice *device, uint64_t size, uint64_t *address,
                        HetStatus *status) {
  return device->check(device->door->allocateManaged(size, address, status), status);
}

int32_t freeManaged(HetDevice *device, uint64_t address, HetStatus *status) {
  device->check(device->door->freeManaged(address, status), status);
  return device->door->isLost() ? success(status) : status->code;
}

int32_t pinMemory(HetDevice *device, uint64_t address, uint64_t size, HetStatus *status) {
  return device->check(device->door->pinMemory(address, size, status), status);
}

int32_t unpinMemory(HetDevice *device, uint64_t address, HetStatus *status) {
  device->check(device->door->unpinMemory(address, status), status);
  return device->door->isLost() ? success(status) : status->code;
}

/// The heap is made when a kernel is first launched; its size is settled then.
int32_t setLimit(HetDevice *device, uint32_t limit, uint64_t value, HetStatus *status) {
  if (limit == HET_LIMIT_PRINTF_BUFFER)
    device->outputBytes = value;
  std::lock_guard<std::mutex> lock(device->heapMutex);
  if (limit == HET_LIMIT_HEAP) {
    if (device->heap && value > device->heapLimit)
      return report(status, HET_INVALID,
                    "heap of kernels: it has been used; set its size before");
    if (!device->heap)
      device->heapLimit = value;
  }
  return success(status);
}

} // namespace

void fillInMemory(HetDeviceABI &table) {
  table.mapMemory = mapMemory;
  table.unmapMemory = unmapMemory;
  table.allocateManaged = allocateManaged;
  table.freeManaged = freeManaged;
  table.pinMemory = pinMemory;
  table.unpinMemory = unpinMemory;
  table.setLimit = setLimit;
}

} // namespace het::spirv

/// Without memory for it the heap is empty, and malloc gives null.
uint64_t HetDevice::getHeap(Commands &commands) {
  constexpr uint64_t head = 4096;
  std::lock_guard<std::mutex> lock(heapMutex);
  if (heap)
    return reinterpret_cast<uint64_t>(heap.get());
  HetServiceHeap state = {};
  heap = allocate(*door, head + heapLimit, Place::Device);
  if (heap)
    state.bytes = heapLimit;
  else
    heap = allocate(*door, head, Place::Device);
  if (!heap) {
    fail(HET_FAULT_LOST, "no memory for the heap of kernels");
    return 0;
  }
  const auto address = reinterpret_cast<uint64_t>(heap.get());
  state.begin = address + head;
  const std::string wrong =
      commands.copy(address, reinterpret_cast<uint64_t>(&state), sizeof(state));
  if (wrong.empty())
    return address;
  heap.reset();
  fail(HET_FAULT_LOST, "the heap of kernels: " + wrong);
  return 0;
}

int32_t HetDevice::check(int32_t code, const HetStatus *status) {
  if (door->isLost())
    fail(HET_FAULT_LOST, code == HET_OK ? "the device is gone" : status->message);
  return code;
}

void HetDevice::fail(int32_t kind, const std::string &message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (faultKind.load())
    return;
  faultMessage = message;
  faultKind = kind;
}
