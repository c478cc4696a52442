// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solutions for triangles: SpSV and SpSM. The analysis finds in which order rows are
// solved; a matrix that is transposed is turned then, by its structure alone.

#include "Levels.h"
#include "Vendor.h"

using namespace het::sparse;

namespace {

/// What the analysis keeps.
struct Analysis {
  LevelPlan plan;
  Sparse a; ///< As rows are gone through; its values are those of a later call.
  bool lower = true, unit = false;
  Kept structure; ///< Of a matrix that was turned.
  Kept newValues; ///< In place of the matrix's, if `hasNewValues`.
  bool hasNewValues = false;
  VendorDescription vendors;
};

} // namespace

struct cusparseSpSVDescr : Analysis {};
struct cusparseSpSMDescr : Analysis {};

namespace {

bool isLower(const cusparseSpMatDescr &a, cusparseOperation_t operation) {
  return (a.fillMode == CUSPARSE_FILL_MODE_LOWER) ==
         (operation == CUSPARSE_OPERATION_NON_TRANSPOSE);
}

/// Keeps the structure of a matrix that `memory` has.
cudaError_t keep(Analysis &analysis, Sparse &a, cudaStream_t stream) {
  const Index offsets = a.rows + 1, all = offsets + 2 * a.entries;
  cudaError_t error = analysis.structure.reserve(all);
  Index *to = analysis.structure.get();
  const auto copy = [&](const void *from, Index count) {
    if (error == cudaSuccess && count)
      error = cudaMemcpyAsync(to, from, static_cast<size_t>(count) * sizeof(Index),
                              cudaMemcpyDeviceToDevice, stream);
    Index *const place = to;
    to += count;
    return place;
  };
  if (error != cudaSuccess)
    return error;
  a.offsets = wide(copy(a.offsets.base, offsets));
  a.indices = wide(copy(a.indices.base, a.entries));
  a.places = copy(a.places, a.entries);
  return error;
}

cudaError_t analyse(Analysis &analysis, const cusparseSpMatDescr &matrix,
                    cusparseOperation_t operation, cudaStream_t stream) {
  Memory memory(stream);
  cudaError_t error = orient(memory, matrix, operation, analysis.a, stream);
  if (error == cudaSuccess && analysis.a.places)
    error = keep(analysis, analysis.a, stream);
  analysis.lower = isLower(matrix, operation);
  analysis.unit = matrix.diagType == CUSPARSE_DIAG_TYPE_UNIT;
  analysis.hasNewValues = false;
  if (error == cudaSuccess)
    error = analysis.plan.find({analysis.a, analysis.lower, analysis.unit}, stream);
  return error;
}

template <class T>
cusparseStatus_t solveAs(cusparseHandle_t handle, const Analysis &analysis,
                         const cusparseSpMatDescr &matrix, const void *alpha,
                         const Dense &b, const Dense &x, Index columns) {
  Solve<T> s;
  s.triangle = {analysis.a, analysis.lower, analysis.unit};
  s.triangle.a.values = {analysis.hasNewValues ? analysis.newValues.get() : matrix.values,
                         matrix.type};
  s.columns = columns;
  s.alpha = scalarOf<T>(handle, alpha);
  s.b = b;
  s.x = x;
  return convert(
      analysis.plan.run(columns, [&](Levels levels, Index first, Index last, Index rows) {
        s.levels = levels;
        s.first = first;
        s.last = last;
        s.rows = rows;
        return solve(s, handle->stream);
      }));
}

cusparseStatus_t checkMatrix(const char *function, cusparseConstSpMatDescr_t a,
                             cudaDataType compute) {
  switch (a->format) {
  case CUSPARSE_FORMAT_CSR:
  case CUSPARSE_FORMAT_CSC:
  case CUSPARSE_FORMAT_COO:
  case CUSPARSE_FORMAT_SLICED_ELLPACK:
    break;
  default:
    return refuse(function, "formats other than CSR, CSC, COO and Sliced ELL");
  }
  if (a->rows != a->cols)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return a->type == compute ? CUSPARSE_STATUS_SUCCESS
                            : refuse(function, "this combination of types");
}

cusparseStatus_t checkVector(HET_CUSPARSE_SPSV) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isOperation(opA) || !alpha || !matA || !vecX || !vecY || !spsvDescr ||
      alg != CUSPARSE_SPSV_ALG_DEFAULT || vecX->size != matA->rows ||
      vecY->size != matA->rows)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (vecX->type != computeType || vecY->type != computeType)
    return refuse("cusparseSpSV", "this combination of types");
  return checkMatrix("cusparseSpSV", matA, computeType);
}

cusparseStatus_t checkMatrices(HET_CUSPARSE_SPSM) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isOperation(opA) || !isOperation(opB) || !alpha || !matA || !matB || !matC ||
      !spsmDescr || alg != CUSPARSE_SPSM_ALG_DEFAULT)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const bool plain = opB == CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (matC->rows != matA->rows || (plain ? matB->rows : matB->cols) != matA->rows ||
      (plain ? matB->cols : matB->rows) != matC->cols)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (matB->type != computeType || matC->type != computeType)
    return refuse("cusparseSpSM", "this combination of types");
  return checkMatrix("cusparseSpSM", matA, computeType);
}

cusparseStatus_t sizeAfter(cusparseStatus_t status, size_t *bufferSize) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (!bufferSize)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *bufferSize = smallBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Descr> cusparseStatus_t create(Descr **descr) {
  if (!descr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *descr = new (std::nothrow) Descr;
  return *descr ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

/// New values are copied, as the program may change its own afterwards.
cusparseStatus_t update(const char *function, cusparseHandle_t handle, Analysis *analysis,
                        void *newValues, bool general) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!analysis || !newValues || !analysis->plan.isFound())
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!general)
    return refuse(function, "an update of the diagonal alone");
  const size_t bytes =
      static_cast<size_t>(analysis->a.entries) * sizeOf(analysis->a.values.type);
  cudaError_t error = analysis->newValues.reserve(
      static_cast<Index>((bytes + sizeof(Index) - 1) / sizeof(Index)));
  if (error == cudaSuccess && bytes)
    error = cudaMemcpyAsync(analysis->newValues.get(), newValues, bytes,
                            cudaMemcpyDeviceToDevice, handle->stream);
  analysis->hasNewValues = error == cudaSuccess;
  return convert(error);
}

} // namespace

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr) {
  return create(descr);
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}
#define HET_SPSV_VENDORS                                                                 \
  opA, alpha, theirs(matA), theirs(vecX), theirs(vecY), computeType, alg,                \
      theirs(spsvDescr, "cusparseSpSV_createDescr", "cusparseSpSV_destroyDescr")
#define HET_SPSV_ARGUMENTS                                                               \
  handle, opA, alpha, matA, vecX, vecY, computeType, alg, spsvDescr
cusparseStatus_t cusparseSpSV_bufferSize(HET_CUSPARSE_SPSV, size_t *bufferSize) {
  HET_VENDOR(cusparseSpSV_bufferSize, HET_SPSV_VENDORS, bufferSize);
  return sizeAfter(checkVector(HET_SPSV_ARGUMENTS), bufferSize);
}
cusparseStatus_t cusparseSpSV_analysis(HET_CUSPARSE_SPSV, void *externalBuffer) {
  HET_VENDOR(cusparseSpSV_analysis, HET_SPSV_VENDORS, externalBuffer);
  const cusparseStatus_t status = checkVector(HET_SPSV_ARGUMENTS);
  return status != CUSPARSE_STATUS_SUCCESS
             ? status
             : convert(analyse(*spsvDescr, *matA, opA, handle->stream));
}
cusparseStatus_t cusparseSpSV_solve(HET_CUSPARSE_SPSV) {
  HET_VENDOR(cusparseSpSV_solve, HET_SPSV_VENDORS);
  const cusparseStatus_t status = checkVector(HET_SPSV_ARGUMENTS);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (!spsvDescr->plan.isFound())
    return CUSPARSE_STATUS_INVALID_VALUE;
  return withType(computeType, [&](auto zero) {
    return solveAs<decltype(zero)>(handle, *spsvDescr, *matA, alpha, denseOf(*vecX),
                                   denseOf(*vecY), 1);
  });
}
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle,
                                           cusparseSpSVDescr_t spsvDescr, void *newValues,
                                           cusparseSpSVUpdate_t updatePart) {
  HET_VENDOR(cusparseSpSV_updateMatrix,
             theirs(spsvDescr, "cusparseSpSV_createDescr", "cusparseSpSV_destroyDescr"),
             newValues, updatePart);
  return update(__func__, handle, spsvDescr, newValues,
                updatePart == CUSPARSE_SPSV_UPDATE_GENERAL);
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr) {
  return create(descr);
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}
#define HET_SPSM_VENDORS                                                                 \
  opA, opB, alpha, theirs(matA), theirs(matB), theirs(matC), computeType, alg,           \
      theirs(spsmDescr, "cusparseSpSM_createDescr", "cusparseSpSM_destroyDescr")
#define HET_SPSM_ARGUMENTS                                                               \
  handle, opA, opB, alpha, matA, matB, matC, computeType, alg, spsmDescr
cusparseStatus_t cusparseSpSM_bufferSize(HET_CUSPARSE_SPSM, size_t *bufferSize) {
  HET_VENDOR(cusparseSpSM_bufferSize, HET_SPSM_VENDORS, bufferSize);
  return sizeAfter(checkMatrices(HET_SPSM_ARGUMENTS), bufferSize);
}
cusparseStatus_t cusparseSpSM_analysis(HET_CUSPARSE_SPSM, void *externalBuffer) {
  HET_VENDOR(cusparseSpSM_analysis, HET_SPSM_VENDORS, externalBuffer);
  const cusparseStatus_t status = checkMatrices(HET_SPSM_ARGUMENTS);
  return status != CUSPARSE_STATUS_SUCCESS
             ? status
             : convert(analyse(*spsmDescr, *matA, opA, handle->stream));
}
cusparseStatus_t cusparseSpSM_solve(HET_CUSPARSE_SPSM) {
  HET_VENDOR(cusparseSpSM_solve, HET_SPSM_VENDORS);
  const cusparseStatus_t status = checkMatrices(HET_SPSM_ARGUMENTS);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (!spsmDescr->plan.isFound())
    return CUSPARSE_STATUS_INVALID_VALUE;
  return withType(computeType, [&](auto zero) {
    Dense b = denseOf(*matB);
    apply(opB, b);
    return solveAs<decltype(zero)>(handle, *spsmDescr, *matA, alpha, b, denseOf(*matC),
                                   matC->cols);
  });
}
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle,
                                           cusparseSpSMDescr_t spsmDescr, void *newValues,
                                           cusparseSpSMUpdate_t updatePart) {
  HET_VENDOR(cusparseSpSM_updateMatrix,
             theirs(spsmDescr, "cusparseSpSM_createDescr", "cusparseSpSM_destroyDescr"),
             newValues, updatePart);
  return update(__func__, handle, spsmDescr, newValues,
                updatePart == CUSPARSE_SPSM_UPDATE_GENERAL);
}
