// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a GPU's properties from the driver, as TargetABI.h asks for them.

#include "LoweringVersion.h"
#include "PTXDevice.h"

#include <algorithm>
#include <cstdio>

namespace het::ptx {

int ptxVersion(int driverVersion) {
  // The PTX of each CUDA version: table "PTX Release History" of the PTX ISA manual.
  static constexpr struct {
    int driver, ptx;
  } releases[] = {{13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85},
                  {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80}};
  for (const auto &release : releases)
    if (driverVersion >= release.driver)
      return release.ptx;
  return 0;
}

namespace {

/// Reads attributes until one fails.
struct Attributes {
  const Driver &driver;
  CUdevice device;
  CUresult result = CUDA_SUCCESS;

  uint32_t operator[](int attribute) {
    int value = 0;
    if (result == CUDA_SUCCESS)
      result = driver.cuDeviceGetAttribute(&value, attribute, device);
    return static_cast<uint32_t>(std::max(value, 0));
  }
};

void queryShape(Attributes &attributes, HetDeviceProperties &out) {
  out.processorCount = attributes[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT];
  out.maxThreadsPerBlock = attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK];
  for (int axis = 0; axis < 3; ++axis) {
    out.maxBlockDim[axis] = attributes[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + axis];
    out.maxGridDim[axis] = attributes[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + axis];
  }
  out.threadsPerProcessor =
      attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR];
  out.blocksPerProcessor = attributes[CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR];
  out.registersPerProcessor =
      attributes[CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR];
  out.sharedBytesPerBlock = attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK];
  out.sharedBytesPerBlockOptIn =
      attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN];
  out.sharedBytesPerProcessor =
      attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR];
}

void queryHardware(Attributes &attributes, HetDeviceProperties &out) {
  out.clockKilohertz = attributes[CU_DEVICE_ATTRIBUTE_CLOCK_RATE];
  if (!out.clockKilohertz)
    out.clockKilohertz = 1000000; // not said; programs divide by it
  out.capabilityMajor = attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR];
  out.capabilityMinor = attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
  out.copyEngineCount = attributes[CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT];
  out.memoryClockKilohertz = attributes[CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE];
  out.memoryBusBits = attributes[CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH];
  out.level2CacheBytes = attributes[CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE];
  out.pciDomain = attributes[CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID];
  out.pciBus = attributes[CU_DEVICE_ATTRIBUTE_PCI_BUS_ID];
  out.pciDevice = attributes[CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID];
}

CUresult queryGranularity(const Driver &driver, CUdevice device, uint64_t &out) {
  CUmemAllocationProp memory = {};
  memory.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  size_t granularity = 0;
  if (CUresult result = driver.cuMemGetAllocationGranularity(
          &granularity, &memory, CU_MEM_ALLOC_GRANULARITY_MINIMUM))
    return result;
  out = std::max<uint64_t>(granularity, 2 << 20);
  return CUDA_SUCCESS;
}

} // namespace

CUresult queryProperties(const Driver &driver, CUdevice device,
                         HetDeviceProperties &out) {
  if (CUresult result = driver.cuDeviceGetName(out.name, sizeof(out.name), device))
    return result;
  size_t total = 0;
  if (CUresult result = driver.cuDeviceTotalMem(&total, device))
    return result;
  out.totalMemory = total;
  Attributes attributes{driver, device};
  queryShape(attributes, out);
  queryHardware(attributes, out);
  if (attributes.result)
    return attributes.result;
  std::snprintf(out.arch, sizeof(out.arch), "sm_%u%u;ptx%d;driver=%s",
                out.capabilityMajor, out.capabilityMinor, ptxVersion(driver.version),
                versionText(driver.version).c_str());
  std::snprintf(out.loweringVersion, sizeof(out.loweringVersion), "%s",
                HET_LOWERING_VERSION);
  out.sharesHostMemory = 0;
  out.reservesWindow = 1;
  out.takesConstants = 1;
  out.mostClusterBlocks = out.capabilityMajor >= 9 ? 16 : 0;
  out.hasHeap = 1;
  out.loadsWaitForCalls = 1; // lazily loaded code waits for all of the context's work
  return queryGranularity(driver, device, out.memoryGranularity);
}

} // namespace het::ptx
