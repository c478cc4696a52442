// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublas<t>gemm: one product, many at places in an array, many at equal distances.

#include "Products.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

template <class T> constexpr cudaDataType typeOf = CUDA_R_32F;
template <> constexpr cudaDataType typeOf<__half> = CUDA_R_16F;

/// What a type of the interface is computed in.
template <class T> struct Computed {
  using type = Kernel<T>;
};
template <> struct Computed<__half> {
  using type = float;
};

template <class T> Given at(const T *a, Index leading, Index stride = 0) {
  return {a, nullptr, leading, stride, typeOf<T>};
}
template <class T> Given in(const T *const *array, Index leading) {
  return {nullptr, reinterpret_cast<const void *const *>(array), leading, 0, typeOf<T>};
}

template <class T> cublasStatus_t run(const GemmCall &call) {
  return gemm<typename Computed<T>::type>(call, typeOf<T>);
}

} // namespace

#define HET_GEMM(name, T)                                                                \
  HET_CUBLAS_GEMM(name, int, T) {                                                        \
    HET_VENDOR(name, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);      \
    return run<T>({handle, transa, transb, m, n, k, alpha, at(A, lda), at(B, ldb), beta, \
                   at(C, ldc)});                                                         \
  }                                                                                      \
  HET_CUBLAS_GEMM(name##_64, int64_t, T) {                                               \
    HET_VENDOR(name##_64, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc); \
    return run<T>({handle, transa, transb, m, n, k, alpha, at(A, lda), at(B, ldb), beta, \
                   at(C, ldc)});                                                         \
  }
HET_GEMM(cublasSgemm_v2, float)
HET_GEMM(cublasDgemm_v2, double)
HET_GEMM(cublasCgemm_v2, cuComplex)
HET_GEMM(cublasZgemm_v2, cuDoubleComplex)
HET_GEMM(cublasCgemm3m, cuComplex)
HET_GEMM(cublasZgemm3m, cuDoubleComplex)
HET_GEMM(cublasHgemm, __half)

#define HET_GEMM_BATCHED(name, T)                                                        \
  HET_CUBLAS_GEMM_BATCHED(name, int, T) {                                                \
    HET_VENDOR(name, transa, transb, m, n, k, alpha, Aarray, lda, Barray, ldb, beta,     \
               Carray, ldc, batchCount);                                                 \
    return run<T>({handle, transa, transb, m, n, k, alpha, in(Aarray, lda),              \
                   in(Barray, ldb), beta, in(Carray, ldc), batchCount});                 \
  }                                                                                      \
  HET_CUBLAS_GEMM_BATCHED(name##_64, int64_t, T) {                                       \
    HET_VENDOR(name##_64, transa, transb, m, n, k, alpha, Aarray, lda, Barray, ldb,      \
               beta, Carray, ldc, batchCount);                                           \
    return run<T>({handle, transa, transb, m, n, k, alpha, in(Aarray, lda),              \
                   in(Barray, ldb), beta, in(Carray, ldc), batchCount});                 \
  }
HET_GEMM_BATCHED(cublasHgemmBatched, __half)
HET_GEMM_BATCHED(cublasSgemmBatched, float)
HET_GEMM_BATCHED(cublasDgemmBatched, double)
HET_GEMM_BATCHED(cublasCgemmBatched, cuComplex)
HET_GEMM_BATCHED(cublasZgemmBatched, cuDoubleComplex)
HET_GEMM_BATCHED(cublasCgemm3mBatched, cuComplex)

#define HET_GEMM_STRIDED(name, T)                                                        \
  HET_CUBLAS_GEMM_STRIDED(name, int, T) {                                                \
    HET_VENDOR(name, transa, transb, m, n, k, alpha, A, lda, strideA, B, ldb, strideB,   \
               beta, C, ldc, strideC, batchCount);                                       \
    return run<T>({handle, transa, transb, m, n, k, alpha, at(A, lda, strideA),          \
                   at(B, ldb, strideB), beta, at(C, ldc, strideC), batchCount});         \
  }                                                                                      \
  HET_CUBLAS_GEMM_STRIDED(name##_64, int64_t, T) {                                       \
    HET_VENDOR(name##_64, transa, transb, m, n, k, alpha, A, lda, strideA, B, ldb,       \
               strideB, beta, C, ldc, strideC, batchCount);                              \
    return run<T>({handle, transa, transb, m, n, k, alpha, at(A, lda, strideA),          \
                   at(B, ldb, strideB), beta, at(C, ldc, strideC), batchCount});         \
  }
HET_GEMM_STRIDED(cublasHgemmStridedBatched, __half)
HET_GEMM_STRIDED(cublasSgemmStridedBatched, float)
HET_GEMM_STRIDED(cublasDgemmStridedBatched, double)
HET_GEMM_STRIDED(cublasCgemmStridedBatched, cuComplex)
HET_GEMM_STRIDED(cublasZgemmStridedBatched, cuDoubleComplex)
HET_GEMM_STRIDED(cublasCgemm3mStridedBatched, cuComplex)
