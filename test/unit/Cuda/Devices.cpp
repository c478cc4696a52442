// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices: count, choice, properties, limits, peers, reset.

#include "Support.h"

#include <thread>

TEST(Devices, CountAndChoice) {
  int count = 0, device = -1;
  CUDA_OK(cudaGetDeviceCount(&count));
  EXPECT_EQ(count, 2);
  CUDA_OK(cudaSetDevice(1));
  CUDA_OK(cudaGetDevice(&device));
  EXPECT_EQ(device, 1);
  std::thread([] {
    int other = -1;
    EXPECT_EQ(cudaGetDevice(&other), cudaSuccess);
    EXPECT_EQ(other, 0); // each thread begins with the first device
  }).join();
  CUDA_OK(cudaSetDevice(0));
  CUDA_FAILS(cudaErrorInvalidDevice, cudaSetDevice(2));
  CUDA_FAILS(cudaErrorInvalidDevice, cudaSetDevice(-1));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetDevice(nullptr));
}

TEST(Devices, Properties) {
  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  EXPECT_NE(properties.name[0], 0);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_GE(properties.multiProcessorCount, 1);
  EXPECT_GE(properties.sharedMemPerBlock, 48u << 10);
  EXPECT_GE(properties.major, 7);
  EXPECT_GT(properties.totalGlobalMem, 0u);
  int value = 0;
  CUDA_OK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  EXPECT_EQ(value, 32);
  CUDA_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  EXPECT_EQ(value, properties.multiProcessorCount);
  CUDA_FAILS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 9));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetDeviceProperties(nullptr, 0));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaDeviceGetAttribute(&value, cudaDeviceAttr(9999), 0));
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 9));
}

TEST(Devices, NobodyElseWritesTheirMemory) {
  const auto flush = [](int target, int scope) {
    return cudaDeviceFlushGPUDirectRDMAWrites(
        static_cast<cudaFlushGPUDirectRDMAWritesTarget>(target),
        static_cast<cudaFlushGPUDirectRDMAWritesScope>(scope));
  };
  int options = 1, supported = 1;
  CUDA_OK(
      cudaDeviceGetAttribute(&options, cudaDevAttrGPUDirectRDMAFlushWritesOptions, 0));
  CUDA_OK(cudaDeviceGetAttribute(&supported, cudaDevAttrGPUDirectRDMASupported, 0));
  EXPECT_EQ(options, 0);
  EXPECT_EQ(supported, 0);
  CUDA_FAILS(cudaErrorNotSupported, flush(0, cudaFlushGPUDirectRDMAWritesToOwner));
  CUDA_FAILS(cudaErrorInvalidValue, flush(0, 7));
  CUDA_FAILS(cudaErrorInvalidValue, flush(3, cudaFlushGPUDirectRDMAWritesToOwner));
}

static void ignore(cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t) {}

TEST(Devices, TakeCallbacks) {
  cudaAsyncCallbackHandle_t first = nullptr, second = nullptr;
  CUDA_OK(cudaDeviceRegisterAsyncNotification(0, ignore, nullptr, &first));
  CUDA_OK(cudaDeviceRegisterAsyncNotification(1, ignore, nullptr, &second));
  EXPECT_NE(first, second);
  CUDA_FAILS(cudaErrorInvalidValue, cudaDeviceUnregisterAsyncNotification(1, first));
  CUDA_OK(cudaDeviceUnregisterAsyncNotification(0, first));
  CUDA_FAILS(cudaErrorInvalidValue, cudaDeviceUnregisterAsyncNotification(0, first));
  CUDA_OK(cudaDeviceUnregisterAsyncNotification(1, second));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaDeviceRegisterAsyncNotification(0, nullptr, nullptr, &first));
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaDeviceRegisterAsyncNotification(9, ignore, nullptr, &first));
}

TEST(Devices, Versions) {
  int runtime = 0, driver = 0;
  CUDA_OK(cudaRuntimeGetVersion(&runtime));
  CUDA_OK(cudaDriverGetVersion(&driver));
  EXPECT_EQ(runtime, CUDART_VERSION);
  EXPECT_GE(driver, runtime);
}

TEST(Devices, Limits) {
  size_t value = 0;
  CUDA_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(value, 1024u);
  CUDA_OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  CUDA_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(value, 4096u);
  CUDA_FAILS(cudaErrorInvalidValue, cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
  CUDA_FAILS(cudaErrorUnsupportedLimit,
             cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth));
  CUDA_FAILS(cudaErrorInvalidValue, cudaSetDeviceFlags(0xfff));
  CUDA_OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
}

TEST(Devices, Peers) {
  int can = -1;
  CUDA_OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT_EQ(can, 0);
  CUDA_OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  CUDA_FAILS(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 9));
  CUDA_OK(cudaDeviceEnablePeerAccess(1, 0));
  CUDA_FAILS(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  CUDA_OK(cudaDeviceDisablePeerAccess(1));
  CUDA_FAILS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  CUDA_FAILS(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
}

TEST(Devices, CopyBetween) {
  DeviceMemory<int> here(4);
  int values[4] = {1, 2, 3, 4}, back[4] = {};
  CUDA_OK(cudaMemcpy(here, values, 16, cudaMemcpyHostToDevice));
  CUDA_OK(cudaSetDevice(1));
  {
    DeviceMemory<int> there(4);
    CUDA_OK(cudaMemcpyPeer(there, 1, here, 0, 16));
    CUDA_OK(cudaMemcpy(back, there, 16, cudaMemcpyDeviceToHost));
  }
  CUDA_OK(cudaSetDevice(0));
  EXPECT_EQ(back[3], 4);
}

TEST(Devices, Reset) {
  CUDA_OK(cudaSetDevice(1));
  void *pointer = nullptr;
  cudaStream_t stream = nullptr;
  CUDA_OK(cudaMalloc(&pointer, 256));
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaDeviceReset());
  CUDA_FAILS(cudaErrorInvalidValue, cudaFree(pointer));
  CUDA_OK(cudaMalloc(&pointer, 256));
  CUDA_OK(cudaFree(pointer));
  CUDA_OK(cudaSetDevice(0));
}

TEST(Devices, ArraysGoWithAReset) {
  CUDA_OK(cudaSetDevice(1));
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, 64, 4));
  CUDA_OK(cudaDeviceReset());
  void *other = nullptr;
  CUDA_OK(cudaMalloc(&other, 64 * 4 * 4)); // where the array was
  int row[64] = {};
  CUDA_FAILS(cudaErrorContextIsDestroyed,
             cudaMemcpy2DToArray(array, 0, 0, row, 256, 256, 1, cudaMemcpyHostToDevice));
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr = {row, 256, 64, 1};
  copy.extent = {64, 1, 1};
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA_FAILS(cudaErrorContextIsDestroyed, cudaMemcpy3D(&copy));
  CUDA_FAILS(cudaErrorContextIsDestroyed, cudaFreeArray(array));
  CUDA_OK(cudaFree(other));
  CUDA_OK(cudaSetDevice(0));
}
