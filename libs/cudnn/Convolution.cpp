// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of convolutions, and sizes.

#include "Shapes.h"

#include <algorithm>

using namespace het::dnn;

int64_t het::dnn::outputSize(int in, int window, int padding, int step, int dilation) {
  const int64_t extent = int64_t(window - 1) * dilation + 1;
  const int64_t room = in + 2 * int64_t(padding) - extent;
  return room < 0 ? 0 : room / step + 1;
}

cudnnStatus_t het::dnn::shapeOf(const char *function,
                                const cudnnConvolutionStruct &convolution,
                                const cudnnTensorStruct &x, const cudnnFilterStruct &w,
                                const cudnnTensorStruct &y, Convolution &work) {
  const int dimensions = x.dimensions;
  if (dimensions < 3 || dimensions > 5 || w.dimensions != dimensions ||
      y.dimensions != dimensions)
    return unsupported(function, "found tensors of " + std::to_string(dimensions) + ", " +
                                     std::to_string(w.dimensions) + " and " +
                                     std::to_string(y.dimensions) +
                                     " dimensions, expected 3 to 5 of each");
  if (convolution.dimensions != dimensions - 2)
    return bad(function, "found a convolution of " +
                             std::to_string(convolution.dimensions) + " dimensions");
  const int groups = convolution.groups;
  if (x.sizes[0] != y.sizes[0] || y.sizes[1] != w.sizes[0] ||
      x.sizes[1] != int64_t(w.sizes[1]) * groups || w.sizes[0] % groups)
    return bad(function, "found images or channels that do not fit");
  Windows &windows = work.windows;
  windows.images = x.sizes[0];
  windows.channels = x.sizes[1];
  work.outputs = w.sizes[0];
  work.groups = groups;
  work.isFlipped = convolution.mode == CUDNN_CONVOLUTION;
  for (int k = 0; k < 3; ++k) {
    const int at = k + dimensions - 3, own = at - 2;
    const bool isThere = own >= 0;
    windows.in[k] = isThere ? x.sizes[at] : 1;
    windows.out[k] = isThere ? y.sizes[at] : 1;
    windows.window[k] = isThere ? w.sizes[at] : 1;
    windows.padding[k] = isThere ? convolution.padding[own] : 0;
    windows.step[k] = isThere ? convolution.step[own] : 1;
    windows.dilation[k] = isThere ? convolution.dilation[own] : 1;
    if (windows.out[k] != outputSize(windows.in[k], windows.window[k], windows.padding[k],
                                     windows.step[k], windows.dilation[k]))
      return bad(function, "found a result of " + std::to_string(windows.out[k]) +
                               " where the convolution has " +
                               std::to_string(outputSize(
                                   windows.in[k], windows.window[k], windows.padding[k],
                                   windows.step[k], windows.dilation[k])));
  }
  work.x = imagesOf(x, nullptr);
  work.y = imagesOf(y, nullptr);
  work.w = operandOf(w, nullptr);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convolution,
                                              int dimensions, const int padding[],
                                              const int step[], const int dilation[],
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t computed) {
  if (!convolution || dimensions < 1 || dimensions > CUDNN_DIM_MAX - 2 || !padding ||
      !step || !dilation ||
      (mode != CUDNN_CONVOLUTION && mode != CUDNN_CROSS_CORRELATION))
    return bad(__func__, "found a null pointer, or a number that is none");
  for (int k = 0; k < dimensions; ++k)
    if (padding[k] < 0 || step[k] < 1 || dilation[k] < 1)
      return bad(__func__, "found a padding, step or dilation that is none");
  if (computed != CUDNN_DATA_FLOAT && computed != CUDNN_DATA_DOUBLE &&
      computed != CUDNN_DATA_HALF)
    return unsupported(__func__, "found computation in type " + std::to_string(computed));
  convolution->dimensions = dimensions;
  std::copy_n(padding, dimensions, convolution->padding);
  std::copy_n(step, dimensions, convolution->step);
  std::copy_n(dilation, dimensions, convolution->dilation);
  convolution->mode = mode;
  convolution->computed = computed;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convolution,
                                              int padH, int padW, int u, int v,
                                              int dilationH, int dilationW,
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t computed) {
  const int padding[] = {padH, padW}, step[] = {u, v},
            dilation[] = {dilationH, dilationW};
  return cudnnSetConvolutionNdDescriptor(convolution, 2, padding, step, dilation, mode,
                                         computed);
}

cudnnStatus_t
cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t convolution,
                                int requested, int *dimensions, int padding[], int step[],
                                int dilation[], cudnnConvolutionMode_t *mode,
                                cudnnDataType_t *computed) {
  if (!convolution || requested < 0 || !dimensions || !mode || !computed)
    return bad(__func__, "found a null pointer");
  *dimensions = convolution->dimensions;
  *mode = convolution->mode;
  *computed = convolution->computed;
  const int count = std::min(requested, convolution->dimensions);
  const auto give = [&](int *to, const int *from) {
    if (to)
      std::copy_n(from, count, to);
  };
  give(padding, convolution->padding);
  give(step, convolution->step);
  give(dilation, convolution->dilation);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t convolution, int *padH,
                                int *padW, int *u, int *v, int *dilationH, int *dilationW,
                                cudnnConvolutionMode_t *mode, cudnnDataType_t *computed) {
  if (!convolution || convolution->dimensions != 2)
    return bad(__func__, "found no convolution of two dimensions");
  const auto give = [](auto *to, auto value) {
    if (to)
      *to = value;
  };
  give(padH, convolution->padding[0]);
  give(padW, convolution->padding[1]);
  give(u, convolution->step[0]);
  give(v, convolution->step[1]);
  give(dilationH, convolution->dilation[0]);
  give(dilationW, convolution->dilation[1]);
  give(mode, convolution->mode);
  give(computed, convolution->computed);
  return CUDNN_STATUS_SUCCESS;
}

/// Settings with functions to set and to get them.
#define HET_SETTING(name, type, member, isValid)                                         \
  cudnnStatus_t cudnnSetConvolution##name(cudnnConvolutionDescriptor_t convolution,      \
                                          type value) {                                  \
    if (!convolution || !(isValid))                                                      \
      return bad(__func__, "found no descriptor, or no such value");                     \
    convolution->member = value;                                                         \
    return CUDNN_STATUS_SUCCESS;                                                         \
  }                                                                                      \
  cudnnStatus_t cudnnGetConvolution##name(cudnnConvolutionDescriptor_t convolution,      \
                                          type *value) {                                 \
    if (!convolution || !value)                                                          \
      return bad(__func__, "found a null pointer");                                      \
    *value = convolution->member;                                                        \
    return CUDNN_STATUS_SUCCESS;                                                         \
  }
HET_SETTING(MathType, cudnnMathType_t, math,
            value >= CUDNN_DEFAULT_MATH && value <= CUDNN_FMA_MATH)
HET_SETTING(GroupCount, int, groups, value >= 1)
HET_SETTING(ReorderType, cudnnReorderType_t, reorder,
            value == CUDNN_DEFAULT_REORDER || value == CUDNN_NO_REORDER)
#undef HET_SETTING

cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(
    const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t x,
    const cudnnFilterDescriptor_t w, int dimensions, int sizes[]) {
  if (!convolution || !x || !w || !sizes || dimensions != x->dimensions ||
      dimensions != w->dimensions || dimensions != convolution->dimensions + 2)
    return bad(__func__, "found a null pointer, or numbers of dimensions that differ");
  if (x->sizes[1] != int64_t(w->sizes[1]) * convolution->groups)
    return bad(__func__, "found channels that do not fit");
  sizes[0] = x->sizes[0];
  sizes[1] = w->sizes[0];
  for (int k = 2; k < dimensions; ++k) {
    const int64_t size =
        outputSize(x->sizes[k], w->sizes[k], convolution->padding[k - 2],
                   convolution->step[k - 2], convolution->dilation[k - 2]);
    if (size < 1)
      return bad(__func__, "found a window that is larger than the image");
    sizes[k] = static_cast<int>(size);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(
    const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t x,
    const cudnnFilterDescriptor_t w, int *n, int *c, int *h, int *width) {
  int sizes[4];
  if (!n || !c || !h || !width)
    return bad(__func__, "found a null pointer");
  const cudnnStatus_t status =
      cudnnGetConvolutionNdForwardOutputDim(convolution, x, w, 4, sizes);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  *n = sizes[0];
  *c = sizes[1];
  *h = sizes[2];
  *width = sizes[3];
  return CUDNN_STATUS_SUCCESS;
}
