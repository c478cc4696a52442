// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's functions about devices and their attributes.

#include "Driver.h"

#include <algorithm>
#include <cstring>

using namespace het::cuda;
using namespace het::cuda::driver;

/// Checks the device and a pointer for the result, then hands the device to
/// `use`.
template <typename Use>
static CUresult with(CUdevice device, const void *result, Use use) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  if (!validDevice(device))
    return CUDA_ERROR_INVALID_DEVICE;
  return use(*deviceAt(device));
}

CUresult cuDeviceGetCount(int *count) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  *count = deviceCount();
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuDeviceGet(CUdevice *device, int ordinal) try {
  return with(ordinal, device, [&](Device &) {
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuDeviceGetName(char *name, int length, CUdevice device) try {
  return with(device, name, [&](Device &found) {
    if (length <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    size_t room = static_cast<size_t>(length) - 1;
    size_t size = std::min(std::strlen(found.properties.name), room);
    std::memcpy(name, found.properties.name, size);
    name[size] = 0;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) try {
  return with(device, uuid, [&](Device &found) {
    *uuid = found.properties.uuid;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

/// As on Linux with CUDA: only Windows gives devices such names.
CUresult cuDeviceGetLuid(char *luid, unsigned *nodeMask, CUdevice device) try {
  return with(device, luid, [&](Device &) {
    return nodeMask ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
  });
}
HET_CATCH

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope) try {
  return through([&] {
    return cudaDeviceFlushGPUDirectRDMAWrites(
        static_cast<cudaFlushGPUDirectRDMAWritesTarget>(target),
        static_cast<cudaFlushGPUDirectRDMAWritesScope>(scope));
  });
}
HET_CATCH

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) try {
  return with(device, bytes, [&](Device &found) {
    *bytes = found.properties.totalGlobalMem;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device) try {
  return with(device, value, [&](Device &found) {
    return attributeOf(found.properties, attribute, *value) ? CUDA_SUCCESS
                                                            : CUDA_ERROR_INVALID_VALUE;
  });
}
HET_CATCH

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) try {
  return with(device, major && minor ? major : nullptr, [&](Device &found) {
    *major = found.properties.major;
    *minor = found.properties.minor;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice device) try {
  return with(device, text, [&](Device &) {
    return convert(cudaDeviceGetPCIBusId(text, length, device));
  });
}
HET_CATCH

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text) try {
  return initialised() ? convert(cudaDeviceGetByPCIBusId(device, text))
                       : CUDA_ERROR_NOT_INITIALIZED;
}
HET_CATCH

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) try {
  return with(device, can, [&](Device &) {
    return convert(cudaDeviceCanAccessPeer(can, device, peer));
  });
}
HET_CATCH

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute,
                                 CUdevice from, CUdevice to) try {
  return with(from, value, [&](Device &) {
    return convert(cudaDeviceGetP2PAttribute(
        value, static_cast<cudaDeviceP2PAttr>(attribute), from, to));
  });
}
HET_CATCH

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *elements, CUarray_format format,
                                            unsigned channels, CUdevice device) try {
  return with(device, elements, [&](Device &) {
    cudaChannelFormatDesc converted = {};
    if (!toRuntime(format, channels, converted))
      return CUDA_ERROR_INVALID_VALUE;
    return convert(cudaDeviceGetTexture1DLinearMaxWidth(elements, &converted, device));
  });
}
HET_CATCH

CUresult cuDeviceGetProperties(CUdevprop *result, CUdevice device) try {
  return with(device, result, [&](Device &found) {
    const cudaDeviceProp &p = found.properties;
    result->maxThreadsPerBlock = p.maxThreadsPerBlock;
    std::copy_n(p.maxThreadsDim, 3, result->maxThreadsDim);
    std::copy_n(p.maxGridSize, 3, result->maxGridSize);
    result->sharedMemPerBlock = static_cast<int>(p.sharedMemPerBlock);
    result->totalConstantMemory = static_cast<int>(p.totalConstMem);
    result->SIMDWidth = p.warpSize;
    result->memPitch = static_cast<int>(std::min<size_t>(p.memPitch, INT32_MAX));
    result->regsPerBlock = p.regsPerBlock;
    result->clockRate = p.clockRate;
    result->textureAlign = static_cast<int>(p.textureAlignment);
    return CUDA_SUCCESS;
  });
}
HET_CATCH

// As from CUDA 12.0 on.
CUresult cuProfilerInitialize(const char *, const char *, CUoutput_mode) try {
  return CUDA_ERROR_NOT_SUPPORTED;
}
HET_CATCH
CUresult cuProfilerStart() try { return CUDA_SUCCESS; }
HET_CATCH
CUresult cuProfilerStop() try { return CUDA_SUCCESS; }
HET_CATCH
