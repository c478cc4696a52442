// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's functions on vectors whose types of numbers are arguments.

#ifndef HET_CUBLAS_MIXED_H
#define HET_CUBLAS_MIXED_H

#include "cublas_signatures.h"
#include "cublas_types.h"

#define HET_CUBLAS_COPY_EX(name, I)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, void *y,       \
   cudaDataType yType, I incy)
#define HET_CUBLAS_SWAP_EX(name, I)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, void *x, cudaDataType xType, I incx, void *y,             \
   cudaDataType yType, I incy)
#define HET_CUBLAS_SCAL_EX(name, I)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, const void *alpha, cudaDataType alphaType, void *x,       \
   cudaDataType xType, I incx, cudaDataType executionType)
#define HET_CUBLAS_AXPY_EX(name, I)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, const void *alpha, cudaDataType alphaType, const void *x, \
   cudaDataType xType, I incx, void *y, cudaDataType yType, I incy,                      \
   cudaDataType executionType)
#define HET_CUBLAS_DOT_EX(name, I)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, const void *y, \
   cudaDataType yType, I incy, void *result, cudaDataType resultType,                    \
   cudaDataType executionType)
#define HET_CUBLAS_NORM_EX(name, I)                                                      \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, void *result,  \
   cudaDataType resultType, cudaDataType executionType)
#define HET_CUBLAS_INDEX_EX(name, I)                                                     \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, I *result)
#define HET_CUBLAS_ROT_EX(name, I)                                                       \
  HET_CUBLAS(name)                                                                       \
  (cublasHandle_t handle, I n, void *x, cudaDataType xType, I incx, void *y,             \
   cudaDataType yType, I incy, const void *c, const void *s, cudaDataType csType,        \
   cudaDataType executionType)

#ifdef __cplusplus
extern "C" {
#endif

#define HET_CUBLAS_BOTH(parameters, name)                                                \
  HET_CUBLAS_##parameters(name, int);                                                    \
  HET_CUBLAS_##parameters(name##_64, int64_t);
HET_CUBLAS_BOTH(COPY_EX, cublasCopyEx)
HET_CUBLAS_BOTH(SWAP_EX, cublasSwapEx)
HET_CUBLAS_BOTH(SCAL_EX, cublasScalEx)
HET_CUBLAS_BOTH(AXPY_EX, cublasAxpyEx)
HET_CUBLAS_BOTH(DOT_EX, cublasDotEx)
HET_CUBLAS_BOTH(DOT_EX, cublasDotcEx)
HET_CUBLAS_BOTH(NORM_EX, cublasNrm2Ex)
HET_CUBLAS_BOTH(NORM_EX, cublasAsumEx)
HET_CUBLAS_BOTH(INDEX_EX, cublasIamaxEx)
HET_CUBLAS_BOTH(INDEX_EX, cublasIaminEx)
HET_CUBLAS_BOTH(ROT_EX, cublasRotEx)
#undef HET_CUBLAS_BOTH

#ifdef __cplusplus
}
#endif

#endif // HET_CUBLAS_MIXED_H
