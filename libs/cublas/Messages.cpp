// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of statuses, and the logger, which has nothing to say of its own: the library
// reports by statuses, and kernels by the runtime's log (HET_LOG).

#include "Library.h"

#include <atomic>
#include <cstdio>

namespace {
struct Name {
  cublasStatus_t status;
  const char *name, *text;
};
constexpr Name names[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED",
     "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires a feature absent from the device architecture"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
     "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR",
     "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the functionality requested is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR",
     "an error was detected when checking the current licensing"},
};

const Name *find(cublasStatus_t status) {
  for (const Name &name : names)
    if (name.status == status)
      return &name;
  return nullptr;
}

std::atomic<cublasLogCallback> callback{nullptr};
} // namespace

const char *cublasGetStatusName(cublasStatus_t status) {
  const Name *name = find(status);
  return name ? name->name : "unknown cublas status";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  const Name *name = find(status);
  return name ? name->text : "unknown cublas status";
}

cublasStatus_t cublasLoggerConfigure(int, int, int, const char *) {
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback function) {
  callback = function;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *function) {
  if (!function)
    return CUBLAS_STATUS_INVALID_VALUE;
  *function = callback;
  return CUBLAS_STATUS_SUCCESS;
}

void cublasXerbla(const char *name, int info) {
  (void)std::fprintf(stderr,
                     " ** On entry to %s parameter number %d had an illegal value\n",
                     name ? name : "?", info);
}
