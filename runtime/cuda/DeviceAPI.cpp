// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices: which there are, which is current, what they can do, waiting for
// them, their limits and flags. Peers are in PeerAPI.cpp.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "Stream.h"
#include "core/DeviceLaunches.h"
#include "driver/Driver.h"

#include <climits>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace het::cuda;

static constexpr int version = CUDART_VERSION;

cudaError_t cudaGetDeviceCount(int *count) try {
  if (!count)
    return remember(cudaErrorInvalidValue);
  *count = deviceCount();
  return remember(*count ? cudaSuccess : noDeviceError());
}
HET_CATCH

cudaError_t cudaSetDevice(int ordinal) try {
  if (!validDevice(ordinal))
    return remember(deviceCount() ? cudaErrorInvalidDevice : noDeviceError());
  driver::makePrimaryCurrent(ordinal);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaInitDevice(int ordinal, unsigned flags, unsigned use) try {
  if (!validDevice(ordinal))
    return remember(cudaErrorInvalidDevice);
  if (use & cudaInitDeviceFlagsAreValid)
    deviceAt(ordinal)->flags = flags;
  return remember(deviceAt(ordinal)->fault());
}
HET_CATCH

cudaError_t cudaGetDevice(int *ordinal) try {
  if (!ordinal)
    return remember(cudaErrorInvalidValue);
  *ordinal = currentOrdinal();
  return remember(deviceCount() ? cudaSuccess : noDeviceError());
}
HET_CATCH

cudaError_t cudaSetValidDevices(int *list, int length) try {
  if (length < 0 || (!list && length))
    return remember(cudaErrorInvalidValue);
  for (int index = 0; index < length; ++index)
    if (!validDevice(list[index]))
      return remember(cudaErrorInvalidDevice);
  if (length)
    driver::makePrimaryCurrent(list[0]);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaChooseDevice(int *ordinal, const cudaDeviceProp *wanted) try {
  if (!ordinal || !wanted)
    return remember(cudaErrorInvalidValue);
  auto score = [&](const cudaDeviceProp &has) {
    return (has.major * 10 + has.minor >= wanted->major * 10 + wanted->minor) +
           (has.totalGlobalMem >= wanted->totalGlobalMem) +
           (has.multiProcessorCount >= wanted->multiProcessorCount);
  };
  int best = -1;
  for (int index = 0; index < deviceCount(); ++index) {
    int points = score(deviceAt(index)->properties);
    if (points > best) {
      best = points;
      *ordinal = index;
    }
  }
  return remember(best < 0 ? noDeviceError() : cudaSuccess);
}
HET_CATCH

cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *properties, int ordinal) try {
  if (!properties)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(ordinal))
    return remember(cudaErrorInvalidDevice);
  *properties = deviceAt(ordinal)->properties;
  return cudaSuccess;
}
HET_CATCH

/// Attributes that all devices answer alike.
static constexpr std::pair<int, int> sameForAll[] = {
    {cudaDevAttrD3D12CigSupported, 0},
    {cudaDevAttrVulkanCigSupported, 0},
    {cudaDevAttrGpuPciDeviceId, 0},
    {cudaDevAttrGpuPciSubsystemId, 0},
    {cudaDevAttrHostNumaMemoryPoolsSupported, 0},
    {cudaDevAttrHostNumaMultinodeIpcSupported, 0},
    {CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 0},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 0},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 0},
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 1},
    {CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, 0},
    {CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK, 0},
    {CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH, 0},
    {CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0},
};

bool het::cuda::attributeOf(const cudaDeviceProp &p, int attribute, int &value) {
  auto clamp = [](auto wide) {
    return static_cast<uint64_t>(wide) > INT_MAX && wide > 0 ? INT_MAX
                                                             : static_cast<int>(wide);
  };
  switch (attribute) {
#define HET_ATTRIBUTE(name, from)                                                        \
  case cudaDevAttr##name:                                                                \
    value = clamp(from);                                                                 \
    return true;
#define HET_DRIVER_ATTRIBUTE(name, from)                                                 \
  case CU_DEVICE_ATTRIBUTE_##name:                                                       \
    value = from;                                                                        \
    return true;
#include "DeviceAttributes.def"
  default:
    break;
  }
  for (const auto &[known, answer] : sameForAll)
    if (known == attribute) {
      value = answer;
      return true;
    }
  return false;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                   int ordinal) try {
  if (!value)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(ordinal))
    return remember(cudaErrorInvalidDevice);
  bool known = attributeOf(deviceAt(ordinal)->properties, attribute, *value);
  return remember(known ? cudaSuccess : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaDriverGetVersion(int *result) try {
  if (!result)
    return remember(cudaErrorInvalidValue);
  *result = version;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaRuntimeGetVersion(int *result) try {
  return cudaDriverGetVersion(result);
}
HET_CATCH

/// Hands the current device to `use`.
template <typename Use> static cudaError_t onDevice(Use use) {
  Device *device = nullptr;
  cudaError_t error = useCurrentDevice(device);
  return remember(error ? error : use(*device));
}

cudaError_t cudaDeviceSynchronize() try {
  return onDevice([](Device &device) {
    cudaError_t refused = refuseIfAnyCapturing(device.ordinal);
    return refused ? refused : device.synchronize();
  });
}
HET_CATCH

cudaError_t cudaThreadSynchronize() try { return cudaDeviceSynchronize(); }
HET_CATCH

cudaError_t cudaDeviceReset() try {
  if (deviceCount() == 0)
    return remember(noDeviceError());
  cudaError_t refused = beginCall();
  return remember(refused ? refused : deviceAt(currentOrdinal())->reset());
}
HET_CATCH

cudaError_t cudaThreadExit() try { return cudaDeviceReset(); }
HET_CATCH

cudaError_t cudaSetDeviceFlags(unsigned flags) try {
  unsigned schedule = flags & cudaDeviceScheduleMask;
  if ((flags & ~cudaDeviceMask) || (schedule & (schedule - 1)))
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &device) {
    device.flags = flags;
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaGetDeviceFlags(unsigned *flags) try {
  if (!flags)
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &device) {
    *flags = device.flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}
HET_CATCH

// Limits. What the target does not limit is only remembered.

static bool validLimit(cudaLimit limit) {
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize;
}

/// A limit of stack, printf buffer or heap in the words of TargetABI.h.
static uint32_t targetLimit(cudaLimit limit) {
  return limit == cudaLimitStackSize        ? HET_LIMIT_STACK
         : limit == cudaLimitPrintfFifoSize ? HET_LIMIT_PRINTF_BUFFER
                                            : HET_LIMIT_HEAP;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) try {
  if (!validLimit(limit))
    return remember(cudaErrorInvalidValue);
  if (limit == cudaLimitDevRuntimeSyncDepth)
    return remember(cudaErrorUnsupportedLimit);
  return onDevice([&](Device &device) {
    if (limit <= cudaLimitMallocHeapSize) {
      het::Status status = device.device.setLimit(targetLimit(limit), value);
      if (!status.ok())
        return translate(status);
    }
    if (limit == cudaLimitDevRuntimePendingLaunchCount) {
      het::Status status =
          device.device.launches().setLimit(static_cast<uint32_t>(value));
      if (!status.ok())
        return translate(status, cudaErrorMemoryAllocation);
    }
    device.limits[limit] = value;
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) try {
  if (!value || !validLimit(limit))
    return remember(cudaErrorInvalidValue);
  if (limit == cudaLimitDevRuntimeSyncDepth)
    return remember(cudaErrorUnsupportedLimit);
  return onDevice([&](Device &device) {
    *value = device.limits[limit];
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) try {
  return cudaDeviceSetLimit(limit, value);
}
HET_CATCH

cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit) try {
  return cudaDeviceGetLimit(value, limit);
}
HET_CATCH

// Cache and bank preferences: hints that no device here has a use for.

static bool validCache(cudaFuncCache config) {
  return config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) try {
  if (!validCache(config))
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &device) {
    device.cacheConfig = config;
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) try {
  if (!config)
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &device) {
    *config = device.cacheConfig;
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) try {
  return cudaDeviceSetCacheConfig(config);
}
HET_CATCH

cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config) try {
  return cudaDeviceGetCacheConfig(config);
}
HET_CATCH

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) try {
  bool valid =
      config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return remember(valid ? cudaSuccess : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) try {
  if (!config)
    return remember(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int ordinal) try {
  if (!text || length <= 0)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(ordinal))
    return remember(cudaErrorInvalidDevice);
  const cudaDeviceProp &p = deviceAt(ordinal)->properties;
  int written = std::snprintf(text, static_cast<size_t>(length), "%08x:%02x:%02x.0",
                              p.pciDomainID, p.pciBusID, p.pciDeviceID);
  return remember(written < length ? cudaSuccess : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaDeviceGetByPCIBusId(int *ordinal, const char *text) try {
  if (!ordinal || !text)
    return remember(cudaErrorInvalidValue);
  int domain = 0, bus = 0, slot = 0;
  if (std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3) {
    domain = 0;
    if (std::sscanf(text, "%x:%x", &bus, &slot) != 2)
      return remember(cudaErrorInvalidValue);
  }
  for (int index = 0; index < deviceCount(); ++index) {
    const cudaDeviceProp &p = deviceAt(index)->properties;
    if (p.pciDomainID == domain && p.pciBusID == bus && p.pciDeviceID == slot) {
      *ordinal = index;
      return cudaSuccess;
    }
  }
  return remember(cudaErrorInvalidDevice);
}
HET_CATCH

cudaError_t
cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                   cudaFlushGPUDirectRDMAWritesScope scope) try {
  Device *device = nullptr;
  if (target != cudaFlushGPUDirectRDMAWritesTargetCurrentDevice ||
      (scope != cudaFlushGPUDirectRDMAWritesToOwner &&
       scope != cudaFlushGPUDirectRDMAWritesToAllDevices))
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = useCurrentDevice(device))
    return remember(error);
  // No device here lets others write into its memory, as its attributes say.
  return remember(cudaErrorNotSupported);
}
HET_CATCH

cudaError_t cudaProfilerStart() try { return cudaSuccess; }
HET_CATCH
cudaError_t cudaProfilerStop() try { return cudaSuccess; }
HET_CATCH
