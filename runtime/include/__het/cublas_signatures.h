// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of cuBLAS's functions. Those of one operation differ in the type T of
// numbers (R that of their absolute values, S that of a factor) and in I, the type of
// sizes: int, or int64_t for names that end in _64. The library defines its functions by
// the same lines. cuBLAS documentation: chapters 2.5 to 2.8.

#ifndef HET_CUBLAS_SIGNATURES_H
#define HET_CUBLAS_SIGNATURES_H

#define HET_CUBLAS(name) CUBLASAPI cublasStatus_t CUBLASWINAPI name

// Vectors.
#define HET_CUBLAS_COPY(name, I, T)                                                      \
  HET_CUBLAS(name)(cublasHandle_t handle, I n, const T *x, I incx, T *y, I incy)
#define HET_CUBLAS_SWAP(name, I, T)                                                      \
  HET_CUBLAS(name)(cublasHandle_t handle, I n, T * x, I incx, T * y, I incy)
#define HET_CUBLAS_SCAL(name, I, T, S)                                                   \
  HET_CUBLAS(name)(cublasHandle_t handle, I n, const S *alpha, T *x, I incx)
#define HET_CUBLAS_AXPY(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, const T *alpha, const T *x, I incx, T *y, I incy)
#define HET_CUBLAS_DOT(name, I, T)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, const T *x, I incx, const T *y, I incy, T *result)
#define HET_CUBLAS_NORM(name, I, T, R)                                                   \
  HET_CUBLAS(name)(cublasHandle_t handle, I n, const T *x, I incx, R *result)
#define HET_CUBLAS_INDEX(name, I, T)                                                     \
  HET_CUBLAS(name)(cublasHandle_t handle, I n, const T *x, I incx, I *result)
#define HET_CUBLAS_ROT(name, I, T, R, S)                                                 \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, T * x, I incx, T * y, I incy, const R *c, const S *s)
#define HET_CUBLAS_ROTM(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, T * x, I incx, T * y, I incy, const T *param)
#define HET_CUBLAS_ROTG(name, T, R)                                                      \
  HET_CUBLAS(name)(cublasHandle_t handle, T * a, T * b, R * c, T * s)
#define HET_CUBLAS_ROTMG(name, T)                                                        \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, T * d1, T * d2, T * x1, const T *y1, T *param)

// A matrix and vectors.
#define HET_CUBLAS_GEMV(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T *alpha, const T *A, \
   I lda, const T *x, I incx, const T *beta, T *y, I incy)
#define HET_CUBLAS_GBMV(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, I kl, I ku, const T *alpha, \
   const T *A, I lda, const T *x, I incx, const T *beta, T *y, I incy)
#define HET_CUBLAS_SYMV(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *A, I lda, \
   const T *x, I incx, const T *beta, T *y, I incy)
#define HET_CUBLAS_SBMV(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, I k, const T *alpha, const T *A,   \
   I lda, const T *x, I incx, const T *beta, T *y, I incy)
#define HET_CUBLAS_SPMV(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *AP,       \
   const T *x, I incx, const T *beta, T *y, I incy)
#define HET_CUBLAS_TRMV(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                \
   cublasDiagType_t diag, I n, const T *A, I lda, T *x, I incx)
#define HET_CUBLAS_TBMV(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                \
   cublasDiagType_t diag, I n, I k, const T *A, I lda, T *x, I incx)
#define HET_CUBLAS_TPMV(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                \
   cublasDiagType_t diag, I n, const T *AP, T *x, I incx)
#define HET_CUBLAS_GER(name, I, T)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I m, I n, const T *alpha, const T *x, I incx, const T *y,      \
   I incy, T *A, I lda)
#define HET_CUBLAS_SYR(name, I, T, S)                                                    \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const S *alpha, const T *x,        \
   I incx, T *A, I lda)
#define HET_CUBLAS_SPR(name, I, T, S)                                                    \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const S *alpha, const T *x,        \
   I incx, T *AP)
#define HET_CUBLAS_SYR2(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x,        \
   I incx, const T *y, I incy, T *A, I lda)
#define HET_CUBLAS_SPR2(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x,        \
   I incx, const T *y, I incy, T *AP)
#define HET_CUBLAS_GEMV_BATCHED(name, I, T, Y, S)                                        \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, const S *alpha,             \
   const T *const Aarray[], I lda, const T *const xarray[], I incx, const S *beta,       \
   Y *const yarray[], I incy, I batchCount)
#define HET_CUBLAS_GEMV_STRIDED(name, I, T, Y, S)                                        \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, const S *alpha, const T *A, \
   I lda, long long int strideA, const T *x, I incx, long long int stridex,              \
   const S *beta, Y *y, I incy, long long int stridey, I batchCount)

// Matrices.
#define HET_CUBLAS_GEMM(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
   I k, const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta, T *C,       \
   I ldc)
#define HET_CUBLAS_GEMM_BATCHED(name, I, T)                                              \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
   I k, const T *alpha, const T *const Aarray[], I lda, const T *const Barray[], I ldb,  \
   const T *beta, T *const Carray[], I ldc, I batchCount)
#define HET_CUBLAS_GEMM_STRIDED(name, I, T)                                              \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
   I k, const T *alpha, const T *A, I lda, long long int strideA, const T *B, I ldb,     \
   long long int strideB, const T *beta, T *C, I ldc, long long int strideC,             \
   I batchCount)
#define HET_CUBLAS_GEMM_TYPES(name, I, S)                                                \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
   I k, const S *alpha, const void *A, cudaDataType Atype, I lda, const void *B,         \
   cudaDataType Btype, I ldb, const S *beta, void *C, cudaDataType Ctype, I ldc)
#define HET_CUBLAS_GEMM_EX(name, I)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
   I k, const void *alpha, const void *A, cudaDataType Atype, I lda, const void *B,      \
   cudaDataType Btype, I ldb, const void *beta, void *C, cudaDataType Ctype, I ldc,      \
   cublasComputeType_t computeType, cublasGemmAlgo_t algo)
#define HET_CUBLAS_GEMM_BATCHED_EX(name, I)                                              \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
   I k, const void *alpha, const void *const Aarray[], cudaDataType Atype, I lda,        \
   const void *const Barray[], cudaDataType Btype, I ldb, const void *beta,              \
   void *const Carray[], cudaDataType Ctype, I ldc, I batchCount,                        \
   cublasComputeType_t computeType, cublasGemmAlgo_t algo)
#define HET_CUBLAS_GEMM_STRIDED_EX(name, I)                                              \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
   I k, const void *alpha, const void *A, cudaDataType Atype, I lda,                     \
   long long int strideA, const void *B, cudaDataType Btype, I ldb,                      \
   long long int strideB, const void *beta, void *C, cudaDataType Ctype, I ldc,          \
   long long int strideC, I batchCount, cublasComputeType_t computeType,                 \
   cublasGemmAlgo_t algo)
#define HET_CUBLAS_SYMM(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, I m, I n,        \
   const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta, T *C, I ldc)
#define HET_CUBLAS_SYRK(name, I, T, S)                                                   \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,      \
   const S *alpha, const T *A, I lda, const S *beta, T *C, I ldc)
#define HET_CUBLAS_SYR2K(name, I, T, S)                                                  \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,      \
   const T *alpha, const T *A, I lda, const T *B, I ldb, const S *beta, T *C, I ldc)
#define HET_CUBLAS_TRMM(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                  \
   cublasOperation_t trans, cublasDiagType_t diag, I m, I n, const T *alpha, const T *A, \
   I lda, const T *B, I ldb, T *C, I ldc)
#define HET_CUBLAS_TRSM(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                  \
   cublasOperation_t trans, cublasDiagType_t diag, I m, I n, const T *alpha, const T *A, \
   I lda, T *B, I ldb)
#define HET_CUBLAS_TRSM_BATCHED(name, I, T)                                              \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                  \
   cublasOperation_t trans, cublasDiagType_t diag, I m, I n, const T *alpha,             \
   const T *const A[], I lda, T *const B[], I ldb, I batchCount)
#define HET_CUBLAS_GEAM(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
   const T *alpha, const T *A, I lda, const T *beta, const T *B, I ldb, T *C, I ldc)
#define HET_CUBLAS_DGMM(name, I, T)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasSideMode_t mode, I m, I n, const T *A, I lda,            \
   const T *x, I incx, T *C, I ldc)

// Packed matrices, and many small systems of equations.
#define HET_CUBLAS_TPTTR(name, T)                                                        \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *AP, T *A, int lda)
#define HET_CUBLAS_TRTTP(name, T)                                                        \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *A, int lda, T *AP)
#define HET_CUBLAS_GETRF(name, T)                                                        \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, int n, T *const A[], int lda, int *P, int *info, int batchSize)
#define HET_CUBLAS_GETRI(name, T)                                                        \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, int n, const T *const A[], int lda, const int *P,              \
   T *const C[], int ldc, int *info, int batchSize)
#define HET_CUBLAS_GETRS(name, T)                                                        \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T *const A[],  \
   int lda, const int *P, T *const B[], int ldb, int *info, int batchSize)
#define HET_CUBLAS_MATINV(name, T)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, int n, const T *const A[], int lda, T *const Ainv[],           \
   int lda_inv, int *info, int batchSize)

#endif // HET_CUBLAS_SIGNATURES_H
