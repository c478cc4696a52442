// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of Vulkan's devices can run what the lowering makes.

#include "VulkanDoor.h"

#include <algorithm>

namespace het::spirv {
namespace {

/// Each structure's next one.
template <class First, class... Rest> void chain(First &first, Rest &...rest) {
  void **end = &first.pNext;
  auto add = [&](auto &next) {
    *end = &next;
    end = &next.pNext;
  };
  (add(rest), ...);
}

void describe(const Vulkan &vulkan, VulkanGPU &gpu) {
  gpu.properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  gpu.properties11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
  gpu.properties12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
  gpu.properties13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES;
  gpu.hostMemory.sType =
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT;
  gpu.features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  gpu.features11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  gpu.features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  gpu.features13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  chain(gpu.properties, gpu.properties11, gpu.properties12, gpu.properties13,
        gpu.hostMemory);
  chain(gpu.features, gpu.features11, gpu.features12, gpu.features13);
  vulkan.vkGetPhysicalDeviceProperties2(gpu.device, &gpu.properties);
  vulkan.vkGetPhysicalDeviceFeatures2(gpu.device, &gpu.features);
  uint32_t count = 0;
  vulkan.vkEnumerateDeviceExtensionProperties(gpu.device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vulkan.vkEnumerateDeviceExtensionProperties(gpu.device, nullptr, &count,
                                              extensions.data());
  for (const VkExtensionProperties &extension : extensions)
    gpu.extensions.push_back(extension.extensionName);
}

/// False where no queue computes.
bool findQueue(const Vulkan &vulkan, VulkanGPU &gpu) {
  uint32_t count = 0;
  vulkan.vkGetPhysicalDeviceQueueFamilyProperties(gpu.device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vulkan.vkGetPhysicalDeviceQueueFamilyProperties(gpu.device, &count, families.data());
  for (gpu.queueFamily = 0; gpu.queueFamily < count; ++gpu.queueFamily)
    if (families[gpu.queueFamily].queueFlags & VK_QUEUE_COMPUTE_BIT)
      return true;
  return false;
}

/// Names what a kernel needs and the device lacks; empty: there is nothing.
std::string whyNot(const VulkanGPU &gpu) {
  const VkPhysicalDeviceVulkan12Properties &numbers = gpu.properties12;
  const bool hasFP64 = gpu.features.features.shaderFloat64;
  const std::pair<bool, const char *> needs[] = {
      {gpu.properties.properties.apiVersion >= VK_API_VERSION_1_3, "Vulkan 1.3"},
      {gpu.features.features.shaderInt64, "shaderInt64"},
      {gpu.features.features.shaderInt16, "shaderInt16"},
      {gpu.features11.storageBuffer16BitAccess, "storageBuffer16BitAccess"},
      {gpu.features12.shaderInt8, "shaderInt8"},
      {gpu.features12.storageBuffer8BitAccess, "storageBuffer8BitAccess"},
      {gpu.features12.bufferDeviceAddress, "bufferDeviceAddress"},
      {gpu.features12.vulkanMemoryModel, "vulkanMemoryModel"},
      {gpu.features12.vulkanMemoryModelDeviceScope, "vulkanMemoryModelDeviceScope"},
      {gpu.features13.maintenance4, "maintenance4"},
      {gpu.features13.subgroupSizeControl, "subgroupSizeControl"},
      {numbers.shaderRoundingModeRTEFloat32, "shaderRoundingModeRTEFloat32"},
      {numbers.shaderSignedZeroInfNanPreserveFloat32,
       "shaderSignedZeroInfNanPreserveFloat32"},
      {!hasFP64 || numbers.shaderRoundingModeRTEFloat64, "shaderRoundingModeRTEFloat64"},
      {!hasFP64 || numbers.shaderSignedZeroInfNanPreserveFloat64,
       "shaderSignedZeroInfNanPreserveFloat64"},
      {numbers.shaderDenormPreserveFloat32 ||
           knownDriver(numbers.driverID).keepsSubnormals,
       "shaderDenormPreserveFloat32"},
      {gpu.has(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME),
       VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME}};
  for (auto [isThere, name] : needs)
    if (!isThere)
      return std::string(gpu.properties.properties.deviceName) + ": found no " + name +
             " (Vulkan)";
  return "";
}

Offer makeOffer(const Vulkan &vulkan, const std::shared_ptr<VulkanGPU> &gpu) {
  Offer offer;
  offer.name = gpu->properties.properties.deviceName;
  offer.open = [&vulkan, gpu](HetStatus *status) {
    return VulkanDoor::open(vulkan, *gpu, status);
  };
  return offer;
}

} // namespace

bool VulkanGPU::has(const char *extension) const {
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

/// What a driver computes exactly beyond its promises: lavapipe's quotients, roots and
/// subnormal numbers are the CPU's, as its code and tests show.
KnownDriver knownDriver(VkDriverId id) {
  constexpr KnownDriver known[] = {{VK_DRIVER_ID_MESA_LLVMPIPE, /*fuses=*/false,
                                    /*divides=*/true,
                                    /*keepsSubnormals=*/true, /*isLlvmpipe=*/true}};
  for (const KnownDriver &driver : known)
    if (driver.id == id)
      return driver;
  return {id, false, false, false, false};
}

void findOffers(const Vulkan &vulkan, Offers &offers) {
  offers.reason = "Vulkan has no device; install a driver, as mesa-vulkan-drivers";
  uint32_t count = 0;
  if (VkResult result =
          vulkan.vkEnumeratePhysicalDevices(vulkan.instance, &count, nullptr)) {
    offers.reason = "vkEnumeratePhysicalDevices: " + resultText(result);
    return;
  }
  std::vector<VkPhysicalDevice> devices(count);
  if (count)
    if (VkResult result =
            vulkan.vkEnumeratePhysicalDevices(vulkan.instance, &count, devices.data());
        result < 0) {
      offers.reason = "vkEnumeratePhysicalDevices: " + resultText(result);
      return;
    }
  for (VkPhysicalDevice device : devices) {
    auto gpu = std::make_shared<VulkanGPU>();
    gpu->device = device;
    describe(vulkan, *gpu);
    std::string why = whyNot(*gpu);
    if (why.empty() && !findQueue(vulkan, *gpu))
      why = std::string(gpu->properties.properties.deviceName) +
            ": found no queue that computes (Vulkan)";
    if (why.empty())
      offers.devices.push_back(makeOffer(vulkan, gpu));
    else
      offers.reason = why;
  }
}

} // namespace het::spirv
