// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake libcusparse.so.12. It has products of CSR matrices of float and vectors, and
// descriptions of its own.

#include "FakeSupport.h"

#include <cusparse.h>

using namespace fake;

struct cusparseContext {
  cudaStream_t stream = nullptr;
};
struct cusparseSpMatDescr {
  int64_t rows, columns, entries;
  const int *offsets, *indices;
  const float *values;
  void *prepared = nullptr;
};
struct cusparseDnVecDescr {
  float *values;
};
struct cusparseSpGEMMDescr {};

namespace {
cusparseStatus_t noted(std::string call) {
  note(std::move(call));
  return CUSPARSE_STATUS_SUCCESS;
}
} // namespace

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  note("Create");
  if (!hasContext())
    return CUSPARSE_STATUS_INTERNAL_ERROR;
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  delete handle;
  return noted(hasContext() ? "Destroy" : "Destroy without a context");
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return noted(stream ? "SetStream" : "SetStream 0");
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t, cusparsePointerMode_t mode) {
  return noted("SetPointerMode " + std::to_string(mode));
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows,
                                   int64_t columns, int64_t entries, void *offsets,
                                   void *indices, void *values, cusparseIndexType_t,
                                   cusparseIndexType_t, cusparseIndexBase_t,
                                   cudaDataType) {
  *matrix = new cusparseSpMatDescr{rows,
                                   columns,
                                   entries,
                                   static_cast<int *>(offsets),
                                   static_cast<int *>(indices),
                                   static_cast<float *>(values)};
  return noted("CreateCsr " + std::to_string(entries));
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets,
                                        void *indices, void *values) {
  matrix->offsets = static_cast<int *>(offsets);
  matrix->indices = static_cast<int *>(indices);
  matrix->values = static_cast<float *>(values);
  return noted("CsrSetPointers");
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values) {
  matrix->values = static_cast<float *>(values);
  return noted("SpMatSetValues");
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t) {
  return noted("SpMatSetAttribute " + std::to_string(attribute) + " " +
               std::to_string(*static_cast<int *>(data)));
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *columns, int64_t *entries) {
  *rows = matrix->rows;
  *columns = matrix->columns;
  *entries = matrix->entries;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  delete matrix;
  return noted("DestroySpMat");
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t, void *values,
                                     cudaDataType) {
  *vector = new cusparseDnVecDescr{static_cast<float *>(values)};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  delete vector;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t,
                                         const void *, cusparseConstSpMatDescr_t,
                                         cusparseConstDnVecDescr_t, const void *,
                                         cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, size_t *size) {
  *size = 88;
  return noted("SpMV_bufferSize");
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t,
                                         const void *, cusparseConstSpMatDescr_t matrix,
                                         cusparseConstDnVecDescr_t, const void *,
                                         cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, void *buffer) {
  const_cast<cusparseSpMatDescr_t>(matrix)->prepared = buffer;
  return noted("SpMV_preprocess");
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t,
                              const void *alpha, cusparseConstSpMatDescr_t matrix,
                              cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType, cusparseSpMVAlg_t,
                              void *buffer) {
  note(std::string("SpMV") + (buffer && matrix->prepared == buffer ? " prepared" : ""));
  const float scale = *static_cast<const float *>(alpha),
              old = *static_cast<const float *>(beta);
  const auto work = [a = *matrix, x = x->values, y = y->values, scale, old] {
    for (int64_t row = 0; row < a.rows; ++row) {
      float sum = 0;
      for (int k = a.offsets[row]; k < a.offsets[row + 1]; ++k)
        sum += a.values[k] * x[a.indices[k]];
      y[row] = scale * sum + (old != 0 ? old * y[row] : 0);
    }
  };
  return enqueueWork(handle->stream, work) ? CUSPARSE_STATUS_SUCCESS
                                           : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *step) {
  *step = new cusparseSpGEMMDescr;
  return noted("SpGEMM_createDescr");
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t step) {
  delete step;
  return noted("SpGEMM_destroyDescr");
}
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t, cusparseOperation_t,
                                        cusparseOperation_t, const void *,
                                        cusparseConstSpMatDescr_t,
                                        cusparseConstSpMatDescr_t, const void *,
                                        cusparseSpMatDescr_t c, cudaDataType,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t,
                                        size_t *size, void *buffer) {
  *size = 99;
  if (buffer)
    c->entries = 7;
  return noted("SpGEMM_compute");
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t, cusparseOperation_t,
                                     cusparseOperation_t, const void *,
                                     cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                     const void *, cusparseSpMatDescr_t c, cudaDataType,
                                     cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t) {
  return noted("SpGEMM_copy " + std::to_string(c->entries) +
               (c->values ? " into values" : ""));
}
