// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors element by element, activations, and reductions.

#include "Vendor.h"

using namespace het::dnn;

namespace {

/// Whether each size of `a` is that of `b`, or 1.
bool fits(const cudnnTensorStruct &a, const cudnnTensorStruct &b) {
  bool does = a.dimensions == b.dimensions;
  for (int k = 0; does && k < a.dimensions; ++k)
    does = a.sizes[k] == b.sizes[k] || a.sizes[k] == 1;
  return does;
}

/// y = map(a, b, c), with the sizes of y.
struct Mapping {
  cudnnTensorDescriptor_t a, b, c, y;
};

cudnnStatus_t run(const char *function, cudnnHandle_t handle, Elementwise work,
                  const Mapping &by, const Arguments &arguments) {
  if (!arguments.ok())
    return arguments.result();
  work.extent = extentOf(*by.y);
  work.y = operandOf(*by.y, work.y.data);
  if (by.a)
    work.a = operandOf(*by.a, work.a.data);
  if (by.b)
    work.b = operandOf(*by.b, work.b.data);
  if (by.c)
    work.c = operandOf(*by.c, work.c.data);
  return launched(function, mapElements(work, arguments.type(), handle->stream));
}

cudnnStatus_t transform(const char *function, cudnnHandle_t handle, const void *alpha,
                        cudnnTensorDescriptor_t a, const void *from, const void *beta,
                        cudnnTensorDescriptor_t y, void *to) {
  Arguments arguments(function);
  arguments.handle(handle).tensor(a, from).tensor(y, to);
  arguments.require(!arguments.ok() || fits(*a, *y), "found tensors that do not fit");
  Elementwise work;
  if (arguments.ok())
    work.blend = blend(alpha, beta, arguments.type());
  work.a.data = from;
  work.y.data = to;
  return run(function, handle, work, {a, nullptr, nullptr, y}, arguments);
}

} // namespace

cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void *alpha,
                                   const cudnnTensorDescriptor_t xDesc, const void *x,
                                   const void *beta, const cudnnTensorDescriptor_t yDesc,
                                   void *y) {
  HET_VENDOR(cudnnTransformTensor, alpha, theirs(xDesc), x, beta, theirs(yDesc), y);
  return transform(__func__, handle, alpha, xDesc, x, beta, yDesc, y);
}

cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void *alpha,
                             const cudnnTensorDescriptor_t aDesc, const void *a,
                             const void *beta, const cudnnTensorDescriptor_t cDesc,
                             void *c) {
  HET_VENDOR(cudnnAddTensor, alpha, theirs(aDesc), a, beta, theirs(cDesc), c);
  return transform(__func__, handle, alpha, aDesc, a, beta, cDesc, c);
}

cudnnStatus_t cudnnScaleTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc,
                               void *y, const void *alpha) {
  HET_VENDOR(cudnnScaleTensor, theirs(yDesc), y, alpha);
  return transform(__func__, handle, alpha, yDesc, y, nullptr, yDesc, y);
}

cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc,
                             void *y, const void *value) {
  HET_VENDOR(cudnnSetTensor, theirs(yDesc), y, value);
  Arguments arguments(__func__);
  arguments.handle(handle).tensor(yDesc, y).require(value, "found no value");
  if (!arguments.ok())
    return arguments.result();
  // A value of the tensor's type, which is the only element of what is read.
  const size_t size = sizeOf(yDesc->type);
  void *place = nullptr;
  cudaError_t error = cudaMallocAsync(&place, size, handle->stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(place, value, size, cudaMemcpyHostToDevice, handle->stream);
  if (error != cudaSuccess)
    return launched(__func__, error);
  Elementwise work;
  work.a.data = place;
  work.y.data = y;
  const cudnnStatus_t status =
      run(__func__, handle, work, {nullptr, nullptr, nullptr, yDesc}, arguments);
  (void)cudaFreeAsync(place, handle->stream);
  return status;
}

cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor,
                                         cudnnOpTensorOp_t op, cudnnDataType_t computed,
                                         cudnnNanPropagation_t nan) {
  if (!descriptor || op < CUDNN_OP_TENSOR_ADD || op > CUDNN_OP_TENSOR_NOT)
    return bad(__func__, "found no descriptor, or no such operation");
  *descriptor = {op, computed, nan};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t descriptor,
                                         cudnnOpTensorOp_t *op, cudnnDataType_t *computed,
                                         cudnnNanPropagation_t *nan) {
  if (!descriptor || !op || !computed || !nan)
    return bad(__func__, "found a null pointer");
  *op = descriptor->op;
  *computed = descriptor->computed;
  *nan = descriptor->nan;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t op,
                            const void *alpha1, const cudnnTensorDescriptor_t aDesc,
                            const void *a, const void *alpha2,
                            const cudnnTensorDescriptor_t bDesc, const void *b,
                            const void *beta, const cudnnTensorDescriptor_t cDesc,
                            void *c) {
  HET_VENDOR(cudnnOpTensor, theirs(op), alpha1, theirs(aDesc), a, alpha2, theirs(bDesc),
             b, beta, theirs(cDesc), c);
  Arguments arguments(__func__);
  const bool hasSecond = op && op->op < CUDNN_OP_TENSOR_SQRT;
  arguments.handle(handle).require(op, "found no operation").tensor(aDesc, a);
  if (hasSecond)
    arguments.tensor(bDesc, b);
  arguments.tensor(cDesc, c);
  if (arguments.ok())
    arguments.require(fits(*aDesc, *cDesc) && (!hasSecond || fits(*bDesc, *cDesc)),
                      "found tensors that do not fit");
  if (!arguments.ok())
    return arguments.result();
  constexpr Map maps[] = {Map::Add,     Map::Multiply, Map::Minimum,
                          Map::Maximum, Map::Root,     Map::Complement};
  Elementwise work;
  work.map = maps[op->op];
  work.propagatesNan = op->nan == CUDNN_PROPAGATE_NAN;
  work.blend = blend(alpha1, beta, arguments.type());
  work.secondAlpha = hasSecond ? factor(alpha2, arguments.type()) : 1;
  work.a.data = a;
  work.b.data = b;
  work.y.data = c;
  return run(__func__, handle, work, {aDesc, hasSecond ? bDesc : nullptr, nullptr, cDesc},
             arguments);
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activation,
                                           cudnnActivationMode_t mode,
                                           cudnnNanPropagation_t nan,
                                           double coefficient) {
  if (!activation || mode < CUDNN_ACTIVATION_SIGMOID || mode > CUDNN_ACTIVATION_SWISH)
    return bad(__func__, "found no descriptor, or no such activation");
  activation->mode = mode;
  activation->nan = nan;
  activation->coefficient = coefficient;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t activation,
                                           cudnnActivationMode_t *mode,
                                           cudnnNanPropagation_t *nan,
                                           double *coefficient) {
  if (!activation || !mode || !nan || !coefficient)
    return bad(__func__, "found a null pointer");
  *mode = activation->mode;
  *nan = activation->nan;
  *coefficient = activation->coefficient;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activation,
                                      double beta) {
  if (!activation)
    return bad(__func__, "found no descriptor");
  activation->swishBeta = beta;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activation,
                                      double *beta) {
  if (!activation || !beta)
    return bad(__func__, "found a null pointer");
  *beta = activation->swishBeta;
  return CUDNN_STATUS_SUCCESS;
}

static Elementwise activationWork(const cudnnActivationStruct &activation, Map map) {
  Elementwise work;
  work.map = map;
  work.activation = activation.mode;
  work.coefficient = activation.mode == CUDNN_ACTIVATION_SWISH ? activation.swishBeta
                                                               : activation.coefficient;
  return work;
}

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle,
                                     cudnnActivationDescriptor_t activation,
                                     const void *alpha,
                                     const cudnnTensorDescriptor_t xDesc, const void *x,
                                     const void *beta,
                                     const cudnnTensorDescriptor_t yDesc, void *y) {
  HET_VENDOR(cudnnActivationForward, theirs(activation), alpha, theirs(xDesc), x, beta,
             theirs(yDesc), y);
  Arguments arguments(__func__);
  arguments.handle(handle).require(activation, "found no activation");
  arguments.tensor(xDesc, x).tensor(yDesc, y);
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *yDesc), "found tensors of other sizes");
  if (!arguments.ok())
    return arguments.result();
  Elementwise work = activationWork(*activation, Map::Activation);
  work.blend = blend(alpha, beta, arguments.type());
  work.a.data = x;
  work.y.data = y;
  return run(__func__, handle, work, {xDesc, nullptr, nullptr, yDesc}, arguments);
}

cudnnStatus_t cudnnActivationBackward(cudnnHandle_t handle,
                                      cudnnActivationDescriptor_t activation,
                                      const void *alpha,
                                      const cudnnTensorDescriptor_t yDesc, const void *y,
                                      const cudnnTensorDescriptor_t dyDesc,
                                      const void *dy, const cudnnTensorDescriptor_t xDesc,
                                      const void *x, const void *beta,
                                      const cudnnTensorDescriptor_t dxDesc, void *dx) {
  HET_VENDOR(cudnnActivationBackward, theirs(activation), alpha, theirs(yDesc), y,
             theirs(dyDesc), dy, theirs(xDesc), x, beta, theirs(dxDesc), dx);
  Arguments arguments(__func__);
  arguments.handle(handle).require(activation, "found no activation");
  arguments.tensor(yDesc, y).tensor(dyDesc, dy).tensor(xDesc, x).tensor(dxDesc, dx);
  if (arguments.ok())
    arguments.require(haveSameSizes(*xDesc, *yDesc) && haveSameSizes(*xDesc, *dyDesc) &&
                          haveSameSizes(*xDesc, *dxDesc),
                      "found tensors of other sizes");
  if (!arguments.ok())
    return arguments.result();
  Elementwise work = activationWork(*activation, Map::ActivationBackward);
  work.blend = blend(alpha, beta, arguments.type());
  work.a.data = y;
  work.b.data = dy;
  work.c.data = x;
  work.y.data = dx;
  return run(__func__, handle, work, {yDesc, dyDesc, xDesc, dxDesc}, arguments);
}
