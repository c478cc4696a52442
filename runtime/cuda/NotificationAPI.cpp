// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks for what happens to a device by itself. The one kind that CUDA has tells a
// process that it is over its budget of a device's memory, which Windows sets. As on
// Linux with CUDA there is none here, so callbacks are registered and nothing calls them.

#include "Context.h"
#include "driver/Driver.h"

#include <map>
#include <memory>

struct cudaAsyncCallbackEntry {
  int device;
  cudaAsyncCallback function;
  void *data;
};

using namespace het::cuda;
using namespace het::cuda::driver;

namespace {

struct Callbacks {
  std::mutex mutex; ///< Guards what follows.
  std::map<cudaAsyncCallbackHandle_t, std::unique_ptr<cudaAsyncCallbackEntry>> all;
};

Callbacks &callbacks() {
  static auto *instance = new Callbacks;
  return *instance;
}

} // namespace

cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback function,
                                                void *data,
                                                cudaAsyncCallbackHandle_t *result) try {
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  if (!function || !result)
    return remember(cudaErrorInvalidValue);
  auto made = std::make_unique<cudaAsyncCallbackEntry>(
      cudaAsyncCallbackEntry{device, function, data});
  cudaAsyncCallbackHandle_t handle = made.get();
  std::lock_guard<std::mutex> lock(callbacks().mutex);
  callbacks().all.emplace(handle, std::move(made));
  *result = handle;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaDeviceUnregisterAsyncNotification(int device,
                                                  cudaAsyncCallbackHandle_t handle) try {
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  std::lock_guard<std::mutex> lock(callbacks().mutex);
  auto found = callbacks().all.find(handle);
  if (found == callbacks().all.end() || found->second->device != device)
    return remember(cudaErrorInvalidValue);
  callbacks().all.erase(found);
  return cudaSuccess;
}
HET_CATCH

CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback function,
                                           void *data,
                                           CUasyncCallbackHandle *handle) try {
  static_assert(sizeof(CUasyncNotificationInfo) == sizeof(cudaAsyncNotificationInfo_t));
  return whenStarted([&] {
    return cudaDeviceRegisterAsyncNotification(
        device, reinterpret_cast<cudaAsyncCallback>(function), data,
        reinterpret_cast<cudaAsyncCallbackHandle_t *>(handle));
  });
}
HET_CATCH

CUresult cuDeviceUnregisterAsyncNotification(CUdevice device,
                                             CUasyncCallbackHandle handle) try {
  return whenStarted([&] {
    return cudaDeviceUnregisterAsyncNotification(
        device, reinterpret_cast<cudaAsyncCallbackHandle_t>(handle));
  });
}
HET_CATCH
