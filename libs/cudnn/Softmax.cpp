// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax, and dropout.

#include "Vendor.h"

using namespace het::dnn;

namespace {

/// Adds a dimension to an extent, with the distances of all operands.
void append(Extent &extent, int size) {
  extent.sizes[extent.dimensions++] = size;
  extent.count *= size;
}

/// Rows are of all elements of an image, or of all channels of a place of it.
void divide(const cudnnTensorStruct &tensor, cudnnSoftmaxMode_t mode, Rows &work,
            const cudnnTensorStruct &y, const cudnnTensorStruct *dy) {
  for (int k = 0; k < tensor.dimensions; ++k) {
    const bool isOfRow = mode == CUDNN_SOFTMAX_MODE_INSTANCE ? k > 0 : k == 1;
    Extent &extent = isOfRow ? work.row : work.rows;
    const int at = extent.dimensions;
    append(extent, tensor.sizes[k]);
    (isOfRow ? work.rowOfX : work.x).strides[at] = tensor.strides[k];
    (isOfRow ? work.rowOfY : work.y).strides[at] = y.strides[k];
    if (dy)
      (isOfRow ? work.rowOfDy : work.dy).strides[at] = dy->strides[k];
  }
}

bool isKnown(cudnnSoftmaxAlgorithm_t algorithm, cudnnSoftmaxMode_t mode) {
  return algorithm >= CUDNN_SOFTMAX_FAST && algorithm <= CUDNN_SOFTMAX_LOG &&
         (mode == CUDNN_SOFTMAX_MODE_INSTANCE || mode == CUDNN_SOFTMAX_MODE_CHANNEL);
}

} // namespace

cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algorithm,
                                  cudnnSoftmaxMode_t mode, const void *alpha,
                                  const cudnnTensorDescriptor_t xDesc, const void *x,
                                  const void *beta, const cudnnTensorDescriptor_t yDesc,
                                  void *y) {
  HET_VENDOR(cudnnSoftmaxForward, algorithm, mode, alpha, theirs(xDesc), x, beta,
             theirs(yDesc), y);
  Arguments arguments(__func__);
  arguments.handle(handle).tensor(xDesc, x).tensor(yDesc, y);
  arguments.require(isKnown(algorithm, mode), "found no such algorithm or mode");
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *yDesc), "found tensors of other sizes");
  if (!arguments.ok())
    return arguments.result();
  Rows work;
  divide(*xDesc, mode, work, *yDesc, nullptr);
  work.algorithm = algorithm;
  work.blend = blend(alpha, beta, arguments.type());
  work.x.data = x;
  work.y.data = y;
  return launched(__func__, softmax(work, arguments.type(), handle->stream));
}

cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t handle,
                                   cudnnSoftmaxAlgorithm_t algorithm,
                                   cudnnSoftmaxMode_t mode, const void *alpha,
                                   const cudnnTensorDescriptor_t yDesc, const void *y,
                                   const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                   const void *beta, const cudnnTensorDescriptor_t dxDesc,
                                   void *dx) {
  HET_VENDOR(cudnnSoftmaxBackward, algorithm, mode, alpha, theirs(yDesc), y,
             theirs(dyDesc), dy, beta, theirs(dxDesc), dx);
  Arguments arguments(__func__);
  arguments.handle(handle).tensor(yDesc, y).tensor(dyDesc, dy).tensor(dxDesc, dx);
  arguments.require(isKnown(algorithm, mode), "found no such algorithm or mode");
  if (arguments.ok())
    arguments.require(haveSameSizes(*yDesc, *dyDesc) && haveSameSizes(*yDesc, *dxDesc),
                      "found tensors of other sizes");
  if (!arguments.ok())
    return arguments.result();
  Rows work;
  divide(*yDesc, mode, work, *dxDesc, dyDesc);
  work.algorithm = algorithm;
  work.blend = blend(alpha, beta, arguments.type());
  work.x.data = y;
  work.dy.data = dy;
  work.y.data = dx;
  return launched(__func__, softmaxBackward(work, arguments.type(), handle->stream));
}

//===----------------------------------------------------------------------===//
// Dropout: element n of call k is kept by number k of the seed's sequence n
//===----------------------------------------------------------------------===//

cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *size) {
  if (!handle || !size)
    return bad(__func__, "found a null pointer");
  *size = 16;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t x, size_t *size) {
  if (!x || !size)
    return bad(__func__, "found a null pointer");
  *size = x->count();
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t dropout,
                                        cudnnHandle_t handle, float rate, void *states,
                                        size_t, unsigned long long seed) {
  if (!dropout || !handle || !(rate >= 0 && rate < 1))
    return bad(__func__, "found a null pointer, or a rate that is none");
  dropout->rate = rate;
  dropout->states = states;
  dropout->seed = seed;
  dropout->next = 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t dropout,
                                        cudnnHandle_t handle, float *rate, void **states,
                                        unsigned long long *seed) {
  if (!dropout || !handle || !rate || !states || !seed)
    return bad(__func__, "found a null pointer");
  *rate = dropout->rate;
  *states = dropout->states;
  *seed = dropout->seed;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t drop(const char *function, cudnnHandle_t handle,
                          cudnnDropoutDescriptor_t dropout, cudnnTensorDescriptor_t xDesc,
                          const void *x, cudnnTensorDescriptor_t yDesc, void *y,
                          void *reserve, size_t size, bool isBackward) {
  Arguments arguments(function);
  arguments.handle(handle).require(dropout, "found no dropout");
  arguments.tensor(xDesc, x).tensor(yDesc, y);
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *yDesc), "found tensors of other sizes")
        .require(reserve && size >= static_cast<size_t>(xDesc->count()),
                 "found a reserve space that is too small");
  if (!arguments.ok())
    return arguments.result();
  Dropout work;
  work.rate = dropout->rate;
  work.seed = dropout->seed;
  work.first = isBackward ? 0 : 4 * dropout->next++;
  work.isBackward = isBackward;
  work.extent = extentOf(*xDesc);
  work.x = operandOf(*xDesc, x);
  work.y = operandOf(*yDesc, y);
  work.kept = static_cast<unsigned char *>(reserve);
  return launched(function, dropElements(work, arguments.type(), handle->stream));
}

cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle,
                                  const cudnnDropoutDescriptor_t dropout,
                                  const cudnnTensorDescriptor_t xDesc, const void *x,
                                  const cudnnTensorDescriptor_t yDesc, void *y,
                                  void *reserve, size_t size) {
  return drop(__func__, handle, dropout, xDesc, x, yDesc, y, reserve, size, false);
}

cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle,
                                   const cudnnDropoutDescriptor_t dropout,
                                   const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                   const cudnnTensorDescriptor_t dxDesc, void *dx,
                                   void *reserve, size_t size) {
  return drop(__func__, handle, dropout, dyDesc, dy, dxDesc, dx, reserve, size, true);
}
