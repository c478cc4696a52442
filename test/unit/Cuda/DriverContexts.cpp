// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts of the driver API beyond their stack: numbers, counts, events, attributes of
// streams; questions about devices and addresses.

#include "DriverSupport.h"

TEST_F(Driver, ContextsHaveNumbersAndFlags) {
  CUcontext other = nullptr;
  unsigned long long first = 0, second = 0;
  unsigned flags = 0;
  CU_OK(cuCtxCreate_v3(&other, nullptr, 0, CU_CTX_SCHED_SPIN, 1));
  CU_OK(cuCtxGetFlags(&flags));
  EXPECT_EQ(flags, unsigned(CU_CTX_SCHED_SPIN));
  CU_OK(cuCtxSetFlags(CU_CTX_SCHED_YIELD));
  CU_OK(cuCtxGetFlags(&flags));
  EXPECT_EQ(flags, unsigned(CU_CTX_SCHED_YIELD));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxSetFlags(0x1000));
  CU_OK(cuCtxGetId(context, &first));
  CU_OK(cuCtxGetId(nullptr, &second));
  EXPECT_NE(first, second);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxGetId(context, nullptr));
  CUexecAffinityParam share = {CU_EXEC_AFFINITY_TYPE_SM_COUNT, {{1}}};
  CU_FAILS(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, cuCtxCreate_v3(&other, &share, 1, 0, 0));
  CU_FAILS(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY,
           cuCtxGetExecAffinity(&share, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
  int supported = 1;
  CU_OK(cuDeviceGetExecAffinitySupport(&supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
  EXPECT_EQ(supported, 0);
  CUctxCigParam graphics = {};
  CUctxCreateParams params = {nullptr, 0, &graphics};
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuCtxCreate_v4(&other, &params, 0, 0));
  CU_OK(cuCtxDestroy(other));
  CU_OK(cuCtxCreate_v4(&other, nullptr, 0, 0));
  CU_OK(cuCtxDestroy(other));
}

TEST_F(Driver, ContextsAreCounted) {
  CUcontext counted = nullptr, same = nullptr;
  CU_OK(cuCtxCreate(&counted, 0, 1));
  CU_OK(cuCtxAttach(&same, 0));
  EXPECT_EQ(same, counted);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(&same, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(nullptr, 0));
  CU_FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(context)); // not current
  CU_OK(cuCtxDetach(counted));
  CU_OK(cuCtxGetCurrent(&same));
  EXPECT_EQ(same, counted);
  CU_OK(cuCtxDetach(counted));
  CU_OK(cuCtxGetCurrent(&same));
  EXPECT_EQ(same, context);
}

TEST_F(Driver, HintsOfContexts) {
  CUsharedconfig config;
  CU_OK(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
  CU_OK(cuCtxGetSharedMemConfig(&config));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuCtxSetSharedMemConfig(static_cast<CUsharedconfig>(7)));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxGetSharedMemConfig(nullptr));
  CU_OK(cuCtxResetPersistingL2Cache());
  CUDA_OK(cudaCtxResetPersistingL2Cache());
}

/// An event of a context comes after the work of all of its streams, and they wait for
/// one.
TEST_F(Driver, ContextsRecordAndWaitForEvents) {
  CUevent event = nullptr;
  CU_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  {
    Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
    Gate held(first);
    CU_OK(cuCtxRecordEvent(context, event));
    CU_FAILS(CUDA_ERROR_NOT_READY, cuEventQuery(event));
    CU_OK(cuCtxWaitEvent(nullptr, event));
    CU_FAILS(CUDA_ERROR_NOT_READY, cuStreamQuery(second));
    held.open();
    CU_OK(cuStreamSynchronize(second));
    CU_OK(cuEventQuery(event));
  }
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuCtxRecordEvent(context, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuCtxWaitEvent(context, nullptr));
  CU_OK(cuEventDestroy(event));
}

TEST_F(Driver, StreamsKnowTheirContextAndAttributes) {
  CUstream stream = nullptr, other = nullptr;
  CUcontext found = nullptr;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU_OK(cuStreamGetCtx(stream, &found));
  EXPECT_EQ(found, context);
  CU_OK(cuStreamGetCtx(nullptr, &found));
  EXPECT_EQ(found, context);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamGetCtx(stream, nullptr));
  CUstreamAttrValue value = {};
  value.syncPolicy = CU_SYNC_POLICY_YIELD;
  CU_OK(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  CU_OK(cuStreamCreate(&other, CU_STREAM_DEFAULT));
  CU_OK(cuStreamGetAttribute(other, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_AUTO);
  CU_OK(cuStreamCopyAttributes(other, stream));
  CU_OK(cuStreamGetAttribute(other, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_YIELD);
  CU_OK(cuStreamAttachMemAsync(stream, reinterpret_cast<CUdeviceptr>(&value), 0,
                               CU_MEM_ATTACH_GLOBAL));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuStreamAttachMemAsync(stream, 0, 0, CU_MEM_ATTACH_GLOBAL));
  CU_OK(cuStreamDestroy(stream));
  CU_OK(cuStreamDestroy(other));
}

TEST(Streams, AttributesAreCheckedAndKept) {
  Stream stream, other;
  cudaLaunchAttributeValue value = {};
  int device = 0;
  value.accessPolicyWindow = {&device, 4, 0.5f, cudaAccessPropertyPersisting,
                              cudaAccessPropertyStreaming};
  CUDA_OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  cudaLaunchAttributeValue found = {};
  CUDA_OK(cudaStreamCopyAttributes(other, stream));
  CUDA_OK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &found));
  EXPECT_EQ(found.accessPolicyWindow.base_ptr, &device);
  EXPECT_EQ(found.accessPolicyWindow.hitRatio, 0.5f);
  value.accessPolicyWindow.hitRatio = 2;
  CUDA_FAILS(
      cudaErrorInvalidValue,
      cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  value.priority = -3;
  CUDA_OK(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &value));
  int priority = 0;
  CUDA_OK(cudaStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, -3);
  CUDA_OK(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &found));
  EXPECT_EQ(found.priority, -3);
  CUDA_OK(cudaStreamGetAttribute(stream, cudaStreamAttributeMemSyncDomainMap, &found));
  EXPECT_EQ(found.memSyncDomainMap.remote, 1);
  // What only launches have.
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value));
  CUDA_FAILS(
      cudaErrorInvalidValue,
      cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(99), &found));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaStreamGetAttribute(stream, cudaStreamAttributePriority, nullptr));
}

TEST_F(Driver, QuestionsAboutAddresses) {
  CUdeviceptr memory = 0;
  CU_OK(cuMemAlloc(&memory, 4096));
  CUcontext owner = nullptr;
  CU_OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  EXPECT_EQ(owner, context);
  unsigned type = 0, isManaged = 1;
  int device = -1;
  CUdeviceptr start = 0;
  size_t size = 0;
  void *host = &size;
  CUmemoryPool pool = nullptr;
  CUpointer_attribute attributes[] = {
      CU_POINTER_ATTRIBUTE_MEMORY_TYPE,    CU_POINTER_ATTRIBUTE_IS_MANAGED,
      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
      CU_POINTER_ATTRIBUTE_RANGE_SIZE,     CU_POINTER_ATTRIBUTE_HOST_POINTER,
      CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE};
  void *data[] = {&type, &isManaged, &device, &start, &size, &host, &pool};
  CU_OK(cuPointerGetAttributes(7, attributes, data, memory + 100));
  EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(isManaged, 0u);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(start, memory);
  EXPECT_EQ(size, 4096u);
  EXPECT_EQ(host, nullptr);
  EXPECT_EQ(pool, nullptr);
  CU_OK(cuPointerGetAttributes(7, attributes, data, 64)); // nobody's
  EXPECT_EQ(type, 0u);
  EXPECT_EQ(device, CU_DEVICE_INVALID);
  EXPECT_EQ(start, 0u);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(0, attributes, data, memory));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(1, nullptr, data, memory));
  unsigned flag = 1;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuPointerSetAttribute(&flag, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuPointerSetAttribute(&flag, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 64));
  CU_OK(cuPointerSetAttribute(&flag, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  flag = 0;
  CU_OK(cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  EXPECT_EQ(flag, 1u);
  CU_OK(cuMemFree(memory));
}

TEST_F(Driver, DevicesKnowEachOther) {
  int value = -1;
  CU_OK(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  EXPECT_EQ(value, 1);
  CU_FAILS(
      CUDA_ERROR_INVALID_DEVICE,
      cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuDeviceGetP2PAttribute(&value, static_cast<CUdevice_P2PAttribute>(40), 0, 1));
  size_t elements = 0;
  CU_OK(cuDeviceGetTexture1DLinearMaxWidth(&elements, CU_AD_FORMAT_FLOAT, 4, 0));
  EXPECT_GT(elements, 0u);
  const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  size_t more = 0;
  CUDA_OK(cudaDeviceGetTexture1DLinearMaxWidth(&more, &format, 0));
  EXPECT_EQ(more, 4 * elements);
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaDeviceGetTexture1DLinearMaxWidth(&more, &format, 7));
}

TEST_F(Driver, APrimaryContextIsReset) {
  CUcontext primary = nullptr;
  CUdeviceptr memory = 0, base = 0;
  size_t size = 0;
  CU_OK(cuDevicePrimaryCtxRetain(&primary, 1));
  CU_OK(cuCtxPushCurrent(primary));
  CU_OK(cuMemAlloc(&memory, 1 << 22));
  CU_OK(cuDevicePrimaryCtxReset(1));
  CU_FAILS(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, memory));
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxReset(9));
  CU_OK(cuCtxPopCurrent(&primary));
  CU_OK(cuDevicePrimaryCtxRelease(1));
}

TEST_F(Driver, LaterFormsOfEvents) {
  CUevent event = nullptr;
  float milliseconds = -1;
  CU_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  CU_OK(cuEventRecord(event, nullptr));
  CU_OK(cuEventSynchronize(event));
  CU_OK(cuEventElapsedTime_v2(&milliseconds, event, event));
  EXPECT_EQ(milliseconds, 0.0f);
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE,
           cuEventElapsedTime_v2(&milliseconds, event, nullptr));
  CU_OK(cuEventDestroy(event));
}
