// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device's memory, and who uses it.

#include "Nvml.h"

#include <cstdint>
#include <unistd.h>

using namespace het::nvml;

namespace {

/// A device's memory as the runtime states it, which begins to use the device.
nvmlReturn_t askRuntime(nvmlDevice_t device, nvmlMemory_t &memory) {
  CUcontext context = nullptr, own = nullptr;
  size_t free = 0, total = 0;
  CUresult result = cuDevicePrimaryCtxRetain(&context, device->ordinal);
  if (result != CUDA_SUCCESS)
    return convert(result);
  result = cuCtxPushCurrent(context);
  if (result == CUDA_SUCCESS) {
    result = cuMemGetInfo(&free, &total);
    cuCtxPopCurrent(&own);
  }
  cuDevicePrimaryCtxRelease(device->ordinal);
  memory = {total, free, total - free};
  return convert(result);
}

/// Of NVML's first form.
struct OldProcessInfo {
  unsigned pid;
  unsigned long long usedGpuMemory;
};

/// A process uses the whole device, none of its instances.
template <typename Info> void nameNoInstance(Info &process) {
  process.gpuInstanceId = process.computeInstanceId = UINT32_MAX;
}
void nameNoInstance(OldProcessInfo &) {}

/// NVML's processes of a device that NVIDIA's library does not know: this one, if it uses
/// the device. What others do with it the runtime is not told.
template <typename Info>
nvmlReturn_t listOwn(nvmlDevice_t device, unsigned *count, Info *processes) {
  unsigned flags = 0;
  int active = 0;
  if (const CUresult failed =
          cuDevicePrimaryCtxGetState(device->ordinal, &flags, &active))
    return convert(failed);
  const unsigned room = *count;
  *count = active != 0;
  if (room < *count)
    return NVML_ERROR_INSUFFICIENT_SIZE;
  if (!active)
    return NVML_SUCCESS;
  if (!processes)
    return NVML_ERROR_INVALID_ARGUMENT;
  processes[0] = {};
  processes[0].pid = static_cast<unsigned>(getpid());
  processes[0].usedGpuMemory = UINT64_MAX; // NVML_VALUE_NOT_AVAILABLE
  nameNoInstance(processes[0]);
  return NVML_SUCCESS;
}

template <typename Info>
nvmlReturn_t listProcesses(const char *name, nvmlDevice_t device, unsigned *count,
                           Info *processes) {
  if (const nvmlReturn_t wrong = check(device, count); wrong != NVML_SUCCESS)
    return wrong;
  if (device->theirs) {
    using Function = nvmlReturn_t(nvmlDevice_t, unsigned *, Info *);
    return handOver(static_cast<Function *>(nullptr), name, device, count, processes);
  }
  return listOwn(device, count, processes);
}

/// None of a device's processes draws, or shares its server with others.
nvmlReturn_t listNone(const char *name, nvmlDevice_t device, unsigned *count,
                      nvmlProcessInfo_t *processes) {
  if (const nvmlReturn_t wrong = check(device, count); wrong != NVML_SUCCESS)
    return wrong;
  if (device->theirs)
    return handOver(&nvmlDeviceGetGraphicsRunningProcesses_v3, name, device, count,
                    processes);
  *count = 0;
  return NVML_SUCCESS;
}

} // namespace

extern "C" {

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  if (const nvmlReturn_t wrong = check(device, memory); wrong != NVML_SUCCESS)
    return wrong;
  if (device->theirs)
    return handOver(&nvmlDeviceGetMemoryInfo, "nvmlDeviceGetMemoryInfo", device, memory);
  return askRuntime(device, *memory);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  if (const nvmlReturn_t wrong = check(device, memory); wrong != NVML_SUCCESS)
    return wrong;
  if (memory->version != nvmlMemory_v2)
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  if (device->theirs)
    return handOver(&nvmlDeviceGetMemoryInfo_v2, "nvmlDeviceGetMemoryInfo_v2", device,
                    memory);
  nvmlMemory_t found;
  const nvmlReturn_t result = askRuntime(device, found);
  if (result == NVML_SUCCESS)
    *memory = {nvmlMemory_v2, found.total, 0, found.free, found.used};
  return result;
}

#undef nvmlDeviceGetComputeRunningProcesses
__attribute__((visibility("default")))
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned *count,
                                                  OldProcessInfo *processes) {
  return listProcesses("nvmlDeviceGetComputeRunningProcesses", device, count, processes);
}

__attribute__((visibility("default"))) nvmlReturn_t
nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned *count,
                                        nvmlProcessInfo_v2_t *processes) {
  return listProcesses("nvmlDeviceGetComputeRunningProcesses_v2", device, count,
                       processes);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned *count,
                                                     nvmlProcessInfo_t *processes) {
  return listProcesses("nvmlDeviceGetComputeRunningProcesses_v3", device, count,
                       processes);
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device,
                                                      unsigned *count,
                                                      nvmlProcessInfo_t *processes) {
  return listNone("nvmlDeviceGetGraphicsRunningProcesses_v3", device, count, processes);
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device,
                                                        unsigned *count,
                                                        nvmlProcessInfo_t *processes) {
  return listNone("nvmlDeviceGetMPSComputeRunningProcesses_v3", device, count, processes);
}

} // extern "C"
