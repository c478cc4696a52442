// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver API by name. The newest version of a name that the
// headers rename (cuMemAlloc is cuMemAlloc_v2) is what is found, on request the
// one for per-thread default streams (cuMemcpyHtoD_v2_ptds).

#include "Errors.h"
#include "Stream.h"

#include <dlfcn.h>
#include <string>

using namespace het::cuda;

/// Flags of the two APIs have the same values. By default a program finds the
/// functions that its own calls by name would reach.
static constexpr unsigned long long perThreadFlag =
    CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
static_assert(perThreadFlag == cudaEnablePerThreadDefaultStream);

static bool wantsPerThread(unsigned long long flags) {
  return flags == CU_GET_PROC_ADDRESS_DEFAULT ? PerThreadDefault::isOn()
                                              : flags == perThreadFlag;
}

/// The address of an exported function of this library; null if there is none.
static void *findEntryPoint(const char *name, bool perThread) {
  static void *const self = [] {
    Dl_info info;
    return dladdr(reinterpret_cast<void *>(findEntryPoint), &info)
               ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
               : nullptr;
  }();
  void *handle = self ? self : RTLD_DEFAULT;
  auto find = [&](const std::string &symbol) { return dlsym(handle, symbol.c_str()); };
  for (const char *version : {"_v3", "_v2", ""}) {
    std::string symbol = std::string(name) + version;
    void *plain = find(symbol);
    if (!plain)
      continue;
    for (const char *suffix : {"_ptsz", "_ptds"})
      if (void *own = perThread ? find(symbol + suffix) : nullptr)
        return own;
    return plain;
  }
  return nullptr;
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function,
                                    unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *status) try {
  if (!name || !function || flags > perThreadFlag)
    return remember(cudaErrorInvalidValue);
  *function = findEntryPoint(name, wantsPerThread(flags));
  if (status)
    *status =
        *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return remember(*function || status ? cudaSuccess : cudaErrorSymbolNotFound);
}
HET_CATCH

cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned,
                                 unsigned long long flags,
                                 cudaDriverEntryPointQueryResult *status) try {
  return cudaGetDriverEntryPoint(name, function, flags, status);
}
HET_CATCH

CUresult cuGetProcAddress_v2(const char *name, void **function, int, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status) try {
  if (!name || !function || flags > perThreadFlag)
    return CUDA_ERROR_INVALID_VALUE;
  *function = findEntryPoint(name, wantsPerThread(flags));
  if (status)
    *status =
        *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
HET_CATCH
