// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API: contexts, memory, modules.

#include "DriverSupport.h"

#include <climits>
#include <future>
#include <thread>
#include <vector>

TEST_F(Driver, Devices) {
  int count = 0, value = 0;
  CUdevice device = -1;
  char name[64];
  size_t bytes = 0;
  CU_OK(cuDeviceGetCount(&count));
  EXPECT_EQ(count, 2);
  CU_OK(cuDeviceGet(&device, 1));
  CU_OK(cuDeviceGetName(name, sizeof(name), device));
  CU_OK(cuDeviceTotalMem(&bytes, device));
  EXPECT_GT(bytes, 0u);
  CU_OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  EXPECT_EQ(value, 32);
  EXPECT_EQ(cuDeviceGet(&device, 9), CUDA_ERROR_INVALID_DEVICE);
  CU_OK(cuDriverGetVersion(&value));
  EXPECT_EQ(value, CUDA_VERSION);
}

TEST_F(Driver, ContextsAreAStack) {
  CUcontext current = nullptr, other = nullptr, popped = nullptr;
  CUdevice device = -1;
  CU_OK(cuCtxGetCurrent(&current));
  EXPECT_EQ(current, context);
  CU_OK(cuDevicePrimaryCtxRetain(&other, 1));
  CU_OK(cuCtxPushCurrent(other));
  CU_OK(cuCtxGetDevice(&device));
  EXPECT_EQ(device, 1);
  CU_OK(cuCtxPopCurrent(&popped));
  EXPECT_EQ(popped, other);
  CU_OK(cuCtxGetDevice(&device));
  EXPECT_EQ(device, 0);
  CU_OK(cuDevicePrimaryCtxRelease(1));
  CU_OK(cuCtxSynchronize());
}

TEST_F(Driver, MakesNoContextThatTheStackHasNoRoomFor) {
  CUcontext made = nullptr;
  unsigned pushed = 0;
  while (cuCtxPushCurrent(context) == CUDA_SUCCESS)
    ++pushed;
  EXPECT_EQ(cuCtxCreate(&made, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(made, nullptr);
  for (; pushed; --pushed)
    CU_OK(cuCtxPopCurrent(nullptr));
}

TEST_F(Driver, SettingNoContextPopsForTheRuntimeToo) {
  CUcontext other = nullptr, current = nullptr;
  int device = -1;
  CU_OK(cuDevicePrimaryCtxRetain(&other, 1));
  CU_OK(cuCtxPushCurrent(other));
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 1);
  CU_OK(cuCtxSetCurrent(nullptr));
  CU_OK(cuCtxGetCurrent(&current));
  EXPECT_EQ(current, context);
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  CU_OK(cuDevicePrimaryCtxRelease(1));
}

TEST_F(Driver, ADestroyedContextStaysCurrentElsewhere) {
  CUcontext shared = nullptr, current = nullptr;
  CU_OK(cuCtxCreate(&shared, 0, 0));
  std::promise<void> isCurrent, isDestroyed;
  std::thread other([&] {
    CUcontext mine = nullptr;
    CUdevice device = -1;
    EXPECT_EQ(cuCtxSetCurrent(shared), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxPushCurrent(shared), CUDA_SUCCESS);
    isCurrent.set_value();
    isDestroyed.get_future().wait();
    for (int places = 0; places < 2; ++places) {
      EXPECT_EQ(cuCtxGetCurrent(&mine), CUDA_SUCCESS);
      EXPECT_EQ(mine, shared);
      EXPECT_EQ(cuCtxGetDevice(&device), CUDA_ERROR_CONTEXT_IS_DESTROYED);
      EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
      EXPECT_EQ(cuCtxPushCurrent(shared), CUDA_ERROR_CONTEXT_IS_DESTROYED);
      EXPECT_EQ(cuCtxSetCurrent(shared), CUDA_ERROR_CONTEXT_IS_DESTROYED);
      EXPECT_EQ(cuCtxDestroy(shared), CUDA_ERROR_CONTEXT_IS_DESTROYED);
      EXPECT_EQ(cuCtxPopCurrent(nullptr), CUDA_SUCCESS);
    }
    EXPECT_EQ(cuCtxGetCurrent(&mine), CUDA_SUCCESS);
    EXPECT_EQ(mine, nullptr);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  });
  isCurrent.get_future().wait();
  CU_OK(cuCtxDestroy(shared));
  CU_OK(cuCtxGetCurrent(&current));
  EXPECT_EQ(current, context); // it was this thread's, too
  isDestroyed.set_value();
  other.join();
}

TEST_F(Driver, Memory) {
  CUdeviceptr memory = 0, base = 0;
  size_t size = 0;
  CU_OK(cuMemAlloc(&memory, 400));
  CU_OK(cuMemsetD32(memory, 0x01020304, 100));
  std::vector<unsigned> host(100);
  CU_OK(cuMemcpyDtoH(host.data(), memory, 400));
  EXPECT_EQ(host[99], 0x01020304u);
  CU_OK(cuMemsetD16(memory, 0x0506, 2));
  host[1] = 9;
  CU_OK(cuMemcpyHtoD(memory + 4, &host[1], 4));
  CU_OK(cuMemcpyDtoH(host.data(), memory, 400));
  EXPECT_EQ(host[0], 0x05060506u);
  EXPECT_EQ(host[1], 9u);
  CU_OK(cuMemGetAddressRange(&base, &size, memory + 100));
  EXPECT_EQ(base, memory);
  EXPECT_GE(size, 400u);
  CU_OK(cuMemFree(memory));
  EXPECT_EQ(cuMemAlloc(&memory, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Driver, Modules) {
  het::Bytes package = makePackage();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr counter = 0;
  size_t size = 0;
  int threads = 0, values[4] = {};
  CU_OK(cuModuleLoadData(&module, package.data()));
  package.clear(); // the module has a copy
  CU_OK(cuModuleGetFunction(&function, module, "bounded"));
  CU_OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  EXPECT_EQ(threads, 64);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "none"), CUDA_ERROR_NOT_FOUND);
  CU_OK(cuModuleGetGlobal(&counter, &size, module, "counter"));
  EXPECT_EQ(size, 16u);
  CU_OK(cuMemcpyDtoH(values, counter, 16));
  EXPECT_EQ(values[2], 3);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, nullptr, nullptr, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuModuleUnload(module));
}

TEST_F(Driver, ModulesGoWithAReset) {
  const het::Bytes package = makePackage();
  CUmodule module = nullptr, elsewhere = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr counter = 0;
  CU_OK(cuModuleLoadData(&elsewhere, package.data()));
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  CU_OK(cuModuleLoadData(&module, package.data()));
  CU_OK(cuModuleGetFunction(&function, module, "bounded"));
  CU_OK(cuModuleGetGlobal(&counter, nullptr, module, "counter"));
  CU_OK(cuModuleGetGlobal(&counter, nullptr, elsewhere, "counter"));
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  void *mine[8]; // where the variables were
  for (void *&one : mine)
    ASSERT_EQ(cudaMalloc(&one, 16), cudaSuccess);
  EXPECT_EQ(cuModuleGetGlobal(&counter, nullptr, module, "counter"),
            CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "plain"),
            CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  // One of another device has its variables anew.
  CU_OK(cuModuleGetGlobal(&counter, nullptr, elsewhere, "counter"));
  int values[4] = {};
  CU_OK(cuMemcpyDtoH(values, counter, 16));
  EXPECT_EQ(values[3], 4);
  CU_OK(cuModuleUnload(elsewhere));
  for (void *one : mine)
    EXPECT_EQ(cudaFree(one), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST_F(Driver, TheRuntimeMakesThePrimaryContextCurrent) {
  std::thread([] {
    int value = 7, back = 0;
    size_t size = 0;
    CUcontext current = nullptr, primary = nullptr;
    CUdevice device = -1;
    unsigned flags = 0;
    int isActive = 0;
    EXPECT_EQ(cuMemGetInfo(&size, &size), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&primary, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
    EXPECT_EQ(current, primary);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &isActive), CUDA_SUCCESS);
    EXPECT_EQ(isActive, 1);
    void *memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, 4), cudaSuccess);
    const auto address = reinterpret_cast<CUdeviceptr>(memory);
    EXPECT_EQ(cuMemcpyHtoD(address, &value, 4), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(&back, address, 4), CUDA_SUCCESS);
    EXPECT_EQ(back, 7);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
    EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
    EXPECT_EQ(device, 1);
    EXPECT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetInfo(&size, &size), CUDA_ERROR_INVALID_CONTEXT);
  }).join();
  // A stream of another thread is enough.
  Stream stream;
  std::thread([&] {
    size_t size = 0;
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cuMemGetInfo(&size, &size), CUDA_SUCCESS);
  }).join();
}

TEST_F(Driver, RefusesOtherImages) {
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, ".version 8.0\n.target sm_90\n{"),
            CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(cuModuleLoadData(&module, "\x7f"
                                      "ELF machine code"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cuModuleLoad(&module, "/nonexistent/file.hetpkg"), CUDA_ERROR_FILE_NOT_FOUND);
}

TEST_F(Driver, StreamsAndEvents) {
  CUstream stream = nullptr;
  CUevent start = nullptr, end = nullptr;
  float milliseconds = -1;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU_OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CU_OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CU_OK(cuEventRecord(start, stream));
  CU_OK(cuEventRecord(end, stream));
  CU_OK(cuStreamSynchronize(stream));
  CU_OK(cuEventElapsedTime(&milliseconds, start, end));
  EXPECT_GE(milliseconds, 0.0f); // not timed: it is not negative
  CU_OK(cuEventDestroy(start));
  CU_OK(cuEventDestroy(end));
  CU_OK(cuStreamDestroy(stream));
}

TEST_F(Driver, EntryPointsByName) {
  void *function = nullptr;
  CU_OK(cuGetProcAddress("cuMemAlloc", &function, CUDA_VERSION, 0, nullptr));
  EXPECT_EQ(function, reinterpret_cast<void *>(cuMemAlloc));
  EXPECT_EQ(cuGetProcAddress("cuNothing", &function, CUDA_VERSION, 0, nullptr),
            CUDA_ERROR_NOT_FOUND);
}

TEST_F(Driver, AttributesAreAllAnswered) {
  const auto runtimeValue = [](int attribute, int &value) {
    return cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(attribute), 0);
  };
  for (int attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; ++attribute) {
    SCOPED_TRACE(attribute);
    int value = INT_MIN, same = 0;
    CU_OK(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute), 0));
    EXPECT_NE(value, INT_MIN);
    CUDA_OK(runtimeValue(attribute, same));
    EXPECT_EQ(same, value);
  }
  int value = 0;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, 0));
  CUDA_FAILS(cudaErrorInvalidValue, runtimeValue(CU_DEVICE_ATTRIBUTE_MAX, value));
}

static void ignore(CUasyncNotificationInfo *, void *, CUasyncCallbackHandle) {}

TEST_F(Driver, WhatOtherSystemsAndDevicesHave) {
  char name[8] = {};
  unsigned mask = 0;
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuDeviceGetLuid(name, &mask, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetLuid(nullptr, &mask, 0));
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetLuid(name, &mask, 9));
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED,
           cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                      CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER));
  CUasyncCallbackHandle callback = nullptr;
  CU_OK(cuDeviceRegisterAsyncNotification(0, ignore, nullptr, &callback));
  CU_OK(cuDeviceUnregisterAsyncNotification(0, callback));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceUnregisterAsyncNotification(0, callback));
  int isSupported = 1, descriptor = -1;
  CUdeviceptr memory = 0;
  CU_OK(cuDeviceGetAttribute(&isSupported, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 0));
  EXPECT_EQ(isSupported, 0);
  CU_OK(cuMemAlloc(&memory, 4096));
  constexpr auto dmaBuf = CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD;
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED,
           cuMemGetHandleForAddressRange(&descriptor, memory, 4096, dmaBuf, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemGetHandleForAddressRange(&descriptor, memory + 4, 4096, dmaBuf, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemGetHandleForAddressRange(nullptr, memory, 4096, dmaBuf, 0));
  CU_OK(cuMemFree(memory));
}
