// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a door, and what the GPU behind it is.

#include "LevelZeroDoor.h"

#include <algorithm>
#include <cstdio>

namespace het::spirv {
namespace {

/// "ze1.3.29735": drivers count in one word, however they split it.
std::string versionText(uint32_t version) {
  return "ze" + std::to_string(version >> 24) + "." +
         std::to_string(version >> 16 & 0xFF) + "." + std::to_string(version & 0xFFFF);
}

std::vector<size_t> subgroupSizes(const ze_device_compute_properties_t &compute) {
  const size_t count =
      std::min<size_t>(compute.numSubGroupSizes, std::size(compute.subGroupSizes));
  return std::vector<size_t>(compute.subGroupSizes, compute.subGroupSizes + count);
}

/// Generic addresses are part of Level Zero's SPIR-V.
Features featuresOf(const ze_device_module_properties_t &module) {
  return {(module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0,
          (module.flags & ZE_DEVICE_MODULE_FLAG_FP16) != 0,
          (module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS) != 0, true,
          /*isCPU=*/false};
}

/// Identifies a GPU among those for which the driver's code may differ.
std::string identityOf(const LevelZeroGPU &gpu) {
  std::string text = gpu.properties.name;
  for (uint32_t number :
       {gpu.properties.vendorId, gpu.properties.deviceId, gpu.properties.flags,
        gpu.module.spirvVersionSupported, gpu.module.flags})
    text += ";" + std::to_string(number);
  return text;
}

/// A processor is what has shared memory of its own.
void readShape(const LevelZeroGPU &gpu, HetDeviceProperties &out) {
  const ze_device_properties_t &is = gpu.properties;
  out.processorCount = is.numSlices * is.numSubslicesPerSlice;
  out.threadsPerProcessor =
      is.numEUsPerSubslice * is.numThreadsPerEU * is.physicalEUSimdWidth;
  out.sharedBytesPerProcessor = gpu.compute.maxSharedLocalMemory;
  out.maxThreadsPerBlock = gpu.compute.maxTotalGroupSize;
  std::copy_n(gpu.compute.maxGroupSize, 3, out.maxBlockDim);
  std::copy_n(gpu.compute.maxGroupCount, 3, out.maxGridDim);
}

} // namespace

std::unique_ptr<Door> LevelZeroDoor::open(const LevelZero &ze, const LevelZeroGPU &gpu,
                                          HetStatus *status) {
  std::unique_ptr<LevelZeroDoor> door(new LevelZeroDoor(ze, gpu));
  if (door->context.open(status))
    return nullptr;
  return door;
}

LevelZeroDoor::~LevelZeroDoor() {
  for (auto &[address, range] : ranges.takeAll())
    drop(address, range);
}

int32_t LevelZeroDoor::readFacts(HetDeviceProperties &out, HetStatus *status) {
  const LevelZero &ze = context.ze;
  const LevelZeroGPU &gpu = context.gpu;
  std::snprintf(out.name, sizeof(out.name), "%.200s (Level Zero)", gpu.properties.name);
  std::snprintf(out.arch, sizeof(out.arch), "%s",
                makeArch(chooseSubgroup(subgroupSizes(gpu.compute)),
                         featuresOf(gpu.module), versionText(gpu.driverVersion),
                         identityOf(gpu))
                    .c_str());
  const std::string what =
      std::string(gpu.properties.name) + ": zeDeviceGetMemoryProperties";
  uint32_t count = 0;
  if (ze_result_t result = ze.zeDeviceGetMemoryProperties(gpu.device, &count, nullptr))
    return context.check(result, HET_UNAVAILABLE, what, status);
  std::vector<ze_device_memory_properties_t> memories(count);
  if (count)
    if (ze_result_t result =
            ze.zeDeviceGetMemoryProperties(gpu.device, &count, memories.data()))
      return context.check(result, HET_UNAVAILABLE, what, status);
  for (const ze_device_memory_properties_t &memory : memories) {
    out.totalMemory += memory.totalSize;
    out.memoryClockKilohertz =
        std::max(out.memoryClockKilohertz, memory.maxClockRate * 1000);
    out.memoryBusBits = std::max(out.memoryBusBits, memory.maxBusWidth);
  }
  out.memoryGranularity = context.granularity;
  readShape(gpu, out);
  completeFacts(out, gpu.compute.maxSharedLocalMemory);
  out.sharesHostMemory = 0;
  return success(status);
}

std::unique_ptr<Commands> LevelZeroDoor::createCommands(HetStatus *status) {
  ze_command_queue_desc_t desc;
  desc.ordinal = context.gpu.queueGroup;
  desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  if (ze_result_t result = context.ze.zeCommandListCreateImmediate(
          context.handle, context.gpu.device, &desc, &list)) {
    context.check(result, HET_UNAVAILABLE, "zeCommandListCreateImmediate", status);
    return nullptr;
  }
  success(status);
  return std::make_unique<LevelZeroCommands>(*this, list);
}

} // namespace het::spirv
