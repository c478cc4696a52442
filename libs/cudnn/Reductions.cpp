// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of tensors, and the gradient of a bias, which is one.

#include "Vendor.h"

using namespace het::dnn;

namespace {

/// Divides dimensions into those of the result and those over which is reduced. False:
/// the result's sizes are others.
bool divide(const cudnnTensorStruct &a, const cudnnTensorStruct &c, Reduction &work) {
  if (a.dimensions != c.dimensions)
    return false;
  work.reduced.count = work.kept.count = 1;
  for (int k = 0; k < a.dimensions; ++k) {
    const bool isKept = a.sizes[k] == c.sizes[k];
    if (!isKept && c.sizes[k] != 1)
      return false;
    Extent &extent = isKept ? work.kept : work.reduced;
    Operand &operand = isKept ? work.keptOfA : work.a;
    const int at = extent.dimensions++;
    extent.sizes[at] = a.sizes[k];
    extent.count *= a.sizes[k];
    operand.strides[at] = a.strides[k];
    if (isKept)
      work.y.strides[at] = c.strides[k];
  }
  return true;
}

cudnnStatus_t reduce(const char *function, cudnnHandle_t handle, int op,
                     bool propagatesNan, const void *alpha, cudnnTensorDescriptor_t aDesc,
                     const void *a, const void *beta, cudnnTensorDescriptor_t cDesc,
                     void *c) {
  Arguments arguments(function);
  Reduction work;
  arguments.handle(handle).tensor(aDesc, a).tensor(cDesc, c);
  if (arguments.ok())
    arguments.require(divide(*aDesc, *cDesc, work),
                      "found a result whose sizes are neither those nor 1");
  if (!arguments.ok())
    return arguments.result();
  work.op = op;
  work.propagatesNan = propagatesNan;
  work.blend = blend(alpha, beta, arguments.type());
  work.a.data = a;
  work.y.data = c;
  return launched(function, reduceElements(work, arguments.type(), handle->stream));
}

} // namespace

cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t descriptor,
                                             cudnnReduceTensorOp_t op,
                                             cudnnDataType_t computed,
                                             cudnnNanPropagation_t nan,
                                             cudnnReduceTensorIndices_t indices,
                                             cudnnIndicesType_t indicesType) {
  if (!descriptor || op < CUDNN_REDUCE_TENSOR_ADD ||
      op > CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS)
    return bad(__func__, "found no descriptor, or no such operation");
  *descriptor = {op, computed, nan, indices, indicesType};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReduceTensorDescriptor(
    const cudnnReduceTensorDescriptor_t descriptor, cudnnReduceTensorOp_t *op,
    cudnnDataType_t *computed, cudnnNanPropagation_t *nan,
    cudnnReduceTensorIndices_t *indices, cudnnIndicesType_t *indicesType) {
  if (!descriptor || !op || !computed || !nan || !indices || !indicesType)
    return bad(__func__, "found a null pointer");
  *op = descriptor->op;
  *computed = descriptor->computed;
  *nan = descriptor->nan;
  *indices = descriptor->indices;
  *indicesType = descriptor->indicesType;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t needsNothing(const char *function, const void *descriptor,
                                  size_t *size) {
  if (!descriptor || !size)
    return bad(function, "found a null pointer");
  *size = 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReductionIndicesSize(cudnnHandle_t handle,
                                           const cudnnReduceTensorDescriptor_t descriptor,
                                           const cudnnTensorDescriptor_t aDesc,
                                           const cudnnTensorDescriptor_t cDesc,
                                           size_t *size) {
  HET_VENDOR_ASK(cudnnGetReductionIndicesSize, theirs(descriptor), theirs(aDesc),
                 theirs(cDesc), size);
  if (descriptor && descriptor->indices != CUDNN_REDUCE_TENSOR_NO_INDICES)
    return unsupported(__func__, "places of the least and greatest elements");
  return needsNothing(__func__, descriptor, size);
}

cudnnStatus_t
cudnnGetReductionWorkspaceSize(cudnnHandle_t handle,
                               const cudnnReduceTensorDescriptor_t descriptor,
                               const cudnnTensorDescriptor_t aDesc,
                               const cudnnTensorDescriptor_t cDesc, size_t *size) {
  HET_VENDOR_ASK(cudnnGetReductionWorkspaceSize, theirs(descriptor), theirs(aDesc),
                 theirs(cDesc), size);
  return needsNothing(__func__, descriptor, size);
}

cudnnStatus_t
cudnnReduceTensor(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t descriptor,
                  void *indices, size_t indicesSize, void *memory, size_t size,
                  const void *alpha, const cudnnTensorDescriptor_t aDesc, const void *a,
                  const void *beta, const cudnnTensorDescriptor_t cDesc, void *c) {
  HET_VENDOR(cudnnReduceTensor, theirs(descriptor), indices, indicesSize, memory, size,
             alpha, theirs(aDesc), a, beta, theirs(cDesc), c);
  if (!descriptor)
    return bad(__func__, "found no operation");
  if (descriptor->indices != CUDNN_REDUCE_TENSOR_NO_INDICES)
    return unsupported(__func__, "places of the least and greatest elements");
  return reduce(__func__, handle, descriptor->op, descriptor->nan == CUDNN_PROPAGATE_NAN,
                alpha, aDesc, a, beta, cDesc, c);
}

cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void *alpha,
                                           const cudnnTensorDescriptor_t dyDesc,
                                           const void *dy, const void *beta,
                                           const cudnnTensorDescriptor_t dbDesc,
                                           void *db) {
  HET_VENDOR(cudnnConvolutionBackwardBias, alpha, theirs(dyDesc), dy, beta,
             theirs(dbDesc), db);
  return reduce(__func__, handle, CUDNN_REDUCE_TENSOR_ADD, true, alpha, dyDesc, dy, beta,
                dbDesc, db);
}
