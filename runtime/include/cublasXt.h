// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASXt: products of matrices in the program's own memory. cuBLAS documentation: 4,
// Using the cuBLASXt API.

#ifndef HET_CUBLASXT_H
#define HET_CUBLASXT_H

#include "cublas_v2.h"

typedef struct cublasXtContext *cublasXtHandle_t;

typedef enum {
  CUBLASXT_PINNING_DISABLED = 0,
  CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;

typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;

typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

/* Parameters, as in __het/cublas_signatures.h. */
#define HET_CUBLASXT_GEMM(name, T)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,          \
   size_t m, size_t n, size_t k, const T *alpha, const T *A, size_t lda, const T *B,     \
   size_t ldb, const T *beta, T *C, size_t ldc)
#define HET_CUBLASXT_SYMM(name, T)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m,      \
   size_t n, const T *alpha, const T *A, size_t lda, const T *B, size_t ldb,             \
   const T *beta, T *C, size_t ldc)
#define HET_CUBLASXT_SYRK(name, T, S)                                                    \
  HET_CUBLAS(name)                                                                       \
  (cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n,    \
   size_t k, const S *alpha, const T *A, size_t lda, const S *beta, T *C, size_t ldc)
#define HET_CUBLASXT_SYR2K(name, T, S)                                                   \
  HET_CUBLAS(name)                                                                       \
  (cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n,    \
   size_t k, const T *alpha, const T *A, size_t lda, const T *B, size_t ldb,             \
   const S *beta, T *C, size_t ldc)
#define HET_CUBLASXT_TRSM(name, T)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                \
   cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const T *alpha,   \
   const T *A, size_t lda, T *B, size_t ldb)
#define HET_CUBLASXT_TRMM(name, T)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                \
   cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const T *alpha,   \
   const T *A, size_t lda, const T *B, size_t ldb, T *C, size_t ldc)
#define HET_CUBLASXT_SPMM(name, T)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m,      \
   size_t n, const T *alpha, const T *AP, const T *B, size_t ldb, const T *beta, T *C,   \
   size_t ldc)

#ifdef __cplusplus
extern "C" {
#endif

HET_CUBLAS(cublasXtCreate)(cublasXtHandle_t *handle);
HET_CUBLAS(cublasXtDestroy)(cublasXtHandle_t handle);
HET_CUBLAS(cublasXtGetNumBoards)(int nbDevices, int deviceId[], int *nbBoards);
HET_CUBLAS(cublasXtMaxBoards)(int *nbGpuBoards);
HET_CUBLAS(cublasXtDeviceSelect)(cublasXtHandle_t handle, int nbDevices, int deviceId[]);
HET_CUBLAS(cublasXtSetBlockDim)(cublasXtHandle_t handle, int blockDim);
HET_CUBLAS(cublasXtGetBlockDim)(cublasXtHandle_t handle, int *blockDim);
HET_CUBLAS(cublasXtSetPinningMemMode)
(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
HET_CUBLAS(cublasXtGetPinningMemMode)
(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode);
HET_CUBLAS(cublasXtSetCpuRoutine)
(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp, cublasXtOpType_t type,
 void *blasFunctor);
HET_CUBLAS(cublasXtSetCpuRatio)
(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp, cublasXtOpType_t type, float ratio);

#define HET_CUBLASXT_ALL(parameters, op)                                                 \
  HET_CUBLASXT_##parameters(cublasXtS##op, float);                                       \
  HET_CUBLASXT_##parameters(cublasXtD##op, double);                                      \
  HET_CUBLASXT_##parameters(cublasXtC##op, cuComplex);                                   \
  HET_CUBLASXT_##parameters(cublasXtZ##op, cuDoubleComplex);
#define HET_CUBLASXT_TWO(parameters, op)                                                 \
  HET_CUBLASXT_##parameters(cublasXtS##op, float, float);                                \
  HET_CUBLASXT_##parameters(cublasXtD##op, double, double);                              \
  HET_CUBLASXT_##parameters(cublasXtC##op, cuComplex, cuComplex);                        \
  HET_CUBLASXT_##parameters(cublasXtZ##op, cuDoubleComplex, cuDoubleComplex);
HET_CUBLASXT_ALL(GEMM, gemm)
HET_CUBLASXT_ALL(SYMM, symm)
HET_CUBLASXT_SYMM(cublasXtChemm, cuComplex);
HET_CUBLASXT_SYMM(cublasXtZhemm, cuDoubleComplex);
HET_CUBLASXT_TWO(SYRK, syrk)
HET_CUBLASXT_SYRK(cublasXtCherk, cuComplex, float);
HET_CUBLASXT_SYRK(cublasXtZherk, cuDoubleComplex, double);
HET_CUBLASXT_TWO(SYR2K, syr2k)
HET_CUBLASXT_SYR2K(cublasXtCher2k, cuComplex, float);
HET_CUBLASXT_SYR2K(cublasXtZher2k, cuDoubleComplex, double);
HET_CUBLASXT_TWO(SYR2K, syrkx)
HET_CUBLASXT_SYR2K(cublasXtCherkx, cuComplex, float);
HET_CUBLASXT_SYR2K(cublasXtZherkx, cuDoubleComplex, double);
HET_CUBLASXT_ALL(TRSM, trsm)
HET_CUBLASXT_ALL(TRMM, trmm)
HET_CUBLASXT_ALL(SPMM, spmm)
#undef HET_CUBLASXT_ALL
#undef HET_CUBLASXT_TWO

#ifdef __cplusplus
}
#endif

#endif // HET_CUBLASXT_H
