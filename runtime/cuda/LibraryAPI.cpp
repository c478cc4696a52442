// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime API's libraries: the driver API's. The codes of the two are the same
// numbers.

#include "Context.h"
#include "Errors.h"

using namespace het::cuda;

/// Calls a function of the driver API for the runtime API: with a context.
template <typename Call> static cudaError_t through(Call call) {
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return remember(error);
  return remember(static_cast<cudaError_t>(call()));
}

static CUlibrary driversOf(cudaLibrary_t library) {
  return reinterpret_cast<CUlibrary>(library);
}
static CUkernel driversOf(cudaKernel_t kernel) {
  return reinterpret_cast<CUkernel>(kernel);
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                cudaJitOption *jitOptions, void **jitValues,
                                unsigned jitCount, cudaLibraryOption *options,
                                void **values, unsigned count) try {
  return through([&] {
    return cuLibraryLoadData(reinterpret_cast<CUlibrary *>(library), code,
                             reinterpret_cast<CUjit_option *>(jitOptions), jitValues,
                             jitCount, reinterpret_cast<CUlibraryOption *>(options),
                             values, count);
  });
}
HET_CATCH

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    cudaJitOption *jitOptions, void **jitValues,
                                    unsigned jitCount, cudaLibraryOption *options,
                                    void **values, unsigned count) try {
  return through([&] {
    return cuLibraryLoadFromFile(reinterpret_cast<CUlibrary *>(library), path,
                                 reinterpret_cast<CUjit_option *>(jitOptions), jitValues,
                                 jitCount, reinterpret_cast<CUlibraryOption *>(options),
                                 values, count);
  });
}
HET_CATCH

cudaError_t cudaLibraryUnload(cudaLibrary_t library) try {
  return through([&] { return cuLibraryUnload(driversOf(library)); });
}
HET_CATCH

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
                                 const char *name) try {
  return through([&] {
    return cuLibraryGetKernel(reinterpret_cast<CUkernel *>(kernel), driversOf(library),
                              name);
  });
}
HET_CATCH

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library) try {
  return through([&] { return cuLibraryGetKernelCount(count, driversOf(library)); });
}
HET_CATCH

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned count,
                                        cudaLibrary_t library) try {
  return through([&] {
    return cuLibraryEnumerateKernels(reinterpret_cast<CUkernel *>(kernels), count,
                                     driversOf(library));
  });
}
HET_CATCH

cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *size, cudaLibrary_t library,
                                 const char *name) try {
  return through([&] {
    return cuLibraryGetGlobal(reinterpret_cast<CUdeviceptr *>(pointer), size,
                              driversOf(library), name);
  });
}
HET_CATCH

cudaError_t cudaLibraryGetManaged(void **pointer, size_t *size, cudaLibrary_t library,
                                  const char *name) try {
  return through([&] {
    return cuLibraryGetManaged(reinterpret_cast<CUdeviceptr *>(pointer), size,
                               driversOf(library), name);
  });
}
HET_CATCH

cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library,
                                          const char *symbol) try {
  return through(
      [&] { return cuLibraryGetUnifiedFunction(function, driversOf(library), symbol); });
}
HET_CATCH

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                            cudaFuncAttribute attribute, int value,
                                            int device) try {
  return through([&] {
    return cuKernelSetAttribute(static_cast<CUfunction_attribute>(attribute), value,
                                driversOf(kernel), device);
  });
}
HET_CATCH
