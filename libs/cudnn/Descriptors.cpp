// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of tensors and filters, and making and destroying all kinds.

#include "Library.h"

#include <algorithm>
#include <climits>
#include <new>

using namespace het::dnn;

#define HET_DESCRIPTOR(kind)                                                             \
  cudnnStatus_t cudnnCreate##kind##Descriptor(cudnn##kind##Descriptor_t *place) {        \
    if (!place)                                                                          \
      return bad(__func__, "found no place for the descriptor");                         \
    *place = new (std::nothrow) cudnn##kind##Struct;                                     \
    return *place ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_ALLOC_FAILED;                    \
  }                                                                                      \
  cudnnStatus_t cudnnDestroy##kind##Descriptor(cudnn##kind##Descriptor_t descriptor) {   \
    delete descriptor;                                                                   \
    return CUDNN_STATUS_SUCCESS;                                                         \
  }
HET_DESCRIPTOR(Tensor)
HET_DESCRIPTOR(Filter)
HET_DESCRIPTOR(Convolution)
HET_DESCRIPTOR(Pooling)
HET_DESCRIPTOR(Activation)
HET_DESCRIPTOR(LRN)
HET_DESCRIPTOR(OpTensor)
HET_DESCRIPTOR(ReduceTensor)
HET_DESCRIPTOR(Dropout)
#undef HET_DESCRIPTOR

int64_t cudnnTensorStruct::count() const {
  int64_t all = dimensions ? 1 : 0;
  for (int k = 0; k < dimensions; ++k)
    all *= sizes[k];
  return all;
}

bool cudnnTensorStruct::isPacked() const {
  int64_t last = 0;
  for (int k = 0; k < dimensions; ++k)
    last += int64_t(sizes[k] - 1) * strides[k];
  return last + 1 == count();
}

int64_t cudnnFilterStruct::count() const {
  int64_t all = dimensions ? 1 : 0;
  for (int k = 0; k < dimensions; ++k)
    all *= sizes[k];
  return all;
}

namespace {

/// Whether all sizes are positive, and their product is that of an array.
bool areSizes(int dimensions, const int *sizes) {
  int64_t all = 1;
  for (int k = 0; k < dimensions; ++k) {
    if (sizes[k] < 1 || all > INT64_MAX / 64 / sizes[k])
      return false;
    all *= sizes[k];
  }
  return true;
}

cudnnStatus_t setTensor(cudnnTensorDescriptor_t tensor, cudnnDataType_t type,
                        int dimensions, const int *sizes, const int *strides,
                        const char *function) {
  if (!tensor || !sizes || !strides || !sizeOf(type))
    return bad(function, "found a null pointer, or no such type");
  if (dimensions < 1 || dimensions > CUDNN_DIM_MAX || !areSizes(dimensions, sizes))
    return bad(function, "found sizes that are none");
  for (int k = 0; k < dimensions; ++k)
    if (strides[k] < 0 || (strides[k] == 0 && sizes[k] > 1))
      return bad(function, "found a distance that is not positive");
  tensor->type = type;
  tensor->dimensions = dimensions;
  std::copy_n(sizes, dimensions, tensor->sizes);
  std::copy_n(strides, dimensions, tensor->strides);
  return CUDNN_STATUS_SUCCESS;
}

/// Distances of packed elements; false where they are beyond an int.
bool packStrides(cudnnTensorFormat_t format, int dimensions, const int *sizes,
                 int *strides) {
  int64_t next = 1;
  const bool isChannelLast = format == CUDNN_TENSOR_NHWC && dimensions > 1;
  if (isChannelLast) {
    strides[1] = 1;
    next = sizes[1];
  }
  for (int k = dimensions; k--;) {
    if (k == 1 && isChannelLast)
      continue;
    if (next > INT_MAX)
      return false;
    strides[k] = static_cast<int>(next);
    next *= sizes[k];
  }
  return true;
}

cudnnStatus_t setPacked(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
                        cudnnDataType_t type, int dimensions, const int *sizes,
                        const char *function) {
  if (!sizes || dimensions < 1 || dimensions > CUDNN_DIM_MAX ||
      !areSizes(dimensions, sizes))
    return bad(function, "found sizes that are none");
  if (format != CUDNN_TENSOR_NCHW && format != CUDNN_TENSOR_NHWC)
    return unsupported(function, "found format " + std::to_string(format) +
                                     ", expected NCHW or NHWC");
  int strides[CUDNN_DIM_MAX];
  if (!packStrides(format, dimensions, sizes, strides))
    return unsupported(function, "found a tensor of more than 2^31 elements");
  return setTensor(tensor, type, dimensions, sizes, strides, function);
}

template <class Value> void give(Value *place, Value value) {
  if (place)
    *place = value;
}

} // namespace

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor,
                                         cudnnTensorFormat_t format, cudnnDataType_t type,
                                         int n, int c, int h, int w) {
  const int sizes[] = {n, c, h, w};
  return setPacked(tensor, format, type, 4, sizes, __func__);
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensor,
                                           cudnnDataType_t type, int n, int c, int h,
                                           int w, int nStride, int cStride, int hStride,
                                           int wStride) {
  const int sizes[] = {n, c, h, w}, strides[] = {nStride, cStride, hStride, wStride};
  return setTensor(tensor, type, 4, sizes, strides, __func__);
}

cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t tensor,
                                         cudnnDataType_t *type, int *n, int *c, int *h,
                                         int *w, int *nStride, int *cStride, int *hStride,
                                         int *wStride) {
  if (!tensor || tensor->dimensions != 4)
    return bad(__func__, "found no tensor of four dimensions");
  give(type, tensor->type);
  int *const sizes[] = {n, c, h, w}, *const strides[] = {nStride, cStride, hStride,
                                                         wStride};
  for (int k = 0; k < 4; ++k) {
    give(sizes[k], tensor->sizes[k]);
    give(strides[k], tensor->strides[k]);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensor,
                                         cudnnDataType_t type, int dimensions,
                                         const int sizes[], const int strides[]) {
  return setTensor(tensor, type, dimensions, sizes, strides, __func__);
}

cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensor,
                                           cudnnTensorFormat_t format,
                                           cudnnDataType_t type, int dimensions,
                                           const int sizes[]) {
  return setPacked(tensor, format, type, dimensions, sizes, __func__);
}

cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t tensor,
                                         int requested, cudnnDataType_t *type,
                                         int *dimensions, int sizes[], int strides[]) {
  if (!tensor || requested < 0)
    return bad(__func__, "found no tensor");
  give(type, tensor->type);
  give(dimensions, tensor->dimensions);
  for (int k = 0; k < std::min(requested, tensor->dimensions); ++k) {
    if (sizes)
      sizes[k] = tensor->sizes[k];
    if (strides)
      strides[k] = tensor->strides[k];
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t tensor,
                                        size_t *size) {
  if (!tensor || !size)
    return bad(__func__, "found no tensor or no place for the size");
  int64_t last = tensor->dimensions ? 1 : 0;
  for (int k = 0; k < tensor->dimensions; ++k)
    last += int64_t(tensor->sizes[k] - 1) * tensor->strides[k];
  *size = last * sizeOf(tensor->type);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filter,
                                         cudnnDataType_t type, cudnnTensorFormat_t format,
                                         int dimensions, const int sizes[]) {
  if (!filter || !sizes || !sizeOf(type) || dimensions < 3 ||
      dimensions > CUDNN_DIM_MAX || !areSizes(dimensions, sizes))
    return bad(__func__, "found a null pointer, no such type, or sizes that are none");
  if (format != CUDNN_TENSOR_NCHW && format != CUDNN_TENSOR_NHWC)
    return unsupported(__func__, "found format " + std::to_string(format) +
                                     ", expected NCHW or NHWC");
  filter->type = type;
  filter->format = format;
  filter->dimensions = dimensions;
  std::copy_n(sizes, dimensions, filter->sizes);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter,
                                         cudnnDataType_t type, cudnnTensorFormat_t format,
                                         int k, int c, int h, int w) {
  const int sizes[] = {k, c, h, w};
  return cudnnSetFilterNdDescriptor(filter, type, format, 4, sizes);
}

cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t filter,
                                         int requested, cudnnDataType_t *type,
                                         cudnnTensorFormat_t *format, int *dimensions,
                                         int sizes[]) {
  if (!filter || requested < 0)
    return bad(__func__, "found no filter");
  give(type, filter->type);
  give(format, filter->format);
  give(dimensions, filter->dimensions);
  for (int k = 0; sizes && k < std::min(requested, filter->dimensions); ++k)
    sizes[k] = filter->sizes[k];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t filter,
                                         cudnnDataType_t *type,
                                         cudnnTensorFormat_t *format, int *k, int *c,
                                         int *h, int *w) {
  int sizes[4] = {};
  if (!filter || filter->dimensions != 4)
    return bad(__func__, "found no filter of four dimensions");
  (void)cudnnGetFilterNdDescriptor(filter, 4, type, format, nullptr, sizes);
  give(k, sizes[0]);
  give(c, sizes[1]);
  give(h, sizes[2]);
  give(w, sizes[3]);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t filter,
                                        size_t *size) {
  if (!filter || !size)
    return bad(__func__, "found no filter or no place for the size");
  *size = filter->count() * sizeOf(filter->type);
  return CUDNN_STATUS_SUCCESS;
}
