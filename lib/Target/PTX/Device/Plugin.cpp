// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX device plug-in: fills in TargetABI.h's table.

#include "Parking.h"

using namespace het::ptx;

/// One atomic load where there is none.
static int32_t fault(HetDevice *device, HetStatus *status) {
  const int32_t kind = device->faultKind.load(std::memory_order_acquire);
  if (!status)
    return kind;
  if (kind == HET_FAULT_NONE) {
    success(status);
    return kind;
  }
  std::lock_guard<std::mutex> lock(device->mutex);
  report(status, HET_UNAVAILABLE, device->faultMessage);
  return kind;
}

static HetDeviceABI makeTable() {
  HetDeviceABI table = {};
  table.abiVersion = HET_TARGET_ABI_VERSION;
  table.size = sizeof(table);
  table.name = "ptx";
  table.role = HET_ROLE_ACCELERATOR;
  table.probe = probe;
  table.open = open;
  table.close = close;
  table.properties = properties;
  table.fault = fault;
  table.mapMemory = mapMemory;
  table.unmapMemory = unmapMemory;
  table.allocateManaged = allocateManaged;
  table.freeManaged = freeManaged;
  table.pinMemory = pinMemory;
  table.unpinMemory = unpinMemory;
  table.setLimit = setLimit;
  fillInQueues(table);
  fillInEvents(table);
  fillInArtifacts(table);
  fillInGraphs(table);
  fillInNativeWork(table);
  fillInParking(table);
  table.createTexture = createTexture;
  table.destroyTexture = destroyTexture;
  return table;
}

extern "C" __attribute__((visibility("default"))) const HetDeviceABI *hetDeviceABI(void) {
  static const HetDeviceABI table = makeTable();
  return &table;
}
