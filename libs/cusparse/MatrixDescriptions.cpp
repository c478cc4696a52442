// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of sparse matrices.

#include "Descriptions.h"

using namespace het::sparse;

namespace {

using Matrix = cusparseSpMatDescr;

/// What the descriptions of all formats begin with.
struct Head {
  cusparseFormat_t format;
  int64_t rows, cols, nnz;
  const void *offsets, *indices, *values;
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
};

Matrix *writable(cusparseConstSpMatDescr_t matrix) {
  return const_cast<Matrix *>(matrix);
}

bool isValid(const Head &head) {
  return head.rows >= 0 && head.cols >= 0 && head.nnz >= 0 &&
         isIndexType(head.offsetType) && isIndexType(head.indexType) && isBase(head.base);
}

/// `set` fills in what only this format has.
template <class Descr, class Set>
cusparseStatus_t create(Descr *place, const Head &head, const Set &set) {
  if (!isValid(head))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return make(const_cast<Matrix **>(place), head.type, [&](Matrix &m) {
    m.format = head.format;
    m.rows = head.rows;
    m.cols = head.cols;
    m.nnz = head.nnz;
    m.offsets = const_cast<void *>(head.offsets);
    m.indices = const_cast<void *>(head.indices);
    m.values = const_cast<void *>(head.values);
    m.offsetType = head.offsetType;
    m.indexType = head.indexType;
    m.base = head.base;
    m.type = head.type;
    set(m);
  });
}
template <class Descr> cusparseStatus_t create(Descr *place, const Head &head) {
  return create(place, head, [](Matrix &) {});
}

/// A matrix of that format, whose pointers are set.
cusparseStatus_t setPointers(Matrix *m, cusparseFormat_t format, void *offsets,
                             void *indices, void *values) {
  const bool hasOffsets = m && (m->nnz || format != CUSPARSE_FORMAT_COO);
  if (!m || m->format != format || (hasOffsets && !offsets) ||
      (m->nnz && (!indices || !values)))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (m->offsets != offsets || m->indices != indices)
    m->turnedIn = nullptr;
  m->offsets = offsets;
  m->indices = indices;
  m->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t setBatch(Matrix *m, cusparseFormat_t format, int count, int64_t offsets,
                          int64_t indices, int64_t values) {
  if (!m || m->format != format || count < 1 || offsets < 0 || indices < 0 || values < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  m->turnedIn = nullptr;
  m->batch = count;
  m->offsetStride = offsets;
  m->indexStride = indices;
  m->valueStride = values;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

#define HET_COMPRESSED(name, Descr, Place, format)                                       \
  HET_CUSPARSE_CREATE_COMPRESSED(name, Descr, Place) {                                   \
    return create(spMatDescr, {format, rows, cols, nnz, offsets, indices, values,        \
                               offsetsType, indicesType, idxBase, valueType});           \
  }
HET_COMPRESSED(cusparseCreateCsr, cusparseSpMatDescr_t, void *, CUSPARSE_FORMAT_CSR)
HET_COMPRESSED(cusparseCreateConstCsr, cusparseConstSpMatDescr_t, const void *,
               CUSPARSE_FORMAT_CSR)
HET_COMPRESSED(cusparseCreateCsc, cusparseSpMatDescr_t, void *, CUSPARSE_FORMAT_CSC)
HET_COMPRESSED(cusparseCreateConstCsc, cusparseConstSpMatDescr_t, const void *,
               CUSPARSE_FORMAT_CSC)

#define HET_GET_COMPRESSED(name, Descr, Place, wanted)                                   \
  HET_CUSPARSE_GET_COMPRESSED(name, Descr, Place) {                                      \
    if (!spMatDescr || spMatDescr->format != wanted)                                     \
      return CUSPARSE_STATUS_INVALID_VALUE;                                              \
    return tell(writable(spMatDescr), rows, &Matrix::rows, cols, &Matrix::cols, nnz,     \
                &Matrix::nnz, const_cast<void **>(offsets), &Matrix::offsets,            \
                const_cast<void **>(indices), &Matrix::indices,                          \
                const_cast<void **>(values), &Matrix::values, offsetsType,               \
                &Matrix::offsetType, indicesType, &Matrix::indexType, idxBase,           \
                &Matrix::base, valueType, &Matrix::type);                                \
  }
HET_GET_COMPRESSED(cusparseCsrGet, cusparseSpMatDescr_t, void *, CUSPARSE_FORMAT_CSR)
HET_GET_COMPRESSED(cusparseConstCsrGet, cusparseConstSpMatDescr_t, const void *,
                   CUSPARSE_FORMAT_CSR)
HET_GET_COMPRESSED(cusparseCscGet, cusparseSpMatDescr_t, void *, CUSPARSE_FORMAT_CSC)
HET_GET_COMPRESSED(cusparseConstCscGet, cusparseConstSpMatDescr_t, const void *,
                   CUSPARSE_FORMAT_CSC)

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t m, void *offsets,
                                        void *columns, void *values) {
  return setPointers(m, CUSPARSE_FORMAT_CSR, offsets, columns, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t m, void *offsets, void *rows,
                                        void *values) {
  return setPointers(m, CUSPARSE_FORMAT_CSC, offsets, rows, values);
}

#define HET_COO(name, Descr, Place)                                                      \
  HET_CUSPARSE_CREATE_COO(name, Descr, Place) {                                          \
    return create(spMatDescr,                                                            \
                  {CUSPARSE_FORMAT_COO, rows, cols, nnz, cooRowInd, cooColInd,           \
                   cooValues, cooIdxType, cooIdxType, idxBase, valueType});              \
  }
HET_COO(cusparseCreateCoo, cusparseSpMatDescr_t, void *)
HET_COO(cusparseCreateConstCoo, cusparseConstSpMatDescr_t, const void *)
#define HET_GET_COO(name, Descr, Place)                                                  \
  HET_CUSPARSE_GET_COO(name, Descr, Place) {                                             \
    if (!spMatDescr || spMatDescr->format != CUSPARSE_FORMAT_COO)                        \
      return CUSPARSE_STATUS_INVALID_VALUE;                                              \
    return tell(writable(spMatDescr), rows, &Matrix::rows, cols, &Matrix::cols, nnz,     \
                &Matrix::nnz, const_cast<void **>(cooRowInd), &Matrix::offsets,          \
                const_cast<void **>(cooColInd), &Matrix::indices,                        \
                const_cast<void **>(cooValues), &Matrix::values, idxType,                \
                &Matrix::indexType, idxBase, &Matrix::base, valueType, &Matrix::type);   \
  }
HET_GET_COO(cusparseCooGet, cusparseSpMatDescr_t, void *)
HET_GET_COO(cusparseConstCooGet, cusparseConstSpMatDescr_t, const void *)
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t m, void *rows, void *columns,
                                        void *values) {
  return setPointers(m, CUSPARSE_FORMAT_COO, rows, columns, values);
}

#define HET_ELL(name, Descr, Place)                                                      \
  HET_CUSPARSE_CREATE_ELL(name, Descr, Place) {                                          \
    if (ellBlockSize < 1 || ellCols < 0 || ellCols > cols || rows % ellBlockSize ||      \
        cols % ellBlockSize || ellCols % ellBlockSize)                                   \
      return CUSPARSE_STATUS_INVALID_VALUE;                                              \
    return create(spMatDescr,                                                            \
                  {CUSPARSE_FORMAT_BLOCKED_ELL, rows, cols, rows * ellCols, nullptr,     \
                   ellColInd, ellValue, ellIdxType, ellIdxType, idxBase, valueType},     \
                  [&](Matrix &m) {                                                       \
                    m.blockRows = m.blockCols = ellBlockSize;                            \
                    m.ellCols = ellCols;                                                 \
                  });                                                                    \
  }
HET_ELL(cusparseCreateBlockedEll, cusparseSpMatDescr_t, void *)
HET_ELL(cusparseCreateConstBlockedEll, cusparseConstSpMatDescr_t, const void *)
#define HET_GET_ELL(name, Descr, Place)                                                  \
  HET_CUSPARSE_GET_ELL(name, Descr, Place) {                                             \
    if (!spMatDescr || spMatDescr->format != CUSPARSE_FORMAT_BLOCKED_ELL)                \
      return CUSPARSE_STATUS_INVALID_VALUE;                                              \
    return tell(writable(spMatDescr), rows, &Matrix::rows, cols, &Matrix::cols,          \
                ellBlockSize, &Matrix::blockRows, ellCols, &Matrix::ellCols,             \
                const_cast<void **>(ellColInd), &Matrix::indices,                        \
                const_cast<void **>(ellValue), &Matrix::values, ellIdxType,              \
                &Matrix::indexType, idxBase, &Matrix::base, valueType, &Matrix::type);   \
  }
HET_GET_ELL(cusparseBlockedEllGet, cusparseSpMatDescr_t, void *)
HET_GET_ELL(cusparseConstBlockedEllGet, cusparseConstSpMatDescr_t, const void *)

#define HET_BSR_MATRIX(name, Descr, Place)                                               \
  HET_CUSPARSE_CREATE_BSR(name, Descr, Place) {                                          \
    if (rowBlockSize < 1 || colBlockSize < 1 ||                                          \
        (order != CUSPARSE_ORDER_COL && order != CUSPARSE_ORDER_ROW))                    \
      return CUSPARSE_STATUS_INVALID_VALUE;                                              \
    return create(spMatDescr,                                                            \
                  {CUSPARSE_FORMAT_BSR, brows, bcols, bnnz, bsrRowOffsets, bsrColInd,    \
                   bsrValues, bsrRowOffsetsType, bsrColIndType, idxBase, valueType},     \
                  [&](Matrix &m) {                                                       \
                    m.blockRows = rowBlockSize;                                          \
                    m.blockCols = colBlockSize;                                          \
                    m.blockOrder = order;                                                \
                  });                                                                    \
  }
HET_BSR_MATRIX(cusparseCreateBsr, cusparseSpMatDescr_t, void *)
HET_BSR_MATRIX(cusparseCreateConstBsr, cusparseConstSpMatDescr_t, const void *)

#define HET_SELL(name, Descr, Place)                                                     \
  HET_CUSPARSE_CREATE_SELL(name, Descr, Place) {                                         \
    if (sliceSize < 1 || sellValuesSize < nnz)                                           \
      return CUSPARSE_STATUS_INVALID_VALUE;                                              \
    return create(spMatDescr,                                                            \
                  {CUSPARSE_FORMAT_SLICED_ELLPACK, rows, cols, nnz, sellSliceOffsets,    \
                   sellColInd, sellValues, sellSliceOffsetsType, sellColIndType,         \
                   idxBase, valueType},                                                  \
                  [&](Matrix &m) {                                                       \
                    m.sliceSize = sliceSize;                                             \
                    m.valuesSize = sellValuesSize;                                       \
                  });                                                                    \
  }
HET_SELL(cusparseCreateSlicedEll, cusparseSpMatDescr_t, void *)
HET_SELL(cusparseCreateConstSlicedEll, cusparseConstSpMatDescr_t, const void *)

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t m) {
  delete m;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t m,
                                        cusparseFormat_t *format) {
  return tell(m, format, &Matrix::format);
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t m,
                                           cusparseIndexBase_t *idxBase) {
  return tell(m, idxBase, &Matrix::base);
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t m, void **values) {
  return tell(m, values, &Matrix::values);
}
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t m,
                                             const void **values) {
  return tell(m, const_cast<void **>(values), &Matrix::values);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t m, void *values) {
  return change(m, values, &Matrix::values);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t m, int64_t *rows,
                                      int64_t *cols, int64_t *nnz) {
  return tell(m, rows, &Matrix::rows, cols, &Matrix::cols, nnz, &Matrix::nnz);
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t m, int *batch) {
  return tell(m, batch, &Matrix::batch);
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t m, int batchCount,
                                            int64_t batchStride) {
  return setBatch(m, CUSPARSE_FORMAT_COO, batchCount, 0, batchStride, batchStride);
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t m, int batchCount,
                                            int64_t offsetsBatchStride,
                                            int64_t columnsValuesBatchStride) {
  return setBatch(m, CUSPARSE_FORMAT_CSR, batchCount, offsetsBatchStride,
                  columnsValuesBatchStride, columnsValuesBatchStride);
}
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t m, int batchCount,
                                            int64_t offsetsBatchStride,
                                            int64_t columnsBatchStride,
                                            int64_t valuesBatchStride) {
  return setBatch(m, CUSPARSE_FORMAT_BSR, batchCount, offsetsBatchStride,
                  columnsBatchStride, valuesBatchStride);
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t m,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t dataSize) {
  if (!m || !data || dataSize != sizeof(int))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    *static_cast<cusparseFillMode_t *>(data) = m->fillMode;
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE)
    *static_cast<cusparseDiagType_t *>(data) = m->diagType;
  else
    return CUSPARSE_STATUS_INVALID_VALUE;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t m,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t dataSize) {
  if (!m || !data || dataSize != sizeof(int))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const int value = *static_cast<const int *>(data);
  if (value != 0 && value != 1)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    m->fillMode = static_cast<cusparseFillMode_t>(value);
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE)
    m->diagType = static_cast<cusparseDiagType_t>(value);
  else
    return CUSPARSE_STATUS_INVALID_VALUE;
  m->isTriangle = true;
  return CUSPARSE_STATUS_SUCCESS;
}
