// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake's drivers, devices and contexts.

#include "FakeState.h"

#include <algorithm>
#include <cstring>

FakeLevelZero fake;
std::recursive_mutex fakeMutex;

namespace {

constexpr uintptr_t firstDriver = 16, firstDevice = 256;

void checkDriver(ze_driver_handle_t driver) {
  auto number = reinterpret_cast<uintptr_t>(driver);
  expect(number >= firstDriver && number < firstDriver + fake.driverCount,
         "not a driver");
}

/// Gives a list by its length, then its elements.
template <class Element, class Fill>
ze_result_t giveList(uint32_t has, uint32_t *count, Element *elements, Fill fill) {
  if (elements) {
    expect(*count <= has, "more elements than there are");
    for (uint32_t i = 0; i < std::min(*count, has); ++i)
      fill(i, elements[i]);
  }
  *count = has;
  return ZE_RESULT_SUCCESS;
}

} // namespace

void checkDevice(ze_device_handle_t device) {
  auto number = reinterpret_cast<uintptr_t>(device);
  expect(number >= firstDevice &&
             number < firstDevice + fake.driverCount * fake.deviceCount,
         "not a device");
}

const void *contextOf(const void *object) {
  auto it = fake.objects.find(object);
  return it == fake.objects.end() ? nullptr : it->second.context;
}

FAKE zeInit(uint32_t flags) {
  Call call("zeInit");
  expect(flags <= 3, "zeInit: unknown flags");
  startEngine();
  return call.result;
}

FAKE zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  Call call("zeDriverGet");
  if (call.result)
    return call.result;
  return giveList(fake.driverCount, count, drivers,
                  [](uint32_t i, ze_driver_handle_t &driver) {
                    driver = reinterpret_cast<ze_driver_handle_t>(firstDriver + i);
                  });
}

FAKE zeDriverGetProperties(ze_driver_handle_t driver, ze_driver_properties_t *out) {
  Call call("zeDriverGetProperties");
  checkDriver(driver);
  if (!isLegal(out) || call.result)
    return call.result;
  out->driverVersion = fake.driverVersion;
  return ZE_RESULT_SUCCESS;
}

FAKE zeDeviceGet(ze_driver_handle_t driver, uint32_t *count,
                 ze_device_handle_t *devices) {
  Call call("zeDeviceGet");
  checkDriver(driver);
  if (call.result)
    return call.result;
  const uintptr_t first =
      firstDevice +
      (reinterpret_cast<uintptr_t>(driver) - firstDriver) * fake.deviceCount;
  return giveList(fake.deviceCount, count, devices,
                  [=](uint32_t i, ze_device_handle_t &device) {
                    device = reinterpret_cast<ze_device_handle_t>(first + i);
                  });
}

FAKE zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *out) {
  Call call("zeDeviceGetProperties");
  checkDevice(device);
  if (!isLegal(out) || call.result)
    return call.result;
  out->type = fake.type;
  out->vendorId = 0x8086;
  out->deviceId = fake.deviceId;
  out->maxMemAllocSize = fake.maxMemory;
  out->numThreadsPerEU = 8;
  out->physicalEUSimdWidth = 8;
  out->numEUsPerSubslice = 16;
  out->numSubslicesPerSlice = 4;
  out->numSlices = 2;
  std::copy_n(fake.uuid.begin(), 16, out->uuid);
  // The devices of one machine have their number in the UUID.
  out->uuid[15] += reinterpret_cast<uintptr_t>(device) - firstDevice;
  std::strcpy(out->name, fake.name.c_str());
  return ZE_RESULT_SUCCESS;
}

FAKE zeDeviceGetComputeProperties(ze_device_handle_t device,
                                  ze_device_compute_properties_t *out) {
  Call call("zeDeviceGetComputeProperties");
  checkDevice(device);
  if (!isLegal(out) || call.result)
    return call.result;
  out->maxTotalGroupSize = 1024;
  std::fill_n(out->maxGroupSize, 3, 1024);
  std::fill_n(out->maxGroupCount, 3, UINT32_MAX);
  out->maxSharedLocalMemory = fake.localBytes;
  out->numSubGroupSizes = fake.subgroupSizes.size();
  std::copy(fake.subgroupSizes.begin(), fake.subgroupSizes.end(), out->subGroupSizes);
  return ZE_RESULT_SUCCESS;
}

FAKE zeDeviceGetModuleProperties(ze_device_handle_t device,
                                 ze_device_module_properties_t *out) {
  Call call("zeDeviceGetModuleProperties");
  checkDevice(device);
  if (!isLegal(out) || call.result)
    return call.result;
  out->spirvVersionSupported = fake.spirv;
  out->flags = fake.moduleFlags;
  out->maxArgumentsSize = 1024;
  return ZE_RESULT_SUCCESS;
}

FAKE zeDeviceGetMemoryProperties(ze_device_handle_t device, uint32_t *count,
                                 ze_device_memory_properties_t *memories) {
  Call call("zeDeviceGetMemoryProperties");
  checkDevice(device);
  if (call.result)
    return call.result;
  return giveList(1, count, memories,
                  [](uint32_t, ze_device_memory_properties_t &memory) {
                    if (isLegal(&memory))
                      memory.totalSize = fake.totalMemory;
                  });
}

FAKE zeDeviceGetMemoryAccessProperties(ze_device_handle_t device,
                                       ze_device_memory_access_properties_t *out) {
  Call call("zeDeviceGetMemoryAccessProperties");
  checkDevice(device);
  if (!isLegal(out) || call.result)
    return call.result;
  out->hostAllocCapabilities = fake.hostMemory;
  out->deviceAllocCapabilities = 3;
  out->sharedSingleDeviceAllocCapabilities = fake.sharedMemory;
  out->sharedSystemAllocCapabilities = fake.systemMemory;
  return ZE_RESULT_SUCCESS;
}

FAKE zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t device, uint32_t *count,
                                            ze_command_queue_group_properties_t *groups) {
  Call call("zeDeviceGetCommandQueueGroupProperties");
  checkDevice(device);
  if (call.result)
    return call.result;
  return giveList(fake.queueGroups.size(), count, groups,
                  [](uint32_t i, ze_command_queue_group_properties_t &group) {
                    if (!isLegal(&group))
                      return;
                    group.flags = fake.queueGroups[i];
                    group.maxMemoryFillPatternSize = 16;
                    group.numQueues = 1;
                  });
}

FAKE zeContextCreate(ze_driver_handle_t driver, const ze_context_desc_t *desc,
                     ze_context_handle_t *context) {
  Call call("zeContextCreate");
  checkDriver(driver);
  if (!isLegal(desc) || call.result)
    return call.result;
  *context = reinterpret_cast<ze_context_handle_t>(make<int>("context", nullptr));
  return ZE_RESULT_SUCCESS;
}

FAKE zeContextDestroy(ze_context_handle_t context) {
  Call call("zeContextDestroy");
  for (const auto &[handle, object] : fake.objects)
    expect(object.context != context, "a context is destroyed before its " + object.kind);
  destroy<int>(context, "context");
  return call.result;
}
