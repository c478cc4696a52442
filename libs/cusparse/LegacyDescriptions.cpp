// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions that the functions with a type in their names take.

#include "Library.h"

namespace {

template <class Value>
cusparseStatus_t set(cusparseMatDescr_t descr, Value value,
                     Value cusparseMatDescr::*member, Value greatest) {
  if (!descr || value < Value(0) || value > greatest)
    return CUSPARSE_STATUS_INVALID_VALUE;
  descr->*member = value;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descrA) {
  if (!descrA)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *descrA = new (std::nothrow) cusparseMatDescr;
  return *descrA ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descrA) {
  delete descrA;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descrA,
                                    cusparseMatrixType_t type) {
  return set(descrA, type, &cusparseMatDescr::type, CUSPARSE_MATRIX_TYPE_TRIANGULAR);
}
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descrA) {
  return descrA ? descrA->type : CUSPARSE_MATRIX_TYPE_GENERAL;
}
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descrA,
                                        cusparseFillMode_t fillMode) {
  return set(descrA, fillMode, &cusparseMatDescr::fillMode, CUSPARSE_FILL_MODE_UPPER);
}
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descrA) {
  return descrA ? descrA->fillMode : CUSPARSE_FILL_MODE_LOWER;
}
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descrA,
                                        cusparseDiagType_t diagType) {
  return set(descrA, diagType, &cusparseMatDescr::diagType, CUSPARSE_DIAG_TYPE_UNIT);
}
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descrA) {
  return descrA ? descrA->diagType : CUSPARSE_DIAG_TYPE_NON_UNIT;
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descrA,
                                         cusparseIndexBase_t base) {
  return set(descrA, base, &cusparseMatDescr::base, CUSPARSE_INDEX_BASE_ONE);
}
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descrA) {
  return descrA ? descrA->base : CUSPARSE_INDEX_BASE_ZERO;
}
