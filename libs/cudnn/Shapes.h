// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels get of convolutions and pooling: images and windows in three dimensions.

#ifndef HET_LIBS_CUDNN_SHAPES_H
#define HET_LIBS_CUDNN_SHAPES_H

#include "Library.h"

namespace het::dnn {

/// The number of windows along a dimension; 0 or less if there is none.
int64_t outputSize(int in, int window, int padding, int step, int dilation);

/// The work of a convolution of x by w to y. Says what is wrong with their sizes.
cudnnStatus_t shapeOf(const char *function, const cudnnConvolutionStruct &convolution,
                      const cudnnTensorStruct &x, const cudnnFilterStruct &w,
                      const cudnnTensorStruct &y, Convolution &work);

} // namespace het::dnn

#endif // HET_LIBS_CUDNN_SHAPES_H
