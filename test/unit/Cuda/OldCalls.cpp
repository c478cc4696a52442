// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime API that other tests have no use for: old names, hints, questions,
// and asynchronous forms.

#include "Support.h"

#include <dlfcn.h>

TEST(OldCalls, OfThreads) {
  size_t value = 0;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  CUDA_OK(cudaThreadSetLimit(cudaLimitStackSize, 2048));
  CUDA_OK(cudaThreadGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(value, 2048u);
  CUDA_OK(cudaThreadSetCacheConfig(cudaFuncCachePreferShared));
  CUDA_OK(cudaThreadGetCacheConfig(&cache));
  EXPECT_EQ(cache, cudaFuncCachePreferShared);
  CUDA_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
  CUDA_OK(cudaDeviceGetCacheConfig(&cache));
  EXPECT_EQ(cache, cudaFuncCachePreferNone);
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)));
  CUDA_FAILS(cudaErrorInvalidValue, cudaDeviceGetCacheConfig(nullptr));
  CUDA_OK(cudaThreadSynchronize());
  CUDA_OK(cudaSetDevice(1));
  void *memory = nullptr;
  CUDA_OK(cudaMalloc(&memory, 4 << 20));
  CUDA_OK(cudaThreadExit()); // as a reset
  CUDA_FAILS(cudaErrorInvalidValue, cudaFree(memory));
  CUDA_OK(cudaSetDevice(0));
}

TEST(OldCalls, OfDevices) {
  int device = -1, value = -1;
  cudaDeviceProp wanted = {};
  CUDA_OK(cudaChooseDevice(&device, &wanted));
  EXPECT_GE(device, 0);
  CUDA_FAILS(cudaErrorInvalidValue, cudaChooseDevice(nullptr, &wanted));
  char text[32] = {};
  CUDA_OK(cudaDeviceGetPCIBusId(text, sizeof(text), 0));
  CUDA_OK(cudaDeviceGetByPCIBusId(&device, text));
  EXPECT_EQ(device, 0);
  CUDA_FAILS(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&device, "x"));
  CUDA_FAILS(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(text, sizeof(text), 9));
  CUDA_OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  EXPECT_EQ(value, 1);
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  cudaSharedMemConfig banks;
  CUDA_OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
  CUDA_OK(cudaDeviceGetSharedMemConfig(&banks));
  EXPECT_EQ(banks, cudaSharedMemBankSizeFourByte);
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(9)));
  unsigned flags = 0;
  CUDA_OK(cudaGetDeviceFlags(&flags));
  EXPECT_NE(flags & cudaDeviceMapHost, 0u);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetDeviceFlags(nullptr));
  CUDA_OK(cudaInitDevice(0, 0, 0));
  CUDA_FAILS(cudaErrorInvalidDevice, cudaInitDevice(9, 0, 0));
  CUDA_OK(cudaProfilerStart());
  CUDA_OK(cudaProfilerStop());
}

TEST(OldCalls, OfKernels) {
  registerPackage();
  size_t offset = 0, size = 0;
  int blocks = 0;
  CUDA_OK(cudaFuncGetParamInfo(&plainStub, 1, &offset, &size));
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(size, 4u);
  CUDA_FAILS(cudaErrorInvalidValue, cudaFuncGetParamInfo(&plainStub, 2, &offset, &size));
  CUDA_OK(cudaFuncSetCacheConfig(&plainStub, cudaFuncCachePreferL1));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaFuncSetCacheConfig(&plainStub, static_cast<cudaFuncCache>(9)));
  CUDA_OK(cudaFuncSetSharedMemConfig(&plainStub, cudaSharedMemBankSizeDefault));
  CUDA_FAILS(cudaErrorInvalidDeviceFunction,
             cudaFuncSetSharedMemConfig(&blocks, cudaSharedMemBankSizeDefault));
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      &blocks, &plainStub, 64, 0, cudaOccupancyDisableCachingOverride));
  EXPECT_GT(blocks, 0);
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &plainStub,
                                                                    64, 0, 4));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
  cudaLaunchParams params = {};
  params.func = const_cast<char *>(&plainStub);
  CUDA_FAILS(cudaErrorInvalidResourceHandle,
             cudaLaunchCooperativeKernelMultiDevice(&params, 1, 0)); // the legacy stream
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaLaunchCooperativeKernelMultiDevice(&params, 9, 0));
}

TEST(OldCalls, OfStreamsAndEvents) {
  Stream stream;
  int device = -1;
  CUDA_OK(cudaStreamGetDevice(stream, &device));
  EXPECT_EQ(device, 0);
  CUDA_FAILS(cudaErrorInvalidValue, cudaStreamGetDevice(stream, nullptr));
  CUDA_OK(cudaStreamAttachMemAsync(stream, &device, 0, cudaMemAttachGlobal));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaStreamAttachMemAsync(stream, nullptr, 0, cudaMemAttachGlobal));
  cudaEvent_t event = nullptr;
  float milliseconds = -1;
  CUDA_OK(cudaEventCreate(&event));
  CUDA_OK(cudaEventRecord(event, stream));
  CUDA_OK(cudaEventSynchronize(event));
  CUDA_OK(cudaEventElapsedTime_v2(&milliseconds, event, event));
  EXPECT_EQ(milliseconds, 0.0f);
  CUDA_OK(cudaEventDestroy(event));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphInstantiateWithFlags(&exec, graph, 1 << 10));
  CUDA_OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  cudaSurfaceObject_t surface = 0;
  cudaResourceDesc resource = {};
  CUDA_FAILS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &resource));
  CUDA_OK(cudaDestroySurfaceObject(0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaDestroySurfaceObject(7));
}

TEST(OldCalls, CopiesOfArraysLater) {
  cudaChannelFormatDesc format =
      cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaChannelFormatDesc found = {};
  cudaArray_t first = nullptr, second = nullptr;
  CUDA_OK(cudaMallocArray(&first, &format, 8, 2, 0));
  CUDA_OK(cudaMallocArray(&second, &format, 8, 2, 0));
  CUDA_OK(cudaGetChannelDesc(&found, first));
  EXPECT_EQ(found.x, 8);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetChannelDesc(&found, nullptr));
  const char text[] = "0123456789abcdef";
  char back[17] = {};
  Stream stream;
  CUDA_OK(cudaMemcpy2DToArrayAsync(first, 0, 0, text, 8, 8, 2, cudaMemcpyHostToDevice,
                                   stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaMemcpy2DArrayToArray(second, 0, 0, first, 0, 0, 8, 2,
                                   cudaMemcpyDeviceToDevice));
  CUDA_OK(cudaMemcpy2DFromArrayAsync(back, 8, second, 0, 0, 8, 2, cudaMemcpyDeviceToHost,
                                     stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_STREQ(back, text);
  CUDA_OK(
      cudaMemcpyToArrayAsync(first, 4, 0, "ABCDEFGH", 8, cudaMemcpyHostToDevice, stream));
  CUDA_OK(
      cudaMemcpyFromArrayAsync(back, first, 0, 0, 16, cudaMemcpyDeviceToHost, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_STREQ(back, "0123ABCDEFGHcdef");
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemcpy2DArrayToArray(second, 1, 0, first, 0, 0, 8, 2,
                                      cudaMemcpyDeviceToDevice));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemcpy2DToArrayAsync(nullptr, 0, 0, text, 8, 8, 2,
                                      cudaMemcpyHostToDevice, stream));
  CUDA_OK(cudaFreeArray(first));
  CUDA_OK(cudaFreeArray(second));
}

TEST(OldCalls, CopiesBetweenDevicesAndSymbols) {
  registerPackage();
  DeviceMemory<int> here(8);
  int *there = nullptr, values[4] = {9, 8, 7, 6}, back[4] = {};
  CUDA_OK(cudaSetDevice(1));
  CUDA_OK(cudaMalloc(reinterpret_cast<void **>(&there), 32));
  CUDA_OK(cudaSetDevice(0));
  CUDA_OK(cudaMemcpy(here, values, 16, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpyPeerAsync(there, 1, here, 0, 16, nullptr));
  CUDA_OK(cudaStreamSynchronize(nullptr));
  cudaMemcpy3DPeerParms params = {};
  params.srcPtr = {there, 16, 16, 1};
  params.dstPtr = {here.pointer + 4, 16, 16, 1};
  params.srcDevice = 1;
  params.extent = {16, 1, 1};
  CUDA_OK(cudaMemcpy3DPeer(&params));
  CUDA_OK(cudaMemcpy(back, here + 4, 16, cudaMemcpyDeviceToHost));
  EXPECT_EQ(back[3], 6);
  CUDA_OK(cudaMemcpy3DPeerAsync(&params, nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpy3DPeer(nullptr));
  CUDA_FAILS(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(there, 9, here, 0, 16, nullptr));
  CUDA_OK(cudaMemcpyToSymbolAsync(counterShadow, values, 16, 0, cudaMemcpyHostToDevice,
                                  nullptr));
  CUDA_OK(cudaMemcpyFromSymbolAsync(back, counterShadow, 8, 8, cudaMemcpyDeviceToHost,
                                    nullptr));
  CUDA_OK(cudaStreamSynchronize(nullptr));
  EXPECT_EQ(back[0], 7);
  const int before[4] = {1, 2, 3, 4};
  CUDA_OK(cudaMemcpyToSymbolAsync(counterShadow, before, 16, 0, cudaMemcpyHostToDevice,
                                  nullptr));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemcpyToSymbolAsync(counterShadow, values, 16, 4, cudaMemcpyHostToDevice,
                                     nullptr));
  CUDA_FAILS(
      cudaErrorInvalidSymbol,
      cudaMemcpyFromSymbolAsync(back, values, 8, 8, cudaMemcpyDeviceToHost, nullptr));
  cudaPitchedPtr box = {here, 16, 16, 2};
  CUDA_OK(cudaMemset3DAsync(box, 1, {8, 2, 1}, nullptr));
  CUDA_OK(cudaMemcpy(back, here, 16, cudaMemcpyDeviceToHost));
  EXPECT_EQ(back[1], 0x01010101);
  EXPECT_EQ(back[2], 7);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, back, counterShadow,
                                           4, 0, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  CUDA_OK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, back, counterShadow, 4,
                                                     12, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaGraphLaunch(exec, nullptr));
  CUDA_OK(cudaStreamSynchronize(nullptr));
  EXPECT_EQ(back[0], 4);
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaSetDevice(1));
  CUDA_OK(cudaFree(there));
  CUDA_OK(cudaSetDevice(0));
}

TEST(OldCalls, PlacesOfManagedMemory) {
  char *managed = nullptr;
  CUDA_OK(
      cudaMallocManaged(reinterpret_cast<void **>(&managed), 4096, cudaMemAttachGlobal));
  const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  int where = 9;
  CUDA_OK(cudaMemAdvise_v2(managed, 4096, cudaMemAdviseSetPreferredLocation, host));
  CUDA_OK(cudaMemRangeGetAttribute(&where, 4, cudaMemRangeAttributePreferredLocation,
                                   managed, 4096));
  EXPECT_EQ(where, cudaCpuDeviceId);
  CUDA_OK(
      cudaMemPrefetchAsync_v2(managed, 4096, {cudaMemLocationTypeDevice, 1}, 0, nullptr));
  CUDA_OK(cudaMemRangeGetAttribute(&where, 4, cudaMemRangeAttributeLastPrefetchLocation,
                                   managed, 4096));
  EXPECT_EQ(where, 1);
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemPrefetchAsync_v2(managed, 4096, host, 3, nullptr));
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaMemAdvise_v2(managed, 4096, cudaMemAdviseSetPreferredLocation,
                              {cudaMemLocationTypeDevice, 9}));
  CUDA_OK(cudaFree(managed));
}

/// What is refused as a whole answers so, whatever it is given. That it says so, once, is
/// Errors.UnsupportedSaysSo's.
TEST(OldCalls, WhatIsRefusedAnswersSo) {
  const char *const names[] = {
#define HET_UNSUPPORTED_RUNTIME(name) #name,
#define HET_UNSUPPORTED_DRIVER(name) #name,
#include "../../../runtime/cuda/Unsupported.def"
  };
  for (const char *name : names) {
    auto *function = reinterpret_cast<int (*)(void *, void *)>(dlsym(RTLD_DEFAULT, name));
    ASSERT_NE(function, nullptr) << name;
    EXPECT_EQ(function(nullptr, nullptr), cudaErrorNotSupported) << name;
  }
  cudaGetLastError();
}
