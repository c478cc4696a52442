// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, which the door places, and the device's fault.

#include "SPIRVDevice.h"

using namespace het::spirv;

namespace het::spirv {
namespace {

int32_t mapMemory(HetDevice *device, uint64_t address, uint64_t size, HetStatus *status) {
  return device->check(device->door->mapMemory(address, size, status), status);
}

/// Memory of a device that is gone is gone with it.
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

int32_t setLimit(HetDevice *device, uint32_t limit, uint64_t value, HetStatus *status) {
  if (limit == HET_LIMIT_PRINTF_BUFFER)
    device->outputBytes = value;
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

uint64_t HetDevice::getWideLock(Commands &commands) {
  std::call_once(hasWideLock, [&] {
    const uint32_t isFree = 0;
    wideLock = allocate(*door, sizeof(isFree), Place::Device);
    const std::string wrong =
        wideLock ? commands.copy(reinterpret_cast<uint64_t>(wideLock.get()),
                                 reinterpret_cast<uint64_t>(&isFree), sizeof(isFree))
                 : "no memory";
    if (wrong.empty())
      return;
    wideLock.reset();
    fail(HET_FAULT_LOST, "the lock of wide atomics: " + wrong);
  });
  return reinterpret_cast<uint64_t>(wideLock.get());
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
