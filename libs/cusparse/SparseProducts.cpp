// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of sparse matrices: SpGEMM, and SpGEMMreuse, which are the same steps. The
// structure of C is found first, and kept until it is copied into C.

#include "Vendor.h"

using namespace het::sparse;

struct cusparseSpGEMMDescr {
  Index products = -1; ///< How many numbers are multiplied; -1: not known yet.
  Index rows = 0, entries = -1;
  Kept offsets, columns; ///< Of C, from 0.
  VendorDescription vendors;
};

namespace {

struct Operands {
  cusparseHandle_t handle;
  cusparseConstSpMatDescr_t a, b;
  cusparseSpMatDescr_t c;
  cusparseSpGEMMDescr_t state;
};

cusparseStatus_t check(const Operands &o, cusparseOperation_t opA,
                       cusparseOperation_t opB, cusparseSpGEMMAlg_t alg) {
  if (!o.handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isOperation(opA) || !isOperation(opB) || !o.a || !o.b || !o.c || !o.state ||
      alg < 0 || alg > CUSPARSE_SPGEMM_ALG3)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (opA != CUSPARSE_OPERATION_NON_TRANSPOSE || opB != CUSPARSE_OPERATION_NON_TRANSPOSE)
    return refuse("cusparseSpGEMM", "transposed matrices");
  if (o.a->format != CUSPARSE_FORMAT_CSR || o.b->format != CUSPARSE_FORMAT_CSR ||
      o.c->format != CUSPARSE_FORMAT_CSR)
    return refuse("cusparseSpGEMM", "formats other than CSR");
  return o.a->cols == o.b->rows && o.c->rows == o.a->rows && o.c->cols == o.b->cols
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_INVALID_VALUE;
}
/// Halves are added up in float, and rounded once.
cusparseStatus_t checkTypes(const Operands &o, cudaDataType compute) {
  const cudaDataType own = computeTypeOf(compute);
  return reads(own, o.a->type) && reads(own, o.b->type) && writes(own, o.c->type)
             ? CUSPARSE_STATUS_SUCCESS
             : refuse("cusparseSpGEMM", "this combination of types");
}

/// How many products there are: a call that waits.
cudaError_t estimate(const Operands &o) {
  const cudaStream_t stream = o.handle->stream;
  Memory memory(stream);
  Index *counts = memory.get<Index>(o.a->rows + 1);
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = countProducts(sparseOf(*o.a), sparseOf(*o.b), counts, stream);
  return error != cudaSuccess
             ? error
             : sumUp(memory, counts, o.a->rows, o.state->products, stream);
}

/// The structure of C: a call that waits.
cudaError_t findStructure(const Operands &o) {
  const cudaStream_t stream = o.handle->stream;
  cusparseSpGEMMDescr &state = *o.state;
  const Index rows = o.a->rows;
  const Sparse a = sparseOf(*o.a), b = sparseOf(*o.b);
  Memory memory(stream);
  Index *starts = memory.get<Index>(rows + 1);
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = countProducts(a, b, starts, stream);
  if (error == cudaSuccess)
    error = sumUp(memory, starts, rows, state.products, stream);
  Index *room = memory.get<Index>(state.products);
  if (error == cudaSuccess)
    error = memory.status();
  if (error == cudaSuccess)
    error = state.offsets.reserve(rows + 1);
  if (error == cudaSuccess)
    error = findColumns(a, b, starts, room, state.offsets.get(), stream);
  if (error == cudaSuccess)
    error = sumUp(memory, state.offsets.get(), rows, state.entries, stream);
  if (error == cudaSuccess)
    error = state.columns.reserve(state.entries);
  if (error == cudaSuccess)
    error = compact(rows, starts, room, state.offsets.get(), wide(state.columns.get()), 0,
                    stream);
  state.rows = rows;
  if (error == cudaSuccess)
    o.c->nnz = state.entries;
  return error;
}

/// Copies the structure into C, which has room for it now.
cudaError_t copyStructure(const Operands &o) {
  const cusparseSpGEMMDescr &state = *o.state;
  const Sparse c = sparseOf(*o.c);
  const cudaError_t error = convertIndices(wide(state.offsets.get()), c.offsets, c.base,
                                           state.rows + 1, o.handle->stream);
  return error != cudaSuccess ? error
                              : convertIndices(wide(state.columns.get()), c.indices,
                                               c.base, state.entries, o.handle->stream);
}

cusparseStatus_t multiplyValues(const Operands &o, const void *alpha, const void *beta,
                                cudaDataType compute) {
  return withType(computeTypeOf(compute), [&](auto zero) {
    using T = decltype(zero);
    Memory memory(o.handle->stream);
    SparseProduct<T> product;
    product.a = sparseOf(*o.a);
    product.b = sparseOf(*o.b);
    product.c = sparseOf(*o.c);
    product.alpha = scalarOf<T>(o.handle, alpha, compute);
    product.beta = scalarOf<T>(o.handle, beta, compute);
    product.sums = product.c.values;
    if (o.c->type != typeOf<T>())
      product.sums = {memory.get<T>(o.c->nnz), typeOf<T>()};
    return convert(memory.status() != cudaSuccess
                       ? memory.status()
                       : multiplySparse(product, o.handle->stream));
  });
}

/// A step that says how much memory it wants where it is given none.
template <class Step>
cusparseStatus_t step(cusparseStatus_t status, size_t *size, const void *buffer,
                      const Step &perform) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (!size)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (buffer)
    return convert(perform());
  *size = smallBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr) {
  if (!descr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *descr = new (std::nothrow) cusparseSpGEMMDescr;
  return *descr ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}

#define HET_STATE                                                                        \
  theirs(spgemmDescr, "cusparseSpGEMM_createDescr", "cusparseSpGEMM_destroyDescr")
#define HET_VENDORS                                                                      \
  opA, opB, alpha, theirs(matA), theirs(matB), beta, theirs(matC), computeType, alg,     \
      HET_STATE
#define HET_REUSE_VENDORS                                                                \
  opA, opB, theirs(matA), theirs(matB), theirs(matC), alg, HET_STATE
#define HET_OPERANDS                                                                     \
  const Operands operands = {handle, matA, matB, matC, spgemmDescr};                     \
  cusparseStatus_t status = check(operands, opA, opB, alg);
#define HET_VALUE_OPERANDS                                                               \
  HET_OPERANDS                                                                           \
  if (status == CUSPARSE_STATUS_SUCCESS && (!alpha || !beta))                            \
    status = CUSPARSE_STATUS_INVALID_VALUE;                                              \
  if (status == CUSPARSE_STATUS_SUCCESS)                                                 \
    status = checkTypes(operands, computeType);

cusparseStatus_t cusparseSpGEMM_workEstimation(HET_CUSPARSE_SPGEMM, size_t *bufferSize1,
                                               void *externalBuffer1) {
  HET_VENDOR(cusparseSpGEMM_workEstimation, HET_VENDORS, bufferSize1, externalBuffer1);
  HET_VALUE_OPERANDS
  return step(status, bufferSize1, externalBuffer1, [&] { return estimate(operands); });
}
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t spgemmDescr,
                                               int64_t *products) {
  if (!spgemmDescr || !products)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (spgemmDescr->vendors.theirs)
    return VendorCall::countProducts(spgemmDescr->vendors, products);
  if (spgemmDescr->products < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *products = spgemmDescr->products;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_estimateMemory(HET_CUSPARSE_SPGEMM, float chunkFraction,
                                               size_t *bufferSize3, void *externalBuffer3,
                                               size_t *bufferSize2) {
  HET_VENDOR(cusparseSpGEMM_estimateMemory, HET_VENDORS, chunkFraction, bufferSize3,
             externalBuffer3, bufferSize2);
  HET_VALUE_OPERANDS
  if (status == CUSPARSE_STATUS_SUCCESS && !(chunkFraction > 0 && chunkFraction <= 1))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (bufferSize2)
    *bufferSize2 = smallBuffer;
  return step(status, bufferSize3, externalBuffer3, [] { return cudaSuccess; });
}
cusparseStatus_t cusparseSpGEMM_compute(HET_CUSPARSE_SPGEMM, size_t *bufferSize2,
                                        void *externalBuffer2) {
  HET_VENDOR_THEN(VendorCall::readSize(matC), cusparseSpGEMM_compute, HET_VENDORS,
                  bufferSize2, externalBuffer2);
  HET_VALUE_OPERANDS
  return step(status, bufferSize2, externalBuffer2,
              [&] { return findStructure(operands); });
}
cusparseStatus_t cusparseSpGEMM_copy(HET_CUSPARSE_SPGEMM) {
  HET_VENDOR(cusparseSpGEMM_copy, HET_VENDORS);
  HET_VALUE_OPERANDS
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (spgemmDescr->entries < 0 || spgemmDescr->rows != matC->rows)
    return CUSPARSE_STATUS_INVALID_VALUE;
  status = convert(copyStructure(operands));
  return status != CUSPARSE_STATUS_SUCCESS
             ? status
             : multiplyValues(operands, alpha, beta, computeType);
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(HET_CUSPARSE_SPGEMM_REUSE,
                                                    size_t *bufferSize1,
                                                    void *externalBuffer1) {
  HET_VENDOR(cusparseSpGEMMreuse_workEstimation, HET_REUSE_VENDORS, bufferSize1,
             externalBuffer1);
  HET_OPERANDS
  return step(status, bufferSize1, externalBuffer1, [&] { return estimate(operands); });
}
cusparseStatus_t cusparseSpGEMMreuse_nnz(HET_CUSPARSE_SPGEMM_REUSE, size_t *bufferSize2,
                                         void *externalBuffer2, size_t *bufferSize3,
                                         void *externalBuffer3, size_t *bufferSize4,
                                         void *externalBuffer4) {
  HET_VENDOR_THEN(VendorCall::readSize(matC), cusparseSpGEMMreuse_nnz, HET_REUSE_VENDORS,
                  bufferSize2, externalBuffer2, bufferSize3, externalBuffer3, bufferSize4,
                  externalBuffer4);
  HET_OPERANDS
  if (!bufferSize3 || !bufferSize4)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!externalBuffer3)
    *bufferSize3 = smallBuffer;
  if (!externalBuffer4)
    *bufferSize4 = smallBuffer;
  return step(status, bufferSize2, externalBuffer2,
              [&] { return findStructure(operands); });
}
cusparseStatus_t cusparseSpGEMMreuse_copy(HET_CUSPARSE_SPGEMM_REUSE, size_t *bufferSize5,
                                          void *externalBuffer5) {
  HET_VENDOR(cusparseSpGEMMreuse_copy, HET_REUSE_VENDORS, bufferSize5, externalBuffer5);
  HET_OPERANDS
  return step(status, bufferSize5, externalBuffer5,
              [&] { return copyStructure(operands); });
}
cusparseStatus_t cusparseSpGEMMreuse_compute(HET_CUSPARSE_SPGEMM) {
  HET_VENDOR(cusparseSpGEMMreuse_compute, HET_VENDORS);
  HET_VALUE_OPERANDS
  return status != CUSPARSE_STATUS_SUCCESS
             ? status
             : multiplyValues(operands, alpha, beta, computeType);
}
