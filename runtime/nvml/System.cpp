// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVML's functions about the library and the machine, and those that find devices.

#include "Nvml.h"

#include <array>
#include <cstdio>
#include <cstring>

using namespace het::nvml;

extern "C" {

nvmlReturn_t nvmlInit_v2() { return initialise(); }

nvmlReturn_t nvmlInitWithFlags(unsigned flags) {
  const nvmlReturn_t result = initialise();
  const bool mayBeEmpty = flags & NVML_INIT_FLAG_NO_GPUS;
  if (result != NVML_SUCCESS || mayBeEmpty || deviceCount())
    return result;
  shutDown();
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlShutdown() { return shutDown(); }

const char *nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
#define HET_NVML_ERROR(name, text)                                                       \
  case name:                                                                             \
    return text;
#include "Errors.def"
  default:
    return "Unknown Error";
  }
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length) {
  return copyText("12." HET_VERSION, version, length);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) {
  return version ? convert(cuDriverGetVersion(version)) : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) {
  return nvmlSystemGetCudaDriverVersion(version);
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length) {
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  if (auto theirs = reinterpret_cast<decltype(&nvmlSystemGetDriverVersion)>(
          theirFunction("nvmlSystemGetDriverVersion")))
    return theirs(version, length);
  return copyText(HET_VERSION, version, length);
}

nvmlReturn_t nvmlSystemGetProcessName(unsigned process, char *name, unsigned length) {
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  if (!name || !length)
    return NVML_ERROR_INVALID_ARGUMENT;
  const std::string path = "/proc/" + std::to_string(process) + "/cmdline";
  std::FILE *file = std::fopen(path.c_str(), "re");
  if (!file)
    return NVML_ERROR_NOT_FOUND;
  std::array<char, 4096> line = {};
  const size_t size = std::fread(line.data(), 1, line.size() - 1, file);
  (void)std::fclose(file);
  // NVML cuts a name that is too long.
  return size ? copyText(std::string(line.data()).substr(0, length - 1), name, length)
              : NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlUnitGetCount(unsigned *count) {
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  if (!count)
    return NVML_ERROR_INVALID_ARGUMENT;
  *count = 0;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlGetExcludedDeviceCount(unsigned *count) {
  return nvmlUnitGetCount(count);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count) {
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  if (!count)
    return NVML_ERROR_INVALID_ARGUMENT;
  *count = deviceCount();
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device) {
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  if (!device || index >= deviceCount())
    return NVML_ERROR_INVALID_ARGUMENT;
  *device = deviceAt(index);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  if (!uuid || !device)
    return NVML_ERROR_INVALID_ARGUMENT;
  for (unsigned index = 0; index < deviceCount(); ++index) {
    std::array<char, NVML_DEVICE_UUID_V2_BUFFER_SIZE> own = {};
    nvmlDeviceGetUUID(deviceAt(index), own.data(), own.size());
    if (!std::strcmp(own.data(), uuid)) {
      *device = deviceAt(index);
      return NVML_SUCCESS;
    }
  }
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t *uuid, nvmlDevice_t *device) {
  enum { Text = 1, Bytes = 2 };
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  if (!uuid || !device || (uuid->type != Text && uuid->type != Bytes))
    return NVML_ERROR_INVALID_ARGUMENT;
  if (uuid->type == Text)
    return nvmlDeviceGetHandleByUUID(uuid->value.str, device);
  for (unsigned index = 0; index < deviceCount(); ++index) {
    CUuuid own;
    if (cuDeviceGetUuid_v2(&own, deviceAt(index)->ordinal) == CUDA_SUCCESS &&
        !std::memcmp(own.bytes, uuid->value.bytes, sizeof(own.bytes))) {
      *device = deviceAt(index);
      return NVML_SUCCESS;
    }
  }
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *place, nvmlDevice_t *device) {
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  CUdevice found = 0;
  if (!place || !device)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (cuDeviceGetByPCIBusId(&found, place) != CUDA_SUCCESS)
    return NVML_ERROR_NOT_FOUND;
  return nvmlDeviceGetHandleByIndex_v2(static_cast<unsigned>(found), device);
}

} // extern "C"
