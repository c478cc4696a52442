// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of memory and events for other processes, in both APIs.

#include "Context.h"
#include "IpcMemory.h"
#include "SharedSignal.h"
#include "Stream.h"
#include "driver/Driver.h"

#include <cstring>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *result, void *pointer) try {
  if (!result || !pointer)
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = currentDeviceError())
    return remember(error);
  IpcHandle handle = {};
  cudaError_t error = shareMemory(pointer, handle);
  if (!error)
    std::memcpy(result, &handle, sizeof(handle));
  return remember(error);
}
HET_CATCH

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t from,
                                 unsigned flags) try {
  if (!pointer || (flags & ~unsigned(cudaIpcMemLazyEnablePeerAccess)))
    return remember(cudaErrorInvalidValue);
  *pointer = nullptr;
  IpcHandle handle;
  std::memcpy(&handle, &from, sizeof(handle));
  return remember(openMemory(handle, *pointer));
}
HET_CATCH

cudaError_t cudaIpcCloseMemHandle(void *pointer) try {
  if (cudaError_t error = currentDeviceError())
    return remember(error);
  return remember(closeMemory(pointer));
}
HET_CATCH

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *result, cudaEvent_t event) try {
  if (!result)
    return remember(cudaErrorInvalidValue);
  if (!event || !event->shared)
    return remember(cudaErrorInvalidResourceHandle);
  const IpcHandle handle = makeHandle(event->shared->pages(), 0, 0);
  std::memcpy(result, &handle, sizeof(handle));
  return cudaSuccess;
}
HET_CATCH

static cudaError_t openEvent(const IpcHandle &handle, cudaEvent_t *event) {
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  Result<std::unique_ptr<SharedPages>> pages = openHandle(handle);
  if (!pages.ok())
    return translate(pages.status(), cudaErrorInvalidResourceHandle);
  Result<std::shared_ptr<SharedSignal>> signal = SharedSignal::open(pages.take());
  if (!signal.ok())
    return translate(signal.status(), cudaErrorInvalidResourceHandle);
  if (cudaError_t error =
          device->createEvent(cudaEventInterprocess | cudaEventDisableTiming, event))
    return error;
  (*event)->shared = signal.take();
  return cudaSuccess;
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t from) try {
  if (!event)
    return remember(cudaErrorInvalidValue);
  IpcHandle handle;
  std::memcpy(&handle, &from, sizeof(handle));
  return remember(openEvent(handle, event));
}
HET_CATCH

static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t));
static_assert(sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t));

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) try {
  return through([&] {
    return cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t *>(handle),
                               pointerOf(address));
  });
}
HET_CATCH

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle from,
                               unsigned flags) try {
  if (!address)
    return CUDA_ERROR_INVALID_VALUE;
  void *pointer = nullptr;
  CUresult result = through([&] {
    cudaIpcMemHandle_t handle;
    std::memcpy(&handle, &from, sizeof(handle));
    return cudaIpcOpenMemHandle(&pointer, handle, flags);
  });
  *address = driver::addressOf(pointer);
  return result;
}
HET_CATCH

CUresult cuIpcCloseMemHandle(CUdeviceptr address) try {
  return through([&] { return cudaIpcCloseMemHandle(pointerOf(address)); });
}
HET_CATCH

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) try {
  return through([&] {
    return cudaIpcGetEventHandle(reinterpret_cast<cudaIpcEventHandle_t *>(handle), event);
  });
}
HET_CATCH

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle from) try {
  return through([&] {
    cudaIpcEventHandle_t handle;
    std::memcpy(&handle, &from, sizeof(handle));
    return cudaIpcOpenEventHandle(event, handle);
  });
}
HET_CATCH
