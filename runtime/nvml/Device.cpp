// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVML's questions about a device. Names, UUIDs, places and sizes are those that the CUDA
// functions state. What only NVIDIA's library knows it is asked for, where it knows the
// device.

#include "Nvml.h"

#include <array>
#include <cstdio>
#include <cstring>

using namespace het::nvml;

/// Asks for an attribute of CUDA's.
static nvmlReturn_t findAttribute(nvmlDevice_t device, CUdevice_attribute attribute,
                                  int &value) {
  return convert(cuDeviceGetAttribute(&value, attribute, device->ordinal));
}

static nvmlReturn_t answer(nvmlDevice_t device, unsigned *place, unsigned value) {
  if (const nvmlReturn_t wrong = check(device, place); wrong != NVML_SUCCESS)
    return wrong;
  *place = value;
  return NVML_SUCCESS;
}

/// NVML's number for the family of GPUs of a compute capability.
static unsigned architectureOf(int major, int minor) {
  if (major >= 10)
    return NVML_DEVICE_ARCH_BLACKWELL;
  if (major == 9)
    return NVML_DEVICE_ARCH_HOPPER;
  if (major == 8)
    return minor == 9 ? NVML_DEVICE_ARCH_ADA : NVML_DEVICE_ARCH_AMPERE;
  if (major == 7)
    return minor >= 5 ? NVML_DEVICE_ARCH_TURING : NVML_DEVICE_ARCH_VOLTA;
  return major == 6 ? NVML_DEVICE_ARCH_PASCAL : NVML_DEVICE_ARCH_MAXWELL;
}

extern "C" {

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index) {
  if (const nvmlReturn_t wrong = check(device, index); wrong != NVML_SUCCESS)
    return wrong;
  *index = static_cast<unsigned>(device->ordinal);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length) {
  if (const nvmlReturn_t wrong = check(device, name); wrong != NVML_SUCCESS)
    return wrong;
  std::array<char, 256> text = {};
  if (const CUresult failed = cuDeviceGetName(text.data(), text.size(), device->ordinal))
    return convert(failed);
  return copyText(text.data(), name, length);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length) {
  if (const nvmlReturn_t wrong = check(device, uuid); wrong != NVML_SUCCESS)
    return wrong;
  CUuuid own;
  if (const CUresult failed = cuDeviceGetUuid_v2(&own, device->ordinal))
    return convert(failed);
  std::string text = "GPU-";
  for (unsigned index = 0; index < sizeof(own.bytes); ++index) {
    std::array<char, 4> digits = {};
    (void)std::snprintf(digits.data(), digits.size(), "%02x",
                        static_cast<unsigned char>(own.bytes[index]));
    if (index == 4 || index == 6 || index == 8 || index == 10)
      text += '-';
    text += digits.data();
  }
  return copyText(text, uuid, length);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *info) {
  if (const nvmlReturn_t wrong = check(device, info); wrong != NVML_SUCCESS)
    return wrong;
  int domain = 0, bus = 0, number = 0;
  for (auto [attribute, value] : {std::pair{CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, &domain},
                                  std::pair{CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, &bus},
                                  std::pair{CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, &number}})
    if (const nvmlReturn_t failed = findAttribute(device, attribute, *value);
        failed != NVML_SUCCESS)
      return failed;
  *info = {};
  if (device->theirs) // who made it, which CUDA does not say
    handOver(&nvmlDeviceGetPciInfo_v3, "nvmlDeviceGetPciInfo_v3", device, info);
  info->domain = static_cast<unsigned>(domain);
  info->bus = static_cast<unsigned>(bus);
  info->device = static_cast<unsigned>(number);
  (void)std::snprintf(info->busId, sizeof(info->busId), "%08X:%02X:%02X.0", info->domain,
                      info->bus, info->device);
  (void)std::snprintf(info->busIdLegacy, sizeof(info->busIdLegacy), "%04X:%02X:%02X.0",
                      info->domain & 0xffff, info->bus & 0xff, info->device & 0xff);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major,
                                                int *minor) {
  if (const nvmlReturn_t wrong = check(device, major && minor ? major : nullptr);
      wrong != NVML_SUCCESS)
    return wrong;
  const nvmlReturn_t found =
      findAttribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, *major);
  return found != NVML_SUCCESS
             ? found
             : findAttribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                             *minor);
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device,
                                       nvmlDeviceArchitecture_t *architecture) {
  int major = 0, minor = 0;
  if (const nvmlReturn_t wrong = check(device, architecture); wrong != NVML_SUCCESS)
    return wrong;
  if (!device->theirs) {
    *architecture = NVML_DEVICE_ARCH_UNKNOWN;
    return NVML_SUCCESS;
  }
  const nvmlReturn_t found = nvmlDeviceGetCudaComputeCapability(device, &major, &minor);
  if (found == NVML_SUCCESS)
    *architecture = architectureOf(major, minor);
  return found;
}

nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t *brand) {
  if (const nvmlReturn_t wrong = check(device, brand); wrong != NVML_SUCCESS)
    return wrong;
  if (device->theirs)
    return handOver(&nvmlDeviceGetBrand, "nvmlDeviceGetBrand", device, brand);
  *brand = NVML_BRAND_UNKNOWN;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned *count) {
  if (const nvmlReturn_t wrong = check(device, count); wrong != NVML_SUCCESS)
    return wrong;
  if (device->theirs)
    return handOver(&nvmlDeviceGetNumGpuCores, "nvmlDeviceGetNumGpuCores", device, count);
  int processors = 0;
  const nvmlReturn_t found =
      findAttribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, processors);
  *count = static_cast<unsigned>(processors);
  return found;
}

/// The clock that CUDA states for a device that NVIDIA's library does not know.
static nvmlReturn_t findClock(nvmlDevice_t device, nvmlClockType_t type, unsigned &clock,
                              const char *function) {
  int kilohertz = 0;
  if (type == NVML_CLOCK_SM || type == NVML_CLOCK_GRAPHICS)
    findAttribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, kilohertz);
  else if (type == NVML_CLOCK_MEM)
    findAttribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, kilohertz);
  if (kilohertz <= 0)
    return refuse(function);
  clock = static_cast<unsigned>(kilohertz) / 1000;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                       unsigned *clock) {
  if (const nvmlReturn_t wrong = check(device, clock); wrong != NVML_SUCCESS)
    return wrong;
  if (device->theirs)
    return handOver(&nvmlDeviceGetMaxClockInfo, "nvmlDeviceGetMaxClockInfo", device, type,
                    clock);
  return findClock(device, type, *clock, "nvmlDeviceGetMaxClockInfo");
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                    unsigned *clock) {
  if (const nvmlReturn_t wrong = check(device, clock); wrong != NVML_SUCCESS)
    return wrong;
  if (device->theirs)
    return handOver(&nvmlDeviceGetClockInfo, "nvmlDeviceGetClockInfo", device, type,
                    clock);
  return findClock(device, type, *clock, "nvmlDeviceGetClockInfo");
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode) {
  if (const nvmlReturn_t wrong = check(device, mode); wrong != NVML_SUCCESS)
    return wrong;
  int value = 0;
  const nvmlReturn_t found =
      findAttribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, value);
  *mode = static_cast<nvmlComputeMode_t>(value);
  return found;
}

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode) {
  if (const nvmlReturn_t wrong = check(device, mode); wrong != NVML_SUCCESS)
    return wrong;
  if (device->theirs)
    return handOver(&nvmlDeviceGetPersistenceMode, "nvmlDeviceGetPersistenceMode", device,
                    mode);
  *mode = NVML_FEATURE_DISABLED;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned *is) {
  return answer(device, is, 0);
}

nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned *count) {
  return answer(device, count, 0);
}

nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned *is) {
  return answer(device, is, 0);
}

nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t device, nvmlDevice_t other, int *same) {
  if (const nvmlReturn_t wrong = check(device, same); wrong != NVML_SUCCESS)
    return wrong;
  if (!isDevice(other))
    return NVML_ERROR_INVALID_ARGUMENT;
  *same = device == other;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device, nvmlDevice_t peer,
                                    nvmlGpuP2PCapsIndex_t ability,
                                    nvmlGpuP2PStatus_t *status) {
  if (const nvmlReturn_t wrong = check(device, status); wrong != NVML_SUCCESS)
    return wrong;
  if (!isDevice(peer))
    return NVML_ERROR_INVALID_ARGUMENT;
  int can = 0;
  if (ability == NVML_P2P_CAPS_INDEX_READ || ability == NVML_P2P_CAPS_INDEX_WRITE)
    if (const CUresult failed =
            cuDeviceCanAccessPeer(&can, device->ordinal, peer->ordinal))
      return convert(failed);
  *status = can ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_NOT_SUPPORTED;
  return NVML_SUCCESS;
}

} // extern "C"
