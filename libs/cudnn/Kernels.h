// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuDNN's kernels, and what they are given. Numbers are computed in `float`, or in
// `double` where tensors are of that. Sums have an order that depends on sizes alone.

#ifndef HET_LIBS_CUDNN_KERNELS_H
#define HET_LIBS_CUDNN_KERNELS_H

#include <cstddef>
#include <cstdint>
#include <driver_types.h>

namespace het::dnn {

/// Types of elements for which there are kernels.
enum class Type : int { Float, Double, Half, Bfloat };

constexpr int maxDimensions = 8;

/// Sizes of all operands of a kernel, the last one being that of neighbours in packed
/// memory, and their number. Where there are no dimensions, `sizes` has one of size 1.
struct Extent {
  int dimensions = 0;
  int sizes[maxDimensions] = {1};
  int64_t count = 1;
};

/// Elements in memory, with their distances; 0 where there is one for all.
struct Operand {
  const void *data = nullptr;
  int64_t strides[maxDimensions] = {};
};

/// Factors: result = alpha * value + beta * what was there, which is not read if beta is
/// 0.
struct Blend {
  double alpha = 1, beta = 0;
};

/// What becomes of elements of up to three operands.
enum class Map : int {
  Blend, ///< alpha a + beta y
  Add,   ///< alpha a + second b + beta y, and so on
  Multiply,
  Minimum,
  Maximum,
  Root,              ///< of alpha a
  Complement,        ///< 1 - alpha a
  Activation,        ///< of a
  ActivationBackward ///< of y = a, its gradient b, and x = c
};

struct Elementwise {
  Map map = Map::Blend;
  int activation = 0; ///< A cudnnActivationMode_t.
  double coefficient = 0, secondAlpha = 1;
  bool propagatesNan = false; ///< Of Minimum and Maximum.
  Blend blend;
  Extent extent;
  Operand a, b, c, y;
};
cudaError_t mapElements(const Elementwise &work, Type type, cudaStream_t stream);

/// A cudnnReduceTensorOp_t of the elements that share an element of the result. Each
/// dimension is one of the result's, or one over which is reduced.
struct Reduction {
  int op = 0;
  bool propagatesNan = false; ///< Of the least and the greatest.
  Blend blend;
  Extent kept, reduced;
  Operand a, keptOfA, y; ///< `a` has the strides of reduced dimensions.
};
cudaError_t reduceElements(const Reduction &work, Type type, cudaStream_t stream);

/// Images in three dimensions; those that a tensor lacks have size 1. Strides are of
/// images, channels, and the three.
struct Windows {
  int images = 1, channels = 1;
  int in[3], out[3], window[3], padding[3], step[3], dilation[3] = {1, 1, 1};
};

struct Convolution {
  Windows windows; ///< `channels` are those of the input.
  int outputs = 1, groups = 1;
  bool isFlipped = false; ///< A convolution, not a correlation.
  Blend blend;
  Operand x, w, y; ///< Filters: outputs, channels of a group, and the window.
};
cudaError_t convolve(const Convolution &work, Type type, cudaStream_t stream);
/// x is the result, or w.
cudaError_t convolveToData(const Convolution &work, Type type, cudaStream_t stream);
cudaError_t convolveToFilter(const Convolution &work, Type type, cudaStream_t stream);

/// The elements of x that each output has in its windows, as a matrix for each image:
/// outputs are neighbours, and rows are channels and places of the window.
struct Columns {
  Convolution convolution;
  int first = 0, images = 1; ///< Which of the convolution's images.
  void *columns = nullptr;
};
cudaError_t toColumns(const Columns &work, Type type, cudaStream_t stream);
/// Adds up what belongs to an element of x; the matrices are of what is computed in.
cudaError_t fromColumns(const Columns &work, Type type, cudaStream_t stream);

struct Pooling {
  Windows windows;
  int mode = 0; ///< A cudnnPoolingMode_t.
  bool propagatesNan = true;
  Blend blend;
  Operand x, y, dy, dx;
};
cudaError_t pool(const Pooling &work, Type type, cudaStream_t stream);
cudaError_t poolBackward(const Pooling &work, Type type, cudaStream_t stream);

/// Rows of elements that belong together: softmax.
struct Rows {
  int algorithm = 0; ///< A cudnnSoftmaxAlgorithm_t.
  Blend blend;
  Extent rows, row;
  Operand x, rowOfX, dy, rowOfDy, y, rowOfY; ///< Backward: x is the forward result.
};
cudaError_t softmax(const Rows &work, Type type, cudaStream_t stream);
cudaError_t softmaxBackward(const Rows &work, Type type, cudaStream_t stream);

/// Batch normalisation. Each parameter has a set of elements.
struct Normalisation {
  Blend blend, parameterBlend;
  Extent parameters, elements;
  Operand x, elementOfX, y, elementOfY, dy, elementOfDy;
  const void *scale = nullptr, *bias = nullptr; ///< Packed, of float or double.
  const void *mean = nullptr, *variance = nullptr;
  void *runningMean = nullptr, *runningVariance = nullptr;
  void *savedMean = nullptr, *savedInverse = nullptr; ///< Read by the backward step.
  void *scaleGradient = nullptr, *biasGradient = nullptr;
  double epsilon = 0, averageFactor = 0;
};
cudaError_t normaliseTraining(const Normalisation &work, Type type, cudaStream_t stream);
cudaError_t normaliseInference(const Normalisation &work, Type type, cudaStream_t stream);
cudaError_t normaliseBackward(const Normalisation &work, Type type, cudaStream_t stream);

/// Normalisation over neighbouring channels.
struct Neighbours {
  Blend blend;
  Extent extent; ///< The second dimension is that of channels.
  int size = 1;
  double alpha = 0, beta = 0, k = 1;
  Operand x, y, dy, dx;
};
cudaError_t normaliseNeighbours(const Neighbours &work, Type type, cudaStream_t stream);
cudaError_t normaliseNeighboursBackward(const Neighbours &work, Type type,
                                        cudaStream_t stream);

struct Dropout {
  double rate = 0;
  unsigned long long seed = 0, first = 0; ///< Which number of the sequence is next.
  bool isBackward = false;
  Extent extent;
  Operand x, y;
  unsigned char *kept = nullptr; ///< One for each element.
};
cudaError_t dropElements(const Dropout &work, Type type, cudaStream_t stream);

} // namespace het::dnn

#endif // HET_LIBS_CUDNN_KERNELS_H
