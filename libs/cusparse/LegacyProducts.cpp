// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of functions with a type in their names: gemvi, bsrmv, bsrmm.

#include "Legacy.h"

using namespace het::sparse;

namespace {

/// y = alpha op(A) x + beta y: x is a matrix of one row, and op(A) is turned.
template <class T>
cusparseStatus_t multiplyDense(cusparseHandle_t handle, cusparseOperation_t trans, int m,
                               int n, const T *alpha, const T *a, int lda, int nnz,
                               const T *xVal, const int *xInd, const T *beta, T *y,
                               cusparseIndexBase_t base) {
  using K = Kernel<T>;
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isOperation(trans) || m < 0 || n < 0 || nnz < 0 || lda < (m > 1 ? m : 1) ||
      !alpha || !beta || !isBase(base) || (nnz && (!xVal || !xInd)))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const cudaStream_t stream = handle->stream;
  const bool plain = trans == CUSPARSE_OPERATION_NON_TRANSPOSE;
  Memory memory(stream);
  int *offsets = memory.get<int>(2); // x is a row of a sparse matrix
  cudaError_t error = memory.status();
  const int first = base, last = base + nnz;
  if (error == cudaSuccess)
    error = fillOrder(narrow(offsets), first, 1, stream);
  if (error == cudaSuccess)
    error = fillOrder(narrow(offsets + 1), last, 1, stream);
  Product<K> product;
  product.a = sparseOf<T>(1, plain ? n : m, nnz, nullptr, xVal, offsets, xInd);
  product.a.base = base;
  product.b = denseOf(a, lda);
  if (plain) // y^T = x^T A^T
    apply(CUSPARSE_OPERATION_TRANSPOSE, product.b);
  product.b.conjugated = trans == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  product.c = denseOf(y, 1);
  product.columns = plain ? m : n;
  product.alpha = scalarOf<K>(handle, alpha);
  product.beta = scalarOf<K>(handle, beta);
  return convert(error == cudaSuccess ? multiply(product, stream) : error);
}

template <class T> struct BlockCall {
  cusparseHandle_t handle;
  cusparseDirection_t direction;
  cusparseOperation_t transA, transB;
  int rows, columns, middle, blocks; ///< Rows and `middle` in blocks.
  const T *alpha;
  const cusparseMatDescr *descr;
  const T *values;
  const int *offsets, *indices;
  int blockDim;
  const T *b;
  int ldb;
  const T *beta;
  T *c;
  int ldc;
};

template <class T> cusparseStatus_t multiplyBlocks(const BlockCall<T> &call) {
  using K = Kernel<T>;
  if (!call.handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isDirection(call.direction) || !isOperation(call.transA) ||
      !isOperation(call.transB) || call.rows < 0 || call.columns < 0 || call.middle < 0 ||
      call.blocks < 0 || call.blockDim < 1 || !call.descr || !call.alpha || !call.beta)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (call.descr->type != CUSPARSE_MATRIX_TYPE_GENERAL)
    return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  const cudaStream_t stream = call.handle->stream;
  Memory memory(stream);
  Product<K> product;
  product.a =
      blocksOf(call.direction, call.rows, call.middle, call.blocks, call.descr,
               call.values, call.offsets, call.indices, call.blockDim, call.blockDim);
  product.a.conjugated = call.transA == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  cudaError_t error = call.transA == CUSPARSE_OPERATION_NON_TRANSPOSE
                          ? cudaSuccess
                          : transpose(memory, product.a, stream);
  product.b = denseOf(call.b, call.ldb);
  apply(call.transB, product.b);
  product.c = denseOf(call.c, call.ldc);
  product.columns = call.columns;
  product.alpha = scalarOf<K>(call.handle, call.alpha);
  product.beta = scalarOf<K>(call.handle, call.beta);
  return convert(error == cudaSuccess ? multiply(product, stream) : error);
}

} // namespace

#define HET_PRODUCTS(begin, T)                                                           \
  HET_CUSPARSE_GEMVI(begin##gemvi, T) {                                                  \
    return multiplyDense(handle, transA, m, n, alpha, A, lda, nnz, xVal, xInd, beta, y,  \
                         idxBase);                                                       \
  }                                                                                      \
  HET_CUSPARSE_GEMVI_SIZE(begin##gemvi_bufferSize) {                                     \
    return tellSize(handle, pBufferSize);                                                \
  }                                                                                      \
  HET_CUSPARSE_BSRMV(begin##bsrmv, T) {                                                  \
    return multiplyBlocks<T>({handle, dirA, transA, CUSPARSE_OPERATION_NON_TRANSPOSE,    \
                              mb, 1, nb, nnzb, alpha, descrA, bsrValA, bsrRowPtrA,       \
                              bsrColIndA, blockDim, x, 1, beta, y, 1});                  \
  }                                                                                      \
  HET_CUSPARSE_BSRMM(begin##bsrmm, T) {                                                  \
    return multiplyBlocks<T>({handle, dirA, transA, transB, mb, n, kb, nnzb, alpha,      \
                              descrA, bsrValA, bsrRowPtrA, bsrColIndA, blockSize, B,     \
                              ldb, beta, C, ldc});                                       \
  }
HET_LEGACY_TYPES(HET_PRODUCTS)
