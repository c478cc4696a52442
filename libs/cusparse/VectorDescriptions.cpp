// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of vectors and of dense matrices.

#include "Descriptions.h"

using namespace het::sparse;

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size,
                                     int64_t nnz, void *indices, void *values,
                                     cusparseIndexType_t idxType,
                                     cusparseIndexBase_t idxBase,
                                     cudaDataType valueType) {
  if (size < 0 || nnz < 0 || nnz > size || (nnz && (!indices || !values)) ||
      !isIndexType(idxType) || !isBase(idxBase))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return make(vector, valueType, [&](cusparseSpVecDescr &x) {
    x = {size, nnz, indices, values, idxType, idxBase, valueType};
  });
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *vector, int64_t size,
                                          int64_t nnz, const void *indices,
                                          const void *values, cusparseIndexType_t idxType,
                                          cusparseIndexBase_t idxBase,
                                          cudaDataType valueType) {
  return cusparseCreateSpVec(const_cast<cusparseSpVecDescr_t *>(vector), size, nnz,
                             const_cast<void *>(indices), const_cast<void *>(values),
                             idxType, idxBase, valueType);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
  delete vector;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t x, int64_t *size, int64_t *nnz,
                                  void **indices, void **values,
                                  cusparseIndexType_t *idxType,
                                  cusparseIndexBase_t *idxBase, cudaDataType *valueType) {
  return tell(x, size, &cusparseSpVecDescr::size, nnz, &cusparseSpVecDescr::nnz, indices,
              &cusparseSpVecDescr::indices, values, &cusparseSpVecDescr::values, idxType,
              &cusparseSpVecDescr::indexType, idxBase, &cusparseSpVecDescr::base,
              valueType, &cusparseSpVecDescr::type);
}
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t x, int64_t *size,
                                       int64_t *nnz, const void **indices,
                                       const void **values, cusparseIndexType_t *idxType,
                                       cusparseIndexBase_t *idxBase,
                                       cudaDataType *valueType) {
  return cusparseSpVecGet(const_cast<cusparseSpVecDescr_t>(x), size, nnz,
                          const_cast<void **>(indices), const_cast<void **>(values),
                          idxType, idxBase, valueType);
}
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t x,
                                           cusparseIndexBase_t *idxBase) {
  return tell(x, idxBase, &cusparseSpVecDescr::base);
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t x, void **values) {
  return tell(x, values, &cusparseSpVecDescr::values);
}
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t x,
                                             const void **values) {
  return tell(x, const_cast<void **>(values), &cusparseSpVecDescr::values);
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t x, void *values) {
  return change(x, values, &cusparseSpVecDescr::values);
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size,
                                     void *values, cudaDataType valueType) {
  if (size < 0 || (size && !values))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return make(vector, valueType,
              [&](cusparseDnVecDescr &x) { x = {size, values, valueType}; });
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t size,
                                          const void *values, cudaDataType valueType) {
  return cusparseCreateDnVec(const_cast<cusparseDnVecDescr_t *>(vector), size,
                             const_cast<void *>(values), valueType);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  delete vector;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t x, int64_t *size, void **values,
                                  cudaDataType *valueType) {
  return tell(x, size, &cusparseDnVecDescr::size, values, &cusparseDnVecDescr::values,
              valueType, &cusparseDnVecDescr::type);
}
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t x, int64_t *size,
                                       const void **values, cudaDataType *valueType) {
  return cusparseDnVecGet(const_cast<cusparseDnVecDescr_t>(x), size,
                          const_cast<void **>(values), valueType);
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t x, void **values) {
  return tell(x, values, &cusparseDnVecDescr::values);
}
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t x,
                                             const void **values) {
  return tell(x, const_cast<void **>(values), &cusparseDnVecDescr::values);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t x, void *values) {
  return change(x, values, &cusparseDnVecDescr::values);
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows,
                                     int64_t cols, int64_t ld, void *values,
                                     cudaDataType valueType, cusparseOrder_t order) {
  if (rows < 0 || cols < 0 || (rows && cols && !values) ||
      (order != CUSPARSE_ORDER_COL && order != CUSPARSE_ORDER_ROW) ||
      ld < (order == CUSPARSE_ORDER_ROW ? cols : rows))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return make(matrix, valueType, [&](cusparseDnMatDescr &a) {
    a = {rows, cols, ld, values, valueType, order};
  });
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows,
                                          int64_t cols, int64_t ld, const void *values,
                                          cudaDataType valueType, cusparseOrder_t order) {
  return cusparseCreateDnMat(const_cast<cusparseDnMatDescr_t *>(matrix), rows, cols, ld,
                             const_cast<void *>(values), valueType, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t a, int64_t *rows, int64_t *cols,
                                  int64_t *ld, void **values, cudaDataType *type,
                                  cusparseOrder_t *order) {
  return tell(a, rows, &cusparseDnMatDescr::rows, cols, &cusparseDnMatDescr::cols, ld,
              &cusparseDnMatDescr::leading, values, &cusparseDnMatDescr::values, type,
              &cusparseDnMatDescr::type, order, &cusparseDnMatDescr::order);
}
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t a, int64_t *rows,
                                       int64_t *cols, int64_t *ld, const void **values,
                                       cudaDataType *type, cusparseOrder_t *order) {
  return cusparseDnMatGet(const_cast<cusparseDnMatDescr_t>(a), rows, cols, ld,
                          const_cast<void **>(values), type, order);
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t a, void **values) {
  return tell(a, values, &cusparseDnMatDescr::values);
}
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t a,
                                             const void **values) {
  return tell(a, const_cast<void **>(values), &cusparseDnMatDescr::values);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t a, void *values) {
  return change(a, values, &cusparseDnMatDescr::values);
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t a, int batchCount,
                                              int64_t batchStride) {
  if (!a || batchCount < 1 || batchStride < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  a->batch = batchCount;
  a->batchStride = batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t a,
                                              int *batchCount, int64_t *batchStride) {
  return tell(a, batchCount, &cusparseDnMatDescr::batch, batchStride,
              &cusparseDnMatDescr::batchStride);
}
