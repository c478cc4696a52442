// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that programs reach while there is a tool: each tells it of the call, and
// makes it.

#include "Cupti.h"

#include <cuda_runtime_api.h>

namespace het::cupti {

namespace {

enum : unsigned {
#define HET_HOOKED_RUNTIME(name, version, number, parameters, arguments) Of_##name,
#define HET_HOOKED_RUNTIME_PLAIN(name, version, number) Of_##name,
#define HET_HOOKED_DRIVER(name, number, parameters, arguments) Of_##name,
#define HET_HOOKED_DRIVER_PLAIN(name, number) Of_##name,
#include "cuda/HookedFunctions.def"
  count
};

std::atomic<uint32_t> latestCorrelation{0};
thread_local bool insideCall = false; ///< A callback's own calls are not told of.

/// The function itself.
template <typename F> F *original(F *, unsigned index) {
  return reinterpret_cast<F *>(hetToolInterface()->functions[index]);
}

const char *symbolOf(const void *kernel) {
  const char *name = nullptr;
  return cudaFuncGetName(&name, kernel) == cudaSuccess ? name : nullptr;
}
const char *symbolOf(CUfunction kernel) {
  const char *name = nullptr;
  return cuFuncGetName(&name, kernel) == CUDA_SUCCESS ? name : nullptr;
}

/// The kernel that a launch names; null for other functions.
template <typename First, typename... Rest>
const char *kernelOf(unsigned index, First first, Rest...) {
  if constexpr (std::is_same_v<First, const void *>)
    return index == Of_cudaLaunchKernel || index == Of_cudaLaunchCooperativeKernel
               ? symbolOf(first)
               : nullptr;
  else if constexpr (std::is_same_v<First, CUfunction>)
    return symbolOf(first);
  else
    return nullptr;
}
const char *kernelOf(unsigned) { return nullptr; }

CUcontext currentContext() {
  CUcontext context = nullptr;
  original(&cuCtxGetCurrent, Of_cuCtxGetCurrent)(&context);
  return context;
}

/// Makes a call, with what the tool wants to know of it.
template <typename Call>
auto tell(unsigned index, const void *parameters, const char *symbol, Call call) {
  Function &function = functions[index];
  const uint32_t correlation = ++latestCorrelation;
  uint64_t toolsOwn = 0;
  CUpti_CallbackData data = {};
  const bool calls = function.calls.load(std::memory_order_relaxed);
  insideCall = true;
  if (calls) {
    data.callbackSite = CUPTI_API_ENTER;
    data.functionName = function.name;
    data.functionParams = parameters;
    data.symbolName = symbol;
    data.context = currentContext();
    data.contextUid = 1;
    data.correlationData = &toolsOwn;
    data.correlationId = correlation;
    callBack(function, data);
  }
  hetToolInterface()->setCorrelation(correlation);
  const uint64_t start = now();
  auto result = call();
  const uint64_t end = now();
  hetToolInterface()->setCorrelation(0);
  if (calls) {
    data.callbackSite = CUPTI_API_EXIT;
    data.functionReturnValue = &result;
    callBack(function, data);
  }
  recordCall(function, start, end, correlation, static_cast<uint32_t>(result));
  handOverIfMany();
  insideCall = false;
  return result;
}

#define HET_LIST(...) __VA_ARGS__
#define HET_WRAPPER(result, name, structure, parameters, arguments)                      \
  result wrapped_##name parameters {                                                     \
    auto *function = original(&name, Of_##name);                                         \
    if (insideCall)                                                                      \
      return function arguments;                                                         \
    structure data = {HET_LIST arguments};                                               \
    return tell(Of_##name, &data, kernelOf(Of_##name, HET_LIST arguments),               \
                [&] { return function arguments; });                                     \
  }
#define HET_WRAPPER_PLAIN(result, name)                                                  \
  result wrapped_##name() {                                                              \
    auto *function = original(&name, Of_##name);                                         \
    if (insideCall)                                                                      \
      return function();                                                                 \
    return tell(Of_##name, nullptr, kernelOf(Of_##name), [&] { return function(); });    \
  }
#define HET_HOOKED_RUNTIME(name, version, number, parameters, arguments)                 \
  HET_WRAPPER(cudaError_t, name, name##_##version##_params, parameters, arguments)
#define HET_HOOKED_RUNTIME_PLAIN(name, version, number)                                  \
  HET_WRAPPER_PLAIN(cudaError_t, name)
#define HET_HOOKED_DRIVER(name, number, parameters, arguments)                           \
  HET_WRAPPER(CUresult, name, name##_params, parameters, arguments)
#define HET_HOOKED_DRIVER_PLAIN(name, number) HET_WRAPPER_PLAIN(CUresult, name)
#include "cuda/HookedFunctions.def"

void *const hooks[] = {
#define HET_HOOKED_RUNTIME(name, version, number, parameters, arguments)                 \
  reinterpret_cast<void *>(wrapped_##name),
#define HET_HOOKED_RUNTIME_PLAIN(name, version, number)                                  \
  reinterpret_cast<void *>(wrapped_##name),
#define HET_HOOKED_DRIVER(name, number, parameters, arguments)                           \
  reinterpret_cast<void *>(wrapped_##name),
#define HET_HOOKED_DRIVER_PLAIN(name, number) reinterpret_cast<void *>(wrapped_##name),
#include "cuda/HookedFunctions.def"
};

} // namespace

Function functions[] = {
#define HET_HOOKED_RUNTIME(name, version, number, parameters, arguments)                 \
  {CUPTI_CB_DOMAIN_RUNTIME_API, number, #name, #name "_" #version, {false}},
#define HET_HOOKED_RUNTIME_PLAIN(name, version, number)                                  \
  {CUPTI_CB_DOMAIN_RUNTIME_API, number, #name, #name "_" #version, {false}},
#define HET_HOOKED_DRIVER(name, number, parameters, arguments)                           \
  {CUPTI_CB_DOMAIN_DRIVER_API, number, #name, #name, {false}},
#define HET_HOOKED_DRIVER_PLAIN(name, number)                                            \
  {CUPTI_CB_DOMAIN_DRIVER_API, number, #name, #name, {false}},
#include "cuda/HookedFunctions.def"
};
const unsigned functionCount = count;

void updateHooks() {
  hetToolInterface()->setHooks(hasCallbacks() || recordsAnything() ? hooks : nullptr);
}

} // namespace het::cupti
