// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between dense and sparse matrices.

#include "Vendor.h"

#include <utility>

using namespace het::sparse;

namespace {

cusparseStatus_t check(cusparseHandle_t handle, const cusparseSpMatDescr *sparse,
                       const cusparseDnMatDescr *dense) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!sparse || !dense)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const Sparse a = sparseOf(*sparse);
  const bool swapped = isStoredTransposed(*sparse);
  if ((swapped ? a.columns : a.rows) != dense->rows ||
      (swapped ? a.rows : a.columns) != dense->cols)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return sparse->type == dense->type ? CUSPARSE_STATUS_SUCCESS
                                     : refuse("cusparseSparseToDense", "different types");
}

/// As the sparse matrix is stored.
Dense turned(const cusparseDnMatDescr &dense, const cusparseSpMatDescr &sparse) {
  Dense result = denseOf(dense);
  if (isStoredTransposed(sparse))
    std::swap(result.rowStep, result.columnStep);
  return result;
}

bool hasOffsets(const cusparseSpMatDescr &m) {
  return m.format == CUSPARSE_FORMAT_CSR || m.format == CUSPARSE_FORMAT_CSC;
}
bool isFound(const cusparseSpMatDescr &m) {
  return hasOffsets(m) || m.format == CUSPARSE_FORMAT_COO;
}

/// Counts the elements of rows, as offsets with the sum behind them.
template <class T>
cudaError_t findRowOffsets(Memory &memory, const Sparse &b, const Dense &a,
                           Index *offsets, Index *total, cudaStream_t stream) {
  const cudaError_t error =
      countDense<T>(b.rows, b.columns, a, constant(T(0)), offsets, stream);
  if (error != cudaSuccess)
    return error;
  return total ? sumUp(memory, offsets, b.rows, *total, stream)
               : sumUp(memory, offsets, b.rows, stream);
}

template <class T>
cusparseStatus_t analyseAs(cusparseHandle_t handle, const Dense &a,
                           cusparseSpMatDescr &m) {
  const cudaStream_t stream = handle->stream;
  const Sparse b = sparseOf(m);
  Memory memory(stream);
  Index *offsets = memory.get<Index>(b.rows + 1);
  Index total = 0;
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = findRowOffsets<T>(memory, b, a, offsets, &total, stream);
  if (error == cudaSuccess && hasOffsets(m))
    error = convertIndices(wide(offsets), b.offsets, b.base, b.rows + 1, stream);
  if (error == cudaSuccess)
    m.nnz = total;
  return convert(error);
}

template <class T>
cusparseStatus_t convertAs(cusparseHandle_t handle, const Dense &a,
                           const cusparseSpMatDescr &m) {
  const cudaStream_t stream = handle->stream;
  Sparse b = sparseOf(m);
  if (!isFound(m))
    return convert(readPattern<T>(a, b, stream));
  Memory memory(stream);
  cudaError_t error = cudaSuccess;
  if (!hasOffsets(m)) { // they were not kept
    Index *offsets = memory.get<Index>(b.rows + 1);
    error = memory.status();
    if (error == cudaSuccess)
      error = findRowOffsets<T>(memory, b, a, offsets, nullptr, stream);
    if (error == cudaSuccess && b.base)
      error = convertIndices(wide(offsets), wide(offsets), b.base, b.rows + 1, stream);
    b.offsets = wide(offsets);
  }
  if (error == cudaSuccess)
    error = fillFromDense<T>(b.columns, a, constant(T(0)), b, stream);
  return convert(error);
}

} // namespace

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB,
                                                  cusparseSparseToDenseAlg_t alg,
                                                  size_t *bufferSize) {
  HET_VENDOR(cusparseSparseToDense_bufferSize, theirs(matA), theirs(matB), alg,
             bufferSize);
  const cusparseStatus_t status = check(handle, matA, matB);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (!bufferSize)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *bufferSize = smallBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle,
                                       cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB,
                                       cusparseSparseToDenseAlg_t alg,
                                       void *externalBuffer) {
  HET_VENDOR(cusparseSparseToDense, theirs(matA), theirs(matB), alg, externalBuffer);
  const cusparseStatus_t status = check(handle, matA, matB);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (alg != CUSPARSE_SPARSETODENSE_ALG_DEFAULT)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return withType(computeTypeOf(matA->type), [&](auto zero) {
    return convert(
        toDense<decltype(zero)>(sparseOf(*matA), turned(*matB, *matA), handle->stream));
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB,
                                                  cusparseDenseToSparseAlg_t alg,
                                                  size_t *bufferSize) {
  HET_VENDOR(cusparseDenseToSparse_bufferSize, theirs(matA), theirs(matB), alg,
             bufferSize);
  const cusparseStatus_t status = check(handle, matB, matA);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (!bufferSize)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *bufferSize = smallBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB,
                                                cusparseDenseToSparseAlg_t alg,
                                                void *externalBuffer) {
  HET_VENDOR_THEN(VendorCall::readSize(matB), cusparseDenseToSparse_analysis,
                  theirs(matA), theirs(matB), alg, externalBuffer);
  const cusparseStatus_t status = check(handle, matB, matA);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (alg != CUSPARSE_DENSETOSPARSE_ALG_DEFAULT || (hasOffsets(*matB) && !matB->offsets))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!isFound(*matB)) // the program has said where elements are
    return CUSPARSE_STATUS_SUCCESS;
  return withType(computeTypeOf(matA->type), [&](auto zero) {
    return analyseAs<decltype(zero)>(handle, turned(*matA, *matB), *matB);
  });
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB,
                                               cusparseDenseToSparseAlg_t alg,
                                               void *externalBuffer) {
  HET_VENDOR(cusparseDenseToSparse_convert, theirs(matA), theirs(matB), alg,
             externalBuffer);
  const cusparseStatus_t status = check(handle, matB, matA);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (alg != CUSPARSE_DENSETOSPARSE_ALG_DEFAULT)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return withType(computeTypeOf(matA->type), [&](auto zero) {
    return convertAs<decltype(zero)>(handle, turned(*matA, *matB), *matB);
  });
}
