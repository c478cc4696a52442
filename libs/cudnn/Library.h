// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of cuDNN share: descriptors, how kernels see them, and statuses.

#ifndef HET_LIBS_CUDNN_LIBRARY_H
#define HET_LIBS_CUDNN_LIBRARY_H

#include "Kernels.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <string>

#pragma GCC visibility push(default)
#include <cudnn.h>
#pragma GCC visibility pop

struct cublasContext;

namespace het::dnn {
class VendorHandle;
}

struct cudnnContext {
  int device = 0;
  cudaStream_t stream = nullptr;
  cublasContext *blas = nullptr;                  ///< Made when it is first needed.
  std::unique_ptr<het::dnn::VendorHandle> vendor; ///< Where that is the back end.

  cudnnContext();
  ~cudnnContext();
};

struct cudnnTensorStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  int dimensions = 0; ///< 0: it has not been set.
  int sizes[CUDNN_DIM_MAX] = {}, strides[CUDNN_DIM_MAX] = {};

  int64_t count() const;
  bool isPacked() const; ///< Every element of its memory is one of it.
};

struct cudnnFilterStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
  int dimensions = 0;
  int sizes[CUDNN_DIM_MAX] = {}; ///< Outputs, inputs, and the window.
  int64_t count() const;
};

/// Paddings, steps and the like of up to six dimensions.
struct cudnnConvolutionStruct {
  int dimensions = 0;
  int padding[CUDNN_DIM_MAX] = {}, step[CUDNN_DIM_MAX] = {}, dilation[CUDNN_DIM_MAX] = {};
  cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  cudnnDataType_t computed = CUDNN_DATA_FLOAT;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  cudnnReorderType_t reorder = CUDNN_DEFAULT_REORDER;
  int groups = 1;
};

struct cudnnPoolingStruct {
  int dimensions = 0;
  int window[CUDNN_DIM_MAX] = {}, padding[CUDNN_DIM_MAX] = {}, step[CUDNN_DIM_MAX] = {};
  cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};

struct cudnnActivationStruct {
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_IDENTITY;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  double coefficient = 0, swishBeta = 1;
};

struct cudnnLRNStruct {
  unsigned size = 5;
  double alpha = 1e-4, beta = 0.75, k = 2;
};

struct cudnnOpTensorStruct {
  cudnnOpTensorOp_t op = CUDNN_OP_TENSOR_ADD;
  cudnnDataType_t computed = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};

struct cudnnReduceTensorStruct {
  cudnnReduceTensorOp_t op = CUDNN_REDUCE_TENSOR_ADD;
  cudnnDataType_t computed = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  cudnnReduceTensorIndices_t indices = CUDNN_REDUCE_TENSOR_NO_INDICES;
  cudnnIndicesType_t indicesType = CUDNN_32BIT_INDICES;
};

struct cudnnDropoutStruct {
  float rate = 0;
  void *states = nullptr;
  unsigned long long seed = 0;
  mutable unsigned long long next = 0; ///< Calls so far.
};

namespace het::dnn {

/// Says in the log what is wrong with a call.
cudnnStatus_t fail(cudnnStatus_t status, const char *function, const std::string &what);
inline cudnnStatus_t bad(const char *function, const std::string &what) {
  return fail(CUDNN_STATUS_BAD_PARAM, function, what);
}
inline cudnnStatus_t unsupported(const char *function, const std::string &what) {
  return fail(CUDNN_STATUS_NOT_SUPPORTED, function, what);
}
/// The result of a launch.
cudnnStatus_t launched(const char *function, cudaError_t error);

/// The kernels' type of a tensor's; false: there is none.
bool findType(cudnnDataType_t type, Type &found);
size_t sizeOf(cudnnDataType_t type);

/// Factors in the program's memory, of float, or of double for tensors of that.
double factor(const void *place, Type type, double otherwise = 1);
inline Blend blend(const void *alpha, const void *beta, Type type) {
  return {factor(alpha, type), factor(beta, type, 0)};
}

Extent extentOf(const cudnnTensorStruct &tensor);
/// A tensor's elements; where it has size 1, they are for all of the other's.
Operand operandOf(const cudnnTensorStruct &tensor, const void *data);
Operand operandOf(const cudnnFilterStruct &filter, const void *data);
/// The same as images, channels and three dimensions.
Operand imagesOf(const cudnnTensorStruct &tensor, const void *data);
bool haveSameSizes(const cudnnTensorStruct &a, const cudnnTensorStruct &b);

/// What a call's tensors have to be: set, of one type, and in memory that is there.
class Arguments {
public:
  explicit Arguments(const char *function) : function(function) {}
  Arguments &handle(const void *handle);
  template <class Descriptor> Arguments &tensor(Descriptor descriptor, const void *data) {
    return !descriptor || !descriptor->dimensions
               ? wrong("found a descriptor that is null or not set")
           : !data ? wrong("found no memory")
                   : typed(descriptor->type);
  }
  Arguments &require(bool isSo, const char *otherwise) {
    return isSo ? *this : wrong(otherwise);
  }
  bool ok() const { return status == CUDNN_STATUS_SUCCESS; }
  Type type() const { return found; }
  cudnnStatus_t result() const { return status; }

private:
  Arguments &typed(cudnnDataType_t type);
  Arguments &wrong(const char *what);
  const char *function;
  cudnnStatus_t status = CUDNN_STATUS_SUCCESS;
  bool hasType = false;
  cudnnDataType_t first = CUDNN_DATA_FLOAT;
  Type found = Type::Float;
};

} // namespace het::dnn

#endif // HET_LIBS_CUDNN_LIBRARY_H
