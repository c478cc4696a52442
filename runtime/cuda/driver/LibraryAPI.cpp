// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: libraries, which are modules of no context, and their kernels. A kernel's
// handle is a function's.

#include "Modules.h"

#include "../Launch.h"

using namespace het::cuda;
using namespace het::cuda::driver;

static CUmodule moduleOf(CUlibrary library) {
  return reinterpret_cast<CUmodule>(library);
}
static CUfunction functionOf(CUkernel kernel) {
  return reinterpret_cast<CUfunction>(kernel);
}

static CUresult checkOptions(unsigned count, const CUlibraryOption *options) {
  if (count && !options)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned index = 0; index < count; ++index)
    if (options[index] < 0 || options[index] >= CU_LIBRARY_NUM_OPTIONS)
      return CUDA_ERROR_INVALID_VALUE;
  return initialised() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *, void **,
                           unsigned, CUlibraryOption *options, void **,
                           unsigned count) try {
  if (CUresult error = checkOptions(count, options))
    return error;
  if (!library || !code)
    return CUDA_ERROR_INVALID_VALUE;
  CUmodule module = nullptr;
  CUresult error = loadImage(code, true, &module);
  *library = reinterpret_cast<CUlibrary>(module);
  return error;
}
HET_CATCH

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *,
                               void **, unsigned, CUlibraryOption *options, void **,
                               unsigned count) try {
  if (CUresult error = checkOptions(count, options))
    return error;
  if (!library || !path)
    return CUDA_ERROR_INVALID_VALUE;
  CUmodule module = nullptr;
  CUresult error = loadFile(path, true, &module);
  *library = reinterpret_cast<CUlibrary>(module);
  return error;
}
HET_CATCH

CUresult cuLibraryUnload(CUlibrary library) try {
  return unloadModule(moduleOf(library), true);
}
HET_CATCH

/// Hands a library and a device to `use`; the first device where no context says which.
template <typename Use> static CUresult with(CUlibrary library, Use use) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  std::shared_ptr<CUmod_st> module = findLibrary(moduleOf(library));
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  const CUcontext current = currentContext();
  return use(*module, current ? current->device : *deviceAt(0));
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) try {
  return with(library, [&](CUmod_st &module, Device &device) {
    if (!kernel || !name)
      return CUDA_ERROR_INVALID_VALUE;
    CUfunction function = nullptr;
    CUresult error = findFunctionOf(module, name, device, &function);
    *kernel = reinterpret_cast<CUkernel>(function);
    return error;
  });
}
HET_CATCH

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library) try {
  return with(library, [&](CUmod_st &module, Device &device) {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    std::vector<std::string> names;
    cudaError_t error = kernelNames(module.binary, device, names);
    *count = static_cast<unsigned>(names.size());
    return convert(error);
  });
}
HET_CATCH

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count,
                                   CUlibrary library) try {
  return with(library, [&](CUmod_st &module, Device &device) {
    if (!kernels || !count)
      return CUDA_ERROR_INVALID_VALUE;
    return listFunctionsOf(module, device, reinterpret_cast<CUfunction *>(kernels),
                           count);
  });
}
HET_CATCH

CUresult cuLibraryGetModule(CUmodule *result, CUlibrary library) try {
  if (CUresult error = requireContext())
    return error;
  return with(library, [&](CUmod_st &module, Device &) {
    if (!result)
      return CUDA_ERROR_INVALID_VALUE;
    *result = &module;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary library,
                            const char *name) try {
  if (CUresult error = requireContext())
    return error;
  return with(library, [&](CUmod_st &module, Device &device) {
    return name ? findVariableOf(module, name, device, address, size)
                : CUDA_ERROR_INVALID_VALUE;
  });
}
HET_CATCH

/// A managed variable is one that both sides reach; a package in memory has none, since
/// it is the host's code that gives it a place.
CUresult cuLibraryGetManaged(CUdeviceptr *, size_t *, CUlibrary library,
                             const char *name) try {
  return with(library, [&](CUmod_st &, Device &) {
    return name ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
  });
}
HET_CATCH

CUresult cuLibraryGetUnifiedFunction(void **, CUlibrary library, const char *symbol) try {
  return with(library, [&](CUmod_st &, Device &) {
    return symbol ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
  });
}
HET_CATCH

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) try {
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  return withKernel(functionOf(kernel), [&](LoadedKernel &, Device &) {
    *function = functionOf(kernel);
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) try {
  if (!kernel)
    return CUDA_ERROR_INVALID_HANDLE;
  CUmod_st *module = functionOf(kernel)->module;
  if (!library)
    return CUDA_ERROR_INVALID_VALUE;
  if (!module || !module->isLibrary)
    return CUDA_ERROR_NOT_FOUND;
  *library = reinterpret_cast<CUlibrary>(module);
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuKernelGetName(const char **name, CUkernel kernel) try {
  return cuFuncGetName(name, functionOf(kernel));
}
HET_CATCH

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset,
                              size_t *size) try {
  return cuFuncGetParamInfo(functionOf(kernel), index, offset, size);
}
HET_CATCH

/// Loads the kernel on a device that the caller names.
template <typename Use>
static CUresult onDevice(CUkernel kernel, CUdevice ordinal, Use use) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!kernel)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!validDevice(ordinal))
    return CUDA_ERROR_INVALID_DEVICE;
  LoadedKernel *loaded = nullptr;
  Device &device = *deviceAt(ordinal);
  if (cudaError_t error = load(*functionOf(kernel)->function, device, loaded))
    return convert(error);
  return use(*loaded, device);
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice ordinal) try {
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  return onDevice(kernel, ordinal, [&](LoadedKernel &loaded, Device &device) {
    return attributeOf(loaded, device, attribute, *value);
  });
}
HET_CATCH

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice ordinal) try {
  return onDevice(kernel, ordinal, [&](LoadedKernel &loaded, Device &device) {
    return convert(
        setAttribute(loaded, device, static_cast<cudaFuncAttribute>(attribute), value));
  });
}
HET_CATCH

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config,
                                CUdevice ordinal) try {
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL)
    return CUDA_ERROR_INVALID_VALUE;
  return onDevice(kernel, ordinal, [](LoadedKernel &, Device &) { return CUDA_SUCCESS; });
}
HET_CATCH
