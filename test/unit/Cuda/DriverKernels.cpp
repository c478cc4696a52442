// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the driver API by their handles: of modules, of libraries, registered ones.

#include "DriverSupport.h"

#include <cstring>
#include <string>
#include <vector>

TEST_F(Driver, ModulesListTheirKernels) {
  const het::Bytes package = makePackage();
  CUmodule module = nullptr;
  CU_OK(cuModuleLoadData(&module, package.data()));
  unsigned count = 0;
  CU_OK(cuModuleGetFunctionCount(&count, module));
  ASSERT_EQ(count, 2u);
  CUfunction functions[2] = {}, same = nullptr;
  CU_OK(cuModuleEnumerateFunctions(functions, 2, module));
  std::vector<std::string> names;
  for (CUfunction function : functions) {
    const char *name = nullptr;
    CUmodule owner = nullptr;
    CU_OK(cuFuncGetName(&name, function));
    CU_OK(cuFuncGetModule(&owner, function));
    EXPECT_EQ(owner, module);
    CU_OK(cuModuleGetFunction(&same, module, name));
    EXPECT_EQ(same, function);
    names.push_back(name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"bounded", "plain"}));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunctionCount(nullptr, module));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuModuleEnumerateFunctions(functions, 0, module));
  CU_OK(cuModuleUnload(module));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunctionCount(&count, module));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuModuleEnumerateFunctions(functions, 2, module));
  CUmoduleLoadingMode mode;
  CU_OK(cuModuleGetLoadingMode(&mode));
  EXPECT_EQ(mode, CU_MODULE_LAZY_LOADING);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuModuleGetLoadingMode(nullptr));
}

TEST_F(Driver, FunctionsSayWhatTheyTake) {
  const het::Bytes package = makePackage();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  size_t offset = 0, size = 0;
  CU_OK(cuModuleLoadData(&module, package.data()));
  CU_OK(cuModuleGetFunction(&function, module, "plain"));
  CU_OK(cuFuncGetParamInfo(function, 1, &offset, &size));
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(size, 4u);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(function, 2, &offset, &size));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(function, 0, nullptr, &size));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuFuncGetParamInfo(nullptr, 0, &offset, &size));
  CUfunctionLoadingState state;
  CU_OK(cuFuncIsLoaded(&state, function));
  EXPECT_EQ(state, CU_FUNCTION_LOADING_STATE_UNLOADED);
  EXPECT_NE(cuFuncLoad(function), CUDA_SUCCESS); // it has no hetIR
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuFuncIsLoaded(nullptr, function));
  CU_OK(cuFuncSetSharedMemConfig(function, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuFuncSetSharedMemConfig(function, static_cast<CUsharedconfig>(9)));
  int blocks = 0, grid = 0, threads = 0;
  size_t bytes = 0;
  CU_OK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      &blocks, function, 64, 0, CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
  EXPECT_GT(blocks, 0);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                                         &blocks, function, 64, 0, 8));
  CU_OK(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &threads, function, nullptr, 0,
                                                  0, CU_OCCUPANCY_DEFAULT));
  EXPECT_GT(threads, 0);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxPotentialBlockSizeWithFlags(
                                         &grid, &threads, function, nullptr, 0, 0, 4));
  CU_OK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 1, 64));
  EXPECT_GT(bytes, 0u);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 0, 64));
  CU_OK(cuModuleUnload(module));
}

TEST_F(Driver, LibrariesAreOfNoContext) {
  const het::Bytes package = makePackage();
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr, kernels[4] = {};
  unsigned count = 0;
  CU_OK(cuLibraryLoadData(&library, package.data(), nullptr, nullptr, 0, nullptr, nullptr,
                          0));
  CU_OK(cuLibraryGetKernelCount(&count, library));
  EXPECT_EQ(count, 2u);
  CU_OK(cuLibraryEnumerateKernels(kernels, 4, library));
  EXPECT_EQ(kernels[2], nullptr);
  CU_OK(cuLibraryGetKernel(&kernel, library, "plain"));
  EXPECT_EQ(kernel, kernels[1]);
  CU_FAILS(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&kernel, library, "none"));
  const char *name = nullptr;
  CUlibrary owner = nullptr;
  size_t offset = 0, size = 0;
  CU_OK(cuLibraryGetKernel(&kernel, library, "bounded"));
  CU_OK(cuKernelGetName(&name, kernel));
  EXPECT_STREQ(name, "bounded");
  CU_OK(cuKernelGetLibrary(&owner, kernel));
  EXPECT_EQ(owner, library);
  CU_OK(cuKernelGetParamInfo(kernel, 0, &offset, &size));
  EXPECT_EQ(size, 8u);
  int threads = 0;
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE,
           cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 7));
  CU_OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024,
                             kernel, 1));
  CU_OK(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
  CUfunction function = nullptr;
  CUmodule module = nullptr;
  CU_OK(cuKernelGetFunction(&function, kernel));
  CU_OK(cuLibraryGetModule(&module, library));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module)); // it is the library's
  CUfunction same = nullptr;
  CU_OK(cuModuleGetFunction(&same, module, "bounded"));
  EXPECT_EQ(same, function);
  CUdeviceptr counter = 0;
  int values[4] = {};
  CU_OK(cuLibraryGetGlobal(&counter, &size, library, "counter"));
  CU_OK(cuMemcpyDtoH(values, counter, size));
  EXPECT_EQ(values[3], 4);
  void *entry = nullptr;
  CU_FAILS(CUDA_ERROR_NOT_FOUND,
           cuLibraryGetManaged(&counter, &size, library, "counter"));
  CU_FAILS(CUDA_ERROR_NOT_FOUND, cuLibraryGetUnifiedFunction(&entry, library, "plain"));
  // Each device has the library's variables for itself, and a reset makes them anew.
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  CUdeviceptr there = 0;
  CU_OK(cuLibraryGetGlobal(&there, &size, library, "counter"));
  EXPECT_NE(there, counter);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
  CU_OK(cuLibraryGetGlobal(&there, &size, library, "counter"));
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  CU_OK(cuLibraryUnload(library));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(library));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetKernel(&kernel, library, "plain"));
}

TEST_F(Driver, LibrariesRefuseWhatIsNone) {
  CUlibrary library = nullptr;
  CUlibraryOption option = static_cast<CUlibraryOption>(12);
  void *value = nullptr;
  const het::Bytes package = makePackage();
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLibraryLoadData(&library, package.data(), nullptr,
                                                       nullptr, 0, &option, &value, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLibraryLoadData(&library, nullptr, nullptr,
                                                       nullptr, 0, nullptr, nullptr, 0));
  CU_FAILS(CUDA_ERROR_FILE_NOT_FOUND,
           cuLibraryLoadFromFile(&library, "/nonexistent/file", nullptr, nullptr, 0,
                                 nullptr, nullptr, 0));
  CU_FAILS(CUDA_ERROR_INVALID_PTX,
           cuLibraryLoadData(&library, ".version 8.0\n.entry", nullptr, nullptr, 0,
                             nullptr, nullptr, 0));
  // The wrapper that compilers put around a package is as good as the package.
  FatBinaryWrapper wrapper;
  wrapper.data = package.data();
  CU_OK(cuLibraryLoadData(&library, &wrapper, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CU_OK(cuLibraryUnload(library));
  CUmodule module = nullptr;
  CU_OK(cuModuleLoadFatBinary(&module, &wrapper));
  CU_OK(cuModuleUnload(module));
}

TEST_F(Driver, RegisteredKernelsHaveHandles) {
  registerPackage();
  cudaFunction_t function = nullptr;
  cudaKernel_t kernel = nullptr;
  CUDA_OK(cudaGetFuncBySymbol(&function, &boundedStub));
  CUDA_OK(cudaGetKernel(&kernel, &boundedStub));
  const char *name = nullptr;
  CU_OK(cuFuncGetName(&name, function));
  EXPECT_STREQ(name, "bounded");
  CU_OK(cuKernelGetName(&name, kernel));
  EXPECT_STREQ(name, "bounded");
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  CU_FAILS(CUDA_ERROR_NOT_FOUND, cuFuncGetModule(&module, function));
  CU_FAILS(CUDA_ERROR_NOT_FOUND, cuKernelGetLibrary(&library, kernel));
  // A handle is as good as the stub.
  const char *byStub = nullptr;
  CUDA_OK(cudaFuncGetName(&byStub, function));
  EXPECT_STREQ(byStub, "bounded");
  CUDA_FAILS(cudaErrorInvalidDeviceFunction, cudaGetFuncBySymbol(&function, &function));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetFuncBySymbol(nullptr, &boundedStub));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetKernel(nullptr, &boundedStub));
}

TEST_F(Driver, RefusesLaunchesInParts) {
  const het::Bytes package = makePackage();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CU_OK(cuModuleLoadData(&module, package.data()));
  CU_OK(cuModuleGetFunction(&function, module, "bounded"));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(function, 0, 1, 1));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuFuncSetBlockShape(nullptr, 1, 1, 1));
  CU_OK(cuFuncSetBlockShape(function, 65, 1, 1));
  CU_OK(cuFuncSetSharedSize(function, 64));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuParamSetv(function, -1, &module, 8));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuParamSetv(function, 0, nullptr, 8));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuParamSetSize(function, 1 << 20));
  CU_OK(cuParamSetv(function, 0, &module, 8));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunch(function)); // too many threads
  CU_OK(cuFuncSetBlockShape(function, 1, 1, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunch(function)); // an argument is missing
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(function, 0, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchGridAsync(function, 1, -1, nullptr));
  CU_OK(cuParamSeti(function, 8, 3));
  CU_OK(cuParamSetf(function, 8, 3));
  CU_FAILS(CUDA_ERROR_NO_BINARY_FOR_GPU, cuLaunch(function)); // it has no hetIR
  CU_OK(cuModuleUnload(module));
}
