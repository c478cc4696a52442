// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with a type in their names: sums of matrices, matrices without small
// elements, and between CSR and matrices of blocks.

#include "Legacy.h"

#include <utility>

using namespace het::sparse;

namespace {

template <class T> const Kernel<T> *plain(const T *place) {
  return reinterpret_cast<const Kernel<T> *>(place);
}

/// A call that counts: `count(counts)` for each row, then their offsets.
template <class Count>
cusparseStatus_t countRows(cusparseHandle_t handle, Index rows, int base, int *offsets,
                           int *total, const Count &count) {
  Memory memory(handle->stream);
  Index *counts = memory.get<Index>(rows + 1);
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = count(counts);
  return error != cudaSuccess
             ? convert(error)
             : deliverOffsets(handle, memory, counts, rows, base, offsets, total);
}

/// Sizes, and whether nothing is missing.
cusparseStatus_t check(cusparseHandle_t handle, bool valid) {
  return !handle  ? CUSPARSE_STATUS_NOT_INITIALIZED
         : !valid ? CUSPARSE_STATUS_INVALID_VALUE
                  : CUSPARSE_STATUS_SUCCESS;
}

template <class T>
cusparseStatus_t countElements(cusparseHandle_t handle, cusparseDirection_t direction,
                               int m, int n, const cusparseMatDescr *descr, const T *a,
                               int lda, int *each, int *total) {
  const cusparseStatus_t status =
      check(handle, isDirection(direction) && m >= 0 && n >= 0 && descr &&
                        lda >= (m > 1 ? m : 1) && each && total && (a || !m || !n));
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  const bool byRows = direction == CUSPARSE_DIRECTION_ROW;
  const Index rows = byRows ? m : n, columns = byRows ? n : m;
  Dense matrix = denseOf(a, lda);
  if (!byRows)
    std::swap(matrix.rowStep, matrix.columnStep);
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  Index *counts = memory.get<Index>(rows + 1);
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = countDense(rows, columns, matrix, constant(Kernel<T>(0)), counts, stream);
  if (error == cudaSuccess)
    error = convertIndices(wide(counts), narrow(each), 0, rows, stream);
  if (error == cudaSuccess)
    error = sumUp(memory, counts, rows, stream);
  return error != cudaSuccess ? convert(error) : deliver(handle, counts + rows, total);
}

template <class T> struct Compression {
  cusparseHandle_t handle;
  Sparse a;
  T tolerance;
};
/// Counts the elements of a larger magnitude than the tolerance.
template <class T>
cusparseStatus_t countLarge(const Compression<T> &call, int *each, int *total) {
  const cudaStream_t stream = call.handle->stream;
  Memory memory(stream);
  Index *counts = memory.get<Index>(call.a.rows + 1);
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = countLarger<T>(call.a, constant(call.tolerance), counts, stream);
  if (error == cudaSuccess)
    error = convertIndices(wide(counts), narrow(each), 0, call.a.rows, stream);
  if (error == cudaSuccess)
    error = sumUp(memory, counts, call.a.rows, stream);
  return error != cudaSuccess ? convert(error)
                              : deliver(call.handle, counts + call.a.rows, total);
}
template <class T>
cusparseStatus_t compress(const Compression<T> &call, const int *each, void *values,
                          int *indices, int *offsets) {
  const cudaStream_t stream = call.handle->stream;
  const Index rows = call.a.rows;
  Sparse c = call.a;
  c.offsets = narrow(offsets);
  c.indices = narrow(indices);
  c.values.base = values;
  const cusparseStatus_t status =
      countRows(call.handle, rows, c.base, offsets, nullptr, [&](Index *counts) {
        return convertIndices(narrow(each), wide(counts), 0, rows, stream);
      });
  return status != CUSPARSE_STATUS_SUCCESS
             ? status
             : convert(copyLarger<T>(call.a, constant(call.tolerance), c, stream));
}

Index blocksIn(Index size, Index block) { return (size + block - 1) / block; }

/// Where blocks of C begin, and which columns they have, where `columns` is not null.
cusparseStatus_t findBlockStructure(cusparseHandle_t handle, const Sparse &a,
                                    Index blockRows, Index blockColumns, int base,
                                    int *offsets, int *columns, int *total) {
  const cudaStream_t stream = handle->stream;
  const Index rows = blocksIn(a.rows, blockRows);
  Memory memory(stream);
  Index entries = 0; // as many as A's last offset says
  Index *last = memory.get<Index>(1), *counts = memory.get<Index>(rows + 1),
        *starts = memory.get<Index>(rows + 1);
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = convertIndices({static_cast<int *>(a.offsets.base) + a.rows, false},
                           wide(last), -a.base, 1, stream);
  if (error == cudaSuccess)
    error = fetch(last, entries, stream);
  Index *room = memory.get<Index>(entries);
  if (error == cudaSuccess)
    error = memory.status();
  if (error == cudaSuccess)
    error = findBlocks(a, blockRows, blockColumns, rows, room, counts, starts, stream);
  if (error == cudaSuccess)
    error = sumUp(memory, counts, rows, stream);
  if (error == cudaSuccess)
    error = convertIndices(wide(counts), narrow(offsets), base, rows + 1, stream);
  if (error == cudaSuccess && columns)
    error = compact(rows, starts, room, counts, narrow(columns), base, stream);
  if (error != cudaSuccess)
    return convert(error);
  return total ? deliver(handle, counts + rows, total) : CUSPARSE_STATUS_SUCCESS;
}

template <class T>
cusparseStatus_t toBlocks(cusparseHandle_t handle, cusparseDirection_t direction, int m,
                          int n, const Sparse &a, int blockRows, int blockColumns,
                          const cusparseMatDescr *descrC, T *values, int *offsets,
                          int *columns) {
  const cusparseStatus_t status = findBlockStructure(
      handle, a, blockRows, blockColumns, descrC->base, offsets, columns, nullptr);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  const Index rows = blocksIn(m, blockRows);
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  Index *last = memory.get<Index>(1);
  Index blocks = 0;
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = convertIndices(narrow(offsets + rows), wide(last), -descrC->base, 1, stream);
  if (error == cudaSuccess)
    error = fetch(last, blocks, stream);
  const Index count = blocks * blockRows * blockColumns;
  if (error == cudaSuccess && count)
    error = cudaMemsetAsync(values, 0, static_cast<size_t>(count) * sizeof(T), stream);
  if (error == cudaSuccess)
    error = putElements<Kernel<T>>(a,
                                   blocksOf(direction, rows, blocksIn(n, blockColumns),
                                            blocks, descrC, values, offsets, columns,
                                            blockRows, blockColumns),
                                   stream);
  return convert(error);
}

/// All elements of the blocks, zeros too.
template <class T>
cusparseStatus_t fromBlocks(cusparseHandle_t handle, const Sparse &a,
                            const cusparseMatDescr *descrC, T *values, int *offsets,
                            int *columns) {
  Sparse c = sparseOf<T>(a.rows, a.columns, 0, descrC, values, offsets, columns);
  return convert(spread<Kernel<T>>(a, c, handle->stream));
}

} // namespace

HET_CUSPARSE(cusparseXcsrgeam2Nnz)
(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, int nnzA,
 const int *csrRowPtrA, const int *csrColIndA, const cusparseMatDescr_t descrB, int nnzB,
 const int *csrRowPtrB, const int *csrColIndB, const cusparseMatDescr_t descrC,
 int *csrRowPtrC, int *nnzTotalDevHostPtr, void *) {
  const cusparseStatus_t status =
      check(handle, m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && descrA && descrB &&
                        descrC && csrRowPtrC && nnzTotalDevHostPtr);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  return countRows(
      handle, m, descrC->base, csrRowPtrC, nnzTotalDevHostPtr, [&](Index *counts) {
        return countSum(
            sparseOf<float>(m, n, nnzA, descrA, nullptr, csrRowPtrA, csrColIndA),
            sparseOf<float>(m, n, nnzB, descrB, nullptr, csrRowPtrB, csrColIndB), counts,
            handle->stream);
      });
}

HET_CUSPARSE(cusparseXcsr2bsrNnz)
(cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
 const cusparseMatDescr_t descrA, const int *csrRowPtrA, const int *csrColIndA,
 int blockDim, const cusparseMatDescr_t descrC, int *bsrRowPtrC,
 int *nnzTotalDevHostPtr) {
  return cusparseXcsr2gebsrNnz(handle, dirA, m, n, descrA, csrRowPtrA, csrColIndA, descrC,
                               bsrRowPtrC, blockDim, blockDim, nnzTotalDevHostPtr,
                               nullptr);
}
HET_CUSPARSE(cusparseXcsr2gebsrNnz)
(cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
 const cusparseMatDescr_t descrA, const int *csrRowPtrA, const int *csrColIndA,
 const cusparseMatDescr_t descrC, int *bsrRowPtrC, int rowBlockDim, int colBlockDim,
 int *nnzTotalDevHostPtr, void *) {
  const cusparseStatus_t status =
      check(handle, isDirection(dirA) && m >= 0 && n >= 0 && descrA && descrC &&
                        rowBlockDim > 0 && colBlockDim > 0 && csrRowPtrA && bsrRowPtrC &&
                        nnzTotalDevHostPtr);
  return status != CUSPARSE_STATUS_SUCCESS
             ? status
             : findBlockStructure(
                   handle,
                   sparseOf<float>(m, n, 0, descrA, nullptr, csrRowPtrA, csrColIndA),
                   rowBlockDim, colBlockDim, descrC->base, bsrRowPtrC, nullptr,
                   nnzTotalDevHostPtr);
}

#define HET_CONVERSIONS(begin, T)                                                        \
  HET_CUSPARSE_NNZ(begin##nnz, T) {                                                      \
    return countElements(handle, dirA, m, n, descrA, A, lda, nnzPerRowCol,               \
                         nnzTotalDevHostPtr);                                            \
  }                                                                                      \
  HET_CUSPARSE_NNZ_COMPRESS(begin##nnz_compress, T) {                                    \
    const cusparseStatus_t status =                                                      \
        check(handle, m >= 0 && descr && csrRowPtrA && nnzPerRow && nnzC);               \
    return status != CUSPARSE_STATUS_SUCCESS                                             \
               ? status                                                                  \
               : countLarge<Kernel<T>>(                                                  \
                     {handle, sparseOf(m, 0, 0, descr, csrValA, csrRowPtrA, nullptr),    \
                      *plain(&tol)},                                                     \
                     nnzPerRow, nnzC);                                                   \
  }                                                                                      \
  HET_CUSPARSE_CSR_COMPRESS(begin##csr2csr_compress, T) {                                \
    const cusparseStatus_t status =                                                      \
        check(handle, m >= 0 && n >= 0 && nnzA >= 0 && descrA && csrRowPtrA &&           \
                          nnzPerRow && csrRowPtrC);                                      \
    return status != CUSPARSE_STATUS_SUCCESS                                             \
               ? status                                                                  \
               : compress<Kernel<T>>(                                                    \
                     {handle,                                                            \
                      sparseOf(m, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA),     \
                      *plain(&tol)},                                                     \
                     nnzPerRow, csrValC, csrColIndC, csrRowPtrC);                        \
  }                                                                                      \
  HET_CUSPARSE_CSRGEAM_SIZE(begin##csrgeam2_bufferSizeExt, T) {                          \
    const cusparseStatus_t status =                                                      \
        check(handle,                                                                    \
              m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && descrA && descrB && descrC); \
    return status != CUSPARSE_STATUS_SUCCESS ? status                                    \
                                             : tellSize(handle, pBufferSizeInBytes);     \
  }                                                                                      \
  HET_CUSPARSE_CSRGEAM(begin##csrgeam2, T) {                                             \
    const cusparseStatus_t status =                                                      \
        check(handle, m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && descrA && descrB &&  \
                          descrC && alpha && beta && csrRowPtrC);                        \
    if (status != CUSPARSE_STATUS_SUCCESS)                                               \
      return status;                                                                     \
    SparseProduct<Kernel<T>> sum;                                                        \
    sum.a = sparseOf(m, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA);               \
    sum.b = sparseOf(m, n, nnzB, descrB, csrValB, csrRowPtrB, csrColIndB);               \
    sum.c = sparseOf<T>(m, n, 0, descrC, csrValC, csrRowPtrC, csrColIndC);               \
    sum.alpha = scalarOf<Kernel<T>>(handle, alpha);                                      \
    sum.beta = scalarOf<Kernel<T>>(handle, beta);                                        \
    return convert(addSparse(sum, handle->stream));                                      \
  }                                                                                      \
  HET_CUSPARSE_CSR2BSR(begin##csr2bsr, T) {                                              \
    return begin##csr2gebsr(handle, dirA, m, n, descrA, csrValA, csrRowPtrA, csrColIndA, \
                            descrC, bsrValC, bsrRowPtrC, bsrColIndC, blockDim, blockDim, \
                            nullptr);                                                    \
  }                                                                                      \
  HET_CUSPARSE_CSR2GEBSR_SIZE(begin##csr2gebsr_bufferSize, T, int) {                     \
    return tellSize(handle, pBufferSizeInBytes);                                         \
  }                                                                                      \
  HET_CUSPARSE_CSR2GEBSR_SIZE(begin##csr2gebsr_bufferSizeExt, T, size_t) {               \
    return tellSize(handle, pBufferSizeInBytes);                                         \
  }                                                                                      \
  HET_CUSPARSE_CSR2GEBSR(begin##csr2gebsr, T) {                                          \
    const cusparseStatus_t status = check(                                               \
        handle, isDirection(dirA) && m >= 0 && n >= 0 && descrA && descrC &&             \
                    rowBlockDim > 0 && colBlockDim > 0 && csrRowPtrA && bsrRowPtrC);     \
    return status != CUSPARSE_STATUS_SUCCESS                                             \
               ? status                                                                  \
               : toBlocks(handle, dirA, m, n,                                            \
                          sparseOf(m, n, 0, descrA, csrValA, csrRowPtrA, csrColIndA),    \
                          rowBlockDim, colBlockDim, descrC, bsrValC, bsrRowPtrC,         \
                          bsrColIndC);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSR2CSR(begin##bsr2csr, T) {                                              \
    return begin##gebsr2csr(handle, dirA, mb, nb, descrA, bsrValA, bsrRowPtrA,           \
                            bsrColIndA, blockDim, blockDim, descrC, csrValC, csrRowPtrC, \
                            csrColIndC);                                                 \
  }                                                                                      \
  HET_CUSPARSE_GEBSR2CSR(begin##gebsr2csr, T) {                                          \
    const cusparseStatus_t status = check(                                               \
        handle, isDirection(dirA) && mb >= 0 && nb >= 0 && descrA && descrC &&           \
                    rowBlockDim > 0 && colBlockDim > 0 && bsrRowPtrA && csrRowPtrC);     \
    return status != CUSPARSE_STATUS_SUCCESS                                             \
               ? status                                                                  \
               : fromBlocks(handle,                                                      \
                            blocksOf(dirA, mb, nb, 0, descrA, bsrValA, bsrRowPtrA,       \
                                     bsrColIndA, rowBlockDim, colBlockDim),              \
                            descrC, csrValC, csrRowPtrC, csrColIndC);                    \
  }
HET_LEGACY_TYPES(HET_CONVERSIONS)

#define HET_PRUNES(begin, T)                                                             \
  HET_CUSPARSE_PRUNE_DENSE_SIZE(begin##Dense2csr_bufferSizeExt, T) {                     \
    return tellSize(handle, pBufferSizeInBytes);                                         \
  }                                                                                      \
  HET_CUSPARSE_PRUNE_DENSE_NNZ(begin##Dense2csrNnz, T) {                                 \
    const cusparseStatus_t status =                                                      \
        check(handle, m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && threshold &&         \
                          descrC && csrRowPtrC && nnzTotalDevHostPtr);                   \
    return status != CUSPARSE_STATUS_SUCCESS                                             \
               ? status                                                                  \
               : countRows(handle, m, descrC->base, csrRowPtrC, nnzTotalDevHostPtr,      \
                           [&](Index *counts) {                                          \
                             return countDense(m, n, denseOf(A, lda),                    \
                                               scalarOf<T>(handle, threshold), counts,   \
                                               handle->stream);                          \
                           });                                                           \
  }                                                                                      \
  HET_CUSPARSE_PRUNE_DENSE(begin##Dense2csr, T) {                                        \
    const cusparseStatus_t status =                                                      \
        check(handle, m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && threshold &&         \
                          descrC && csrRowPtrC);                                         \
    return status != CUSPARSE_STATUS_SUCCESS                                             \
               ? status                                                                  \
               : convert(fillFromDense(                                                  \
                     n, denseOf(A, lda), scalarOf<T>(handle, threshold),                 \
                     sparseOf<T>(m, n, 0, descrC, csrValC, csrRowPtrC, csrColIndC),      \
                     handle->stream));                                                   \
  }                                                                                      \
  HET_CUSPARSE_PRUNE_CSR_SIZE(begin##Csr2csr_bufferSizeExt, T) {                         \
    return tellSize(handle, pBufferSizeInBytes);                                         \
  }                                                                                      \
  HET_CUSPARSE_PRUNE_CSR_NNZ(begin##Csr2csrNnz, T) {                                     \
    const cusparseStatus_t status =                                                      \
        check(handle, m >= 0 && n >= 0 && nnzA >= 0 && descrA && threshold && descrC &&  \
                          csrRowPtrA && csrRowPtrC && nnzTotalDevHostPtr);               \
    if (status != CUSPARSE_STATUS_SUCCESS)                                               \
      return status;                                                                     \
    const Scalar<T> bound = scalarOf<T>(handle, threshold);                              \
    const Sparse a = sparseOf(m, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA);      \
    return countRows(handle, m, descrC->base, csrRowPtrC, nnzTotalDevHostPtr,            \
                     [&](Index *counts) {                                                \
                       return countLarger<T>(a, bound, counts, handle->stream);          \
                     });                                                                 \
  }                                                                                      \
  HET_CUSPARSE_PRUNE_CSR(begin##Csr2csr, T) {                                            \
    const cusparseStatus_t status =                                                      \
        check(handle, m >= 0 && n >= 0 && nnzA >= 0 && descrA && threshold && descrC &&  \
                          csrRowPtrA && csrRowPtrC);                                     \
    if (status != CUSPARSE_STATUS_SUCCESS)                                               \
      return status;                                                                     \
    const Scalar<T> bound = scalarOf<T>(handle, threshold);                              \
    return convert(copyLarger<T>(                                                        \
        sparseOf(m, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA), bound,            \
        sparseOf<T>(m, n, 0, descrC, csrValC, csrRowPtrC, csrColIndC), handle->stream)); \
  }
HET_PRUNES(cusparseSprune, float)
HET_PRUNES(cusparseDprune, double)
