// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the headers declare and this runtime does not implement
// (Unsupported.def). Each is exported, names itself once in the log and returns
// the not-supported code, whatever its arguments are: so the headers, which
// give each a type of its own, must not be included here.

#include <atomic>

namespace het::cuda {

/// cudaErrorNotSupported and CUDA_ERROR_NOT_SUPPORTED are the same number.
int refuseRuntimeCall(const char *name, std::atomic<bool> &said);
int refuseDriverCall(const char *name, std::atomic<bool> &said);

} // namespace het::cuda

#define HET_DEFINE_UNSUPPORTED(name, refuse)                                             \
  extern "C" __attribute__((visibility("default"))) int name() {                         \
    static std::atomic<bool> said{false};                                                \
    return het::cuda::refuse(#name, said);                                               \
  }
#define HET_UNSUPPORTED_RUNTIME(name) HET_DEFINE_UNSUPPORTED(name, refuseRuntimeCall)
#define HET_UNSUPPORTED_DRIVER(name) HET_DEFINE_UNSUPPORTED(name, refuseDriverCall)
#include "Unsupported.def"
