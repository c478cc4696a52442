// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V device plug-in: fills in TargetABI.h's table.

#include "SPIRVDevice.h"
#include "het/Base/Log.h"

using namespace het::spirv;

namespace {

int32_t probe(uint32_t *count, HetStatus *status) {
  *count = 0;
  static_cast<void>(het::setUpLog("het")); // the runtime reports a bad value
  *count = findOffers(status).devices.size();
  return status->code;
}

int32_t open(uint32_t ordinal, HetDevice **out, HetStatus *status) {
  Offers offers = findOffers(status);
  if (offers.devices.empty())
    return status->code;
  if (ordinal >= offers.devices.size())
    return report(status, HET_UNAVAILABLE,
                  "spirv:" + std::to_string(ordinal) + ": found " +
                      std::to_string(offers.devices.size()) + " devices");
  std::unique_ptr<Door> door = offers.devices[ordinal].open(status);
  if (!door)
    return status->code;
  auto device = std::make_unique<HetDevice>(std::move(door));
  if (device->door->readFacts(device->facts, status))
    return status->code;
  *out = device.release();
  return success(status);
}

void close(HetDevice *device) { delete device; }

int32_t properties(HetDevice *device, HetDeviceProperties *out, HetStatus *status) {
  *out = device->facts;
  return success(status);
}

int32_t fault(HetDevice *device, HetStatus *status) {
  std::lock_guard<std::mutex> lock(device->mutex);
  if (status)
    report(status, device->faultKind ? HET_UNAVAILABLE : HET_OK, device->faultMessage);
  return device->faultKind;
}

HetDeviceABI makeTable() {
  HetDeviceABI table = {};
  table.abiVersion = HET_TARGET_ABI_VERSION;
  table.size = sizeof(table);
  table.name = "spirv";
  // OpenCL's devices are CPUs so far, whose better target is the host, and no GPU has
  // run kernels yet.
  table.role = HET_ROLE_ON_REQUEST;
  table.probe = probe;
  table.open = open;
  table.close = close;
  table.properties = properties;
  table.fault = fault;
  fillInMemory(table);
  fillInQueues(table);
  fillInArtifacts(table);
  fillInParking(table);
  return table;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const HetDeviceABI *hetDeviceABI(void) {
  static const HetDeviceABI table = makeTable();
  return &table;
}
