// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVML's constants, and its structures by their newest names.

#ifndef HET_NVML_TYPES_H
#define HET_NVML_TYPES_H

#include "__het/nvml_structs.h"

#define NVML_VALUE_NOT_AVAILABLE (-1)
#define NVML_INIT_FLAG_NO_GPUS 1
#define NVML_INIT_FLAG_NO_ATTACH 2
#define NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE 16
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE 80
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_SERIAL_BUFFER_SIZE 30
#define NVML_DEVICE_PART_NUMBER_BUFFER_SIZE 80
#define NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE 32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE 16
#define NVML_NVLINK_MAX_LINKS 36
#define NVML_NVLINK_MAX_LANES NVML_NVLINK_MAX_LINKS
#define NVML_MAX_GPU_PERF_PSTATES 16
#define NVML_MAX_PHYSICAL_BRIDGE 128
#define NVML_DEVICE_MIG_DISABLE 0
#define NVML_DEVICE_MIG_ENABLE 1

#define nvmlEventTypeNone 0x0000000000000000LL
#define nvmlEventTypeSingleBitEccError 0x0000000000000001LL
#define nvmlEventTypeDoubleBitEccError 0x0000000000000002LL
#define nvmlEventTypePState 0x0000000000000004LL
#define nvmlEventTypeXidCriticalError 0x0000000000000008LL
#define nvmlEventTypeClock 0x0000000000000010LL
#define nvmlEventTypePowerSourceChange 0x0000000000000080LL
#define nvmlEventTypeMigConfigChange 0x0000000000000100LL

#define nvmlClocksEventReasonGpuIdle 0x0000000000000001LL
#define nvmlClocksEventReasonApplicationsClocksSetting 0x0000000000000002LL
#define nvmlClocksEventReasonSwPowerCap 0x0000000000000004LL
#define nvmlClocksEventReasonHwSlowdown 0x0000000000000008LL
#define nvmlClocksEventReasonSyncBoost 0x0000000000000010LL
#define nvmlClocksEventReasonSwThermalSlowdown 0x0000000000000020LL
#define nvmlClocksEventReasonHwThermalSlowdown 0x0000000000000040LL
#define nvmlClocksEventReasonHwPowerBrakeSlowdown 0x0000000000000080LL
#define nvmlClocksEventReasonDisplayClockSetting 0x0000000000000100LL
#define nvmlClocksEventReasonNone 0x0000000000000000LL
#define nvmlClocksEventReasonAll                                                         \
  (nvmlClocksEventReasonNone | nvmlClocksEventReasonGpuIdle |                            \
   nvmlClocksEventReasonApplicationsClocksSetting | nvmlClocksEventReasonSwPowerCap |    \
   nvmlClocksEventReasonHwSlowdown | nvmlClocksEventReasonSyncBoost |                    \
   nvmlClocksEventReasonSwThermalSlowdown | nvmlClocksEventReasonHwThermalSlowdown |     \
   nvmlClocksEventReasonHwPowerBrakeSlowdown | nvmlClocksEventReasonDisplayClockSetting)
#define nvmlClocksThrottleReasonAll nvmlClocksEventReasonAll
#define nvmlClocksThrottleReasonGpuIdle nvmlClocksEventReasonGpuIdle
#define nvmlClocksThrottleReasonApplicationsClocksSetting                                \
  nvmlClocksEventReasonApplicationsClocksSetting
#define nvmlClocksThrottleReasonSwPowerCap nvmlClocksEventReasonSwPowerCap
#define nvmlClocksThrottleReasonHwSlowdown nvmlClocksEventReasonHwSlowdown
#define nvmlClocksThrottleReasonSyncBoost nvmlClocksEventReasonSyncBoost
#define nvmlClocksThrottleReasonSwThermalSlowdown nvmlClocksEventReasonSwThermalSlowdown
#define nvmlClocksThrottleReasonHwThermalSlowdown nvmlClocksEventReasonHwThermalSlowdown
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown                                     \
  nvmlClocksEventReasonHwPowerBrakeSlowdown
#define nvmlClocksThrottleReasonDisplayClockSetting                                      \
  nvmlClocksEventReasonDisplayClockSetting
#define nvmlClocksThrottleReasonNone nvmlClocksEventReasonNone
#define nvmlClocksThrottleReasonUserDefinedClocks                                        \
  nvmlClocksEventReasonApplicationsClocksSetting

typedef struct nvmlConfComputeSystemState_st {
  unsigned int environment;
  unsigned int ccFeature;
  unsigned int devToolsMode;
} nvmlConfComputeSystemState_t;

typedef struct nvmlFanSpeedInfo_st {
  unsigned int version;
  unsigned int fan;
  unsigned int speed;
} nvmlFanSpeedInfo_t;

typedef struct nvmlTemperature_v1_st {
  unsigned int version;
  nvmlTemperatureSensors_t sensorType;
  int temperature;
} nvmlTemperature_v1_t;

typedef struct nvmlClockOffset_st {
  unsigned int version;
  nvmlClockType_t type;
  nvmlPstates_t pstate;
  int clockOffsetMHz;
  int minClockOffsetMHz;
  int maxClockOffsetMHz;
} nvmlClockOffset_t;

typedef struct nvmlGpmSupport_st {
  unsigned int version;
  unsigned int isSupportedDevice;
} nvmlGpmSupport_t;

typedef struct nvmlGpuFabricInfo_st {
  unsigned char clusterUuid[16];
  nvmlReturn_t status;
  unsigned int cliqueId;
  unsigned int state;
} nvmlGpuFabricInfo_t;

typedef struct nvmlGpuFabricInfoV_st {
  unsigned int version;
  unsigned char clusterUuid[16];
  nvmlReturn_t status;
  unsigned int cliqueId;
  unsigned int state;
  unsigned int healthMask;
} nvmlGpuFabricInfoV_t;

typedef struct nvmlPowerValue_v2_st {
  unsigned int version;
  unsigned int powerScope;
  unsigned int powerValueMw;
} nvmlPowerValue_v2_t;

typedef struct nvmlDevicePerfModes_v1_st {
  unsigned int version;
  char str[2048];
} nvmlDevicePerfModes_v1_t;

typedef struct nvmlDeviceCurrentClockFreqs_v1_st {
  unsigned int version;
  char str[2048];
} nvmlDeviceCurrentClockFreqs_v1_t;

typedef struct nvmlDeviceCapabilities_v1_st {
  unsigned int version;
  unsigned int capMask;
} nvmlDeviceCapabilities_v1_t;

typedef struct nvmlPlatformInfo_v2_st {
  unsigned int version;
  char ibGuid[16];
  char chassisSerialNumber[16];
  char slotNumber;
  char trayIndex;
  char hostId;
  char peerType;
  char moduleId;
} nvmlPlatformInfo_v2_t;

typedef struct nvmlEccSramErrorStatus_v1_st {
  unsigned int version;
  unsigned long long aggregateUncParity;
  unsigned long long aggregateUncSecDed;
  unsigned long long aggregateCor;
  unsigned long long volatileUncParity;
  unsigned long long volatileUncSecDed;
  unsigned long long volatileCor;
  unsigned long long aggregateUncBucketL2;
  unsigned long long aggregateUncBucketSm;
  unsigned long long aggregateUncBucketPcie;
  unsigned long long aggregateUncBucketMcu;
  unsigned long long aggregateUncBucketOther;
  unsigned int bThresholdExceeded;
} nvmlEccSramErrorStatus_v1_t;

typedef struct nvmlVgpuVersion_st {
  unsigned int minVersion;
  unsigned int maxVersion;
} nvmlVgpuVersion_t;

typedef struct nvmlDeviceAttributes_st {
  unsigned int multiprocessorCount;
  unsigned int sharedCopyEngineCount;
  unsigned int sharedDecoderCount;
  unsigned int sharedEncoderCount;
  unsigned int sharedJpegCount;
  unsigned int sharedOfaCount;
  unsigned int gpuInstanceSliceCount;
  unsigned int computeInstanceSliceCount;
  unsigned long long memorySizeMB;
} nvmlDeviceAttributes_t;

typedef struct nvmlRowRemapperHistogramValues_st {
  unsigned int max;
  unsigned int high;
  unsigned int partial;
  unsigned int low;
  unsigned int none;
} nvmlRowRemapperHistogramValues_t;

typedef nvmlDeviceCapabilities_v1_t nvmlDeviceCapabilities_t;
typedef nvmlPlatformInfo_v2_t nvmlPlatformInfo_t;
typedef nvmlProcessDetailList_v1_t nvmlProcessDetailList_t;
typedef nvmlProcessUtilizationInfo_v1_t nvmlProcessUtilizationInfo_t;
typedef nvmlProcessesUtilizationInfo_v1_t nvmlProcessesUtilizationInfo_t;
typedef nvmlTemperature_v1_t nvmlTemperature_t;
typedef nvmlMarginTemperature_v1_t nvmlMarginTemperature_t;
typedef nvmlSystemDriverBranchInfo_v1_t nvmlSystemDriverBranchInfo_t;
typedef nvmlPciInfoExt_v1_t nvmlPciInfoExt_t;

/* What a structure's member `version` holds: its size, and the number of its form. */
#define NVML_STRUCT_VERSION(data, number)                                                \
  ((unsigned int)(sizeof(nvml##data##_v##number##_t) | ((unsigned int)(number) << 24U)))
#define nvmlMemory_v2 NVML_STRUCT_VERSION(Memory, 2)
#define nvmlPciInfoExt_v1 NVML_STRUCT_VERSION(PciInfoExt, 1)
#define nvmlProcessDetailList_v1 NVML_STRUCT_VERSION(ProcessDetailList, 1)
#define nvmlTemperature_v1 NVML_STRUCT_VERSION(Temperature, 1)
#define nvmlMarginTemperature_v1 NVML_STRUCT_VERSION(MarginTemperature, 1)
#define nvmlGpuInstanceProfileInfo_v2 NVML_STRUCT_VERSION(GpuInstanceProfileInfo, 2)
#define nvmlComputeInstanceProfileInfo_v2                                                \
  NVML_STRUCT_VERSION(ComputeInstanceProfileInfo, 2)

#endif // HET_NVML_TYPES_H
