// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch normalisation, and normalisation over neighbouring channels.

#include "Vendor.h"

using namespace het::dnn;

namespace {

/// Parameters are of all channels, or of all elements of an image.
void divide(const cudnnTensorStruct &x, const cudnnTensorStruct &y,
            const cudnnTensorStruct *dy, cudnnBatchNormMode_t mode, Normalisation &work) {
  for (int k = 0; k < x.dimensions; ++k) {
    const bool isParameter = mode == CUDNN_BATCHNORM_PER_ACTIVATION ? k > 0 : k == 1;
    Extent &extent = isParameter ? work.parameters : work.elements;
    const int at = extent.dimensions++;
    extent.sizes[at] = x.sizes[k];
    extent.count *= x.sizes[k];
    (isParameter ? work.x : work.elementOfX).strides[at] = x.strides[k];
    (isParameter ? work.y : work.elementOfY).strides[at] = y.strides[k];
    if (dy)
      (isParameter ? work.dy : work.elementOfDy).strides[at] = dy->strides[k];
  }
}

/// Whether a descriptor is that of the parameters: packed, of float or double.
cudnnStatus_t checkParameters(const char *function, cudnnTensorDescriptor_t parameters,
                              cudnnTensorDescriptor_t x, cudnnBatchNormMode_t mode) {
  if (!parameters || mode < CUDNN_BATCHNORM_PER_ACTIVATION ||
      mode > CUDNN_BATCHNORM_SPATIAL_PERSISTENT)
    return bad(function, "found no descriptor of parameters, or no such mode");
  cudnnTensorStruct expected;
  if (cudnnStatus_t status = cudnnDeriveBNTensorDescriptor(&expected, x, mode))
    return status;
  if (!haveSameSizes(*parameters, expected))
    return bad(function, "found parameters of other sizes");
  if (parameters->type != expected.type || !parameters->isPacked())
    return unsupported(function, "found parameters that are not packed, or of type " +
                                     std::to_string(parameters->type));
  return CUDNN_STATUS_SUCCESS;
}

} // namespace

cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derived,
                                            const cudnnTensorDescriptor_t x,
                                            cudnnBatchNormMode_t mode) {
  if (!derived || !x || x->dimensions < 2)
    return bad(__func__, "found no descriptor");
  int sizes[CUDNN_DIM_MAX];
  for (int k = 0; k < x->dimensions; ++k)
    sizes[k] =
        (mode == CUDNN_BATCHNORM_PER_ACTIVATION ? k > 0 : k == 1) ? x->sizes[k] : 1;
  return cudnnSetTensorNdDescriptorEx(derived, CUDNN_TENSOR_NCHW,
                                      x->type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE
                                                                   : CUDNN_DATA_FLOAT,
                                      x->dimensions, sizes);
}

cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha, const void *beta,
    const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t yDesc, void *y,
    const cudnnTensorDescriptor_t parameters, const void *scale, const void *bias,
    double averageFactor, void *runningMean, void *runningVariance, double epsilon,
    void *savedMean, void *savedInverse) {
  HET_VENDOR(cudnnBatchNormalizationForwardTraining, mode, alpha, beta, theirs(xDesc), x,
             theirs(yDesc), y, theirs(parameters), scale, bias, averageFactor,
             runningMean, runningVariance, epsilon, savedMean, savedInverse);
  Arguments arguments(__func__);
  arguments.handle(handle).tensor(xDesc, x).tensor(yDesc, y);
  arguments.require(scale && bias, "found no scale or bias")
      .require(!runningMean == !runningVariance && !savedMean == !savedInverse,
               "found a mean without a variance")
      .require(epsilon >= CUDNN_BN_MIN_EPSILON, "found an epsilon that is too small");
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *yDesc), "found tensors of other sizes");
  if (!arguments.ok())
    return arguments.result();
  if (cudnnStatus_t status = checkParameters(__func__, parameters, xDesc, mode))
    return status;
  Normalisation work;
  divide(*xDesc, *yDesc, nullptr, mode, work);
  work.blend = blend(alpha, beta, arguments.type());
  work.x.data = x;
  work.y.data = y;
  work.scale = scale;
  work.bias = bias;
  work.averageFactor = averageFactor;
  work.runningMean = runningMean;
  work.runningVariance = runningVariance;
  work.epsilon = epsilon;
  work.savedMean = savedMean;
  work.savedInverse = savedInverse;
  return launched(__func__, normaliseTraining(work, arguments.type(), handle->stream));
}

cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha, const void *beta,
    const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t yDesc, void *y,
    const cudnnTensorDescriptor_t parameters, const void *scale, const void *bias,
    const void *mean, const void *variance, double epsilon) {
  HET_VENDOR(cudnnBatchNormalizationForwardInference, mode, alpha, beta, theirs(xDesc), x,
             theirs(yDesc), y, theirs(parameters), scale, bias, mean, variance, epsilon);
  Arguments arguments(__func__);
  arguments.handle(handle).tensor(xDesc, x).tensor(yDesc, y);
  arguments.require(scale && bias && mean && variance, "found no parameters")
      .require(epsilon >= CUDNN_BN_MIN_EPSILON, "found an epsilon that is too small");
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *yDesc), "found tensors of other sizes");
  if (!arguments.ok())
    return arguments.result();
  if (cudnnStatus_t status = checkParameters(__func__, parameters, xDesc, mode))
    return status;
  Normalisation work;
  divide(*xDesc, *yDesc, nullptr, mode, work);
  work.blend = blend(alpha, beta, arguments.type());
  work.x.data = x;
  work.y.data = y;
  work.scale = scale;
  work.bias = bias;
  work.mean = mean;
  work.variance = variance;
  work.epsilon = epsilon;
  return launched(__func__, normaliseInference(work, arguments.type(), handle->stream));
}

cudnnStatus_t cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alphaData,
    const void *betaData, const void *alphaParameters, const void *betaParameters,
    const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnTensorDescriptor_t dxDesc, void *dx,
    const cudnnTensorDescriptor_t parameters, const void *scale, void *scaleGradient,
    void *biasGradient, double epsilon, const void *savedMean, const void *savedInverse) {
  HET_VENDOR(cudnnBatchNormalizationBackward, mode, alphaData, betaData, alphaParameters,
             betaParameters, theirs(xDesc), x, theirs(dyDesc), dy, theirs(dxDesc), dx,
             theirs(parameters), scale, scaleGradient, biasGradient, epsilon, savedMean,
             savedInverse);
  Arguments arguments(__func__);
  arguments.handle(handle).tensor(xDesc, x).tensor(dyDesc, dy).tensor(dxDesc, dx);
  arguments.require(scale && scaleGradient && biasGradient, "found no parameters")
      .require(!savedMean == !savedInverse, "found a mean without a variance")
      .require(epsilon >= CUDNN_BN_MIN_EPSILON, "found an epsilon that is too small");
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *dyDesc) && haveSameSizes(*xDesc, *dxDesc),
                      "found tensors of other sizes");
  if (!arguments.ok())
    return arguments.result();
  if (cudnnStatus_t status = checkParameters(__func__, parameters, xDesc, mode))
    return status;
  Normalisation work;
  divide(*xDesc, *dxDesc, dyDesc, mode, work);
  work.blend = blend(alphaData, betaData, arguments.type());
  work.parameterBlend = blend(alphaParameters, betaParameters, arguments.type());
  work.x.data = x;
  work.dy.data = dy;
  work.y.data = dx;
  work.scale = scale;
  work.scaleGradient = scaleGradient;
  work.biasGradient = biasGradient;
  work.epsilon = epsilon;
  work.savedMean = const_cast<void *>(savedMean);
  work.savedInverse = const_cast<void *>(savedInverse);
  return launched(__func__, normaliseBackward(work, arguments.type(), handle->stream));
}

//===----------------------------------------------------------------------===//
// Neighbouring channels
//===----------------------------------------------------------------------===//

cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t descriptor, unsigned size,
                                    double alpha, double beta, double k) {
  if (!descriptor || size < CUDNN_LRN_MIN_N || size > CUDNN_LRN_MAX_N ||
      beta < CUDNN_LRN_MIN_BETA || k < CUDNN_LRN_MIN_K)
    return bad(__func__, "found no descriptor, or a number that is none");
  *descriptor = {size, alpha, beta, k};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t descriptor, unsigned *size,
                                    double *alpha, double *beta, double *k) {
  if (!descriptor || !size || !alpha || !beta || !k)
    return bad(__func__, "found a null pointer");
  *size = descriptor->size;
  *alpha = descriptor->alpha;
  *beta = descriptor->beta;
  *k = descriptor->k;
  return CUDNN_STATUS_SUCCESS;
}

static Neighbours neighboursOf(const cudnnLRNStruct &descriptor,
                               const cudnnTensorStruct &x, const void *data,
                               const Blend &blend) {
  Neighbours work;
  work.blend = blend;
  work.extent = extentOf(x);
  work.size = static_cast<int>(descriptor.size);
  work.alpha = descriptor.alpha;
  work.beta = descriptor.beta;
  work.k = descriptor.k;
  work.x = operandOf(x, data);
  return work;
}

cudnnStatus_t cudnnLRNCrossChannelForward(cudnnHandle_t handle,
                                          cudnnLRNDescriptor_t descriptor,
                                          cudnnLRNMode_t mode, const void *alpha,
                                          const cudnnTensorDescriptor_t xDesc,
                                          const void *x, const void *beta,
                                          const cudnnTensorDescriptor_t yDesc, void *y) {
  HET_VENDOR(cudnnLRNCrossChannelForward, theirs(descriptor), mode, alpha, theirs(xDesc),
             x, beta, theirs(yDesc), y);
  Arguments arguments(__func__);
  arguments.handle(handle).require(descriptor, "found no descriptor");
  arguments.tensor(xDesc, x).tensor(yDesc, y);
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *yDesc) && xDesc->dimensions > 1,
                      "found tensors of other sizes");
  if (!arguments.ok())
    return arguments.result();
  Neighbours work =
      neighboursOf(*descriptor, *xDesc, x, blend(alpha, beta, arguments.type()));
  work.y = operandOf(*yDesc, y);
  return launched(__func__, normaliseNeighbours(work, arguments.type(), handle->stream));
}

cudnnStatus_t cudnnLRNCrossChannelBackward(
    cudnnHandle_t handle, cudnnLRNDescriptor_t descriptor, cudnnLRNMode_t mode,
    const void *alpha, const cudnnTensorDescriptor_t yDesc, const void *y,
    const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
    const cudnnTensorDescriptor_t dxDesc, void *dx) {
  HET_VENDOR(cudnnLRNCrossChannelBackward, theirs(descriptor), mode, alpha, theirs(yDesc),
             y, theirs(dyDesc), dy, theirs(xDesc), x, beta, theirs(dxDesc), dx);
  Arguments arguments(__func__);
  arguments.handle(handle).require(descriptor, "found no descriptor");
  arguments.tensor(yDesc, y).tensor(dyDesc, dy).tensor(xDesc, x).tensor(dxDesc, dx);
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *dyDesc) && haveSameSizes(*xDesc, *dxDesc) &&
                          xDesc->dimensions > 1,
                      "found tensors of other sizes");
  if (!arguments.ok())
    return arguments.result();
  Neighbours work =
      neighboursOf(*descriptor, *xDesc, x, blend(alpha, beta, arguments.type()));
  work.dy = operandOf(*dyDesc, dy);
  work.dx = operandOf(*dxDesc, dx);
  return launched(__func__,
                  normaliseNeighboursBackward(work, arguments.type(), handle->stream));
}
