// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver API by name. Found is the form that a version of CUDA means by
// a name (cuMemAlloc is cuMemAlloc_v2), on request the one for per-thread default streams
// (cuMemcpyHtoD_v2_ptds).

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

namespace {

/// Forms of a name that older programs do not mean by it, and from which version on it
/// means them.
struct LaterForm {
  const char *symbol;
  int since;
};
constexpr LaterForm laterForms[] = {
    {"cuCtxCreate_v3", 11040},
    {"cuCtxCreate_v4", 12050},
    {"cuDeviceGetUuid_v2", 11040},
    {"cuEventElapsedTime_v2", 12080},
    {"cuGraphAddDependencies_v2", 12030},
    {"cuGraphAddNode_v2", 12030},
    {"cuGraphGetEdges_v2", 12030},
    {"cuGraphNodeGetDependencies_v2", 12030},
    {"cuGraphNodeGetDependentNodes_v2", 12030},
    {"cuGraphRemoveDependencies_v2", 12030},
    {"cuMemAdvise_v2", 12020},
    {"cuMemPrefetchAsync_v2", 12020},
    {"cuStreamGetCaptureInfo_v3", 12030},
    {"cuStreamGetCtx_v2", 12050},
    {"cuStreamUpdateCaptureDependencies_v2", 12030},
};

/// TooOld: a later version of CUDA has the name.
enum class Answer { Found, NotFound, TooOld };

int sinceOf(const std::string &symbol) {
  for (const LaterForm &form : laterForms)
    if (symbol == form.symbol)
      return form.since;
  return 0;
}

/// The name that this library has for a function: one that CUDA has renamed.
std::string nameOf(const char *name, int version) {
  return version >= 12000 && std::string(name) == "cuGraphInstantiate"
             ? "cuGraphInstantiateWithFlags"
             : name;
}

} // namespace

/// Finds an exported function of this library as a version of CUDA names it.
static Answer findEntryPoint(const char *name, int version, bool perThread,
                             void *&address) {
  static void *const self = [] {
    Dl_info info;
    return dladdr(reinterpret_cast<void *>(findEntryPoint), &info)
               ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
               : nullptr;
  }();
  void *handle = self ? self : RTLD_DEFAULT;
  auto find = [&](const std::string &symbol) { return dlsym(handle, symbol.c_str()); };
  address = nullptr;
  Answer answer = Answer::NotFound;
  for (const char *form : {"_v4", "_v3", "_v2", ""}) {
    std::string symbol = nameOf(name, version) + form;
    void *plain = find(symbol);
    if (!plain)
      continue;
    if (sinceOf(symbol) > version) {
      answer = Answer::TooOld;
      continue;
    }
    address = plain;
    for (const char *suffix : {"_ptsz", "_ptds"})
      if (void *own = perThread ? find(symbol + suffix) : nullptr)
        address = own;
    return Answer::Found;
  }
  return answer;
}

cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                 unsigned long long flags,
                                 cudaDriverEntryPointQueryResult *status) try {
  if (!name || !function || flags > perThreadFlag)
    return remember(cudaErrorInvalidValue);
  const Answer answer =
      findEntryPoint(name, static_cast<int>(version), wantsPerThread(flags), *function);
  if (status)
    *status = answer == Answer::Found      ? cudaDriverEntryPointSuccess
              : answer == Answer::NotFound ? cudaDriverEntryPointSymbolNotFound
                                           : cudaDriverEntryPointVersionNotSufficent;
  return remember(*function || status ? cudaSuccess : cudaErrorSymbolNotFound);
}
HET_CATCH

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function,
                                    unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *status) try {
  return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, status);
}
HET_CATCH

CUresult cuGetProcAddress_v2(const char *name, void **function, int version,
                             cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status) try {
  if (!name || !function || flags > perThreadFlag)
    return CUDA_ERROR_INVALID_VALUE;
  const Answer answer = findEntryPoint(name, version, wantsPerThread(flags), *function);
  if (status)
    *status = answer == Answer::Found      ? CU_GET_PROC_ADDRESS_SUCCESS
              : answer == Answer::NotFound ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
                                           : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
HET_CATCH
