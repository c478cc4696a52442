// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a Vulkan device, what it is, and its memory.

#include "VulkanDoor.h"
#include "het/Base/MemoryLimit.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace het::spirv {
namespace {

/// The sizes of sub-groups that a pipeline can ask for, if what teams need is there.
std::vector<size_t> subgroupSizes(const VulkanGPU &gpu) {
  constexpr VkSubgroupFeatureFlags needed =
      VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
      VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
  std::vector<size_t> sizes;
  if ((gpu.properties11.subgroupSupportedOperations & needed) != needed ||
      !(gpu.properties13.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT))
    return sizes;
  for (size_t size = std::max(1u, gpu.properties13.minSubgroupSize);
       size <= gpu.properties13.maxSubgroupSize; size *= 2)
    sizes.push_back(size);
  return sizes;
}

/// What the lowering may rely on: as words of `arch`.
std::string floatWords(const VulkanGPU &gpu) {
  const VkPhysicalDeviceVulkan12Properties &numbers = gpu.properties12;
  const KnownDriver driver = knownDriver(numbers.driverID);
  std::string words;
  words += driver.fuses ? ";exactfma" : "";
  words += driver.divides ? ";exactdiv" : "";
  words += numbers.shaderDenormPreserveFloat16 ? ";denorms16" : "";
  words += numbers.shaderDenormPreserveFloat32 ? ";denorms32" : "";
  words += numbers.shaderDenormPreserveFloat64 ? ";denorms64" : "";
  words += driver.isLlvmpipe ? ";llvmpipe" : "";
  return words;
}

Features featuresOf(const VulkanGPU &gpu) {
  const VkPhysicalDeviceVulkan12Properties &numbers = gpu.properties12;
  const bool hasFP16 = gpu.features12.shaderFloat16 &&
                       numbers.shaderRoundingModeRTEFloat16 &&
                       numbers.shaderSignedZeroInfNanPreserveFloat16;
  Features features = {gpu.features.features.shaderFloat64 != 0, hasFP16,
                       gpu.features12.shaderBufferInt64Atomics != 0,
                       /*hasGeneric=*/true, /*isCPU=*/false};
  features.version = "vulkan1.3";
  features.words = floatWords(gpu);
  return features;
}

} // namespace

bool VulkanDoor::failed(VkResult result) {
  if (result == VK_ERROR_DEVICE_LOST)
    lost.store(true, std::memory_order_relaxed);
  return result != VK_SUCCESS;
}

int32_t VulkanDoor::check(VkResult result, int32_t code, const std::string &what,
                          HetStatus *status) {
  if (!failed(result))
    return success(status);
  if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
      result == VK_ERROR_DEVICE_LOST)
    code = HET_UNAVAILABLE;
  return report(status, code, what + ": " + resultText(result));
}

VkResult VulkanDoor::createDevice() {
  const float priority = 1;
  VkDeviceQueueCreateInfo queues = {};
  queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queues.queueFamilyIndex = gpu.queueFamily;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  // Features that kernels may use.
  VkPhysicalDeviceVulkan13Features features13 = {};
  features13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  features13.maintenance4 = VK_TRUE;
  features13.subgroupSizeControl = VK_TRUE;
  VkPhysicalDeviceVulkan12Features features12 = {};
  features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features12.pNext = &features13;
  features12.storageBuffer8BitAccess = features12.shaderInt8 = VK_TRUE;
  features12.bufferDeviceAddress = VK_TRUE;
  features12.vulkanMemoryModel = features12.vulkanMemoryModelDeviceScope = VK_TRUE;
  features12.shaderFloat16 = gpu.features12.shaderFloat16;
  features12.shaderBufferInt64Atomics = gpu.features12.shaderBufferInt64Atomics;
  features12.shaderSubgroupExtendedTypes = gpu.features12.shaderSubgroupExtendedTypes;
  VkPhysicalDeviceVulkan11Features features11 = {};
  features11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  features11.pNext = &features12;
  features11.storageBuffer16BitAccess = VK_TRUE;
  VkPhysicalDeviceFeatures2 features = {};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &features11;
  features.features.shaderInt64 = features.features.shaderInt16 = VK_TRUE;
  features.features.shaderFloat64 = gpu.features.features.shaderFloat64;
  const char *const extension = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
  VkDeviceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &extension;
  const VkResult result = vulkan.vkCreateDevice(gpu.device, &info, nullptr, &device);
  if (result == VK_SUCCESS)
    vulkan.vkGetDeviceQueue(device, gpu.queueFamily, 0, &queue);
  else
    device = VK_NULL_HANDLE;
  return result;
}

VkResult VulkanDoor::createLayout() {
  const VkPushConstantRange pushed = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                      sizeof(HetVulkanPushed)};
  VkPipelineLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &pushed;
  return vulkan.vkCreatePipelineLayout(device, &info, nullptr, &layout);
}

/// Takes a page of the process in, and looks which address the device has for it. Where
/// that is the page's own on a CPU, all memory of the process is the device's.
bool VulkanDoor::reachesProcess() {
  const auto bytes = static_cast<size_t>(
      std::max<VkDeviceSize>(gpu.hostMemory.minImportedHostPointerAlignment, 4096));
  if (gpu.properties.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
    return false;
  const Memory page = spirv::allocate(*this, 2 * bytes);
  auto address = reinterpret_cast<uint64_t>(page.get());
  address = (address + bytes - 1) / bytes * bytes;
  VkExternalMemoryBufferCreateInfo external = {};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  VkBufferCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.pNext = &external;
  info.size = bytes;
  info.usage =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  if (!page || failed(vulkan.vkCreateBuffer(device, &info, nullptr, &buffer)))
    return false;
  VkMemoryRequirements needs = {};
  vulkan.vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkMemoryAllocateFlagsInfo flags = {};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkImportMemoryHostPointerInfoEXT import = {
      VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT, &flags,
      VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
      reinterpret_cast<void *>(address)};
  VkMemoryAllocateInfo allocation = {};
  allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocation.pNext = &import;
  allocation.allocationSize = bytes;
  while (allocation.memoryTypeIndex < 31 &&
         !(needs.memoryTypeBits >> allocation.memoryTypeIndex & 1))
    ++allocation.memoryTypeIndex;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceAddress found = 0;
  if (needs.size <= bytes && needs.memoryTypeBits &&
      !failed(vulkan.vkAllocateMemory(device, &allocation, nullptr, &memory)) &&
      !failed(vulkan.vkBindBufferMemory(device, buffer, memory, 0))) {
    VkBufferDeviceAddressInfo of = {};
    of.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    of.buffer = buffer;
    found = vulkan.vkGetBufferDeviceAddress(device, &of);
  }
  vulkan.vkDestroyBuffer(device, buffer, nullptr);
  vulkan.vkFreeMemory(device, memory, nullptr);
  return found == address;
}

std::unique_ptr<Door> VulkanDoor::open(const Vulkan &vulkan, const VulkanGPU &gpu,
                                       HetStatus *status) {
  std::unique_ptr<VulkanDoor> door(new VulkanDoor(vulkan, gpu));
  const std::string name = gpu.properties.properties.deviceName;
  if (door->check(door->createDevice(), HET_UNAVAILABLE, name + ": vkCreateDevice",
                  status) ||
      door->check(door->createLayout(), HET_UNAVAILABLE,
                  name + ": vkCreatePipelineLayout", status))
    return nullptr;
  door->subgroup = chooseSubgroup(subgroupSizes(gpu));
  if (door->reachesProcess())
    return door;
  report(status, HET_UNSUPPORTED,
         name + ": found a device with addresses of its own, expected one whose kernels "
                "reach the process's memory (Vulkan)");
  return nullptr;
}

VulkanDoor::~VulkanDoor() {
  if (!device)
    return;
  vulkan.vkDestroyPipelineLayout(device, layout, nullptr);
  vulkan.vkDestroyDevice(device, nullptr);
}

int32_t VulkanDoor::readFacts(HetDeviceProperties &out, HetStatus *status) {
  const VkPhysicalDeviceProperties &is = gpu.properties.properties;
  std::snprintf(out.name, sizeof(out.name), "%.200s (Vulkan)", is.deviceName);
  std::string identity = is.deviceName;
  for (uint32_t number : {is.vendorID, is.deviceID, is.driverVersion, is.apiVersion})
    identity += ";" + std::to_string(number);
  std::snprintf(
      out.arch, sizeof(out.arch), "%s",
      makeArch(subgroup, featuresOf(gpu), gpu.properties12.driverName, identity).c_str());
  VkPhysicalDeviceMemoryProperties memory = {};
  vulkan.vkGetPhysicalDeviceMemoryProperties(gpu.device, &memory);
  for (uint32_t heap = 0; heap < memory.memoryHeapCount; ++heap)
    out.totalMemory += memory.memoryHeaps[heap].size;
  if (is.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) // the machine's
    out.totalMemory = std::min(out.totalMemory, het::controlGroupLimit());
  out.memoryGranularity = 2u << 20;
  out.maxThreadsPerBlock = is.limits.maxComputeWorkGroupInvocations;
  std::copy_n(is.limits.maxComputeWorkGroupSize, 3, out.maxBlockDim);
  std::fill_n(out.maxGridDim, 3, UINT32_MAX); // in several dispatches
  completeFacts(out, is.limits.maxComputeSharedMemorySize);
  out.sharesHostMemory = 1;
  return success(status);
}

std::unique_ptr<Commands> VulkanDoor::createCommands(HetStatus *status) {
  auto commands = std::make_unique<VulkanCommands>(*this);
  if (check(commands->open(), HET_UNAVAILABLE, "a queue of commands", status))
    return nullptr;
  return commands;
}

} // namespace het::spirv
