// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASLt: products of matrices that are described step by step, and what is done to
// their elements. cuBLAS documentation: 3.4, cuBLASLt API Reference.

#ifndef HET_CUBLASLT_H
#define HET_CUBLASLT_H

#include "__het/cublas_signatures.h"
#include "__het/cublaslt_types.h"
#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

HET_CUBLAS(cublasLtCreate)(cublasLtHandle_t *lightHandle);
HET_CUBLAS(cublasLtDestroy)(cublasLtHandle_t lightHandle);
CUBLASAPI const char *CUBLASWINAPI cublasLtGetStatusName(cublasStatus_t status);
CUBLASAPI const char *CUBLASWINAPI cublasLtGetStatusString(cublasStatus_t status);
CUBLASAPI size_t CUBLASWINAPI cublasLtGetVersion(void);
CUBLASAPI size_t CUBLASWINAPI cublasLtGetCudartVersion(void);
HET_CUBLAS(cublasLtGetProperty)(libraryPropertyType type, int *value);
HET_CUBLAS(cublasLtHeuristicsCacheGetCapacity)(size_t *capacity);
HET_CUBLAS(cublasLtHeuristicsCacheSetCapacity)(size_t capacity);
CUBLASAPI unsigned CUBLASWINAPI cublasLtDisableCpuInstructionsSetMask(unsigned mask);

/* D = alpha op(A) op(B) + beta C, and what follows it. */
HET_CUBLAS(cublasLtMatmul)
(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc, const void *alpha,
 const void *A, cublasLtMatrixLayout_t Adesc, const void *B, cublasLtMatrixLayout_t Bdesc,
 const void *beta, const void *C, cublasLtMatrixLayout_t Cdesc, void *D,
 cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t *algo, void *workspace,
 size_t workspaceSizeInBytes, cudaStream_t stream);
/* C = alpha op(A) + beta op(B). */
HET_CUBLAS(cublasLtMatrixTransform)
(cublasLtHandle_t lightHandle, cublasLtMatrixTransformDesc_t transformDesc,
 const void *alpha, const void *A, cublasLtMatrixLayout_t Adesc, const void *beta,
 const void *B, cublasLtMatrixLayout_t Bdesc, void *C, cublasLtMatrixLayout_t Cdesc,
 cudaStream_t stream);

/* Descriptions. */
HET_CUBLAS(cublasLtMatrixLayoutInit_internal)
(cublasLtMatrixLayout_t matLayout, size_t size, cudaDataType type, uint64_t rows,
 uint64_t cols, int64_t ld);
HET_CUBLAS(cublasLtMatrixLayoutCreate)
(cublasLtMatrixLayout_t *matLayout, cudaDataType type, uint64_t rows, uint64_t cols,
 int64_t ld);
HET_CUBLAS(cublasLtMatrixLayoutDestroy)(cublasLtMatrixLayout_t matLayout);
HET_CUBLAS(cublasLtMatrixLayoutSetAttribute)
(cublasLtMatrixLayout_t matLayout, cublasLtMatrixLayoutAttribute_t attr, const void *buf,
 size_t sizeInBytes);
HET_CUBLAS(cublasLtMatrixLayoutGetAttribute)
(cublasLtMatrixLayout_t matLayout, cublasLtMatrixLayoutAttribute_t attr, void *buf,
 size_t sizeInBytes, size_t *sizeWritten);

HET_CUBLAS(cublasLtMatmulDescInit_internal)
(cublasLtMatmulDesc_t matmulDesc, size_t size, cublasComputeType_t computeType,
 cudaDataType scaleType);
HET_CUBLAS(cublasLtMatmulDescCreate)
(cublasLtMatmulDesc_t *matmulDesc, cublasComputeType_t computeType,
 cudaDataType scaleType);
HET_CUBLAS(cublasLtMatmulDescDestroy)(cublasLtMatmulDesc_t matmulDesc);
HET_CUBLAS(cublasLtMatmulDescSetAttribute)
(cublasLtMatmulDesc_t matmulDesc, cublasLtMatmulDescAttributes_t attr, const void *buf,
 size_t sizeInBytes);
HET_CUBLAS(cublasLtMatmulDescGetAttribute)
(cublasLtMatmulDesc_t matmulDesc, cublasLtMatmulDescAttributes_t attr, void *buf,
 size_t sizeInBytes, size_t *sizeWritten);

HET_CUBLAS(cublasLtMatrixTransformDescInit_internal)
(cublasLtMatrixTransformDesc_t transformDesc, size_t size, cudaDataType scaleType);
HET_CUBLAS(cublasLtMatrixTransformDescCreate)
(cublasLtMatrixTransformDesc_t *transformDesc, cudaDataType scaleType);
HET_CUBLAS(cublasLtMatrixTransformDescDestroy)
(cublasLtMatrixTransformDesc_t transformDesc);
HET_CUBLAS(cublasLtMatrixTransformDescSetAttribute)
(cublasLtMatrixTransformDesc_t transformDesc,
 cublasLtMatrixTransformDescAttributes_t attr, const void *buf, size_t sizeInBytes);
HET_CUBLAS(cublasLtMatrixTransformDescGetAttribute)
(cublasLtMatrixTransformDesc_t transformDesc,
 cublasLtMatrixTransformDescAttributes_t attr, void *buf, size_t sizeInBytes,
 size_t *sizeWritten);

HET_CUBLAS(cublasLtMatmulPreferenceInit_internal)
(cublasLtMatmulPreference_t pref, size_t size);
HET_CUBLAS(cublasLtMatmulPreferenceCreate)(cublasLtMatmulPreference_t *pref);
HET_CUBLAS(cublasLtMatmulPreferenceDestroy)(cublasLtMatmulPreference_t pref);
HET_CUBLAS(cublasLtMatmulPreferenceSetAttribute)
(cublasLtMatmulPreference_t pref, cublasLtMatmulPreferenceAttributes_t attr,
 const void *buf, size_t sizeInBytes);
HET_CUBLAS(cublasLtMatmulPreferenceGetAttribute)
(cublasLtMatmulPreference_t pref, cublasLtMatmulPreferenceAttributes_t attr, void *buf,
 size_t sizeInBytes, size_t *sizeWritten);

/* Algorithms: there is one for all that is supported. */
HET_CUBLAS(cublasLtMatmulAlgoGetHeuristic)
(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
 cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc,
 cublasLtMatrixLayout_t Ddesc, cublasLtMatmulPreference_t preference,
 int requestedAlgoCount, cublasLtMatmulHeuristicResult_t heuristicResultsArray[],
 int *returnAlgoCount);
HET_CUBLAS(cublasLtMatmulAlgoGetIds)
(cublasLtHandle_t lightHandle, cublasComputeType_t computeType, cudaDataType scaleType,
 cudaDataType Atype, cudaDataType Btype, cudaDataType Ctype, cudaDataType Dtype,
 int requestedAlgoCount, int algoIdsArray[], int *returnAlgoCount);
HET_CUBLAS(cublasLtMatmulAlgoInit)
(cublasLtHandle_t lightHandle, cublasComputeType_t computeType, cudaDataType scaleType,
 cudaDataType Atype, cudaDataType Btype, cudaDataType Ctype, cudaDataType Dtype,
 int algoId, cublasLtMatmulAlgo_t *algo);
HET_CUBLAS(cublasLtMatmulAlgoCheck)
(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
 cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc,
 cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t *algo,
 cublasLtMatmulHeuristicResult_t *result);
HET_CUBLAS(cublasLtMatmulAlgoCapGetAttribute)
(const cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoCapAttributes_t attr, void *buf,
 size_t sizeInBytes, size_t *sizeWritten);
HET_CUBLAS(cublasLtMatmulAlgoConfigSetAttribute)
(cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoConfigAttributes_t attr, const void *buf,
 size_t sizeInBytes);
HET_CUBLAS(cublasLtMatmulAlgoConfigGetAttribute)
(const cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoConfigAttributes_t attr, void *buf,
 size_t sizeInBytes, size_t *sizeWritten);

HET_CUBLAS(cublasLtLoggerSetCallback)(cublasLtLoggerCallback_t callback);
HET_CUBLAS(cublasLtLoggerSetFile)(FILE *file);
HET_CUBLAS(cublasLtLoggerOpenFile)(const char *logFile);
HET_CUBLAS(cublasLtLoggerSetLevel)(int level);
HET_CUBLAS(cublasLtLoggerSetMask)(int mask);
HET_CUBLAS(cublasLtLoggerForceDisable)(void);

/* Descriptions in storage of the program's. */
static inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t matLayout,
                                                      cudaDataType type, uint64_t rows,
                                                      uint64_t cols, int64_t ld) {
  return cublasLtMatrixLayoutInit_internal(matLayout, sizeof(*matLayout), type, rows,
                                           cols, ld);
}
static inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t matmulDesc,
                                                    cublasComputeType_t computeType,
                                                    cudaDataType scaleType) {
  return cublasLtMatmulDescInit_internal(matmulDesc, sizeof(*matmulDesc), computeType,
                                         scaleType);
}
static inline cublasStatus_t
cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t transformDesc,
                                cudaDataType scaleType) {
  return cublasLtMatrixTransformDescInit_internal(transformDesc, sizeof(*transformDesc),
                                                  scaleType);
}
static inline cublasStatus_t
cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t pref) {
  return cublasLtMatmulPreferenceInit_internal(pref, sizeof(*pref));
}

#ifdef __cplusplus
}
#endif

#endif // HET_CUBLASLT_H
