// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with a type in their names, of indices: sorting, COO and CSR, CSR and CSC.

#include "Legacy.h"

#include <algorithm>

using namespace het::sparse;

cusparseStatus_t het::sparse::deliver(cusparseHandle_t handle, const Index *from,
                                      int *to) {
  if (handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE)
    return convert(convertIndices(wide(from), narrow(to), 0, 1, handle->stream));
  Index number = 0;
  const cudaError_t error = fetch(from, number, handle->stream);
  if (error == cudaSuccess)
    *to = static_cast<int>(number);
  return convert(error);
}

cusparseStatus_t het::sparse::deliverOffsets(cusparseHandle_t handle, Memory &memory,
                                             Index *counts, Index rows, int base,
                                             int *offsets, int *total) {
  cudaError_t error = sumUp(memory, counts, rows, handle->stream);
  if (error == cudaSuccess)
    error = convertIndices(wide(counts), narrow(offsets), base, rows + 1, handle->stream);
  if (error != cudaSuccess)
    return convert(error);
  return total ? deliver(handle, counts + rows, total) : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n,
                                                   int *p) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (n < 0 || (n && !p))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return convert(fillOrder(narrow(p), 0, n, handle->stream));
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd, int nnz,
                                  int m, int *csrRowPtr, cusparseIndexBase_t idxBase) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (nnz < 0 || m < 0 || !csrRowPtr || (nnz && !cooRowInd) || !isBase(idxBase))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return convert(findOffsets(narrow(cooRowInd), idxBase, nnz, narrow(csrRowPtr), m,
                             idxBase, handle->stream));
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csrRowPtr, int nnz,
                                  int m, int *cooRowInd, cusparseIndexBase_t idxBase) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (nnz < 0 || m < 0 || (m && !csrRowPtr) || (nnz && !cooRowInd) || !isBase(idxBase))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return convert(
      findRows(narrow(csrRowPtr), m, idxBase, narrow(cooRowInd), handle->stream));
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(HET_CUSPARSE_CSR2CSC, size_t *bufferSize) {
  if (m < 0 || n < 0 || nnz < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return tellSize(handle, bufferSize);
}
cusparseStatus_t cusparseCsr2cscEx2(HET_CUSPARSE_CSR2CSC, void *) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  const bool numeric = copyValues == CUSPARSE_ACTION_NUMERIC;
  if (m < 0 || n < 0 || nnz < 0 || !isBase(idxBase) || !cscColPtr || !csrRowPtr ||
      (nnz && (!csrColInd || !cscRowInd || (numeric && (!csrVal || !cscVal)))) ||
      alg < CUSPARSE_CSR2CSC_ALG1 || alg > CUSPARSE_CSR2CSC_ALG2)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const size_t bytes = sizeOf(valType);
  if (numeric && !bytes)
    return refuse(__func__, "this type");
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  Sparse a = sparseOf<char>(m, n, nnz, nullptr, nullptr, csrRowPtr, csrColInd);
  a.base = idxBase;
  cudaError_t error = transpose(memory, a, stream);
  if (error == cudaSuccess)
    error = convertIndices(a.offsets, narrow(cscColPtr), idxBase, n + 1, stream);
  if (error == cudaSuccess)
    error = convertIndices(a.indices, narrow(cscRowInd), idxBase, nnz, stream);
  if (error == cudaSuccess && numeric)
    error =
        permuteValues(csrVal, a.places, cscVal, static_cast<Index>(bytes), nnz, stream);
  return convert(error);
}

namespace {

/// Sorts pairs by `first`, and those with the same by `second`; `p` is sorted with them.
/// Indices are less than `limit`, whatever they begin with.
cusparseStatus_t sortPairs(cusparseHandle_t handle, int nnz, Index limit, int *first,
                           int *second, int *p, bool keepsFirst = false) {
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  Index *keys = memory.get<Index>(nnz), *minor = memory.get<Index>(nnz),
        *major = memory.get<Index>(nnz);
  int *copy = memory.get<int>(nnz);
  cudaError_t error = memory.status();
  // Sorted by the second, then, as sorting is stable, by the first.
  if (error == cudaSuccess)
    error = convertIndices(narrow(second), wide(keys), 0, nnz, stream);
  if (error == cudaSuccess)
    error = sortKeys(memory, keys, minor, nnz, limit, stream);
  if (error == cudaSuccess)
    error = permute(narrow(first), minor, wide(keys), 0, nnz, stream);
  if (error == cudaSuccess)
    error = sortKeys(memory, keys, major, nnz, limit, stream);
  if (error == cudaSuccess)
    error = permute(wide(minor), major, wide(keys), 0, nnz, stream);
  for (int *list : {first, second, p}) {
    if (!list || (list == first && keepsFirst) || error != cudaSuccess)
      continue;
    error = permute(narrow(list), keys, narrow(copy), 0, nnz, stream);
    if (error == cudaSuccess)
      error = convertIndices(narrow(copy), narrow(list), 0, nnz, stream);
  }
  return convert(error);
}

cusparseStatus_t sortTriplets(cusparseHandle_t handle, int m, int n, int nnz, int *first,
                              int *second, int *p) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || nnz < 0 || (nnz && (!first || !second)))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return sortPairs(handle, nnz, Index(std::max(m, n)) + 1, first, second, p);
}

/// Sorts the indices of each row.
cusparseStatus_t sortRows(cusparseHandle_t handle, int rows, int columns, int nnz,
                          const cusparseMatDescr *descr, const int *offsets, int *indices,
                          int *p) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (rows < 0 || columns < 0 || nnz < 0 || !descr || (rows && !offsets) ||
      (nnz && !indices))
    return CUSPARSE_STATUS_INVALID_VALUE;
  Memory memory(handle->stream);
  int *list = memory.get<int>(nnz);
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = findRows(narrow(offsets), rows, descr->base, narrow(list), handle->stream);
  return error != cudaSuccess ? convert(error)
                              : sortPairs(handle, nnz, Index(std::max(rows, columns)) + 1,
                                          list, indices, p, true);
}

} // namespace

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int, int, int,
                                                const int *, const int *,
                                                size_t *pBufferSizeInBytes) {
  return tellSize(handle, pBufferSizeInBytes);
}
HET_CUSPARSE_COOSORT(cusparseXcoosortByRow) {
  return sortTriplets(handle, m, n, nnz, cooRowsA, cooColsA, P);
}
HET_CUSPARSE_COOSORT(cusparseXcoosortByColumn) {
  return sortTriplets(handle, m, n, nnz, cooColsA, cooRowsA, P);
}
HET_CUSPARSE_SORT_SIZE(cusparseXcsrsort_bufferSizeExt) {
  return tellSize(handle, pBufferSizeInBytes);
}
HET_CUSPARSE_SORT(cusparseXcsrsort) {
  return sortRows(handle, m, n, nnz, descrA, offsets, indices, P);
}
HET_CUSPARSE_SORT_SIZE(cusparseXcscsort_bufferSizeExt) {
  return tellSize(handle, pBufferSizeInBytes);
}
HET_CUSPARSE_SORT(cusparseXcscsort) {
  return sortRows(handle, n, m, nnz, descrA, offsets, indices, P);
}
