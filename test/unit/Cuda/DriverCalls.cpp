// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the driver API that lead to the runtime API's: each does what its name says,
// and refuses wrong arguments.

#include "DriverSupport.h"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

CUdeviceptr addressOf(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

/// Device memory of 16 words.
struct Words {
  Words() { EXPECT_EQ(cuMemAlloc(&address, 64), CUDA_SUCCESS); }
  ~Words() { cuMemFree(address); }
  std::vector<unsigned> read() const {
    std::vector<unsigned> words(16);
    EXPECT_EQ(cuMemcpyDtoH(words.data(), address, 64), CUDA_SUCCESS);
    return words;
  }
  CUdeviceptr address = 0;
};

} // namespace

TEST_F(Driver, DevicesSayWhatTheyAre) {
  int major = 0, minor = 0, can = 0;
  CU_OK(cuDeviceComputeCapability(&major, &minor, 0));
  EXPECT_GT(major, 0);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceComputeCapability(nullptr, &minor, 0));
  CUdevprop properties = {};
  CU_OK(cuDeviceGetProperties(&properties, 0));
  EXPECT_EQ(properties.SIMDWidth, 32);
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetProperties(&properties, 9));
  CUuuid first, second;
  CU_OK(cuDeviceGetUuid(&first, 0));
  CU_OK(cuDeviceGetUuid(&second, 1));
  EXPECT_NE(std::memcmp(&first, &second, sizeof(first)), 0);
  char text[32] = {};
  CUdevice device = -1;
  CU_OK(cuDeviceGetPCIBusId(text, sizeof(text), 1));
  CU_OK(cuDeviceGetByPCIBusId(&device, text));
  EXPECT_GE(device, 0);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetPCIBusId(text, 3, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetByPCIBusId(&device, "nothing"));
  CU_OK(cuDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&can, 0, 9));
  CU_OK(cuDevicePrimaryCtxSetFlags(1, CU_CTX_SCHED_SPIN));
  unsigned flags = 0;
  int isActive = 0;
  CU_OK(cuDevicePrimaryCtxGetState(1, &flags, &isActive));
  EXPECT_EQ(flags, unsigned(CU_CTX_SCHED_SPIN));
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxSetFlags(9, 0));
  CU_OK(cuProfilerStart());
  CU_OK(cuProfilerStop());
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED,
           cuProfilerInitialize("counters", "results", CU_OUT_CSV));
}

TEST_F(Driver, ContextsHaveLimitsAndPeers) {
  unsigned version = 0;
  size_t value = 0;
  int least = 1, greatest = 1;
  CU_OK(cuCtxGetApiVersion(context, &version));
  EXPECT_GE(version, 3010u);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxGetApiVersion(context, nullptr));
  CU_OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  CU_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(value, 4096u);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(&value, CU_LIMIT_MAX));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(CU_LIMIT_MAX, 1));
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
  CU_OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  CU_OK(cuCtxGetCacheConfig(&cache));
  EXPECT_EQ(cache, CU_FUNC_CACHE_PREFER_L1);
  CU_OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_NONE));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxGetCacheConfig(nullptr));
  CU_OK(cuCtxGetStreamPriorityRange(&least, &greatest));
  EXPECT_LE(greatest, least);
  CUcontext peer = nullptr;
  CU_OK(cuDevicePrimaryCtxRetain(&peer, 1));
  CU_OK(cuCtxEnablePeerAccess(peer, 0));
  CU_FAILS(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(peer, 0));
  CU_OK(cuCtxDisablePeerAccess(peer));
  CU_FAILS(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(peer));
  CU_FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(nullptr, 0));
  CU_OK(cuDevicePrimaryCtxRelease(1));
}

/// Each fill leaves its words, and none behind them.
TEST_F(Driver, Fills) {
  struct {
    const char *name;
    std::function<CUresult(CUdeviceptr)> fill;
    unsigned first, second, fifth; ///< What the words are then.
  } const cases[] = {
      {"D8", [](CUdeviceptr to) { return cuMemsetD8Async(to, 1, 5, nullptr); },
       0x01010101, 0x01, 0},
      {"D16", [](CUdeviceptr to) { return cuMemsetD16Async(to, 0x102, 3, nullptr); },
       0x01020102, 0x102, 0},
      {"D32", [](CUdeviceptr to) { return cuMemsetD32Async(to, 9, 2, nullptr); }, 9, 9,
       0},
      {"D2D8", [](CUdeviceptr to) { return cuMemsetD2D8(to, 16, 1, 4, 2); }, 0x01010101,
       0, 0x01010101},
      {"D2D16", [](CUdeviceptr to) { return cuMemsetD2D16(to, 16, 2, 2, 2); }, 0x20002, 0,
       0x20002},
      {"D2D32", [](CUdeviceptr to) { return cuMemsetD2D32(to, 16, 3, 1, 2); }, 3, 0, 3},
      {"D2D8Async",
       [](CUdeviceptr to) { return cuMemsetD2D8Async(to, 16, 1, 8, 2, nullptr); },
       0x01010101, 0x01010101, 0x01010101},
      {"D2D16Async",
       [](CUdeviceptr to) { return cuMemsetD2D16Async(to, 16, 2, 2, 1, nullptr); },
       0x20002, 0, 0},
      {"D2D32Async",
       [](CUdeviceptr to) { return cuMemsetD2D32Async(to, 16, 3, 2, 2, nullptr); }, 3, 3,
       3},
  };
  for (const auto &one : cases) {
    Words words;
    CU_OK(cuMemsetD32(words.address, 0, 16));
    CU_OK(one.fill(words.address));
    CU_OK(cuCtxSynchronize());
    const std::vector<unsigned> found = words.read();
    EXPECT_EQ(found[0], one.first) << one.name;
    EXPECT_EQ(found[1], one.second) << one.name;
    EXPECT_EQ(found[4], one.fifth) << one.name;
    EXPECT_EQ(found[15], 0u) << one.name;
    CU_FAILS(CUDA_ERROR_INVALID_VALUE, one.fill(words.address + 63));
    CU_FAILS(CUDA_ERROR_INVALID_VALUE, one.fill(0));
  }
}

/// Each copy brings the first word.
TEST_F(Driver, Copies) {
  Words from, to;
  unsigned host = 0;
  CUDA_MEMCPY2D box = {};
  box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  box.srcDevice = from.address;
  box.dstDevice = to.address;
  box.srcPitch = box.dstPitch = 8;
  box.WidthInBytes = 4;
  box.Height = 2;
  const CUdeviceptr source = from.address, target = to.address;
  const std::function<CUresult()> copies[] = {
      [=] { return cuMemcpy(target, source, 4); },
      [=] { return cuMemcpyAsync(target, source, 4, nullptr); },
      [=] { return cuMemcpyDtoD(target, source, 4); },
      [=] { return cuMemcpyDtoDAsync(target, source, 4, nullptr); },
      [&] { return cuMemcpyPeer(target, context, source, context, 4); },
      [&] { return cuMemcpyPeerAsync(target, context, source, context, 4, nullptr); },
      [&] { return cuMemcpy2DUnaligned(&box); },
  };
  unsigned value = 1;
  for (const auto &copy : copies) {
    CU_OK(cuMemcpyHtoD(from.address, &++value, 4));
    CU_OK(copy());
    CU_OK(cuCtxSynchronize());
    EXPECT_EQ(to.read()[0], value);
  }
  CU_OK(cuMemcpyDtoHAsync(&host, to.address, 4, nullptr));
  CU_OK(cuStreamSynchronize(nullptr));
  EXPECT_EQ(host, value);
  CU_OK(cuMemcpyHtoDAsync(to.address, &value, 4, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(to.address, from.address, 100));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoHAsync(nullptr, to.address, 4, nullptr));
}

TEST_F(Driver, HostMemory) {
  std::vector<char> host(8192);
  CUdeviceptr address = 0;
  unsigned flags = 0;
  CU_OK(cuMemHostRegister(host.data(), host.size(), CU_MEMHOSTREGISTER_PORTABLE));
  CU_OK(cuMemHostGetDevicePointer(&address, host.data(), 0));
  EXPECT_EQ(address, addressOf(host.data()));
  CU_OK(cuMemHostGetFlags(&flags, host.data()));
  EXPECT_NE(flags & CU_MEMHOSTALLOC_DEVICEMAP, 0u);
  CU_FAILS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
           cuMemHostRegister(host.data(), host.size(), 0));
  CU_OK(cuMemHostUnregister(host.data()));
  CU_FAILS(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(host.data()));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, host.data()));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer(nullptr, host.data(), 0));
  CUdeviceptr ordered = 0;
  CU_OK(cuMemAllocAsync(&ordered, 4096, nullptr));
  CU_OK(cuMemFreeAsync(ordered, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAllocAsync(nullptr, 4096, nullptr));
  CUdeviceptr managed = 0;
  CU_OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  CU_OK(cuMemPrefetchAsync(managed, 4096, 1, nullptr));
  int where = -9, isRead = 9;
  void *data[] = {&where, &isRead};
  size_t sizes[] = {4, 4};
  CUmem_range_attribute attributes[] = {CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                                        CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY};
  CU_OK(cuMemRangeGetAttributes(data, sizes, attributes, 2, managed, 4096));
  EXPECT_EQ(where, 1);
  EXPECT_EQ(isRead, 0);
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(managed, 4096, 9, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemRangeGetAttributes(data, sizes, attributes, 0, managed, 4096));
  CU_OK(cuMemFree(managed));
}

TEST_F(Driver, StreamsSayWhatTheyAre) {
  CUstream stream = nullptr;
  unsigned flags = 9;
  int priority = 9;
  CUdevice device = 9;
  CU_OK(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -2));
  CU_OK(cuStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, unsigned(CU_STREAM_NON_BLOCKING));
  CU_OK(cuStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, -2);
  CU_OK(cuStreamGetDevice(stream, &device));
  EXPECT_EQ(device, 0);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamGetFlags(stream, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamGetPriority(stream, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamGetDevice(stream, nullptr));
  CUevent event = nullptr;
  CU_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  CU_OK(cuEventRecordWithFlags(event, stream, 0));
  CU_OK(cuStreamWaitEvent(nullptr, event, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuEventRecordWithFlags(event, stream, 8));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent(nullptr, nullptr, 0));
  CUresult told = CUDA_ERROR_UNKNOWN;
  CU_OK(cuStreamAddCallback(
      stream,
      [](CUstream, CUresult status, void *data) {
        *static_cast<CUresult *>(data) = status;
      },
      &told, 0));
  CU_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(told, CUDA_SUCCESS);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, nullptr, nullptr, 0));
  CU_OK(cuEventDestroy(event));
  CU_OK(cuStreamDestroy(stream));
}

TEST_F(Driver, FunctionsAreSetAndRefused) {
  const het::Bytes package = makePackage();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CU_OK(cuModuleLoadDataEx(&module, package.data(), 0, nullptr, nullptr));
  CU_OK(cuModuleGetFunction(&function, module, "bounded"));
  CU_OK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                           2048));
  CU_FAILS(
      CUDA_ERROR_INVALID_VALUE,
      cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
  CU_OK(cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1));
  int blocks = 0, grid = 0, threads = 0;
  CU_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32, 0));
  EXPECT_GT(blocks, 0);
  CU_OK(cuOccupancyMaxPotentialBlockSize(&grid, &threads, function, nullptr, 0, 0));
  EXPECT_LE(threads, 64);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuOccupancyMaxPotentialBlockSize(nullptr, &threads, function, nullptr, 0, 0));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE,
           cuLaunchCooperativeKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuLaunchCooperativeKernel(function, 1, 1, 1, 65, 1, 1, 0, nullptr, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
  CUDA_LAUNCH_PARAMS params = {};
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE,
           cuLaunchCooperativeKernelMultiDevice(&params, 1, 0));
  params.function = function; // on a stream of its own only
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE,
           cuLaunchCooperativeKernelMultiDevice(&params, 1, 0));
  CU_OK(cuModuleUnload(module));
}

TEST_F(Driver, PartsOfDevices) {
  CUdevResource all = {}, part = {}, rest = {};
  CU_OK(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
  EXPECT_GT(all.sm.smCount, 0u);
  CU_FAILS(CUDA_ERROR_INVALID_RESOURCE_TYPE,
           cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_INVALID));
  unsigned groups = 4;
  CU_OK(cuDevSmResourceSplitByCount(&part, &groups, &all, &rest, 0, 1));
  EXPECT_EQ(groups, 1u); // a device is its own smallest part
  EXPECT_EQ(part.sm.smCount, all.sm.smCount);
  EXPECT_EQ(rest.type, CU_DEV_RESOURCE_TYPE_INVALID);
  CU_FAILS(
      CUDA_ERROR_INVALID_VALUE,
      cuDevSmResourceSplitByCount(&part, &groups, &all, &rest, 0, all.sm.smCount + 1));
  CUdevResourceDesc description = nullptr;
  CU_OK(cuDevResourceGenerateDesc(&description, &part, 1));
  CU_FAILS(CUDA_ERROR_INVALID_RESOURCE_TYPE,
           cuDevResourceGenerateDesc(&description, &rest, 1));
  CUgreenCtx green = nullptr, found = nullptr;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGreenCtxCreate(&green, description, 0, 0));
  CU_OK(cuGreenCtxCreate(&green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  CU_OK(cuGreenCtxGetDevResource(green, &part, CU_DEV_RESOURCE_TYPE_SM));
  CUcontext inner = nullptr, known = nullptr;
  CU_OK(cuCtxFromGreenCtx(&inner, green));
  CU_OK(cuCtxGetDevResource(inner, &part, CU_DEV_RESOURCE_TYPE_SM));
  CUstream stream = nullptr, other = nullptr;
  CUevent event = nullptr;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuGreenCtxStreamCreate(&stream, green, CU_STREAM_DEFAULT, 0));
  CU_OK(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
  CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CU_OK(cuStreamGetGreenCtx(stream, &found));
  EXPECT_EQ(found, green);
  CU_OK(cuStreamGetCtx_v2(other, &known, &found));
  EXPECT_EQ(known, context);
  EXPECT_EQ(found, nullptr);
  CU_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  CU_OK(cuGreenCtxRecordEvent(green, event));
  CU_OK(cuGreenCtxWaitEvent(green, event));
  CU_OK(cuEventSynchronize(event));
  CU_OK(cuEventDestroy(event));
  CU_OK(cuStreamDestroy(stream));
  CU_OK(cuStreamDestroy(other));
  CU_OK(cuGreenCtxDestroy(green));
  CU_FAILS(CUDA_ERROR_INVALID_CONTEXT, cuGreenCtxDestroy(nullptr));
}
