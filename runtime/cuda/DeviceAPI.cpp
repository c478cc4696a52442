// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices: which there are, which is current, what they can do, waiting for
// them, their limits and flags. Peers are in PeerAPI.cpp.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "HostFunction.h"
#include "Stream.h"

#include <climits>
#include <cstdio>
#include <cstring>

using namespace het::cuda;

static constexpr int version = CUDART_VERSION;

cudaError_t cudaGetDeviceCount(int *count) {
  if (!count)
    return remember(cudaErrorInvalidValue);
  *count = deviceCount();
  return remember(*count ? cudaSuccess : noDeviceError());
}

cudaError_t cudaSetDevice(int ordinal) {
  if (!validDevice(ordinal))
    return remember(deviceCount() ? cudaErrorInvalidDevice : noDeviceError());
  return remember(setCurrentOrdinal(ordinal));
}

cudaError_t cudaInitDevice(int ordinal, unsigned flags, unsigned use) {
  if (!validDevice(ordinal))
    return remember(cudaErrorInvalidDevice);
  if (use & cudaInitDeviceFlagsAreValid)
    deviceAt(ordinal)->flags = flags;
  return remember(deviceAt(ordinal)->fault());
}

cudaError_t cudaGetDevice(int *ordinal) {
  if (!ordinal)
    return remember(cudaErrorInvalidValue);
  *ordinal = currentOrdinal();
  return remember(deviceCount() ? cudaSuccess : noDeviceError());
}

cudaError_t cudaSetValidDevices(int *list, int length) {
  if (length < 0 || (!list && length))
    return remember(cudaErrorInvalidValue);
  for (int index = 0; index < length; ++index)
    if (!validDevice(list[index]))
      return remember(cudaErrorInvalidDevice);
  return remember(length ? setCurrentOrdinal(list[0]) : cudaSuccess);
}

cudaError_t cudaChooseDevice(int *ordinal, const cudaDeviceProp *wanted) {
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

cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *properties, int ordinal) {
  if (!properties)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(ordinal))
    return remember(cudaErrorInvalidDevice);
  *properties = deviceAt(ordinal)->properties;
  return cudaSuccess;
}

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
#include "DeviceAttributes.def"
  default:
    return false;
  }
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int ordinal) {
  if (!value)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(ordinal))
    return remember(cudaErrorInvalidDevice);
  bool known = attributeOf(deviceAt(ordinal)->properties, attribute, *value);
  return remember(known ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDriverGetVersion(int *result) {
  if (!result)
    return remember(cudaErrorInvalidValue);
  *result = version;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *result) { return cudaDriverGetVersion(result); }

/// Hands the current device to `use`.
template <typename Use> static cudaError_t onDevice(Use use) {
  Device *device = currentDevice();
  return remember(device ? use(*device) : currentDeviceError());
}

cudaError_t cudaDeviceSynchronize() {
  return onDevice([](Device &device) {
    cudaError_t refused = refuseIfAnyCapturing(device.ordinal);
    return refused ? refused : device.synchronize();
  });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset() {
  if (deviceCount() == 0)
    return remember(noDeviceError());
  cudaError_t refused = refuseCaller();
  return remember(refused ? refused : deviceAt(currentOrdinal())->reset());
}

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  unsigned schedule = flags & cudaDeviceScheduleMask;
  if ((flags & ~cudaDeviceMask) || (schedule & (schedule - 1)))
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &device) {
    device.flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &device) {
    *flags = device.flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

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

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
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
    device.limits[limit] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  if (!value || !validLimit(limit))
    return remember(cudaErrorInvalidValue);
  if (limit == cudaLimitDevRuntimeSyncDepth)
    return remember(cudaErrorUnsupportedLimit);
  return onDevice([&](Device &device) {
    *value = device.limits[limit];
    return cudaSuccess;
  });
}

cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}

// Cache and bank preferences: hints that no device here has a use for.

static bool validCache(cudaFuncCache config) {
  return config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  if (!validCache(config))
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &device) {
    device.cacheConfig = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  if (!config)
    return remember(cudaErrorInvalidValue);
  return onDevice([&](Device &device) {
    *config = device.cacheConfig;
    return cudaSuccess;
  });
}

cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config) {
  return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  bool valid =
      config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return remember(valid ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  if (!config)
    return remember(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int ordinal) {
  if (!text || length <= 0)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(ordinal))
    return remember(cudaErrorInvalidDevice);
  const cudaDeviceProp &p = deviceAt(ordinal)->properties;
  int written = std::snprintf(text, static_cast<size_t>(length), "%08x:%02x:%02x.0",
                              p.pciDomainID, p.pciBusID, p.pciDeviceID);
  return remember(written < length ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetByPCIBusId(int *ordinal, const char *text) {
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

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
