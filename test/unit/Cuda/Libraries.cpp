// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries of the runtime API, the linker, and functions by name and version.

#include "DriverSupport.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

TEST(Libraries, AreLoadedAndAsked) {
  const het::Bytes package = makePackage();
  cudaLibrary_t library = nullptr;
  CUDA_OK(cudaLibraryLoadData(&library, package.data(), nullptr, nullptr, 0, nullptr,
                              nullptr, 0));
  unsigned count = 0;
  CUDA_OK(cudaLibraryGetKernelCount(&count, library));
  EXPECT_EQ(count, 2u);
  cudaKernel_t kernels[2] = {}, kernel = nullptr;
  CUDA_OK(cudaLibraryEnumerateKernels(kernels, 2, library));
  CUDA_OK(cudaLibraryGetKernel(&kernel, library, "bounded"));
  EXPECT_EQ(kernel, kernels[0]);
  const char *name = nullptr;
  CUDA_OK(cudaFuncGetName(&name, kernel)); // a handle is as good as a stub
  EXPECT_STREQ(name, "bounded");
  CUDA_OK(cudaKernelSetAttributeForDevice(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 2048, 1));
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaKernelSetAttributeForDevice(
                 kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 2048, 9));
  void *pointer = nullptr;
  size_t size = 0;
  int values[4] = {};
  CUDA_OK(cudaLibraryGetGlobal(&pointer, &size, library, "counter"));
  CUDA_OK(cudaMemcpy(values, pointer, size, cudaMemcpyDeviceToHost));
  EXPECT_EQ(values[1], 2);
  CUDA_FAILS(cudaErrorSymbolNotFound,
             cudaLibraryGetManaged(&pointer, &size, library, "counter"));
  CUDA_FAILS(cudaErrorSymbolNotFound,
             cudaLibraryGetUnifiedFunction(&pointer, library, "plain"));
  CUDA_FAILS(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&kernel, library, "none"));
  CUDA_OK(cudaLibraryUnload(library));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaLibraryUnload(library));
  CUDA_FAILS(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, kernels[0]));
  CUDA_FAILS(cudaErrorFileNotFound,
             cudaLibraryLoadFromFile(&library, "/nonexistent/file", nullptr, nullptr, 0,
                                     nullptr, nullptr, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaLibraryLoadData(&library, nullptr, nullptr,
                                                        nullptr, 0, nullptr, nullptr, 0));
}

TEST_F(Driver, LinksOnePackage) {
  het::Bytes package = makePackage();
  char errors[256] = {};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {errors, reinterpret_cast<void *>(sizeof(errors))};
  CUlinkState state = nullptr;
  void *image = nullptr;
  size_t size = 0;
  CU_OK(cuLinkCreate(2, options, values, &state));
  CU_FAILS(CUDA_ERROR_INVALID_IMAGE, cuLinkComplete(state, &image, &size));
  char text[] = ".version 8.0 .visible .entry";
  CU_FAILS(CUDA_ERROR_INVALID_PTX,
           cuLinkAddData(state, CU_JIT_INPUT_PTX, text, sizeof(text), "kernel.ptx", 0,
                         nullptr, nullptr));
  EXPECT_NE(std::strstr(errors, "kernel.ptx: PTX text, line 1: found"), nullptr)
      << errors;
  CU_FAILS(CUDA_ERROR_INVALID_IMAGE,
           cuLinkAddData(state, CU_JIT_INPUT_CUBIN, text, sizeof(text), nullptr, 0,
                         nullptr, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLinkAddData(state, CU_JIT_INPUT_CUBIN, nullptr, 0,
                                                   nullptr, 0, nullptr, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_IMAGE,
           cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, package.data(),
                         package.size() - 1, "part", 0, nullptr, nullptr));
  CU_OK(cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, package.data(), package.size(),
                      "whole", 0, nullptr, nullptr));
  CU_OK(cuLinkComplete(state, &image, &size));
  EXPECT_EQ(size, package.size());
  CUmodule module = nullptr;
  CU_OK(cuModuleLoadData(&module, image));
  CU_OK(cuLinkDestroy(state));
  CUfunction function = nullptr;
  CU_OK(cuModuleGetFunction(&function, module, "plain"));
  CU_OK(cuModuleUnload(module));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuLinkComplete(nullptr, &image, &size));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLinkCreate(0, nullptr, nullptr, nullptr));
}

TEST_F(Driver, LinksEachKernelOnce) {
  het::Bytes package = makePackage();
  char errors[256] = {};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {errors, reinterpret_cast<void *>(sizeof(errors))};
  CUlinkState state = nullptr;
  void *image = nullptr;
  CU_OK(cuLinkCreate(2, options, values, &state));
  for (const char *name : {"first", "second"})
    CU_OK(cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, package.data(), package.size(),
                        name, 0, nullptr, nullptr));
  const CUresult result = cuLinkComplete(state, &image, nullptr);
  CU_OK(cuLinkDestroy(state));
  if (result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND)
    GTEST_SKIP() << "there is no compiler";
  EXPECT_EQ(result, CUDA_ERROR_INVALID_IMAGE);
  EXPECT_NE(std::strstr(errors, "multiple definition of 'bounded': in 'first' and in"),
            nullptr)
      << errors;
}

TEST_F(Driver, LinksAFile) {
  const het::Bytes package = makePackage();
  const std::string path = testing::TempDir() + "het-link-" + std::to_string(getpid());
  FILE *file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fwrite(package.data(), 1, package.size(), file);
  std::fclose(file);
  CUlinkState state = nullptr;
  void *image = nullptr;
  CU_OK(cuLinkCreate(0, nullptr, nullptr, &state));
  CU_FAILS(CUDA_ERROR_FILE_NOT_FOUND,
           cuLinkAddFile(state, CU_JIT_INPUT_OBJECT, "/nonexistent/file", 0, nullptr,
                         nullptr));
  CU_OK(cuLinkAddFile(state, CU_JIT_INPUT_OBJECT, path.c_str(), 0, nullptr, nullptr));
  CU_OK(cuLinkComplete(state, &image, nullptr));
  EXPECT_EQ(std::memcmp(image, package.data(), package.size()), 0);
  CU_OK(cuLinkDestroy(state));
  std::remove(path.c_str());
}

/// A name means what it meant in the version of CUDA that is asked for.
TEST_F(Driver, EntryPointsByVersion) {
  struct {
    const char *name;
    int version;
    void *function;
  } const cases[] = {
      {"cuStreamGetCaptureInfo", 12000,
       reinterpret_cast<void *>(cuStreamGetCaptureInfo_v2)},
      {"cuStreamGetCaptureInfo", 12030,
       reinterpret_cast<void *>(cuStreamGetCaptureInfo_v3)},
      {"cuMemAdvise", 12000, reinterpret_cast<void *>(cuMemAdvise)},
      {"cuMemAdvise", 12020, reinterpret_cast<void *>(cuMemAdvise_v2)},
      {"cuGraphAddNode", 12020, reinterpret_cast<void *>(cuGraphAddNode)},
      {"cuGraphInstantiate", 12000,
       reinterpret_cast<void *>(cuGraphInstantiateWithFlags)},
      {"cuMemAlloc", 4000, reinterpret_cast<void *>(cuMemAlloc)},
      {"cuCtxCreate", 3020, reinterpret_cast<void *>(cuCtxCreate_v2)},
      {"cuCtxCreate", 11040, reinterpret_cast<void *>(cuCtxCreate_v3)},
      {"cuCtxCreate", 12050, reinterpret_cast<void *>(cuCtxCreate_v4)},
      {"cuDeviceGetUuid", 9020, dlsym(RTLD_DEFAULT, "cuDeviceGetUuid")},
      {"cuDeviceGetUuid", 11040, reinterpret_cast<void *>(cuDeviceGetUuid_v2)},
  };
  for (const auto &one : cases) {
    void *function = nullptr;
    CUdriverProcAddressQueryResult status;
    CU_OK(cuGetProcAddress(one.name, &function, one.version, 0, &status));
    EXPECT_EQ(function, one.function) << one.name << ' ' << one.version;
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
    cudaDriverEntryPointQueryResult same;
    CUDA_OK(cudaGetDriverEntryPointByVersion(
        one.name, &function, static_cast<unsigned>(one.version), 0, &same));
    EXPECT_EQ(function, one.function);
    EXPECT_EQ(same, cudaDriverEntryPointSuccess);
  }
  void *function = nullptr;
  cudaDriverEntryPointQueryResult status;
  CUDA_OK(cudaGetDriverEntryPoint("cuNothing", &function, 0, &status));
  EXPECT_EQ(status, cudaDriverEntryPointSymbolNotFound);
  CUDA_FAILS(cudaErrorSymbolNotFound,
             cudaGetDriverEntryPoint("cuNothing", &function, 0, nullptr));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGetDriverEntryPoint(nullptr, &function, 0, &status));
}

TEST(Copies, BatchesOfBoxes) {
  DeviceMemory<int> memory(16);
  int host[16], back[16] = {};
  for (int at = 0; at < 16; ++at)
    host[at] = at;
  cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindSigned};
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMalloc3DArray(&array, &format, {4, 4, 0}, 0));
  cudaMemcpy3DBatchOp list[2];
  std::memset(list, 0, sizeof(list));
  for (cudaMemcpy3DBatchOp &one : list) {
    one.extent = {4, 4, 1};
    one.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  }
  list[0].src.type = cudaMemcpyOperandTypePointer;
  list[0].src.op.ptr.ptr = host;
  list[0].dst.type = cudaMemcpyOperandTypeArray;
  list[0].dst.op.array = {array, {0, 0, 0}};
  list[1].src.type = cudaMemcpyOperandTypeArray;
  list[1].src.op.array = {array, {1, 1, 0}};
  list[1].extent = {2, 2, 1};
  list[1].dst.type = cudaMemcpyOperandTypePointer;
  list[1].dst.op.ptr.ptr = memory.pointer;
  list[1].dst.op.ptr.rowLength = 4;
  list[1].dst.op.ptr.layerHeight = 4;
  size_t failed = 0;
  CUDA_OK(cudaMemcpy3DBatchAsync(2, list, &failed, 0, nullptr));
  CUDA_OK(cudaMemcpy(back, memory, 64, cudaMemcpyDeviceToHost));
  EXPECT_EQ(back[0], 5);
  EXPECT_EQ(back[1], 6);
  EXPECT_EQ(back[4], 9);
  list[1].extent.width = 4; // over the edge
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(2, list, &failed, 0, nullptr));
  EXPECT_EQ(failed, 1u);
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(2, list, &failed, 1, nullptr));
  EXPECT_EQ(failed, SIZE_MAX);
  CUDA_OK(cudaFreeArray(array));
  double value = 2;
  CUDA_OK(cudaSetDoubleForDevice(&value));
  CUDA_OK(cudaSetDoubleForHost(&value));
  EXPECT_EQ(value, 2);
  CUDA_FAILS(cudaErrorInvalidValue, cudaSetDoubleForDevice(nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaSetDoubleForHost(nullptr));
}

TEST_F(Driver, BatchesAndPlaces) {
  CUdeviceptr memory = 0, managed = 0;
  CU_OK(cuMemAlloc(&memory, 64));
  CU_OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  auto *words = reinterpret_cast<int *>(managed);
  words[0] = 1;
  words[1] = 2;
  CUdeviceptr to[] = {memory, memory + 8}, from[] = {managed, managed + 4};
  size_t sizes[] = {4, 4}, firsts[] = {0}, failed = 0;
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CU_OK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, firsts, 1, &failed, nullptr));
  int back[4] = {};
  CU_OK(cuMemcpyDtoH(back, memory, 16));
  EXPECT_EQ(back[0], 1);
  EXPECT_EQ(back[2], 2);
  CUDA_MEMCPY3D_BATCH_OP box = {};
  box.src.type = box.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  box.src.op.ptr.ptr = managed + 4;
  box.dst.op.ptr.ptr = memory;
  box.extent = {4, 1, 1};
  box.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CU_OK(cuMemcpy3DBatchAsync(1, &box, &failed, 0, nullptr));
  CU_OK(cuMemcpyDtoH(back, memory, 4));
  EXPECT_EQ(back[0], 2);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemcpy3DBatchAsync(1, nullptr, &failed, 0, nullptr));
  const CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  CU_OK(cuMemAdvise_v2(managed, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  int where = 9;
  CU_OK(cuMemRangeGetAttribute(&where, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
                               managed, 4096));
  EXPECT_EQ(where, CU_DEVICE_CPU);
  CU_OK(
      cuMemPrefetchAsync_v2(managed, 4096, {CU_MEM_LOCATION_TYPE_DEVICE, 1}, 0, nullptr));
  CU_OK(cuMemRangeGetAttribute(&where, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                               managed, 4096));
  EXPECT_EQ(where, 1);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemPrefetchAsync_v2(managed, 4096, host, 1, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE,
           cuMemAdvise_v2(managed, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                          {CU_MEM_LOCATION_TYPE_DEVICE, 9}));
  CU_OK(cuMemFree(managed));
  CU_OK(cuMemFree(memory));
}
