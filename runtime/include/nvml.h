// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVML, the management library of NVIDIA's driver: a machine's devices, and what they are
// doing. libhetnvml answers it for hetcc's devices (docs/design/tools.md).

#ifndef HET_NVML_H
#define HET_NVML_H

#define NVML_API_VERSION 12
#define NVML_API_VERSION_STR "12"

/* A plain name means the newest form of a function. */
#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3
#define nvmlDeviceGetComputeRunningProcesses nvmlDeviceGetComputeRunningProcesses_v3
#define nvmlDeviceGetGraphicsRunningProcesses nvmlDeviceGetGraphicsRunningProcesses_v3
#define nvmlDeviceGetMPSComputeRunningProcesses nvmlDeviceGetMPSComputeRunningProcesses_v3
#define nvmlDeviceGetNvLinkRemotePciInfo nvmlDeviceGetNvLinkRemotePciInfo_v2
#define nvmlDeviceRemoveGpu nvmlDeviceRemoveGpu_v2
#define nvmlDeviceGetAttributes nvmlDeviceGetAttributes_v2
#define nvmlEventSetWait nvmlEventSetWait_v2
#define nvmlComputeInstanceGetInfo nvmlComputeInstanceGetInfo_v2
#define nvmlDeviceGetGpuInstancePossiblePlacements                                       \
  nvmlDeviceGetGpuInstancePossiblePlacements_v2
#define nvmlDeviceGetDriverModel nvmlDeviceGetDriverModel_v2

#include "__het/nvml_device.h"
#include "__het/nvml_settings.h"
#include "__het/nvml_system.h"

#endif // HET_NVML_H
