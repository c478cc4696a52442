// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVML's functions about the system, units and events.

#ifndef HET_NVML_SYSTEM_H
#define HET_NVML_SYSTEM_H

#include "__het/nvml_types.h"

#ifdef __cplusplus
extern "C" {
#endif

const char *nvmlErrorString(nvmlReturn_t result);
nvmlReturn_t nvmlEventSetCreate(nvmlEventSet_t *eventSet);
nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t eventSet);
nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t eventSet, nvmlEventData_t *data,
                                 unsigned int value);
nvmlReturn_t nvmlGetExcludedDeviceCount(unsigned int *count);
nvmlReturn_t nvmlGetExcludedDeviceInfoByIndex(unsigned int index,
                                              nvmlExcludedDeviceInfo_t *info);
nvmlReturn_t nvmlInitWithFlags(unsigned int flags);
nvmlReturn_t nvmlInit_v2(void);
nvmlReturn_t nvmlShutdown(void);
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *cudaVersion);
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *cudaVersion);
nvmlReturn_t nvmlSystemGetDriverBranch(nvmlSystemDriverBranchInfo_v1_t *info,
                                       unsigned int length);
nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length);
nvmlReturn_t nvmlSystemGetHicVersion(unsigned int *count, nvmlHwbcEntry_t *entries);
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length);
nvmlReturn_t nvmlSystemGetProcessName(unsigned int value, char *name,
                                      unsigned int length);
nvmlReturn_t nvmlUnitGetCount(unsigned int *count);
nvmlReturn_t nvmlUnitGetDevices(nvmlUnit_t unit, unsigned int *count,
                                nvmlDevice_t *devices);
nvmlReturn_t nvmlUnitGetFanSpeedInfo(nvmlUnit_t unit, nvmlUnitFanSpeeds_t *speeds);
nvmlReturn_t nvmlUnitGetHandleByIndex(unsigned int index, nvmlUnit_t *unit);
nvmlReturn_t nvmlUnitGetLedState(nvmlUnit_t unit, nvmlLedState_t *state);
nvmlReturn_t nvmlUnitGetPsuInfo(nvmlUnit_t unit, nvmlPSUInfo_t *info);
nvmlReturn_t nvmlUnitGetTemperature(nvmlUnit_t unit, unsigned int type,
                                    unsigned int *temperature);
nvmlReturn_t nvmlUnitGetUnitInfo(nvmlUnit_t unit, nvmlUnitInfo_t *info);
nvmlReturn_t nvmlUnitSetLedState(nvmlUnit_t unit, nvmlLedColor_t ledColor);

#ifdef __cplusplus
}
#endif

#endif // HET_NVML_SYSTEM_H
