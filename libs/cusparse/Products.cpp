// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a sparse matrix and dense ones: SpMV and SpMM; and products of dense ones
// where a sparse one has elements: SDDMM.

#include "Vendor.h"

#include <utility>

using namespace het::sparse;

namespace {

bool areTypes(cudaDataType compute, cudaDataType a, cudaDataType b, cudaDataType c) {
  return reads(compute, a) && reads(compute, b) && writes(compute, c);
}
/// Whether op() of a matrix has these many rows and columns.
bool hasSize(cusparseOperation_t operation, Index rows, Index columns, Index wantedRows,
             Index wantedColumns) {
  if (operation != CUSPARSE_OPERATION_NON_TRANSPOSE)
    std::swap(rows, columns);
  return rows == wantedRows && columns == wantedColumns;
}
std::pair<Index, Index> shapeOf(const cusparseSpMatDescr &a) {
  const bool bsr = a.format == CUSPARSE_FORMAT_BSR;
  return {a.rows * (bsr ? a.blockRows : 1), a.cols * (bsr ? a.blockCols : 1)};
}

/// A call of SpMV or SpMM; the vectors are matrices of one column.
struct Call {
  cusparseHandle_t handle;
  cusparseOperation_t opA, opB;
  const void *alpha;
  const cusparseSpMatDescr &a;
  const void *beta;
  cudaDataType compute;
  void *buffer;
};

/// Whether rows of op(A) are columns of what is stored, which takes sorting.
bool isTurned(cusparseOperation_t operation, const cusparseSpMatDescr &a) {
  return (operation != CUSPARSE_OPERATION_NON_TRANSPOSE) != isStoredTransposed(a);
}
/// Numbers of 64 bits lie there.
Index *alignedIn(void *buffer) {
  return reinterpret_cast<Index *>((reinterpret_cast<uintptr_t>(buffer) + 7) & ~7ull);
}
/// Room for the transposed structure, where the program may have it kept.
cusparseStatus_t sizeOfTurned(cusparseStatus_t status, cusparseOperation_t operation,
                              cusparseConstSpMatDescr_t a, size_t *size) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (!size)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *size = smallBuffer;
  if (isTurned(operation, *a) && a->batch == 1)
    *size += static_cast<size_t>(Turned::room(sparseOf(*a))) * sizeof(Index);
  return CUSPARSE_STATUS_SUCCESS;
}
/// Finds the transposed structure, which later calls with this buffer use.
cusparseStatus_t keepTurned(cusparseStatus_t status, cusparseHandle_t handle,
                            cusparseOperation_t operation, cusparseConstSpMatDescr_t a,
                            void *buffer) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  a->turnedIn = nullptr;
  // A buffer that NVIDIA's library has measured may be smaller.
  if (!buffer || handle->vendor || !isTurned(operation, *a) || a->batch != 1)
    return CUSPARSE_STATUS_SUCCESS;
  // What a capture records is not there before the graph runs.
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (const cudaError_t error = cudaStreamIsCapturing(handle->stream, &capture))
    return convert(error);
  if (capture != cudaStreamCaptureStatusNone)
    return CUSPARSE_STATUS_SUCCESS;
  const Sparse stored = sparseOf(*a);
  const cudaError_t error =
      turn(stored, Turned(stored, alignedIn(buffer)), handle->stream);
  if (error == cudaSuccess)
    a->turnedIn = buffer;
  return convert(error);
}

Sparse numberedOnHost(Sparse a, Index number) {
  const auto move = [&](Indices &indices, Index stride) {
    if (indices.base)
      indices.base =
          static_cast<char *>(indices.base) + number * stride * (indices.wide ? 8 : 4);
  };
  move(a.offsets, a.offsetStride);
  move(a.rowIndices, a.indexStride);
  move(a.indices, a.indexStride);
  a.values.base = static_cast<char *>(a.values.base) +
                  number * a.valueStride * static_cast<Index>(sizeOf(a.values.type));
  return a;
}
Dense numberedOnHost(Dense a, Index number) {
  a.values.base = static_cast<char *>(a.values.base) +
                  number * a.batchStride * static_cast<Index>(sizeOf(a.values.type));
  return a;
}

template <class T>
cusparseStatus_t multiplyAs(const Call &call, const Dense &b, const Dense &c,
                            Index columns, Index batch) {
  const cudaStream_t stream = call.handle->stream;
  Product<T> product;
  product.b = b;
  product.c = c;
  product.columns = columns;
  product.alpha = scalarOf<T>(call.handle, call.alpha);
  product.beta = scalarOf<T>(call.handle, call.beta);
  const Sparse a = sparseOf(call.a);
  const bool turned = isTurned(call.opA, call.a);
  const bool isKept = turned && call.buffer && call.a.turnedIn == call.buffer;
  // Matrices that are turned are turned one by one.
  const Index rounds = turned ? batch : 1;
  for (Index round = 0; round < rounds; ++round) {
    Memory memory(stream);
    product.a = numberedOnHost(a, round);
    product.a.conjugated = call.opA == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    product.b = numberedOnHost(b, round);
    product.c = numberedOnHost(c, round);
    product.batch = turned ? 1 : batch;
    cudaError_t error = cudaSuccess;
    if (isKept)
      product.a = transposed(product.a, Turned(product.a, alignedIn(call.buffer)));
    else if (turned)
      error = transpose(memory, product.a, stream);
    if (error == cudaSuccess)
      error = multiply(product, stream);
    if (error != cudaSuccess)
      return convert(error);
  }
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t multiplyCall(const Call &call, const Dense &b, const Dense &c,
                              Index columns, Index batch) {
  if (!areTypes(call.compute, call.a.type, b.values.type, c.values.type))
    return refuse("cusparseSpMM", "this combination of types");
  return withTypeOrInt(call.compute, [&](auto zero) {
    return multiplyAs<decltype(zero)>(call, b, c, columns, batch);
  });
}

/// The number of matrices: those that are one stand for all.
cusparseStatus_t batchOf(int a, int b, int c, Index &batch) {
  batch = c;
  return (a == 1 || a == c) && (b == 1 || b == c) ? CUSPARSE_STATUS_SUCCESS
                                                  : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t checkVector(HET_CUSPARSE_SPMV) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isOperation(opA) || !alpha || !beta || !matA || !vecX || !vecY || alg < 0 ||
      alg > CUSPARSE_SPMV_BSR_ALG1)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (matA->format == CUSPARSE_FORMAT_BLOCKED_ELL)
    return refuse("cusparseSpMV", "the format Blocked-ELL");
  const auto [rows, columns] = shapeOf(*matA);
  if (!hasSize(opA, rows, columns, vecY->size, vecX->size))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return areTypes(computeType, matA->type, vecX->type, vecY->type)
             ? CUSPARSE_STATUS_SUCCESS
             : refuse("cusparseSpMV", "this combination of types");
}

cusparseStatus_t checkMatrix(HET_CUSPARSE_SPMM) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isOperation(opA) || !isOperation(opB) || !alpha || !beta || !matA || !matB ||
      !matC || alg < 0 || alg > CUSPARSE_SPMM_BSR_ALG1)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (matA->format == CUSPARSE_FORMAT_SLICED_ELLPACK)
    return refuse("cusparseSpMM", "the format Sliced ELL");
  const auto [rows, columns] = shapeOf(*matA);
  const Index inner = opA == CUSPARSE_OPERATION_NON_TRANSPOSE ? columns : rows;
  if (!hasSize(opA, rows, columns, matC->rows, inner) ||
      !hasSize(opB, matB->rows, matB->cols, inner, matC->cols))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return areTypes(computeType, matA->type, matB->type, matC->type)
             ? CUSPARSE_STATUS_SUCCESS
             : refuse("cusparseSpMM", "this combination of types");
}

cusparseStatus_t checkSamples(HET_CUSPARSE_SDDMM) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isOperation(opA) || !isOperation(opB) || !alpha || !beta || !matA || !matB ||
      !matC || alg != CUSPARSE_SDDMM_ALG_DEFAULT)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (matC->format != CUSPARSE_FORMAT_CSR && matC->format != CUSPARSE_FORMAT_BSR)
    return refuse("cusparseSDDMM", "formats other than CSR and BSR");
  const auto [rows, columns] = shapeOf(*matC);
  const Index inner = opA == CUSPARSE_OPERATION_NON_TRANSPOSE ? matA->cols : matA->rows;
  if (!hasSize(opA, matA->rows, matA->cols, rows, inner) ||
      !hasSize(opB, matB->rows, matB->cols, inner, columns))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return areTypes(computeType, matA->type, matB->type, matC->type)
             ? CUSPARSE_STATUS_SUCCESS
             : refuse("cusparseSDDMM", "this combination of types");
}

cusparseStatus_t sizeAfter(cusparseStatus_t status, size_t *bufferSize) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (!bufferSize)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *bufferSize = smallBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

#define HET_SPMV_ARGUMENTS handle, opA, alpha, matA, vecX, beta, vecY, computeType, alg
cusparseStatus_t cusparseSpMV_bufferSize(HET_CUSPARSE_SPMV, size_t *bufferSize) {
  HET_VENDOR(cusparseSpMV_bufferSize, opA, alpha, theirs(matA), theirs(vecX), beta,
             theirs(vecY), computeType, alg, bufferSize);
  return sizeOfTurned(checkVector(HET_SPMV_ARGUMENTS), opA, matA, bufferSize);
}
cusparseStatus_t cusparseSpMV_preprocess(HET_CUSPARSE_SPMV, void *externalBuffer) {
  HET_VENDOR(cusparseSpMV_preprocess, opA, alpha, theirs(matA), theirs(vecX), beta,
             theirs(vecY), computeType, alg, externalBuffer);
  return keepTurned(checkVector(HET_SPMV_ARGUMENTS), handle, opA, matA, externalBuffer);
}
cusparseStatus_t cusparseSpMV(HET_CUSPARSE_SPMV, void *externalBuffer) {
  HET_VENDOR(cusparseSpMV, opA, alpha, theirs(matA), theirs(vecX), beta, theirs(vecY),
             computeType, alg, externalBuffer);
  const cusparseStatus_t status = checkVector(HET_SPMV_ARGUMENTS);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  return multiplyCall({handle, opA, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, *matA, beta,
                       computeType, externalBuffer},
                      denseOf(*vecX), denseOf(*vecY), 1, 1);
}

#define HET_SPMM_ARGUMENTS                                                               \
  handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg
cusparseStatus_t cusparseSpMM_bufferSize(HET_CUSPARSE_SPMM, size_t *bufferSize) {
  HET_VENDOR(cusparseSpMM_bufferSize, opA, opB, alpha, theirs(matA), theirs(matB), beta,
             theirs(matC), computeType, alg, bufferSize);
  return sizeOfTurned(checkMatrix(HET_SPMM_ARGUMENTS), opA, matA, bufferSize);
}
cusparseStatus_t cusparseSpMM_preprocess(HET_CUSPARSE_SPMM, void *externalBuffer) {
  HET_VENDOR(cusparseSpMM_preprocess, opA, opB, alpha, theirs(matA), theirs(matB), beta,
             theirs(matC), computeType, alg, externalBuffer);
  return keepTurned(checkMatrix(HET_SPMM_ARGUMENTS), handle, opA, matA, externalBuffer);
}
cusparseStatus_t cusparseSpMM(HET_CUSPARSE_SPMM, void *externalBuffer) {
  HET_VENDOR(cusparseSpMM, opA, opB, alpha, theirs(matA), theirs(matB), beta,
             theirs(matC), computeType, alg, externalBuffer);
  cusparseStatus_t status = checkMatrix(HET_SPMM_ARGUMENTS);
  Index batch = 1;
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = batchOf(matA->batch, matB->batch, matC->batch, batch);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  Dense b = denseOf(*matB);
  apply(opB, b);
  return multiplyCall({handle, opA, opB, alpha, *matA, beta, computeType, externalBuffer},
                      b, denseOf(*matC), matC->cols, batch);
}

cusparseStatus_t cusparseSDDMM_bufferSize(HET_CUSPARSE_SDDMM, size_t *bufferSize) {
  HET_VENDOR(cusparseSDDMM_bufferSize, opA, opB, alpha, theirs(matA), theirs(matB), beta,
             theirs(matC), computeType, alg, bufferSize);
  return sizeAfter(checkSamples(HET_SPMM_ARGUMENTS), bufferSize);
}
cusparseStatus_t cusparseSDDMM_preprocess(HET_CUSPARSE_SDDMM, void *externalBuffer) {
  HET_VENDOR(cusparseSDDMM_preprocess, opA, opB, alpha, theirs(matA), theirs(matB), beta,
             theirs(matC), computeType, alg, externalBuffer);
  return checkSamples(HET_SPMM_ARGUMENTS);
}
cusparseStatus_t cusparseSDDMM(HET_CUSPARSE_SDDMM, void *externalBuffer) {
  HET_VENDOR(cusparseSDDMM, opA, opB, alpha, theirs(matA), theirs(matB), beta,
             theirs(matC), computeType, alg, externalBuffer);
  cusparseStatus_t status = checkSamples(HET_SPMM_ARGUMENTS);
  Index batch = 1;
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = batchOf(matA->batch, matB->batch, matC->batch, batch);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  return withType(computeType, [&](auto zero) {
    using T = decltype(zero);
    Sampling<T> sampling;
    sampling.c = sparseOf(*matC);
    sampling.a = denseOf(*matA);
    sampling.b = denseOf(*matB);
    apply(opA, sampling.a);
    apply(opB, sampling.b);
    sampling.inner = opA == CUSPARSE_OPERATION_NON_TRANSPOSE ? matA->cols : matA->rows;
    sampling.batch = batch;
    sampling.alpha = scalarOf<T>(handle, alpha);
    sampling.beta = scalarOf<T>(handle, beta);
    return convert(sample(sampling, handle->stream));
  });
}

cusparseStatus_t
cusparseSpMMOp_createPlan(cusparseHandle_t, cusparseSpMMOpPlan_t *, cusparseOperation_t,
                          cusparseOperation_t, cusparseConstSpMatDescr_t,
                          cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
                          cusparseSpMMOpAlg_t, const void *, size_t, const void *, size_t,
                          const void *, size_t, size_t *) {
  return refuse(__func__, "operations of the program's own are not supported");
}
cusparseStatus_t cusparseSpMMOp(cusparseSpMMOpPlan_t, void *) {
  return refuse(__func__, "operations of the program's own are not supported");
}
cusparseStatus_t cusparseSpMMOp_destroyPlan(cusparseSpMMOpPlan_t) {
  return refuse(__func__, "operations of the program's own are not supported");
}
