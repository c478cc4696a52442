// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE: sparse matrices on devices. cuSPARSE documentation 12.9: chapters 4 (generic
// functions, this file) and 5 (those of one operation for each type of numbers,
// __het/cusparse_legacy.h).

#ifndef HET_CUSPARSE_H
#define HET_CUSPARSE_H
#define CUSPARSE_H_

#include "__het/cusparse_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HET_CUSPARSE(name) cusparseStatus_t CUSPARSEAPI name

/* The library. */
HET_CUSPARSE(cusparseCreate)(cusparseHandle_t *handle);
HET_CUSPARSE(cusparseDestroy)(cusparseHandle_t handle);
HET_CUSPARSE(cusparseGetVersion)(cusparseHandle_t handle, int *version);
HET_CUSPARSE(cusparseGetProperty)(libraryPropertyType type, int *value);
const char *CUSPARSEAPI cusparseGetErrorName(cusparseStatus_t status);
const char *CUSPARSEAPI cusparseGetErrorString(cusparseStatus_t status);
HET_CUSPARSE(cusparseSetStream)(cusparseHandle_t handle, cudaStream_t streamId);
HET_CUSPARSE(cusparseGetStream)(cusparseHandle_t handle, cudaStream_t *streamId);
HET_CUSPARSE(cusparseGetPointerMode)
(cusparseHandle_t handle, cusparsePointerMode_t *mode);
HET_CUSPARSE(cusparseSetPointerMode)(cusparseHandle_t handle, cusparsePointerMode_t mode);
HET_CUSPARSE(cusparseLoggerSetCallback)(cusparseLoggerCallback_t callback);
HET_CUSPARSE(cusparseLoggerSetFile)(FILE *file);
HET_CUSPARSE(cusparseLoggerOpenFile)(const char *logFile);
HET_CUSPARSE(cusparseLoggerSetLevel)(int level);
HET_CUSPARSE(cusparseLoggerSetMask)(int mask);
HET_CUSPARSE(cusparseLoggerForceDisable)(void);

/* Sparse vectors. */
HET_CUSPARSE(cusparseCreateSpVec)
(cusparseSpVecDescr_t *spVecDescr, int64_t size, int64_t nnz, void *indices, void *values,
 cusparseIndexType_t idxType, cusparseIndexBase_t idxBase, cudaDataType valueType);
HET_CUSPARSE(cusparseCreateConstSpVec)
(cusparseConstSpVecDescr_t *spVecDescr, int64_t size, int64_t nnz, const void *indices,
 const void *values, cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
 cudaDataType valueType);
HET_CUSPARSE(cusparseDestroySpVec)(cusparseConstSpVecDescr_t spVecDescr);
HET_CUSPARSE(cusparseSpVecGet)
(cusparseSpVecDescr_t spVecDescr, int64_t *size, int64_t *nnz, void **indices,
 void **values, cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase,
 cudaDataType *valueType);
HET_CUSPARSE(cusparseConstSpVecGet)
(cusparseConstSpVecDescr_t spVecDescr, int64_t *size, int64_t *nnz, const void **indices,
 const void **values, cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase,
 cudaDataType *valueType);
HET_CUSPARSE(cusparseSpVecGetIndexBase)
(cusparseConstSpVecDescr_t spVecDescr, cusparseIndexBase_t *idxBase);
HET_CUSPARSE(cusparseSpVecGetValues)(cusparseSpVecDescr_t spVecDescr, void **values);
HET_CUSPARSE(cusparseConstSpVecGetValues)
(cusparseConstSpVecDescr_t spVecDescr, const void **values);
HET_CUSPARSE(cusparseSpVecSetValues)(cusparseSpVecDescr_t spVecDescr, void *values);

/* Dense vectors. */
HET_CUSPARSE(cusparseCreateDnVec)
(cusparseDnVecDescr_t *dnVecDescr, int64_t size, void *values, cudaDataType valueType);
HET_CUSPARSE(cusparseCreateConstDnVec)
(cusparseConstDnVecDescr_t *dnVecDescr, int64_t size, const void *values,
 cudaDataType valueType);
HET_CUSPARSE(cusparseDestroyDnVec)(cusparseConstDnVecDescr_t dnVecDescr);
HET_CUSPARSE(cusparseDnVecGet)
(cusparseDnVecDescr_t dnVecDescr, int64_t *size, void **values, cudaDataType *valueType);
HET_CUSPARSE(cusparseConstDnVecGet)
(cusparseConstDnVecDescr_t dnVecDescr, int64_t *size, const void **values,
 cudaDataType *valueType);
HET_CUSPARSE(cusparseDnVecGetValues)(cusparseDnVecDescr_t dnVecDescr, void **values);
HET_CUSPARSE(cusparseConstDnVecGetValues)
(cusparseConstDnVecDescr_t dnVecDescr, const void **values);
HET_CUSPARSE(cusparseDnVecSetValues)(cusparseDnVecDescr_t dnVecDescr, void *values);

/* Sparse matrices: what all formats have. */
HET_CUSPARSE(cusparseDestroySpMat)(cusparseConstSpMatDescr_t spMatDescr);
HET_CUSPARSE(cusparseSpMatGetFormat)
(cusparseConstSpMatDescr_t spMatDescr, cusparseFormat_t *format);
HET_CUSPARSE(cusparseSpMatGetIndexBase)
(cusparseConstSpMatDescr_t spMatDescr, cusparseIndexBase_t *idxBase);
HET_CUSPARSE(cusparseSpMatGetValues)(cusparseSpMatDescr_t spMatDescr, void **values);
HET_CUSPARSE(cusparseConstSpMatGetValues)
(cusparseConstSpMatDescr_t spMatDescr, const void **values);
HET_CUSPARSE(cusparseSpMatSetValues)(cusparseSpMatDescr_t spMatDescr, void *values);
HET_CUSPARSE(cusparseSpMatGetSize)
(cusparseConstSpMatDescr_t spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz);
HET_CUSPARSE(cusparseSpMatGetStridedBatch)
(cusparseConstSpMatDescr_t spMatDescr, int *batchCount);
HET_CUSPARSE(cusparseCooSetStridedBatch)
(cusparseSpMatDescr_t spMatDescr, int batchCount, int64_t batchStride);
HET_CUSPARSE(cusparseCsrSetStridedBatch)
(cusparseSpMatDescr_t spMatDescr, int batchCount, int64_t offsetsBatchStride,
 int64_t columnsValuesBatchStride);
HET_CUSPARSE(cusparseBsrSetStridedBatch)
(cusparseSpMatDescr_t spMatDescr, int batchCount, int64_t offsetsBatchStride,
 int64_t columnsBatchStride, int64_t valuesBatchStride);
HET_CUSPARSE(cusparseSpMatGetAttribute)
(cusparseConstSpMatDescr_t spMatDescr, cusparseSpMatAttribute_t attribute, void *data,
 size_t dataSize);
HET_CUSPARSE(cusparseSpMatSetAttribute)
(cusparseSpMatDescr_t spMatDescr, cusparseSpMatAttribute_t attribute, void *data,
 size_t dataSize);

/* CSR and CSC: `offsets` of rows (columns), `indices` of columns (rows). */
#define HET_CUSPARSE_CREATE_COMPRESSED(name, Descr, Place)                               \
  HET_CUSPARSE(name)                                                                     \
  (Descr * spMatDescr, int64_t rows, int64_t cols, int64_t nnz, Place offsets,           \
   Place indices, Place values, cusparseIndexType_t offsetsType,                         \
   cusparseIndexType_t indicesType, cusparseIndexBase_t idxBase, cudaDataType valueType)
HET_CUSPARSE_CREATE_COMPRESSED(cusparseCreateCsr, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_CREATE_COMPRESSED(cusparseCreateConstCsr, cusparseConstSpMatDescr_t,
                               const void *);
HET_CUSPARSE_CREATE_COMPRESSED(cusparseCreateCsc, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_CREATE_COMPRESSED(cusparseCreateConstCsc, cusparseConstSpMatDescr_t,
                               const void *);
#define HET_CUSPARSE_GET_COMPRESSED(name, Descr, Place)                                  \
  HET_CUSPARSE(name)                                                                     \
  (Descr spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz, Place *offsets,         \
   Place *indices, Place *values, cusparseIndexType_t *offsetsType,                      \
   cusparseIndexType_t *indicesType, cusparseIndexBase_t *idxBase,                       \
   cudaDataType *valueType)
HET_CUSPARSE_GET_COMPRESSED(cusparseCsrGet, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_GET_COMPRESSED(cusparseConstCsrGet, cusparseConstSpMatDescr_t, const void *);
HET_CUSPARSE_GET_COMPRESSED(cusparseCscGet, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_GET_COMPRESSED(cusparseConstCscGet, cusparseConstSpMatDescr_t, const void *);
HET_CUSPARSE(cusparseCsrSetPointers)
(cusparseSpMatDescr_t spMatDescr, void *csrRowOffsets, void *csrColInd, void *csrValues);
HET_CUSPARSE(cusparseCscSetPointers)
(cusparseSpMatDescr_t spMatDescr, void *cscColOffsets, void *cscRowInd, void *cscValues);

/* COO. */
#define HET_CUSPARSE_CREATE_COO(name, Descr, Place)                                      \
  HET_CUSPARSE(name)                                                                     \
  (Descr * spMatDescr, int64_t rows, int64_t cols, int64_t nnz, Place cooRowInd,         \
   Place cooColInd, Place cooValues, cusparseIndexType_t cooIdxType,                     \
   cusparseIndexBase_t idxBase, cudaDataType valueType)
HET_CUSPARSE_CREATE_COO(cusparseCreateCoo, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_CREATE_COO(cusparseCreateConstCoo, cusparseConstSpMatDescr_t, const void *);
#define HET_CUSPARSE_GET_COO(name, Descr, Place)                                         \
  HET_CUSPARSE(name)                                                                     \
  (Descr spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz, Place *cooRowInd,       \
   Place *cooColInd, Place *cooValues, cusparseIndexType_t *idxType,                     \
   cusparseIndexBase_t *idxBase, cudaDataType *valueType)
HET_CUSPARSE_GET_COO(cusparseCooGet, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_GET_COO(cusparseConstCooGet, cusparseConstSpMatDescr_t, const void *);
HET_CUSPARSE(cusparseCooSetPointers)
(cusparseSpMatDescr_t spMatDescr, void *cooRows, void *cooColumns, void *cooValues);

/* Blocked-ELL. */
#define HET_CUSPARSE_CREATE_ELL(name, Descr, Place)                                      \
  HET_CUSPARSE(name)                                                                     \
  (Descr * spMatDescr, int64_t rows, int64_t cols, int64_t ellBlockSize,                 \
   int64_t ellCols, Place ellColInd, Place ellValue, cusparseIndexType_t ellIdxType,     \
   cusparseIndexBase_t idxBase, cudaDataType valueType)
HET_CUSPARSE_CREATE_ELL(cusparseCreateBlockedEll, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_CREATE_ELL(cusparseCreateConstBlockedEll, cusparseConstSpMatDescr_t,
                        const void *);
#define HET_CUSPARSE_GET_ELL(name, Descr, Place)                                         \
  HET_CUSPARSE(name)                                                                     \
  (Descr spMatDescr, int64_t *rows, int64_t *cols, int64_t *ellBlockSize,                \
   int64_t *ellCols, Place *ellColInd, Place *ellValue, cusparseIndexType_t *ellIdxType, \
   cusparseIndexBase_t *idxBase, cudaDataType *valueType)
HET_CUSPARSE_GET_ELL(cusparseBlockedEllGet, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_GET_ELL(cusparseConstBlockedEllGet, cusparseConstSpMatDescr_t, const void *);

/* BSR. */
#define HET_CUSPARSE_CREATE_BSR(name, Descr, Place)                                      \
  HET_CUSPARSE(name)                                                                     \
  (Descr * spMatDescr, int64_t brows, int64_t bcols, int64_t bnnz, int64_t rowBlockSize, \
   int64_t colBlockSize, Place bsrRowOffsets, Place bsrColInd, Place bsrValues,          \
   cusparseIndexType_t bsrRowOffsetsType, cusparseIndexType_t bsrColIndType,             \
   cusparseIndexBase_t idxBase, cudaDataType valueType, cusparseOrder_t order)
HET_CUSPARSE_CREATE_BSR(cusparseCreateBsr, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_CREATE_BSR(cusparseCreateConstBsr, cusparseConstSpMatDescr_t, const void *);

/* Sliced ELL. */
#define HET_CUSPARSE_CREATE_SELL(name, Descr, Place)                                     \
  HET_CUSPARSE(name)                                                                     \
  (Descr * spMatDescr, int64_t rows, int64_t cols, int64_t nnz, int64_t sellValuesSize,  \
   int64_t sliceSize, Place sellSliceOffsets, Place sellColInd, Place sellValues,        \
   cusparseIndexType_t sellSliceOffsetsType, cusparseIndexType_t sellColIndType,         \
   cusparseIndexBase_t idxBase, cudaDataType valueType)
HET_CUSPARSE_CREATE_SELL(cusparseCreateSlicedEll, cusparseSpMatDescr_t, void *);
HET_CUSPARSE_CREATE_SELL(cusparseCreateConstSlicedEll, cusparseConstSpMatDescr_t,
                         const void *);

/* Dense matrices. */
HET_CUSPARSE(cusparseCreateDnMat)
(cusparseDnMatDescr_t *dnMatDescr, int64_t rows, int64_t cols, int64_t ld, void *values,
 cudaDataType valueType, cusparseOrder_t order);
HET_CUSPARSE(cusparseCreateConstDnMat)
(cusparseConstDnMatDescr_t *dnMatDescr, int64_t rows, int64_t cols, int64_t ld,
 const void *values, cudaDataType valueType, cusparseOrder_t order);
HET_CUSPARSE(cusparseDestroyDnMat)(cusparseConstDnMatDescr_t dnMatDescr);
HET_CUSPARSE(cusparseDnMatGet)
(cusparseDnMatDescr_t dnMatDescr, int64_t *rows, int64_t *cols, int64_t *ld,
 void **values, cudaDataType *type, cusparseOrder_t *order);
HET_CUSPARSE(cusparseConstDnMatGet)
(cusparseConstDnMatDescr_t dnMatDescr, int64_t *rows, int64_t *cols, int64_t *ld,
 const void **values, cudaDataType *type, cusparseOrder_t *order);
HET_CUSPARSE(cusparseDnMatGetValues)(cusparseDnMatDescr_t dnMatDescr, void **values);
HET_CUSPARSE(cusparseConstDnMatGetValues)
(cusparseConstDnMatDescr_t dnMatDescr, const void **values);
HET_CUSPARSE(cusparseDnMatSetValues)(cusparseDnMatDescr_t dnMatDescr, void *values);
HET_CUSPARSE(cusparseDnMatSetStridedBatch)
(cusparseDnMatDescr_t dnMatDescr, int batchCount, int64_t batchStride);
HET_CUSPARSE(cusparseDnMatGetStridedBatch)
(cusparseConstDnMatDescr_t dnMatDescr, int *batchCount, int64_t *batchStride);

/* A sparse vector and a dense one. */
HET_CUSPARSE(cusparseAxpby)
(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t vecX,
 const void *beta, cusparseDnVecDescr_t vecY);
HET_CUSPARSE(cusparseGather)
(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY, cusparseSpVecDescr_t vecX);
HET_CUSPARSE(cusparseScatter)
(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX, cusparseDnVecDescr_t vecY);
HET_CUSPARSE(cusparseRot)
(cusparseHandle_t handle, const void *c_coeff, const void *s_coeff,
 cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY);
HET_CUSPARSE(cusparseSpVV_bufferSize)
(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t vecX,
 cusparseConstDnVecDescr_t vecY, const void *result, cudaDataType computeType,
 size_t *bufferSize);
HET_CUSPARSE(cusparseSpVV)
(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t vecX,
 cusparseConstDnVecDescr_t vecY, void *result, cudaDataType computeType,
 void *externalBuffer);

/* Dense and sparse matrices. */
HET_CUSPARSE(cusparseSparseToDense_bufferSize)
(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA, cusparseDnMatDescr_t matB,
 cusparseSparseToDenseAlg_t alg, size_t *bufferSize);
HET_CUSPARSE(cusparseSparseToDense)
(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA, cusparseDnMatDescr_t matB,
 cusparseSparseToDenseAlg_t alg, void *externalBuffer);
HET_CUSPARSE(cusparseDenseToSparse_bufferSize)
(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA, cusparseSpMatDescr_t matB,
 cusparseDenseToSparseAlg_t alg, size_t *bufferSize);
HET_CUSPARSE(cusparseDenseToSparse_analysis)
(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA, cusparseSpMatDescr_t matB,
 cusparseDenseToSparseAlg_t alg, void *externalBuffer);
HET_CUSPARSE(cusparseDenseToSparse_convert)
(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA, cusparseSpMatDescr_t matB,
 cusparseDenseToSparseAlg_t alg, void *externalBuffer);

/* y = alpha op(A) x + beta y. */
#define HET_CUSPARSE_SPMV                                                                \
  cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,                   \
      cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, const void *beta,  \
      cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpMVAlg_t alg
HET_CUSPARSE(cusparseSpMV_bufferSize)(HET_CUSPARSE_SPMV, size_t *bufferSize);
HET_CUSPARSE(cusparseSpMV_preprocess)(HET_CUSPARSE_SPMV, void *externalBuffer);
HET_CUSPARSE(cusparseSpMV)(HET_CUSPARSE_SPMV, void *externalBuffer);

/* C = alpha op(A) op(B) + beta C, where A is sparse. */
#define HET_CUSPARSE_SPMM                                                                \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,             \
      const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, \
      const void *beta, cusparseDnMatDescr_t matC, cudaDataType computeType,             \
      cusparseSpMMAlg_t alg
HET_CUSPARSE(cusparseSpMM_bufferSize)(HET_CUSPARSE_SPMM, size_t *bufferSize);
HET_CUSPARSE(cusparseSpMM_preprocess)(HET_CUSPARSE_SPMM, void *externalBuffer);
HET_CUSPARSE(cusparseSpMM)(HET_CUSPARSE_SPMM, void *externalBuffer);

/* The same with operations of the program's own. */
HET_CUSPARSE(cusparseSpMMOp_createPlan)
(cusparseHandle_t handle, cusparseSpMMOpPlan_t *plan, cusparseOperation_t opA,
 cusparseOperation_t opB, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
 cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpMMOpAlg_t alg,
 const void *addOperationNvvmBuffer, size_t addOperationBufferSize,
 const void *mulOperationNvvmBuffer, size_t mulOperationBufferSize,
 const void *epilogueNvvmBuffer, size_t epilogueBufferSize, size_t *SpMMWorkspaceSize);
HET_CUSPARSE(cusparseSpMMOp)(cusparseSpMMOpPlan_t plan, void *externalBuffer);
HET_CUSPARSE(cusparseSpMMOp_destroyPlan)(cusparseSpMMOpPlan_t plan);

/* Solves op(A) y = alpha x for a triangle A. */
#define HET_CUSPARSE_SPSV                                                                \
  cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,                   \
      cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,                    \
      cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,        \
      cusparseSpSVDescr_t spsvDescr
HET_CUSPARSE(cusparseSpSV_createDescr)(cusparseSpSVDescr_t *descr);
HET_CUSPARSE(cusparseSpSV_destroyDescr)(cusparseSpSVDescr_t descr);
HET_CUSPARSE(cusparseSpSV_bufferSize)(HET_CUSPARSE_SPSV, size_t *bufferSize);
HET_CUSPARSE(cusparseSpSV_analysis)(HET_CUSPARSE_SPSV, void *externalBuffer);
HET_CUSPARSE(cusparseSpSV_solve)(HET_CUSPARSE_SPSV);
HET_CUSPARSE(cusparseSpSV_updateMatrix)
(cusparseHandle_t handle, cusparseSpSVDescr_t spsvDescr, void *newValues,
 cusparseSpSVUpdate_t updatePart);

/* Solves op(A) C = alpha op(B) for a triangle A. */
#define HET_CUSPARSE_SPSM                                                                \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,             \
      const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, \
      cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpSMAlg_t alg,        \
      cusparseSpSMDescr_t spsmDescr
HET_CUSPARSE(cusparseSpSM_createDescr)(cusparseSpSMDescr_t *descr);
HET_CUSPARSE(cusparseSpSM_destroyDescr)(cusparseSpSMDescr_t descr);
HET_CUSPARSE(cusparseSpSM_bufferSize)(HET_CUSPARSE_SPSM, size_t *bufferSize);
HET_CUSPARSE(cusparseSpSM_analysis)(HET_CUSPARSE_SPSM, void *externalBuffer);
HET_CUSPARSE(cusparseSpSM_solve)(HET_CUSPARSE_SPSM);
HET_CUSPARSE(cusparseSpSM_updateMatrix)
(cusparseHandle_t handle, cusparseSpSMDescr_t spsmDescr, void *newValues,
 cusparseSpSMUpdate_t updatePart);

/* C = alpha op(A) op(B) + beta C, where all are sparse. */
#define HET_CUSPARSE_SPGEMM                                                              \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,             \
      const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, \
      const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,             \
      cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr
HET_CUSPARSE(cusparseSpGEMM_createDescr)(cusparseSpGEMMDescr_t *descr);
HET_CUSPARSE(cusparseSpGEMM_destroyDescr)(cusparseSpGEMMDescr_t descr);
HET_CUSPARSE(cusparseSpGEMM_workEstimation)
(HET_CUSPARSE_SPGEMM, size_t *bufferSize1, void *externalBuffer1);
HET_CUSPARSE(cusparseSpGEMM_getNumProducts)
(cusparseSpGEMMDescr_t spgemmDescr, int64_t *num_prods);
HET_CUSPARSE(cusparseSpGEMM_estimateMemory)
(HET_CUSPARSE_SPGEMM, float chunk_fraction, size_t *bufferSize3, void *externalBuffer3,
 size_t *bufferSize2);
HET_CUSPARSE(cusparseSpGEMM_compute)
(HET_CUSPARSE_SPGEMM, size_t *bufferSize2, void *externalBuffer2);
HET_CUSPARSE(cusparseSpGEMM_copy)(HET_CUSPARSE_SPGEMM);

/* The same, where the pattern of C is used again. */
#define HET_CUSPARSE_SPGEMM_REUSE                                                        \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,             \
      cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,                    \
      cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t alg,                                \
      cusparseSpGEMMDescr_t spgemmDescr
HET_CUSPARSE(cusparseSpGEMMreuse_workEstimation)
(HET_CUSPARSE_SPGEMM_REUSE, size_t *bufferSize1, void *externalBuffer1);
HET_CUSPARSE(cusparseSpGEMMreuse_nnz)
(HET_CUSPARSE_SPGEMM_REUSE, size_t *bufferSize2, void *externalBuffer2,
 size_t *bufferSize3, void *externalBuffer3, size_t *bufferSize4, void *externalBuffer4);
HET_CUSPARSE(cusparseSpGEMMreuse_copy)
(HET_CUSPARSE_SPGEMM_REUSE, size_t *bufferSize5, void *externalBuffer5);
HET_CUSPARSE(cusparseSpGEMMreuse_compute)(HET_CUSPARSE_SPGEMM);

/* C = alpha (op(A) op(B)) where C has elements + beta C, where A and B are dense. */
#define HET_CUSPARSE_SDDMM                                                               \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,             \
      const void *alpha, cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB, \
      const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,             \
      cusparseSDDMMAlg_t alg
HET_CUSPARSE(cusparseSDDMM_bufferSize)(HET_CUSPARSE_SDDMM, size_t *bufferSize);
HET_CUSPARSE(cusparseSDDMM_preprocess)(HET_CUSPARSE_SDDMM, void *externalBuffer);
HET_CUSPARSE(cusparseSDDMM)(HET_CUSPARSE_SDDMM, void *externalBuffer);

#include "__het/cusparse_legacy.h"

#ifdef __cplusplus
}
#endif

#endif // HET_CUSPARSE_H
