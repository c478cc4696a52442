// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions as products of matrices, which cuBLAS computes.

#ifndef HET_LIBS_CUDNN_PRODUCTS_H
#define HET_LIBS_CUDNN_PRODUCTS_H

#include "Library.h"

namespace het::dnn {

enum class Direction { Forward, ToData, ToFilter };

/// Bytes of memory that products need for a convolution of these tensors; 0 if it can not
/// be products, for its results or filters are not packed in the usual order, or images'
/// gradients of a filter would be rounded each before they are added.
size_t productsSize(Direction direction, const Convolution &work,
                    const cudnnTensorStruct &y, const cudnnFilterStruct &w);

/// Carries a convolution out in `size` bytes of memory, which are productsSize at least.
cudnnStatus_t convolveByProducts(const char *function, cudnnHandle_t handle,
                                 Direction direction, const Convolution &work, Type type,
                                 void *memory, size_t size);

} // namespace het::dnn

#endif // HET_LIBS_CUDNN_PRODUCTS_H
