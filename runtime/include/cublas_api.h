// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's functions under the names that libraries have them by. Programs include
// cublas_v2.h. cuBLAS documentation: 2.4, cuBLAS Helper Function Reference.

#ifndef HET_CUBLAS_API_H
#define HET_CUBLAS_API_H
#define CUBLAS_API_H_

#include "__het/cublas_functions.h"
#include "__het/cublas_mixed.h"
#include "__het/cublas_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The handle: a device, a stream, and how functions are to work. */
HET_CUBLAS(cublasCreate_v2)(cublasHandle_t *handle);
HET_CUBLAS(cublasDestroy_v2)(cublasHandle_t handle);
HET_CUBLAS(cublasGetVersion_v2)(cublasHandle_t handle, int *version);
HET_CUBLAS(cublasGetProperty)(libraryPropertyType type, int *value);
CUBLASAPI size_t CUBLASWINAPI cublasGetCudartVersion(void);
HET_CUBLAS(cublasSetStream_v2)(cublasHandle_t handle, cudaStream_t streamId);
HET_CUBLAS(cublasGetStream_v2)(cublasHandle_t handle, cudaStream_t *streamId);
HET_CUBLAS(cublasSetWorkspace_v2)
(cublasHandle_t handle, void *workspace, size_t workspaceSizeInBytes);
HET_CUBLAS(cublasSetPointerMode_v2)(cublasHandle_t handle, cublasPointerMode_t mode);
HET_CUBLAS(cublasGetPointerMode_v2)(cublasHandle_t handle, cublasPointerMode_t *mode);
HET_CUBLAS(cublasSetAtomicsMode)(cublasHandle_t handle, cublasAtomicsMode_t mode);
HET_CUBLAS(cublasGetAtomicsMode)(cublasHandle_t handle, cublasAtomicsMode_t *mode);
HET_CUBLAS(cublasSetMathMode)(cublasHandle_t handle, cublasMath_t mode);
HET_CUBLAS(cublasGetMathMode)(cublasHandle_t handle, cublasMath_t *mode);
HET_CUBLAS(cublasSetSmCountTarget)(cublasHandle_t handle, int smCountTarget);
HET_CUBLAS(cublasGetSmCountTarget)(cublasHandle_t handle, int *smCountTarget);

/* Messages. */
CUBLASAPI const char *CUBLASWINAPI cublasGetStatusName(cublasStatus_t status);
CUBLASAPI const char *CUBLASWINAPI cublasGetStatusString(cublasStatus_t status);
HET_CUBLAS(cublasLoggerConfigure)
(int logIsOn, int logToStdOut, int logToStdErr, const char *logFileName);
HET_CUBLAS(cublasSetLoggerCallback)(cublasLogCallback userCallback);
HET_CUBLAS(cublasGetLoggerCallback)(cublasLogCallback *userCallback);
CUBLASAPI void CUBLASWINAPI cublasXerbla(const char *srName, int info);

/* Copies between the program's memory and the device's. */
#define HET_CUBLAS_COPIES(suffix, I)                                                     \
  HET_CUBLAS(cublasSetVector##suffix)                                                    \
  (I n, I elemSize, const void *x, I incx, void *devicePtr, I incy);                     \
  HET_CUBLAS(cublasGetVector##suffix)                                                    \
  (I n, I elemSize, const void *x, I incx, void *y, I incy);                             \
  HET_CUBLAS(cublasSetMatrix##suffix)                                                    \
  (I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb);                    \
  HET_CUBLAS(cublasGetMatrix##suffix)                                                    \
  (I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb);                    \
  HET_CUBLAS(cublasSetVectorAsync##suffix)                                               \
  (I n, I elemSize, const void *hostPtr, I incx, void *devicePtr, I incy,                \
   cudaStream_t stream);                                                                 \
  HET_CUBLAS(cublasGetVectorAsync##suffix)                                               \
  (I n, I elemSize, const void *devicePtr, I incx, void *hostPtr, I incy,                \
   cudaStream_t stream);                                                                 \
  HET_CUBLAS(cublasSetMatrixAsync##suffix)                                               \
  (I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb,                     \
   cudaStream_t stream);                                                                 \
  HET_CUBLAS(cublasGetMatrixAsync##suffix)                                               \
  (I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb, cudaStream_t stream);
HET_CUBLAS_COPIES(, int)
HET_CUBLAS_COPIES(_64, int64_t)
#undef HET_CUBLAS_COPIES

#ifdef __cplusplus
}

// C++ programs of CUDA 10 and before gave a data type in place of how to compute.
static inline cublasStatus_t cublasMigrateComputeType(cudaDataType type,
                                                      cublasComputeType_t *computeType) {
  switch (type) {
  case CUDA_R_16F:
    *computeType = CUBLAS_COMPUTE_16F;
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_R_32F:
  case CUDA_C_32F:
    *computeType = CUBLAS_COMPUTE_32F;
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_R_64F:
  case CUDA_C_64F:
    *computeType = CUBLAS_COMPUTE_64F;
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_R_32I:
    *computeType = CUBLAS_COMPUTE_32I;
    return CUBLAS_STATUS_SUCCESS;
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

static inline cublasStatus_t
cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
             int m, int n, int k, const void *alpha, const void *A, cudaDataType Atype,
             int lda, const void *B, cudaDataType Btype, int ldb, const void *beta,
             void *C, cudaDataType Ctype, int ldc, cudaDataType computeType,
             cublasGemmAlgo_t algo) {
  cublasComputeType_t type = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(computeType, &type);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B,
                            Btype, ldb, beta, C, Ctype, ldc, type, algo);
}

static inline cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, int k, const void *alpha,
                    const void *const Aarray[], cudaDataType Atype, int lda,
                    const void *const Barray[], cudaDataType Btype, int ldb,
                    const void *beta, void *const Carray[], cudaDataType Ctype, int ldc,
                    int batchCount, cudaDataType computeType, cublasGemmAlgo_t algo) {
  cublasComputeType_t type = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(computeType, &type);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, Aarray, Atype,
                                   lda, Barray, Btype, ldb, beta, Carray, Ctype, ldc,
                                   batchCount, type, algo);
}

static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
    int n, int k, const void *alpha, const void *A, cudaDataType Atype, int lda,
    long long int strideA, const void *B, cudaDataType Btype, int ldb,
    long long int strideB, const void *beta, void *C, cudaDataType Ctype, int ldc,
    long long int strideC, int batchCount, cudaDataType computeType,
    cublasGemmAlgo_t algo) {
  cublasComputeType_t type = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(computeType, &type);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A,
                                          Atype, lda, strideA, B, Btype, ldb, strideB,
                                          beta, C, Ctype, ldc, strideC, batchCount, type,
                                          algo);
}
#endif // __cplusplus

#endif // HET_CUBLAS_API_H
