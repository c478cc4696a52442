// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a sparse vector and a dense one.

#include "Vendor.h"

using namespace het::sparse;

namespace {

/// Numbers are computed with as those of x are.
cusparseStatus_t change(cusparseHandle_t handle, VectorStep step, const void *alpha,
                        const void *beta, cusparseConstSpVecDescr_t x,
                        cusparseConstDnVecDescr_t y) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  const bool factors = step == VectorStep::AddScaled || step == VectorStep::Rotate;
  if (!x || !y || x->size != y->size || (factors && (!alpha || !beta)))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (x->type != y->type)
    return refuse(__func__, "vectors of different types");
  return withType(computeTypeOf(x->type), [&](auto zero) {
    using T = decltype(zero);
    return convert(changeVectors<T>(step, vectorOf(*x), {y->values, y->type}, y->size,
                                    factors ? scalarOf<T>(handle, alpha) : constant(zero),
                                    factors ? scalarOf<T>(handle, beta) : constant(zero),
                                    handle->stream));
  });
}

} // namespace

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t vecX, const void *beta,
                               cusparseDnVecDescr_t vecY) {
  HET_VENDOR(cusparseAxpby, alpha, theirs(vecX), beta, theirs(vecY));
  return change(handle, VectorStep::AddScaled, alpha, beta, vecX, vecY);
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                cusparseSpVecDescr_t vecX) {
  HET_VENDOR(cusparseGather, theirs(vecY), theirs(vecX));
  return change(handle, VectorStep::Gather, nullptr, nullptr, vecX, vecY);
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                 cusparseDnVecDescr_t vecY) {
  HET_VENDOR(cusparseScatter, theirs(vecX), theirs(vecY));
  return change(handle, VectorStep::Scatter, nullptr, nullptr, vecX, vecY);
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *cosine,
                             const void *sine, cusparseSpVecDescr_t vecX,
                             cusparseDnVecDescr_t vecY) {
  HET_VENDOR(cusparseRot, cosine, sine, theirs(vecX), theirs(vecY));
  return change(handle, VectorStep::Rotate, cosine, sine, vecX, vecY);
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX,
                                         cusparseConstDnVecDescr_t vecY,
                                         const void *result, cudaDataType computeType,
                                         size_t *bufferSize) {
  HET_VENDOR(cusparseSpVV_bufferSize, opX, theirs(vecX), theirs(vecY), result,
             computeType, bufferSize);
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!vecX || !vecY || !bufferSize)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *bufferSize = smallBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                              cusparseConstSpVecDescr_t vecX,
                              cusparseConstDnVecDescr_t vecY, void *result,
                              cudaDataType computeType, void *externalBuffer) {
  HET_VENDOR(cusparseSpVV, opX, theirs(vecX), theirs(vecY), result, computeType,
             externalBuffer);
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isOperation(opX) || !vecX || !vecY || !result || vecX->size != vecY->size)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!reads(computeType, vecX->type) || !reads(computeType, vecY->type))
    return refuse(__func__, "this combination of types");
  return withTypeOrInt(computeType, [&](auto zero) {
    using T = decltype(zero);
    Memory memory(handle->stream);
    const bool onDevice = handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE;
    void *place = onDevice ? result : memory.get<T>(1);
    cudaError_t error = memory.status();
    if (error == cudaSuccess)
      error = dot<T>(vectorOf(*vecX), opX == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                     {vecY->values, vecY->type}, {place, computeType}, handle->stream);
    if (error == cudaSuccess && !onDevice)
      error = cudaMemcpyAsync(result, place, sizeof(T), cudaMemcpyDeviceToHost,
                              handle->stream);
    if (error == cudaSuccess && !onDevice)
      error = waitUnlessCaptured(handle->stream);
    return convert(error);
  });
}
