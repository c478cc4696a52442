// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver API by name. The newest version of a name that the
// headers rename (cuMemAlloc is cuMemAlloc_v2) is what is found.

#include "Errors.h"

#include <dlfcn.h>
#include <string>

using namespace het::cuda;

/// The address of an exported function of this library; null if there is none.
static void *findEntryPoint(const char *name) {
  static void *const self = [] {
    Dl_info info;
    return dladdr(reinterpret_cast<void *>(findEntryPoint), &info)
               ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
               : nullptr;
  }();
  void *handle = self ? self : RTLD_DEFAULT;
  for (const char *suffix : {"_v3", "_v2", ""})
    if (void *found = dlsym(handle, (std::string(name) + suffix).c_str()))
      return found;
  return nullptr;
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function,
                                    unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *status) {
  if (!name || !function || flags > cudaEnablePerThreadDefaultStream)
    return remember(cudaErrorInvalidValue);
  *function = findEntryPoint(name);
  if (status)
    *status = *function ? cudaDriverEntryPointSuccess
                        : cudaDriverEntryPointSymbolNotFound;
  return remember(*function || status ? cudaSuccess : cudaErrorSymbolNotFound);
}

cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned,
                                 unsigned long long flags,
                                 cudaDriverEntryPointQueryResult *status) {
  return cudaGetDriverEntryPoint(name, function, flags, status);
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int, cuuint64_t,
                             CUdriverProcAddressQueryResult *status) {
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = findEntryPoint(name);
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
