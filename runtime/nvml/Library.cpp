// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices, found once, and NVIDIA's own library.

#include "Nvml.h"

#include "het/Base/Environment.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace het::nvml {

namespace {

std::mutex mutex;
unsigned users = 0;
std::vector<std::unique_ptr<nvmlDevice_st>> devices; ///< Never destroyed before the end.

/// Where NVIDIA's library lies beside LD_LIBRARY_PATH, in which hetrun puts ours in
/// front.
constexpr const char *usualFolders[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64",
                                        "/usr/lib", "/usr/local/nvidia/lib64",
                                        "/usr/lib/wsl/lib"};

void *openTheirs() {
  std::vector<std::string> folders = environment::list(Variable::LibraryPath, ':');
  folders.insert(folders.end(), std::begin(usualFolders), std::end(usualFolders));
  for (const std::string &folder : folders) {
    void *library =
        dlopen((folder + "/libnvidia-ml.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      continue;
    auto start = reinterpret_cast<nvmlReturn_t (*)()>(dlsym(library, "nvmlInit_v2"));
    if (!dlsym(library, "hetStandIn") && start && start() == NVML_SUCCESS)
      return library;
    dlclose(library);
  }
  return nullptr;
}

/// NVIDIA's handle for a device; null if its library knows none at that place and with
/// that name.
nvmlDevice_t findTheirs(CUdevice device) {
  char place[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE] = {};
  char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE] = {}, theirName[sizeof(name)] = {};
  auto find = reinterpret_cast<decltype(&nvmlDeviceGetHandleByPciBusId_v2)>(
      theirFunction("nvmlDeviceGetHandleByPciBusId_v2"));
  auto ask =
      reinterpret_cast<decltype(&nvmlDeviceGetName)>(theirFunction("nvmlDeviceGetName"));
  nvmlDevice_t found = nullptr;
  if (find && ask && cuDeviceGetPCIBusId(place, sizeof(place), device) == CUDA_SUCCESS &&
      cuDeviceGetName(name, sizeof(name), device) == CUDA_SUCCESS &&
      find(place, &found) == NVML_SUCCESS &&
      ask(found, theirName, sizeof(theirName)) == NVML_SUCCESS &&
      !std::strcmp(name, theirName))
    return found;
  return nullptr;
}

nvmlReturn_t findDevices() {
  int count = 0;
  CUresult result = cuInit(0);
  if (result == CUDA_SUCCESS)
    result = cuDeviceGetCount(&count);
  if (result == CUDA_ERROR_NO_DEVICE)
    return NVML_SUCCESS;
  if (result != CUDA_SUCCESS)
    return NVML_ERROR_DRIVER_NOT_LOADED;
  for (int ordinal = 0; ordinal < count; ++ordinal)
    devices.emplace_back(new nvmlDevice_st{ordinal, findTheirs(ordinal)});
  return NVML_SUCCESS;
}

} // namespace

void *theirFunction(const char *name) {
  static void *library = openTheirs();
  return library ? dlsym(library, name) : nullptr;
}

nvmlReturn_t initialise() {
  static const Status logging = setUpLog("het");
  std::lock_guard lock(mutex);
  if (devices.empty())
    if (const nvmlReturn_t result = findDevices(); result != NVML_SUCCESS)
      return result;
  ++users;
  return NVML_SUCCESS;
}

nvmlReturn_t shutDown() {
  std::lock_guard lock(mutex);
  if (!users)
    return NVML_ERROR_UNINITIALIZED;
  --users;
  return NVML_SUCCESS;
}

bool initialised() {
  std::lock_guard lock(mutex);
  return users != 0;
}

unsigned deviceCount() {
  std::lock_guard lock(mutex);
  return static_cast<unsigned>(devices.size());
}

nvmlDevice_t deviceAt(unsigned index) {
  std::lock_guard lock(mutex);
  return devices[index].get();
}

bool isDevice(const void *handle) {
  std::lock_guard lock(mutex);
  return std::any_of(devices.begin(), devices.end(),
                     [&](const auto &device) { return device.get() == handle; });
}

nvmlReturn_t convert(CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return NVML_SUCCESS;
  case CUDA_ERROR_INVALID_VALUE:
  case CUDA_ERROR_INVALID_DEVICE:
    return NVML_ERROR_INVALID_ARGUMENT;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return NVML_ERROR_MEMORY;
  case CUDA_ERROR_NOT_SUPPORTED:
    return NVML_ERROR_NOT_SUPPORTED;
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
    return NVML_ERROR_GPU_IS_LOST;
  default:
    return NVML_ERROR_UNKNOWN;
  }
}

nvmlReturn_t copyText(const std::string &text, char *to, size_t room) {
  if (!to)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (text.size() >= room)
    return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}

nvmlReturn_t check(nvmlDevice_t device, const void *result) {
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  return result && isDevice(device) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t refuse(const char *name) {
  static std::mutex sayMutex;
  static auto &said = *new std::set<std::string>;
  std::lock_guard lock(sayMutex);
  if (said.insert(name).second)
    log(Level::Info, "%s: no value known for this device, not supported", name);
  return NVML_ERROR_NOT_SUPPORTED;
}

} // namespace het::nvml
