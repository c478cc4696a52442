// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of functions that programs of before nvml.h's newest ones ask for.

#include "Nvml.h"

#include <cstring>

using namespace het::nvml;

#undef nvmlInit
#undef nvmlDeviceGetCount
#undef nvmlDeviceGetHandleByIndex
#undef nvmlDeviceGetHandleByPciBusId
#undef nvmlDeviceGetPciInfo
#pragma GCC visibility push(default)

extern "C" {

nvmlReturn_t nvmlInit() { return nvmlInitWithFlags(0); }

nvmlReturn_t nvmlDeviceGetCount(unsigned *count) { return nvmlDeviceGetCount_v2(count); }

nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *device) {
  return nvmlDeviceGetHandleByIndex_v2(index, device);
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *place, nvmlDevice_t *device) {
  return nvmlDeviceGetHandleByPciBusId_v2(place, device);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_v2_t *info) {
  if (const nvmlReturn_t wrong = check(device, info); wrong != NVML_SUCCESS)
    return wrong;
  nvmlPciInfo_t found;
  const nvmlReturn_t result = nvmlDeviceGetPciInfo_v3(device, &found);
  if (result != NVML_SUCCESS)
    return result;
  *info = {};
  static_assert(sizeof(info->busId) == sizeof(found.busIdLegacy));
  std::memcpy(info->busId, found.busIdLegacy, sizeof(info->busId));
  info->domain = found.domain;
  info->bus = found.bus;
  info->device = found.device;
  info->pciDeviceId = found.pciDeviceId;
  info->pciSubSystemId = found.pciSubSystemId;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_v2_t *info) {
  return nvmlDeviceGetPciInfo_v2(device, info);
}

} // extern "C"
