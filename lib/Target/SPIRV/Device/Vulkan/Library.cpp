// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening Vulkan's loader, and what its results mean.

#include "../../../Support/OpenOnce.h"
#include "VulkanLibrary.h"

#include <cstdio>
#include <dlfcn.h>

namespace het::spirv {
namespace {

constexpr const char *file = "libvulkan.so.1";

using Find = DriverFunction<std::remove_pointer_t<PFN_vkGetInstanceProcAddr>>;

/// Null where there are all functions, else the first that is missing.
const char *findFunctions(const Find &find, Vulkan &vulkan) {
#define VULKAN_FUNCTION(name)                                                            \
  vulkan.name.setAddress(reinterpret_cast<void *>(find(vulkan.instance, #name)));        \
  if (!vulkan.name)                                                                      \
    return #name;
#include "VulkanFunctions.def"
  return nullptr;
}

VkResult createInstance(const Find &find, VkInstance &instance) {
  DriverFunction<std::remove_pointer_t<PFN_vkCreateInstance>> create;
  create.setAddress(reinterpret_cast<void *>(find(VK_NULL_HANDLE, "vkCreateInstance")));
  if (!create)
    return VK_ERROR_INITIALIZATION_FAILED;
  VkApplicationInfo application = {};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  return create(&info, nullptr, &instance);
}

/// Null with a status where the library can not be used.
std::unique_ptr<Vulkan> load(HetStatus *status) {
  void *library = openDriver(file);
  if (!library) {
    report(status, HET_UNAVAILABLE,
           std::string(file) + ": not found (" + dlerror() +
               "); install Vulkan's loader and a driver");
    return nullptr;
  }
  Find find;
  find.setAddress(dlsym(library, "vkGetInstanceProcAddr"));
  auto vulkan = std::make_unique<Vulkan>();
  if (!find) {
    report(status, HET_UNAVAILABLE,
           std::string(file) + ": found no vkGetInstanceProcAddr");
    return nullptr;
  }
  if (VkResult result = createInstance(find, vulkan->instance)) {
    report(status, HET_UNAVAILABLE,
           "vkCreateInstance: " + resultText(result) + "; install a Vulkan driver");
    return nullptr;
  }
  if (const char *missing = findFunctions(find, *vulkan)) {
    report(status, HET_UNAVAILABLE,
           std::string(file) + ": found no " + missing +
               ", expected Vulkan 1.3; install a newer loader");
    return nullptr;
  }
  return vulkan;
}

} // namespace

const Vulkan *Vulkan::open(HetStatus *status) {
  return target::openOnce<Vulkan>(status, load);
}

std::string resultText(VkResult result) {
  switch (result) {
  case VK_ERROR_OUT_OF_HOST_MEMORY:
    return "VK_ERROR_OUT_OF_HOST_MEMORY";
  case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
  case VK_ERROR_INITIALIZATION_FAILED:
    return "VK_ERROR_INITIALIZATION_FAILED";
  case VK_ERROR_DEVICE_LOST:
    return "VK_ERROR_DEVICE_LOST";
  case VK_ERROR_EXTENSION_NOT_PRESENT:
    return "VK_ERROR_EXTENSION_NOT_PRESENT";
  case VK_ERROR_FEATURE_NOT_PRESENT:
    return "VK_ERROR_FEATURE_NOT_PRESENT";
  case VK_ERROR_INCOMPATIBLE_DRIVER:
    return "VK_ERROR_INCOMPATIBLE_DRIVER";
  case VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS:
    return "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS";
  case VK_ERROR_INVALID_EXTERNAL_HANDLE:
    return "VK_ERROR_INVALID_EXTERNAL_HANDLE";
  default:
    return "VkResult " + std::to_string(result);
  }
}

} // namespace het::spirv
