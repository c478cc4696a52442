// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches of copies of boxes. The copies follow each other in the stream, which CUDA
// allows.

#include "Arrays.h"
#include "Copy.h"
#include "Errors.h"

#include <algorithm>

using namespace het::cuda;

/// The size of an array's elements; memory's are bytes.
static size_t elementOf(const cudaMemcpy3DOperand &operand) {
  return operand.type == cudaMemcpyOperandTypeArray && operand.op.array.array
             ? operand.op.array.array->elementSize
             : 1;
}

static cudaError_t makeSide(const cudaMemcpy3DOperand &operand, const cudaExtent &extent,
                            size_t element, cudaArray_t &array, cudaPos &position,
                            cudaPitchedPtr &memory) {
  if (operand.type == cudaMemcpyOperandTypeArray) {
    const auto &[wanted, offset] = operand.op.array;
    array = wanted;
    position = {offset.x, offset.y, offset.z};
    return wanted ? cudaSuccess : cudaErrorInvalidValue;
  }
  if (operand.type != cudaMemcpyOperandTypePointer || !operand.op.ptr.ptr)
    return cudaErrorInvalidValue;
  const size_t row = operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width;
  const size_t rows =
      operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height;
  if (row < extent.width || rows < extent.height)
    return cudaErrorInvalidValue;
  memory = {operand.op.ptr.ptr, planeOf(row, element), row, rows};
  return cudaSuccess;
}

static cudaError_t make(const cudaMemcpy3DBatchOp &batch, CopyOperation &copy) {
  const cudaExtent &extent = batch.extent;
  if (!extent.width || !extent.height || !extent.depth ||
      batch.srcAccessOrder < cudaMemcpySrcAccessOrderStream ||
      batch.srcAccessOrder > cudaMemcpySrcAccessOrderAny ||
      (batch.flags & ~unsigned(cudaMemcpyFlagPreferOverlapWithCompute)))
    return cudaErrorInvalidValue;
  const size_t element = std::max(elementOf(batch.src), elementOf(batch.dst));
  cudaMemcpy3DParms params = {};
  params.extent = extent;
  params.kind = cudaMemcpyDefault;
  if (cudaError_t error = makeSide(batch.src, extent, element, params.srcArray,
                                   params.srcPos, params.srcPtr))
    return error;
  if (cudaError_t error = makeSide(batch.dst, extent, element, params.dstArray,
                                   params.dstPos, params.dstPtr))
    return error;
  return makeCopy3D(&params, copy);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *list,
                                   size_t *failed, unsigned long long flags,
                                   cudaStream_t stream) try {
  if (failed)
    *failed = SIZE_MAX; // no copy of its own
  if (!list || !count || flags)
    return remember(cudaErrorInvalidValue);
  for (size_t index = 0; index < count; ++index) {
    CopyOperation copy;
    cudaError_t error = make(list[index], copy);
    if (!error)
      error = submitCopy(stream, copy, Wait::No);
    if (error && failed)
      *failed = index;
    if (error)
      return remember(error);
  }
  return cudaSuccess;
}
HET_CATCH

// Doubles are doubles on each device here.

cudaError_t cudaSetDoubleForDevice(double *value) try {
  return remember(value ? cudaSuccess : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaSetDoubleForHost(double *value) try {
  return remember(value ? cudaSuccess : cudaErrorInvalidValue);
}
HET_CATCH
