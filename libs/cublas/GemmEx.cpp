// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasGemmEx and its kin, whose types of numbers are arguments.

#include "Products.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

Given at(const void *a, cudaDataType type, Index leading, Index stride = 0) {
  return {a, nullptr, leading, stride, type};
}
Given in(const void *const *array, cudaDataType type, Index leading) {
  return {nullptr, array, leading, 0, type};
}

/// The algorithm is a hint; one that is none is refused.
cublasStatus_t run(const GemmCall &call, cublasComputeType_t compute,
                   cublasGemmAlgo_t algorithm) {
  const bool known =
      (algorithm >= CUBLAS_GEMM_DEFAULT && algorithm <= CUBLAS_GEMM_ALGO23) ||
      (algorithm >= CUBLAS_GEMM_DEFAULT_TENSOR_OP &&
       algorithm <= CUBLAS_GEMM_ALGO15_TENSOR_OP);
  return known ? gemm(call, compute) : CUBLAS_STATUS_INVALID_VALUE;
}

} // namespace

#define HET_GEMM_EX(name, I)                                                             \
  HET_CUBLAS_GEMM_EX(name, I) {                                                          \
    HET_VENDOR(name, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, \
               C, Ctype, ldc, computeType, algo);                                        \
    return run({handle, transa, transb, m, n, k, alpha, at(A, Atype, lda),               \
                at(B, Btype, ldb), beta, at(C, Ctype, ldc)},                             \
               computeType, algo);                                                       \
  }
HET_GEMM_EX(cublasGemmEx, int)
HET_GEMM_EX(cublasGemmEx_64, int64_t)

#define HET_GEMM_BATCHED_EX(name, I)                                                     \
  HET_CUBLAS_GEMM_BATCHED_EX(name, I) {                                                  \
    HET_VENDOR(name, transa, transb, m, n, k, alpha, Aarray, Atype, lda, Barray, Btype,  \
               ldb, beta, Carray, Ctype, ldc, batchCount, computeType, algo);            \
    return run({handle, transa, transb, m, n, k, alpha, in(Aarray, Atype, lda),          \
                in(Barray, Btype, ldb), beta, in(Carray, Ctype, ldc), batchCount},       \
               computeType, algo);                                                       \
  }
HET_GEMM_BATCHED_EX(cublasGemmBatchedEx, int)
HET_GEMM_BATCHED_EX(cublasGemmBatchedEx_64, int64_t)

#define HET_GEMM_STRIDED_EX(name, I)                                                     \
  HET_CUBLAS_GEMM_STRIDED_EX(name, I) {                                                  \
    HET_VENDOR(name, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype,   \
               ldb, strideB, beta, C, Ctype, ldc, strideC, batchCount, computeType,      \
               algo);                                                                    \
    return run({handle, transa, transb, m, n, k, alpha, at(A, Atype, lda, strideA),      \
                at(B, Btype, ldb, strideB), beta, at(C, Ctype, ldc, strideC),            \
                batchCount},                                                             \
               computeType, algo);                                                       \
  }
HET_GEMM_STRIDED_EX(cublasGemmStridedBatchedEx, int)
HET_GEMM_STRIDED_EX(cublasGemmStridedBatchedEx_64, int64_t)

#define HET_GEMM_TYPES(name, I, S, compute)                                              \
  HET_CUBLAS_GEMM_TYPES(name, I, S) {                                                    \
    HET_VENDOR(name, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, \
               C, Ctype, ldc);                                                           \
    return gemm({handle, transa, transb, m, n, k, alpha, at(A, Atype, lda),              \
                 at(B, Btype, ldb), beta, at(C, Ctype, ldc)},                            \
                compute);                                                                \
  }
HET_GEMM_TYPES(cublasSgemmEx, int, float, CUBLAS_COMPUTE_32F)
HET_GEMM_TYPES(cublasSgemmEx_64, int64_t, float, CUBLAS_COMPUTE_32F)
HET_GEMM_TYPES(cublasCgemmEx, int, cuComplex, CUBLAS_COMPUTE_32F)
HET_GEMM_TYPES(cublasCgemmEx_64, int64_t, cuComplex, CUBLAS_COMPUTE_32F)
HET_GEMM_TYPES(cublasCgemm3mEx, int, cuComplex, CUBLAS_COMPUTE_32F)
HET_GEMM_TYPES(cublasCgemm3mEx_64, int64_t, cuComplex, CUBLAS_COMPUTE_32F)
