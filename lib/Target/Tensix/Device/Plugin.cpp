// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device plug-in: opens chips or the simulator, and fills in TargetABI.h's table.

#include "Driver.h"
#include "LoweringVersion.h"
#include "Parking.h"
#include "TensixDevice.h"

#include "het/Base/Environment.h"
#include "het/Base/Log.h"

#include <cstdio>
#include <cstring>

using namespace het::tensix;
using het::Variable;
using het::target::success;
namespace environment = het::environment;

int32_t het::tensix::report(HetStatus *status, int32_t code, const std::string &message) {
  return het::target::report(status, code, message.c_str());
}

namespace {

/// A simulator is asked for by name; without it the chips are those of the kernel driver.
bool wantsSimulator() { return environment::text(Variable::TtsimLibrary).has_value(); }

int32_t probe(uint32_t *count, HetStatus *status) {
  *count = 0;
  static_cast<void>(het::setUpLog("het")); // the runtime reports a bad value
  if (wantsSimulator()) {
    if (findSimulator(status))
      return status->code;
    *count = 1;
    return success(status);
  }
  *count = findDevices(systemCalls()).size();
  if (*count)
    return success(status);
  return report(status, HET_UNAVAILABLE,
                "no chip: found no /dev/tenstorrent/0, expected the open kernel driver's "
                "(tt-kmd); for a simulator set HET_TTSIM_LIBRARY to a built libttsim.so");
}

std::shared_ptr<Provider> openProvider(uint32_t ordinal, HetStatus *status) {
  uint32_t count = 1;
  if (wantsSimulator()) {
    if (!ordinal)
      return openSimulator(status);
  } else {
    const std::vector<std::string> paths = findDevices(systemCalls());
    if (ordinal < paths.size())
      return openDevice(systemCalls(), paths[ordinal], status);
    count = paths.size();
  }
  report(status, HET_UNAVAILABLE,
         "tensix:" + std::to_string(ordinal) + ": found " + std::to_string(count) +
             (count == 1 ? " device" : " devices"));
  return nullptr;
}

std::atomic<bool> isSimulatorOpen{false}; ///< A process has one.

int32_t setUp(HetDevice &device, uint32_t ordinal, HetStatus *status) {
  het::Result<uint64_t> cores =
      environment::number(Variable::TensixCores, 1, UINT32_MAX, UINT32_MAX);
  het::Result<uint64_t> patience =
      environment::number(Variable::TensixTimeout, 0, 1000000);
  het::Result<uint64_t> parks = environment::number(Variable::TensixPark, 0, UINT32_MAX);
  for (const het::Result<uint64_t> *setting : {&cores, &patience, &parks})
    if (!setting->ok())
      return report(status, HET_INVALID, setting->status().text());
  constexpr size_t none = SIZE_MAX;
  het::Result<size_t> map = environment::choice(Variable::TensixMap, none);
  if (!map.ok())
    return report(status, HET_INVALID, map.status().text());
  if (*map != none)
    device.map = *environment::text(Variable::TensixMap);
  std::shared_ptr<Provider> provider = openProvider(ordinal, status);
  if (!provider)
    return status->code;
  device.chip = Chip::open(provider, status);
  if (!device.chip)
    return status->code;
  device.mostCores = *cores;
  device.patience = *patience;
  device.parksByItself = *parks;
  device.freeDram[0] = device.chip->dramBytes();
  return success(status);
}

int32_t open(uint32_t ordinal, HetDevice **out, HetStatus *status) {
  auto device = std::make_unique<HetDevice>();
  device->isSimulated = wantsSimulator();
  if (device->isSimulated && !ordinal && isSimulatorOpen.exchange(true))
    return report(status, HET_UNAVAILABLE,
                  "tensix:0: the simulator is in use by another device of this process");
  if (setUp(*device, ordinal, status)) {
    if (device->isSimulated && !ordinal)
      isSimulatorOpen = false;
    return status->code;
  }
  *out = device.release();
  return success(status);
}

void close(HetDevice *device) {
  if (device->isSimulated)
    isSimulatorOpen = false;
  delete device;
}

int32_t properties(HetDevice *device, HetDeviceProperties *out, HetStatus *status) {
  const Architecture &chip = device->chip->architecture();
  *out = {};
  std::snprintf(out->name, sizeof(out->name), "Tenstorrent %s (%s)", chip.name,
                device->chip->place().c_str());
  std::snprintf(out->arch, sizeof(out->arch), "%s%s%s", chip.name,
                device->map.empty() ? "" : ";", device->map.c_str());
  std::snprintf(out->loweringVersion, sizeof(out->loweringVersion), "%s",
                HET_LOWERING_VERSION);
  out->totalMemory = device->chip->dramBytes() / 2; // the rest: mirrors, output
  out->memoryGranularity = 2 << 20; // as other targets: memory moves in whole pages
  out->processorCount =
      std::min<uint64_t>(device->chip->cores().size(), device->mostCores);
  out->clockKilohertz = chip.clockKilohertz;
  out->maxThreadsPerBlock = 1024;
  const uint32_t block[] = {1024, 1024, 64};
  const uint32_t grid[] = {2147483647, 65535, 65535};
  std::memcpy(out->maxBlockDim, block, sizeof(block));
  std::memcpy(out->maxGridDim, grid, sizeof(grid));
  out->sharedBytesPerBlock = 48 << 10;
  out->sharedBytesPerBlockOptIn = 512 << 10;
  out->sharedBytesPerProcessor = 512 << 10;
  out->sharesHostMemory = 0;
  out->reservesWindow = 1;
  out->mostClusterBlocks = 16;
  return success(status);
}

int32_t fault(HetDevice *device, HetStatus *status) {
  std::lock_guard<std::mutex> lock(device->faultMutex);
  if (status)
    report(status, device->faultKind ? HET_UNAVAILABLE : HET_OK, device->faultMessage);
  return device->faultKind;
}

HetDeviceABI makeTable() {
  HetDeviceABI table = {};
  table.abiVersion = HET_TARGET_ABI_VERSION;
  table.size = sizeof(table);
  table.name = "tensix";
  // A simulator is nobody's accelerator, and no silicon has run this.
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
