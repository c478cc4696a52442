// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling, and softmax.

#include "Shapes.h"
#include "Vendor.h"

#include <algorithm>

using namespace het::dnn;

cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t pooling,
                                          const cudnnPoolingMode_t mode,
                                          const cudnnNanPropagation_t nan, int dimensions,
                                          const int window[], const int padding[],
                                          const int step[]) {
  if (!pooling || !window || !padding || !step || dimensions < 1 ||
      dimensions > CUDNN_DIM_MAX - 2 || mode < CUDNN_POOLING_MAX ||
      mode > CUDNN_POOLING_MAX_DETERMINISTIC)
    return bad(__func__, "found a null pointer, or a number that is none");
  for (int k = 0; k < dimensions; ++k)
    if (window[k] < 1 || padding[k] < 0 || padding[k] >= window[k] || step[k] < 1)
      return bad(__func__, "found a window, padding or step that is none");
  pooling->mode = mode;
  pooling->nan = nan;
  pooling->dimensions = dimensions;
  std::copy_n(window, dimensions, pooling->window);
  std::copy_n(padding, dimensions, pooling->padding);
  std::copy_n(step, dimensions, pooling->step);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t pooling,
                                          cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t nan, int windowHeight,
                                          int windowWidth, int verticalPadding,
                                          int horizontalPadding, int verticalStride,
                                          int horizontalStride) {
  const int window[] = {windowHeight, windowWidth};
  const int padding[] = {verticalPadding, horizontalPadding};
  const int step[] = {verticalStride, horizontalStride};
  return cudnnSetPoolingNdDescriptor(pooling, mode, nan, 2, window, padding, step);
}

cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t pooling,
                                          int requested, cudnnPoolingMode_t *mode,
                                          cudnnNanPropagation_t *nan, int *dimensions,
                                          int window[], int padding[], int step[]) {
  if (!pooling || requested < 0 || !mode || !nan || !dimensions || !window || !padding ||
      !step)
    return bad(__func__, "found a null pointer");
  *mode = pooling->mode;
  *nan = pooling->nan;
  *dimensions = pooling->dimensions;
  const int count = std::min(requested, pooling->dimensions);
  std::copy_n(pooling->window, count, window);
  std::copy_n(pooling->padding, count, padding);
  std::copy_n(pooling->step, count, step);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t pooling,
                                          cudnnPoolingMode_t *mode,
                                          cudnnNanPropagation_t *nan, int *windowHeight,
                                          int *windowWidth, int *verticalPadding,
                                          int *horizontalPadding, int *verticalStride,
                                          int *horizontalStride) {
  int dimensions = 0, window[2], padding[2], step[2];
  if (!pooling || pooling->dimensions != 2 || !windowHeight || !windowWidth ||
      !verticalPadding || !horizontalPadding || !verticalStride || !horizontalStride)
    return bad(__func__, "found a null pointer, or no pooling of two dimensions");
  if (cudnnStatus_t status = cudnnGetPoolingNdDescriptor(
          pooling, 2, mode, nan, &dimensions, window, padding, step))
    return status;
  *windowHeight = window[0];
  *windowWidth = window[1];
  *verticalPadding = padding[0];
  *horizontalPadding = padding[1];
  *verticalStride = step[0];
  *horizontalStride = step[1];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t pooling,
                                                const cudnnTensorDescriptor_t x,
                                                int dimensions, int sizes[]) {
  if (!pooling || !x || !sizes || dimensions != x->dimensions ||
      dimensions != pooling->dimensions + 2)
    return bad(__func__, "found a null pointer, or numbers of dimensions that differ");
  sizes[0] = x->sizes[0];
  sizes[1] = x->sizes[1];
  for (int k = 2; k < dimensions; ++k)
    sizes[k] =
        static_cast<int>(outputSize(x->sizes[k], pooling->window[k - 2],
                                    pooling->padding[k - 2], pooling->step[k - 2], 1));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t pooling,
                                                const cudnnTensorDescriptor_t x, int *n,
                                                int *c, int *h, int *w) {
  int sizes[4];
  if (!n || !c || !h || !w)
    return bad(__func__, "found a null pointer");
  if (cudnnStatus_t status = cudnnGetPoolingNdForwardOutputDim(pooling, x, 4, sizes))
    return status;
  *n = sizes[0];
  *c = sizes[1];
  *h = sizes[2];
  *w = sizes[3];
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t poolingOf(const char *function, const cudnnPoolingStruct &pooling,
                               const cudnnTensorStruct &x, const cudnnTensorStruct &y,
                               Pooling &work) {
  const int dimensions = x.dimensions;
  if (dimensions < 3 || dimensions > 5)
    return unsupported(function, "found a tensor of " + std::to_string(dimensions) +
                                     " dimensions, expected 3 to 5");
  if (y.dimensions != dimensions || pooling.dimensions != dimensions - 2 ||
      x.sizes[0] != y.sizes[0] || x.sizes[1] != y.sizes[1])
    return bad(function, "found tensors that do not fit");
  Windows &windows = work.windows;
  windows.images = x.sizes[0];
  windows.channels = x.sizes[1];
  for (int k = 0; k < 3; ++k) {
    const int at = k + dimensions - 3, own = at - 2;
    const bool isThere = own >= 0;
    windows.in[k] = isThere ? x.sizes[at] : 1;
    windows.out[k] = isThere ? y.sizes[at] : 1;
    windows.window[k] = isThere ? pooling.window[own] : 1;
    windows.padding[k] = isThere ? pooling.padding[own] : 0;
    windows.step[k] = isThere ? pooling.step[own] : 1;
    // A window has one element at least.
    if (int64_t(windows.out[k] - 1) * windows.step[k] - windows.padding[k] >=
        windows.in[k])
      return bad(function, "found a result that is larger than the pooled image");
  }
  work.mode = pooling.mode;
  work.propagatesNan = pooling.nan == CUDNN_PROPAGATE_NAN;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle,
                                  const cudnnPoolingDescriptor_t pooling,
                                  const void *alpha, const cudnnTensorDescriptor_t xDesc,
                                  const void *x, const void *beta,
                                  const cudnnTensorDescriptor_t yDesc, void *y) {
  HET_VENDOR(cudnnPoolingForward, theirs(pooling), alpha, theirs(xDesc), x, beta,
             theirs(yDesc), y);
  Arguments arguments(__func__);
  arguments.handle(handle).require(pooling, "found no pooling");
  arguments.tensor(xDesc, x).tensor(yDesc, y);
  if (!arguments.ok())
    return arguments.result();
  Pooling work;
  if (cudnnStatus_t status = poolingOf(__func__, *pooling, *xDesc, *yDesc, work))
    return status;
  work.blend = blend(alpha, beta, arguments.type());
  work.x = imagesOf(*xDesc, x);
  work.y = imagesOf(*yDesc, y);
  return launched(__func__, pool(work, arguments.type(), handle->stream));
}

cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle,
                                   const cudnnPoolingDescriptor_t pooling,
                                   const void *alpha, const cudnnTensorDescriptor_t yDesc,
                                   const void *y, const cudnnTensorDescriptor_t dyDesc,
                                   const void *dy, const cudnnTensorDescriptor_t xDesc,
                                   const void *x, const void *beta,
                                   const cudnnTensorDescriptor_t dxDesc, void *dx) {
  HET_VENDOR(cudnnPoolingBackward, theirs(pooling), alpha, theirs(yDesc), y,
             theirs(dyDesc), dy, theirs(xDesc), x, beta, theirs(dxDesc), dx);
  Arguments arguments(__func__);
  arguments.handle(handle).require(pooling, "found no pooling");
  arguments.tensor(yDesc, y).tensor(dyDesc, dy).tensor(xDesc, x).tensor(dxDesc, dx);
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *dxDesc) && haveSameSizes(*yDesc, *dyDesc),
                      "found gradients of other sizes");
  if (!arguments.ok())
    return arguments.result();
  Pooling work;
  if (cudnnStatus_t status = poolingOf(__func__, *pooling, *xDesc, *yDesc, work))
    return status;
  work.blend = blend(alpha, beta, arguments.type());
  work.x = imagesOf(*xDesc, x);
  work.dy = imagesOf(*dyDesc, dy);
  work.dx = imagesOf(*dxDesc, dx);
  return launched(__func__, poolBackward(work, arguments.type(), handle->stream));
}
