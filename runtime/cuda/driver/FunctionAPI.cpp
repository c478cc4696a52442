// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: kernels by their handles, and the handles of registered kernels.

#include "Driver.h"

#include "../Launch.h"

#include <algorithm>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

CUresult driver::attributeOf(LoadedKernel &kernel, const Device &device,
                             CUfunction_attribute attribute, int &value) {
  cudaFuncAttributes all;
  if (cudaError_t error = describe(kernel, device, all))
    return convert(error);
  const auto give = [&](auto what) {
    value = static_cast<int>(what);
    return CUDA_SUCCESS;
  };
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    return give(all.maxThreadsPerBlock);
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    return give(all.sharedSizeBytes);
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    return give(all.constSizeBytes);
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    return give(all.localSizeBytes);
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    return give(all.numRegs);
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    return give(all.ptxVersion);
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    return give(all.binaryVersion);
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    return give(all.cacheModeCA);
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return give(all.maxDynamicSharedSizeBytes);
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    return give(all.preferredShmemCarveout);
  case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    return give(all.clusterDimMustBeSet);
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    return give(all.requiredClusterWidth);
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    return give(all.requiredClusterHeight);
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    return give(all.requiredClusterDepth);
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    return give(all.nonPortableClusterSizeAllowed);
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    return give(all.clusterSchedulingPolicyPreference);
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction function) try {
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  return withKernel(function, [&](LoadedKernel &kernel, Device &device) {
    return attributeOf(kernel, device, attribute, *value);
  });
}
HET_CATCH

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                            int value) try {
  return withKernel(function, [&](LoadedKernel &kernel, Device &device) {
    return convert(
        setAttribute(kernel, device, static_cast<cudaFuncAttribute>(attribute), value));
  });
}
HET_CATCH

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) try {
  return withKernel(function, [](LoadedKernel &, Device &) { return CUDA_SUCCESS; });
}
HET_CATCH

CUresult cuFuncGetName(const char **name, CUfunction function) try {
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *name = function->name.c_str();
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuFuncGetModule(CUmodule *module, CUfunction function) try {
  if (!module || !function)
    return CUDA_ERROR_INVALID_VALUE;
  if (!function->module)
    return CUDA_ERROR_NOT_FOUND; // host code has registered it
  *module = function->module;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset,
                            size_t *size) try {
  if (!offset)
    return CUDA_ERROR_INVALID_VALUE;
  return withKernel(function, [&](LoadedKernel &kernel, Device &) {
    const auto &parameters = kernel.info().parameters;
    if (index >= parameters.size())
      return CUDA_ERROR_INVALID_VALUE;
    *offset = parameters[index].offset;
    if (size)
      *size = parameters[index].size;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) try {
  if (config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE ||
      config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
    return CUDA_ERROR_INVALID_VALUE;
  return withKernel(function, [](LoadedKernel &, Device &) { return CUDA_SUCCESS; });
}
HET_CATCH

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) try {
  if (!state)
    return CUDA_ERROR_INVALID_VALUE;
  return withKernel(function, [&](LoadedKernel &kernel, Device &) {
    *state = kernel.ready.load(std::memory_order_acquire)
                 ? CU_FUNCTION_LOADING_STATE_LOADED
                 : CU_FUNCTION_LOADING_STATE_UNLOADED;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuFuncLoad(CUfunction function) try {
  return withKernel(
      function, [](LoadedKernel &kernel, Device &) { return convert(prepare(kernel)); });
}
HET_CATCH

CUfunction driver::handleOf(Function *function) {
  static std::mutex *mutex = new std::mutex;
  if (!function)
    return nullptr;
  std::lock_guard<std::mutex> lock(*mutex);
  if (!function->handle) {
    auto made = std::make_shared<CUfunc_st>();
    made->name = function->name;
    made->function = function;
    listFunction(made.get(), *function);
    function->handle = std::move(made);
  }
  return function->handle.get();
}

/// The handle of a kernel that host code has registered.
static cudaError_t handleOfStub(const void *stub, CUfunction &handle) {
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  handle = handleOf(findFunction(stub));
  return handle ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *stub) try {
  return remember(function ? handleOfStub(stub, *function) : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *stub) try {
  CUfunction handle = nullptr;
  cudaError_t error = kernel ? handleOfStub(stub, handle) : cudaErrorInvalidValue;
  if (!error)
    *kernel = reinterpret_cast<cudaKernel_t>(handle);
  return remember(error);
}
HET_CATCH
