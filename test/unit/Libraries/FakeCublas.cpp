// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake libcublas.so.13.

#include "FakeSupport.h"

using namespace fake;

struct cublasContext {
  cudaStream_t stream = nullptr;
};

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  note("Create");
  if (!hasContext())
    return CUBLAS_STATUS_INTERNAL_ERROR;
  if (const int status = hetFakeVendor()->createStatus)
    return static_cast<cublasStatus_t>(status);
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  note(hasContext() ? "Destroy" : "Destroy without a context");
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  note(stream ? "SetStream" : "SetStream 0");
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void *workspace, size_t size) {
  hetFakeVendor()->workspaces.push_back(workspace);
  note("SetWorkspace " + std::to_string(size));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t mode) {
  note("SetPointerMode " + std::to_string(mode));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t mode) {
  note("SetAtomicsMode " + std::to_string(mode));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t mode) {
  note("SetMathMode " + std::to_string(mode));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t, int count) {
  note("SetSmCountTarget " + std::to_string(count));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t, cublasOperation_t,
                              int m, int n, int k, const float *alpha, const float *a,
                              int lda, const float *b, int ldb, const float *beta,
                              float *c, int ldc) {
  note("Sgemm " + std::to_string(m) + " " + std::to_string(n) + " " + std::to_string(k));
  hetFakeVendor()->streams.push_back(handle->stream);
  if (m < 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return enqueue(handle->stream,
                 {m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc, c, ldc});
}

// As NVIDIA's, it waits for a result in the program's memory.
cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float *x, int,
                             const float *y, int, float *result) {
  note("Sdot " + std::to_string(n));
  if (const auto status =
          enqueue(handle->stream, {1, 1, n, 1, x, 1, y, n, 0, nullptr, 1, result, 1}))
    return status;
  return wait(handle->stream);
}
