// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of Level Zero that the device uses, as the specification has it (oneAPI
// Level Zero Specification, Core; names and layouts are the specification's). All
// enumerations and flags are words of 32 bits there.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZEROTYPES_H
#define HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZEROTYPES_H

#include <cstddef>
#include <cstdint>

namespace het::spirv {

using ze_result_t = uint32_t;
using ze_driver_handle_t = struct ZeDriver *;
using ze_device_handle_t = struct ZeDevice *;
using ze_context_handle_t = struct ZeContext *;
using ze_command_list_handle_t = struct ZeCommandList *;
using ze_module_handle_t = struct ZeModule *;
using ze_module_build_log_handle_t = struct ZeModuleBuildLog *;
using ze_kernel_handle_t = struct ZeKernel *;
using ze_physical_mem_handle_t = struct ZePhysicalMem *;
using ze_event_handle_t = struct ZeEvent *;

inline constexpr ze_result_t ZE_RESULT_SUCCESS = 0, ZE_RESULT_NOT_READY = 1;

/// `stype` of structures.
enum : uint32_t {
  ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES = 0x1,
  ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES = 0x3,
  ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES = 0x4,
  ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES = 0x5,
  ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES = 0x6,
  ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES = 0x7,
  ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES = 0x8,
  ZE_STRUCTURE_TYPE_CONTEXT_DESC = 0xD,
  ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC = 0xE,
  ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC = 0x15,
  ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC = 0x16,
  ZE_STRUCTURE_TYPE_MODULE_DESC = 0x1B,
  ZE_STRUCTURE_TYPE_KERNEL_DESC = 0x1D,
  ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES = 0x1E,
  ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC = 0x20,
  ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES = 0x10013,
  ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC = 0x20037,
};

inline constexpr uint32_t ZE_INIT_FLAG_GPU_ONLY = 1;
inline constexpr uint32_t ZE_DEVICE_TYPE_GPU = 1;
inline constexpr uint32_t ZE_DEVICE_MODULE_FLAG_FP16 = 1, ZE_DEVICE_MODULE_FLAG_FP64 = 2,
                          ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS = 4;
inline constexpr uint32_t ZE_MEMORY_ACCESS_CAP_FLAG_RW = 1,
                          ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC = 2,
                          ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT = 4;
inline constexpr uint32_t ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE = 1,
                          ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY = 2;
inline constexpr uint32_t ZE_COMMAND_QUEUE_FLAG_IN_ORDER = 2;
inline constexpr uint32_t ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS = 2;
inline constexpr uint32_t ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_DEVICE = 1;
inline constexpr uint32_t ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE = 1;
inline constexpr uint32_t ZE_MODULE_FORMAT_IL_SPIRV = 0, ZE_MODULE_FORMAT_NATIVE = 1;
inline constexpr uint32_t ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST = 1,
                          ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE = 2,
                          ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED = 4;

/// Head of all structures. A structure is zero but for its `stype`.
template <uint32_t type> struct ZeStructure {
  uint32_t stype = type;
  const void *pNext = nullptr;
};

struct ze_driver_properties_t : ZeStructure<ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES> {
  uint8_t uuid[16] = {};
  uint32_t driverVersion = 0;
};

struct ze_device_properties_t : ZeStructure<ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES> {
  uint32_t type = 0, vendorId = 0, deviceId = 0, flags = 0, subdeviceId = 0;
  uint32_t coreClockRate = 0; ///< MHz
  uint64_t maxMemAllocSize = 0;
  uint32_t maxHardwareContexts = 0, maxCommandQueuePriority = 0;
  uint32_t numThreadsPerEU = 0, physicalEUSimdWidth = 0, numEUsPerSubslice = 0;
  uint32_t numSubslicesPerSlice = 0, numSlices = 0;
  uint64_t timerResolution = 0;
  uint32_t timestampValidBits = 0, kernelTimestampValidBits = 0;
  uint8_t uuid[16] = {};
  char name[256] = {};
};

struct ze_device_compute_properties_t
    : ZeStructure<ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES> {
  uint32_t maxTotalGroupSize = 0;
  uint32_t maxGroupSize[3] = {};  ///< X, Y, Z
  uint32_t maxGroupCount[3] = {}; ///< X, Y, Z
  uint32_t maxSharedLocalMemory = 0;
  uint32_t numSubGroupSizes = 0;
  uint32_t subGroupSizes[8] = {};
};

struct ze_device_module_properties_t
    : ZeStructure<ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES> {
  uint32_t spirvVersionSupported = 0; ///< major << 16 | minor
  uint32_t flags = 0, fp16flags = 0, fp32flags = 0, fp64flags = 0;
  uint32_t maxArgumentsSize = 0, printfBufferSize = 0;
  uint8_t nativeKernelSupported[16] = {};
};

struct ze_device_memory_properties_t
    : ZeStructure<ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES> {
  uint32_t flags = 0;
  uint32_t maxClockRate = 0; ///< MHz
  uint32_t maxBusWidth = 0;
  uint64_t totalSize = 0;
  char name[256] = {};
};

struct ze_device_memory_access_properties_t
    : ZeStructure<ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES> {
  uint32_t hostAllocCapabilities = 0, deviceAllocCapabilities = 0;
  uint32_t sharedSingleDeviceAllocCapabilities = 0;
  uint32_t sharedCrossDeviceAllocCapabilities = 0;
  uint32_t sharedSystemAllocCapabilities = 0;
};

struct ze_command_queue_group_properties_t
    : ZeStructure<ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES> {
  uint32_t flags = 0;
  size_t maxMemoryFillPatternSize = 0;
  uint32_t numQueues = 0;
};

struct ze_context_desc_t : ZeStructure<ZE_STRUCTURE_TYPE_CONTEXT_DESC> {
  uint32_t flags = 0;
};

struct ze_command_queue_desc_t : ZeStructure<ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC> {
  uint32_t ordinal = 0, index = 0, flags = 0, mode = 0, priority = 0;
};

struct ze_device_mem_alloc_desc_t : ZeStructure<ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC> {
  uint32_t flags = 0, ordinal = 0;
};

struct ze_host_mem_alloc_desc_t : ZeStructure<ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC> {
  uint32_t flags = 0;
};

/// ZE_extension_external_memmap_sysmem: zeMemAllocHost gives memory that the process
/// has already.
struct ze_external_memmap_sysmem_ext_desc_t
    : ZeStructure<ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC> {
  void *pSystemMemory = nullptr;
  uint64_t size = 0;
};

struct ze_physical_mem_desc_t : ZeStructure<ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC> {
  uint32_t flags = 0;
  size_t size = 0;
};

struct ze_module_desc_t : ZeStructure<ZE_STRUCTURE_TYPE_MODULE_DESC> {
  uint32_t format = 0;
  size_t inputSize = 0;
  const uint8_t *pInputModule = nullptr;
  const char *pBuildFlags = nullptr;
  const void *pConstants = nullptr;
};

struct ze_kernel_desc_t : ZeStructure<ZE_STRUCTURE_TYPE_KERNEL_DESC> {
  uint32_t flags = 0;
  const char *pKernelName = nullptr;
};

struct ze_kernel_properties_t : ZeStructure<ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES> {
  uint32_t numKernelArgs = 0, requiredGroupSize[3] = {};
  uint32_t requiredNumSubGroups = 0, requiredSubgroupSize = 0;
  uint32_t maxSubgroupSize = 0, maxNumSubgroups = 0;
  uint32_t localMemSize = 0, privateMemSize = 0, spillMemSize = 0;
  uint8_t kernelUuid[16] = {}, moduleUuid[16] = {};
};

/// ZE_extension_kernel_max_group_size_properties, behind ze_kernel_properties_t.
struct ze_kernel_max_group_size_properties_ext_t
    : ZeStructure<ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES> {
  uint32_t maxGroupSize = 0;
};

struct ze_group_count_t {
  uint32_t groupCountX, groupCountY, groupCountZ;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZEROTYPES_H
