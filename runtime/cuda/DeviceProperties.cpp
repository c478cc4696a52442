// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaDeviceProp. What the target states is taken from there; the rest is what
// holds on every device of this runtime: a team is 32 lanes, memory is in one
// address space with the host's, and the capability is the one that programs
// are compiled for by default.

#include "DeviceProperties.h"
#include "Copy.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace het::cuda {

/// Compute capability 9.0: device code is compiled with __CUDA_ARCH__ 900
/// unless the user asks for another one.
static constexpr int capabilityMajor = 9, capabilityMinor = 0;

static constexpr int threadsPerProcessor = 2048;
static constexpr int blocksPerProcessor = 32;
static constexpr int registersPerProcessor = 65536;

static int clampToInt(uint64_t value) {
  return static_cast<int>(std::min<uint64_t>(value, INT_MAX));
}

/// The target's value, or the default where it states none.
static int stated(uint64_t value, int otherwise) {
  return value ? clampToInt(value) : otherwise;
}

/// The same bytes for the same device in every process; different ones for two
/// devices of one process.
static void makeUuid(const HetDeviceProperties &device, int ordinal, cudaUUID_t &uuid) {
  uint64_t hash = 0xcbf29ce484222325u + static_cast<uint64_t>(ordinal);
  for (const char *text : {device.name, device.arch})
    for (; *text; ++text)
      hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  for (size_t index = 0; index < sizeof(uuid.bytes); ++index) {
    hash = hash * 6364136223846793005u + 1442695040888963407u;
    uuid.bytes[index] = static_cast<char>(hash >> 56);
  }
}

/// Sizes of textures and surfaces: those of the capability.
static void describeTextures(cudaDeviceProp &p) {
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.maxTexture1D = 131072;
  p.maxTexture1DMipmap = 32768;
  p.maxTexture1DLinear = 268435456;
  p.maxTexture2D[0] = 131072;
  p.maxTexture2D[1] = 65536;
  p.maxTexture2DMipmap[0] = p.maxTexture2DMipmap[1] = 32768;
  p.maxTexture2DLinear[0] = 131072;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture2DGather[0] = p.maxTexture2DGather[1] = 32768;
  std::fill_n(p.maxTexture3D, 3, 16384);
  p.maxTexture3DAlt[0] = p.maxTexture3DAlt[1] = 8192;
  p.maxTexture3DAlt[2] = 32768;
  p.maxTextureCubemap = 32768;
  p.maxTexture1DLayered[0] = 32768;
  p.maxTexture1DLayered[1] = 2048;
  p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
  p.maxTexture2DLayered[2] = 2048;
  p.maxTextureCubemapLayered[0] = 32768;
  p.maxTextureCubemapLayered[1] = 2046;
  p.maxSurface1D = 32768;
  p.maxSurface2D[0] = 131072;
  p.maxSurface2D[1] = 65536;
  std::fill_n(p.maxSurface3D, 3, 16384);
  p.maxSurface1DLayered[0] = 32768;
  p.maxSurface1DLayered[1] = 2048;
  p.maxSurface2DLayered[0] = p.maxSurface2DLayered[1] = 32768;
  p.maxSurface2DLayered[2] = 2048;
  p.maxSurfaceCubemap = 32768;
  p.maxSurfaceCubemapLayered[0] = 32768;
  p.maxSurfaceCubemapLayered[1] = 2046;
}

/// Fills in the limits of kernels and blocks.
static void describeShapes(const HetDeviceProperties &device, cudaDeviceProp &p) {
  p.warpSize = 32;
  p.maxThreadsPerBlock = clampToInt(device.maxThreadsPerBlock);
  for (int axis = 0; axis < 3; ++axis) {
    p.maxThreadsDim[axis] = clampToInt(device.maxBlockDim[axis]);
    p.maxGridSize[axis] = clampToInt(device.maxGridDim[axis]);
  }
  p.maxThreadsPerMultiProcessor = stated(device.threadsPerProcessor, threadsPerProcessor);
  p.maxBlocksPerMultiProcessor = stated(device.blocksPerProcessor, blocksPerProcessor);
  p.regsPerMultiprocessor = stated(device.registersPerProcessor, registersPerProcessor);
  p.regsPerBlock = p.regsPerMultiprocessor;
  p.sharedMemPerBlock = device.sharedBytesPerBlock;
  p.sharedMemPerBlockOptin = device.sharedBytesPerBlockOptIn;
  p.sharedMemPerMultiprocessor = device.sharedBytesPerProcessor
                                     ? device.sharedBytesPerProcessor
                                     : device.sharedBytesPerBlockOptIn;
  p.totalConstMem = 65536;
  p.memPitch = maxPitch;
}

/// Fills in the features of the device.
static void describeAbilities(const HetDeviceProperties &device, cudaDeviceProp &p) {
  p.integrated = device.sharesHostMemory != 0;
  p.canMapHostMemory = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = device.sharesHostMemory != 0;
  p.directManagedMemAccessFromHost = device.sharesHostMemory != 0;
  p.pageableMemoryAccess = device.sharesHostMemory != 0;
  p.pageableMemoryAccessUsesHostPageTables = device.sharesHostMemory != 0;
  p.hostNativeAtomicSupported = device.sharesHostMemory != 0;
  p.canUseHostPointerForRegisteredMem = 1;
  p.hostRegisterSupported = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = stated(device.copyEngineCount, 1);
  p.deviceOverlap = 1;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.cooperativeLaunch = 1;
  p.clusterLaunch = device.mostClusterBlocks > 1;
  p.cooperativeMultiDeviceLaunch = 1;
  p.computePreemptionSupported = 1;
  p.memoryPoolsSupported = 1;
  p.unifiedFunctionPointers = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
}

cudaDeviceProp describe(const HetDeviceProperties &device, int ordinal) {
  cudaDeviceProp p = {};
  std::strncpy(p.name, device.name, sizeof(p.name) - 1);
  makeUuid(device, ordinal, p.uuid);
  bool hasCapability = device.capabilityMajor != 0;
  p.major = hasCapability ? clampToInt(device.capabilityMajor) : capabilityMajor;
  p.minor = hasCapability ? clampToInt(device.capabilityMinor) : capabilityMinor;
  p.totalGlobalMem = device.totalMemory;
  p.multiProcessorCount = clampToInt(device.processorCount);
  p.clockRate = clampToInt(device.clockKilohertz);
  // Programs print these, or divide by them.
  p.memoryClockRate = stated(device.memoryClockKilohertz, p.clockRate);
  p.memoryBusWidth = stated(device.memoryBusBits, 64);
  p.l2CacheSize = stated(device.level2CacheBytes, 4 << 20);
  p.pciDomainID = clampToInt(device.pciDomain);
  p.pciBusID = stated(device.pciBus, ordinal);
  p.pciDeviceID = clampToInt(device.pciDevice);
  p.computeMode = cudaComputeModeDefault;
  describeShapes(device, p);
  describeTextures(p);
  describeAbilities(device, p);
  return p;
}

} // namespace het::cuda
