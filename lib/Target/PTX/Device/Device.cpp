// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the GPUs of the driver, opens them and closes them.

#include "PTXDevice.h"

#include <memory>

namespace het::ptx {
namespace {

constexpr int oldestCapability = 50;

/// The serial of the device whose context the calling thread was given last. A thread may
/// keep a context that is gone: no device that opens later has its serial.
thread_local uint64_t currentSerial = 0;

/// The GPUs that can be used, in the driver's order.
struct Usable {
  std::vector<CUdevice> devices;
  std::string refused; ///< why the first one that is left out is
  CUresult result = CUDA_SUCCESS;
};

/// Empty where the GPU can be used.
std::string reasonAgainst(const Driver &driver, CUdevice device, CUresult &result) {
  int major = 0, minor = 0, placesMemory = 0;
  char name[256] = "";
  (result = driver.cuDeviceGetName(name, sizeof(name), device)) ||
      (result = driver.cuDeviceGetAttribute(
           &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)) ||
      (result = driver.cuDeviceGetAttribute(
           &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)) ||
      (result = driver.cuDeviceGetAttribute(
           &placesMemory, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
           device));
  if (result)
    return "";
  if (major * 10 + minor < oldestCapability)
    return std::string(name) + ": found compute capability " + std::to_string(major) +
           "." + std::to_string(minor) + ", expected 5.0 or later; use another GPU";
  if (!placesMemory)
    return std::string(name) + ": found no virtual memory management in the driver, "
                               "expected it; use another GPU or driver";
  return "";
}

Usable usableDevices(const Driver &driver) {
  Usable usable;
  int count = 0;
  usable.result = driver.cuDeviceGetCount(&count);
  for (int ordinal = 0; ordinal < count && !usable.result; ++ordinal) {
    CUdevice device = 0;
    if ((usable.result = driver.cuDeviceGet(&device, ordinal)))
      break;
    std::string reason = reasonAgainst(driver, device, usable.result);
    if (reason.empty())
      usable.devices.push_back(device);
    else if (usable.refused.empty())
      usable.refused = reason;
  }
  return usable;
}

/// Null with a status where there is none.
const Driver *findDevices(Usable &usable, HetStatus *status) {
  const Driver *driver = Driver::open(status);
  if (!driver)
    return nullptr;
  usable = usableDevices(*driver);
  if (usable.result)
    report(status, HET_UNAVAILABLE,
           "CUDA driver: asking for its devices failed: " + driver->text(usable.result));
  else if (usable.devices.empty())
    report(status, HET_UNAVAILABLE,
           usable.refused.empty() ? "CUDA driver: found no device, expected one; see "
                                    "nvidia-smi and CUDA_VISIBLE_DEVICES"
                                  : usable.refused);
  else
    return driver;
  return nullptr;
}

/// The calling thread has no context any more.
void leave(const HetDevice &device) {
  device.driver.cuCtxSetCurrent(nullptr);
  currentSerial = 0;
}

/// Makes the opened device ready, with its context held and current.
int32_t start(HetDevice &device, HetStatus *status) {
  const Driver &driver = device.driver;
  if (CUresult result = queryProperties(driver, device.handle, device.facts))
    return report(status, HET_UNAVAILABLE,
                  device.text() + ": asking what it is failed: " + driver.text(result));
  if (CUresult result = driver.cuDevicePrimaryCtxRetain(&device.context, device.handle))
    return report(status, HET_UNAVAILABLE,
                  device.text() + ": can not be opened: " + driver.text(result));
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS && addOpenDevice(device))
    return success(status);
  if (result)
    report(status, HET_UNAVAILABLE,
           device.text() + ": can not be opened: " + driver.text(result));
  else
    report(status, HET_UNAVAILABLE,
           device.text() + ": is open already; name each GPU once in HET_DEVICES");
  leave(device);
  driver.cuDevicePrimaryCtxRelease(device.handle);
  return status->code;
}

} // namespace

/// A program that uses the driver itself may have given this thread another context; the
/// driver knows that without leaving the thread.
CUresult enter(const HetDevice &device) {
  CUcontext current = nullptr;
  if (currentSerial == device.serial &&
      device.driver.cuCtxGetCurrent(&current) == CUDA_SUCCESS &&
      current == device.context)
    return CUDA_SUCCESS;
  CUresult result = device.driver.cuCtxSetCurrent(device.context);
  currentSerial = result == CUDA_SUCCESS ? device.serial : 0;
  return result;
}

int32_t probe(uint32_t *count, HetStatus *status) {
  *count = 0;
  Usable usable;
  if (!findDevices(usable, status))
    return status->code;
  *count = static_cast<uint32_t>(usable.devices.size());
  return success(status);
}

int32_t open(uint32_t ordinal, HetDevice **out, HetStatus *status) {
  Usable usable;
  const Driver *driver = findDevices(usable, status);
  if (!driver)
    return status->code;
  if (ordinal >= usable.devices.size())
    return report(status, HET_UNAVAILABLE,
                  "ptx:" + std::to_string(ordinal) + ": found " +
                      std::to_string(usable.devices.size()) +
                      " GPUs, expected more; name another in HET_DEVICES");
  auto device = std::make_unique<HetDevice>(*driver);
  device->handle = usable.devices[ordinal];
  device->ordinal = ordinal;
  device->serial = nextSerial();
  if (start(*device, status) != HET_OK)
    return status->code;
  *out = device.release();
  return success(status);
}

/// A context with a fault is destroyed with all that the driver still holds for it, so
/// that the GPU can be opened anew.
void close(HetDevice *device) {
  const Driver &driver = device->driver;
  removeOpenDevice(*device);
  leave(*device);
  if (device->hasFault())
    driver.cuDevicePrimaryCtxReset(device->handle);
  driver.cuDevicePrimaryCtxRelease(device->handle);
  unmapRest(*device);
  delete device;
}

int32_t properties(HetDevice *device, HetDeviceProperties *out, HetStatus *status) {
  *out = device->facts;
  return success(status);
}

int32_t setLimit(HetDevice *device, uint32_t limit, uint64_t value, HetStatus *status) {
  static constexpr int limits[] = {CU_LIMIT_STACK_SIZE, CU_LIMIT_PRINTF_FIFO_SIZE,
                                   CU_LIMIT_MALLOC_HEAP_SIZE};
  static constexpr const char *names[] = {"stack", "printf buffer", "heap"};
  if (limit > HET_LIMIT_HEAP)
    return report(status, HET_INVALID,
                  "limit: found " + std::to_string(limit) +
                      ", expected one of HET_LIMIT_…");
  CUresult result = enter(*device);
  if (result == CUDA_SUCCESS)
    result = device->driver.cuCtxSetLimit(limits[limit], value);
  const int32_t code = result == CUDA_ERROR_UNSUPPORTED_LIMIT ? HET_UNSUPPORTED
                       : result == CUDA_ERROR_INVALID_VALUE   ? HET_INVALID
                                                              : HET_UNAVAILABLE;
  return device->check(result, code,
                       device->text() + ": a " + names[limit] + " of " +
                           std::to_string(value) + " bytes",
                       status);
}

} // namespace het::ptx
