// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vulkan's loader as a table of functions, opened at run time, with an instance.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_VULKAN_VULKANLIBRARY_H
#define HET_LIB_TARGET_SPIRV_DEVICE_VULKAN_VULKANLIBRARY_H

#include "../Door.h"
#include "../DriverFunction.h"

#include <type_traits>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

namespace het::spirv {

struct Vulkan {
#define VULKAN_FUNCTION(name) DriverFunction<std::remove_pointer_t<PFN_##name>> name;
#include "VulkanFunctions.def"

  VkInstance instance = VK_NULL_HANDLE;

  /// The process's library and its instance, made by the first call that succeeds; null
  /// with a status that says what is missing.
  static const Vulkan *open(HetStatus *status);
};

/// "VK_ERROR_DEVICE_LOST", or its number.
std::string resultText(VkResult result);

/// A device, and what it says of itself.
struct VulkanGPU {
  VkPhysicalDevice device;
  VkPhysicalDeviceProperties2 properties = {};
  VkPhysicalDeviceVulkan11Properties properties11 = {};
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): the driver fills it in
  VkPhysicalDeviceVulkan12Properties properties12 = {};
  VkPhysicalDeviceVulkan13Properties properties13 = {};
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT hostMemory = {};
  VkPhysicalDeviceFeatures2 features = {};
  VkPhysicalDeviceVulkan11Features features11 = {};
  VkPhysicalDeviceVulkan12Features features12 = {};
  VkPhysicalDeviceVulkan13Features features13 = {};
  std::vector<std::string> extensions;
  uint32_t queueFamily = 0;

  bool has(const char *extension) const;
};

/// What a driver is known to compute exactly, beyond what it promises.
struct KnownDriver {
  VkDriverId id;
  bool fuses, divides, keepsSubnormals, isLlvmpipe;
};
KnownDriver knownDriver(VkDriverId id);

/// The devices of all drivers. `offers.reason` says why one or all are left out.
void findOffers(const Vulkan &vulkan, Offers &offers);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_VULKAN_VULKANLIBRARY_H
