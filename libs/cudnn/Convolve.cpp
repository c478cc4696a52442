// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions, their gradients, and the algorithms among which programs choose: of each
// direction there is one by products of matrices, which needs memory, and one by sums.
// Numbers of other algorithms mean the first.

#include "Products.h"
#include "Shapes.h"
#include "Vendor.h"

#include <algorithm>
#include <cuda_runtime.h>

using namespace het::dnn;

namespace {

/// The tensors of a convolution, whichever of them is the result.
struct Operands {
  cudnnTensorDescriptor_t x;
  const void *xData;
  cudnnFilterDescriptor_t w;
  const void *wData;
  cudnnTensorDescriptor_t y;
  const void *yData;
};

/// An algorithm of a direction: products of matrices, in memory of the program's, or sums
/// of each element, which need none.
struct Choice {
  Direction direction;
  bool byProducts;
  void *memory = nullptr;
  size_t size = 0;
};

cudaError_t sum(Direction direction, const Convolution &work, Type type,
                cudaStream_t stream) {
  switch (direction) {
  case Direction::Forward:
    return convolve(work, type, stream);
  case Direction::ToData:
    return convolveToData(work, type, stream);
  default:
    return convolveToFilter(work, type, stream);
  }
}

cudnnStatus_t run(const char *function, cudnnHandle_t handle, const void *alpha,
                  const void *beta, const Operands &operands,
                  cudnnConvolutionDescriptor_t convolution, const Choice &choice) {
  Arguments arguments(function);
  arguments.handle(handle).require(convolution, "found no convolution");
  arguments.tensor(operands.x, operands.xData)
      .tensor(operands.w, operands.wData)
      .tensor(operands.y, operands.yData);
  if (!arguments.ok())
    return arguments.result();
  Convolution work;
  if (cudnnStatus_t status =
          shapeOf(function, *convolution, *operands.x, *operands.w, *operands.y, work))
    return status;
  work.blend = blend(alpha, beta, arguments.type());
  work.x.data = operands.xData;
  work.w.data = operands.wData;
  work.y.data = operands.yData;
  const size_t needed =
      choice.byProducts ? productsSize(choice.direction, work, *operands.y, *operands.w)
                        : 0;
  // A workspace that NVIDIA's library has measured may be smaller.
  const bool isTooSmall = handle->vendor && (!choice.memory || choice.size < needed);
  if (!needed || isTooSmall)
    return launched(function,
                    sum(choice.direction, work, arguments.type(), handle->stream));
  if (!choice.memory || choice.size < needed)
    return bad(function, "found a workspace of " + std::to_string(choice.size) +
                             " bytes, expected " + std::to_string(needed) +
                             ", as cudnnGetConvolution...WorkspaceSize says");
  return convolveByProducts(function, handle, choice.direction, work, arguments.type(),
                            choice.memory, needed);
}

/// The two algorithms of a direction: by products, and by sums.
template <class Algorithm> struct Algorithms {
  Direction direction;
  Algorithm products, sums;
  Choice choose(Algorithm own) const { return {direction, own != sums}; }
};

/// Whether the convolution can be done at all, and the memory for products.
cudnnStatus_t tryShape(const char *function, Direction direction,
                       cudnnConvolutionDescriptor_t convolution,
                       cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
                       cudnnTensorDescriptor_t y, size_t &needed) {
  if (!convolution || !x || !w || !y)
    return bad(function, "found a null pointer");
  Type type;
  if (!findType(x->type, type) || w->type != x->type || y->type != x->type)
    return unsupported(function, "found tensors of types " + std::to_string(x->type) +
                                     ", " + std::to_string(w->type) + " and " +
                                     std::to_string(y->type));
  Convolution work;
  if (cudnnStatus_t status = shapeOf(function, *convolution, *x, *w, *y, work))
    return status;
  needed = productsSize(direction, work, *y, *w);
  return CUDNN_STATUS_SUCCESS;
}

/// Runs an algorithm on memory of its own, and says how long it took, in milliseconds.
cudnnStatus_t measure(const char *function, cudnnHandle_t handle, Operands operands,
                      cudnnConvolutionDescriptor_t convolution, Choice choice,
                      float &time) {
  size_t sizes[4] = {0, 0, 0, std::max<size_t>(choice.size, 1)};
  void *places[4] = {};
  (void)cudnnGetTensorSizeInBytes(operands.x, &sizes[0]);
  (void)cudnnGetFilterSizeInBytes(operands.w, &sizes[1]);
  (void)cudnnGetTensorSizeInBytes(operands.y, &sizes[2]);
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaError_t error = cudaEventCreate(&begin);
  if (error == cudaSuccess)
    error = cudaEventCreate(&end);
  for (int k = 0; k < 4 && error == cudaSuccess; ++k) {
    error = cudaMalloc(&places[k], sizes[k]);
    if (error == cudaSuccess)
      error = cudaMemsetAsync(places[k], 0, sizes[k], handle->stream);
  }
  operands.xData = places[0];
  operands.wData = places[1];
  operands.yData = places[2];
  choice.memory = places[3];
  cudnnStatus_t status = CUDNN_STATUS_SUCCESS;
  // The first makes the kernels ready.
  for (int k = 0; k < 2 && error == cudaSuccess && !status; ++k) {
    error = cudaEventRecord(begin, handle->stream);
    status = run(function, handle, nullptr, nullptr, operands, convolution, choice);
  }
  if (error == cudaSuccess && !status)
    error = cudaEventRecord(end, handle->stream);
  if (error == cudaSuccess && !status)
    error = cudaEventSynchronize(end);
  if (error == cudaSuccess && !status)
    error = cudaEventElapsedTime(&time, begin, end);
  for (void *place : places)
    (void)cudaFree(place);
  for (cudaEvent_t event : {begin, end})
    if (event)
      (void)cudaEventDestroy(event);
  return status ? status : launched(function, error);
}

/// Fills in the algorithms that there are, the first being the one to use: by what was
/// measured where there is a handle, else products before sums. Those that need more
/// memory than `limit` are none.
template <class Perf, class Algorithm>
cudnnStatus_t giveAlgorithms(const char *function, const Algorithms<Algorithm> &all,
                             cudnnHandle_t measuring, const Operands &operands,
                             cudnnConvolutionDescriptor_t convolution, int requested,
                             int *returned, Perf *results, size_t limit = SIZE_MAX) {
  if (requested < 1 || !returned || !results)
    return bad(function, "found a null pointer, or no algorithm asked for");
  size_t needed = 0;
  if (cudnnStatus_t status = tryShape(function, all.direction, convolution, operands.x,
                                      operands.w, operands.y, needed))
    return status;
  Perf made[2] = {};
  int count = 0;
  for (Algorithm algorithm : {all.products, all.sums}) {
    const size_t memory = algorithm == all.sums ? 0 : needed;
    if (algorithm != all.sums && (!needed || needed > limit))
      continue;
    Perf &one = made[count++];
    one.algo = algorithm;
    one.time = -1;
    one.memory = memory;
    one.determinism = CUDNN_DETERMINISTIC;
    one.mathType = convolution->math;
    Choice choice = all.choose(algorithm);
    choice.size = memory;
    if (measuring)
      one.status = measure(function, measuring, operands, convolution, choice, one.time);
  }
  if (measuring && count == 2 && !made[1].status &&
      (made[0].status || made[1].time < made[0].time))
    std::swap(made[0], made[1]);
  *returned = std::min(count, requested);
  std::copy_n(made, *returned, results);
  return CUDNN_STATUS_SUCCESS;
}

template <class Algorithm>
cudnnStatus_t giveSize(const char *function, const Algorithms<Algorithm> &all,
                       Algorithm own, const Operands &operands,
                       cudnnConvolutionDescriptor_t convolution, size_t *size) {
  size_t needed = 0;
  if (!size)
    return bad(function, "found no place for the size");
  if (cudnnStatus_t status = tryShape(function, all.direction, convolution, operands.x,
                                      operands.w, operands.y, needed))
    return status;
  *size = all.choose(own).byProducts ? needed : 0;
  return CUDNN_STATUS_SUCCESS;
}

constexpr Algorithms<cudnnConvolutionFwdAlgo_t> forward = {
    Direction::Forward, CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM};
constexpr Algorithms<cudnnConvolutionBwdFilterAlgo_t> toFilter = {
    Direction::ToFilter, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0};
constexpr Algorithms<cudnnConvolutionBwdDataAlgo_t> toData = {
    Direction::ToData, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_0};

template <class Algorithm>
Choice choose(const Algorithms<Algorithm> &all, Algorithm own, void *memory,
              size_t size) {
  Choice choice = all.choose(own);
  choice.memory = memory;
  choice.size = size;
  return choice;
}

} // namespace

/// The functions about algorithms of a direction: FIRST and SECOND are its operands,
/// RESULT what it makes, and X, W and Y which of them are the convolution's.
#define HET_ALGORITHMS(kind, perf, algorithm, all, FIRST, SECOND, RESULT, X, W, Y)       \
  cudnnStatus_t cudnnGetConvolution##kind##AlgorithmMaxCount(cudnnHandle_t handle,       \
                                                             int *count) {               \
    HET_VENDOR_ASK(cudnnGetConvolution##kind##AlgorithmMaxCount, count);                 \
    if (!count)                                                                          \
      return bad(__func__, "found no place for the count");                              \
    *count = 2;                                                                          \
    return CUDNN_STATUS_SUCCESS;                                                         \
  }                                                                                      \
  cudnnStatus_t cudnnGetConvolution##kind##Algorithm_v7(                                 \
      cudnnHandle_t handle, const FIRST first, const SECOND second,                      \
      const cudnnConvolutionDescriptor_t convolution, const RESULT result,               \
      const int requested, int *returned, perf *results) {                               \
    HET_VENDOR_BY(ask, convertStatuses(returned, results),                               \
                  cudnnGetConvolution##kind##Algorithm_v7, theirs(first),                \
                  theirs(second), theirs(convolution), theirs(result), requested,        \
                  returned, results);                                                    \
    return giveAlgorithms(__func__, all, nullptr, {X, nullptr, W, nullptr, Y, nullptr},  \
                          convolution, requested, returned, results);                    \
  }                                                                                      \
  cudnnStatus_t cudnnFindConvolution##kind##Algorithm(                                   \
      cudnnHandle_t handle, const FIRST first, const SECOND second,                      \
      const cudnnConvolutionDescriptor_t convolution, const RESULT result,               \
      const int requested, int *returned, perf *results) {                               \
    HET_VENDOR_BY(run, convertStatuses(returned, results),                               \
                  cudnnFindConvolution##kind##Algorithm, theirs(first), theirs(second),  \
                  theirs(convolution), theirs(result), requested, returned, results);    \
    if (!handle)                                                                         \
      return bad(__func__, "found no handle");                                           \
    return giveAlgorithms(__func__, all, handle, {X, nullptr, W, nullptr, Y, nullptr},   \
                          convolution, requested, returned, results);                    \
  }                                                                                      \
  cudnnStatus_t cudnnFindConvolution##kind##AlgorithmEx(                                 \
      cudnnHandle_t handle, const FIRST first, const void *firstData,                    \
      const SECOND second, const void *secondData,                                       \
      const cudnnConvolutionDescriptor_t convolution, const RESULT result,               \
      void *resultData, const int requested, int *returned, perf *results, void *memory, \
      size_t size) {                                                                     \
    HET_VENDOR_BY(run, convertStatuses(returned, results),                               \
                  cudnnFindConvolution##kind##AlgorithmEx, theirs(first), firstData,     \
                  theirs(second), secondData, theirs(convolution), theirs(result),       \
                  resultData, requested, returned, results, memory, size);               \
    if (!handle)                                                                         \
      return bad(__func__, "found no handle");                                           \
    return giveAlgorithms(__func__, all, handle, {X, nullptr, W, nullptr, Y, nullptr},   \
                          convolution, requested, returned, results, size);              \
  }                                                                                      \
  cudnnStatus_t cudnnGetConvolution##kind##WorkspaceSize(                                \
      cudnnHandle_t handle, const FIRST first, const SECOND second,                      \
      const cudnnConvolutionDescriptor_t convolution, const RESULT result,               \
      algorithm own, size_t *size) {                                                     \
    HET_VENDOR_ASK(cudnnGetConvolution##kind##WorkspaceSize, theirs(first),              \
                   theirs(second), theirs(convolution), theirs(result), own, size);      \
    return giveSize(__func__, all, own, {X, nullptr, W, nullptr, Y, nullptr},            \
                    convolution, size);                                                  \
  }

HET_ALGORITHMS(Forward, cudnnConvolutionFwdAlgoPerf_t, cudnnConvolutionFwdAlgo_t, forward,
               cudnnTensorDescriptor_t, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t,
               first, second, result)
HET_ALGORITHMS(BackwardFilter, cudnnConvolutionBwdFilterAlgoPerf_t,
               cudnnConvolutionBwdFilterAlgo_t, toFilter, cudnnTensorDescriptor_t,
               cudnnTensorDescriptor_t, cudnnFilterDescriptor_t, first, result, second)
HET_ALGORITHMS(BackwardData, cudnnConvolutionBwdDataAlgoPerf_t,
               cudnnConvolutionBwdDataAlgo_t, toData, cudnnFilterDescriptor_t,
               cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, result, first, second)
#undef HET_ALGORITHMS

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha,
                                      const cudnnTensorDescriptor_t xDesc, const void *x,
                                      const cudnnFilterDescriptor_t wDesc, const void *w,
                                      const cudnnConvolutionDescriptor_t convolution,
                                      cudnnConvolutionFwdAlgo_t own, void *memory,
                                      size_t size, const void *beta,
                                      const cudnnTensorDescriptor_t yDesc, void *y) {
  HET_VENDOR(cudnnConvolutionForward, alpha, theirs(xDesc), x, theirs(wDesc), w,
             theirs(convolution), own, memory, size, beta, theirs(yDesc), y);
  return run(__func__, handle, alpha, beta, {xDesc, x, wDesc, w, yDesc, y}, convolution,
             choose(forward, own, memory, size));
}

cudnnStatus_t cudnnConvolutionBackwardFilter(
    cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t xDesc,
    const void *x, const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnConvolutionDescriptor_t convolution, cudnnConvolutionBwdFilterAlgo_t own,
    void *memory, size_t size, const void *beta, const cudnnFilterDescriptor_t dwDesc,
    void *dw) {
  HET_VENDOR(cudnnConvolutionBackwardFilter, alpha, theirs(xDesc), x, theirs(dyDesc), dy,
             theirs(convolution), own, memory, size, beta, theirs(dwDesc), dw);
  return run(__func__, handle, alpha, beta, {xDesc, x, dwDesc, dw, dyDesc, dy},
             convolution, choose(toFilter, own, memory, size));
}

cudnnStatus_t cudnnConvolutionBackwardData(
    cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t wDesc,
    const void *w, const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnConvolutionDescriptor_t convolution, cudnnConvolutionBwdDataAlgo_t own,
    void *memory, size_t size, const void *beta, const cudnnTensorDescriptor_t dxDesc,
    void *dx) {
  HET_VENDOR(cudnnConvolutionBackwardData, alpha, theirs(wDesc), w, theirs(dyDesc), dy,
             theirs(convolution), own, memory, size, beta, theirs(dxDesc), dx);
  return run(__func__, handle, alpha, beta, {dxDesc, dx, wDesc, w, dyDesc, dy},
             convolution, choose(toData, own, memory, size));
}

/// y = activation(alpha1 conv(x, w) + alpha2 z + bias), in steps that each round.
cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1, const cudnnTensorDescriptor_t xDesc,
    const void *x, const cudnnFilterDescriptor_t wDesc, const void *w,
    const cudnnConvolutionDescriptor_t convolution, cudnnConvolutionFwdAlgo_t own,
    void *memory, size_t size, const void *alpha2, const cudnnTensorDescriptor_t zDesc,
    const void *z, const cudnnTensorDescriptor_t biasDesc, const void *bias,
    const cudnnActivationDescriptor_t activation, const cudnnTensorDescriptor_t yDesc,
    void *y) {
  HET_VENDOR(cudnnConvolutionBiasActivationForward, alpha1, theirs(xDesc), x,
             theirs(wDesc), w, theirs(convolution), own, memory, size, alpha2,
             theirs(zDesc), z, theirs(biasDesc), bias, theirs(activation), theirs(yDesc),
             y);
  if (!handle || !activation || !yDesc)
    return bad(__func__, "found a null pointer");
  Type type = Type::Float;
  (void)findType(yDesc->type, type);
  const bool hasSecond = factor(alpha2, type, 0) != 0;
  if (hasSecond && z != y)
    if (cudnnStatus_t status =
            cudnnTransformTensor(handle, alpha2, zDesc, z, nullptr, yDesc, y))
      return status;
  const double one = 1;
  const float oneFloat = 1;
  const void *unit = type == Type::Double ? static_cast<const void *>(&one) : &oneFloat;
  const void *keep = !hasSecond ? nullptr : z == y ? alpha2 : unit;
  if (cudnnStatus_t status =
          run(__func__, handle, alpha1, keep, {xDesc, x, wDesc, w, yDesc, y}, convolution,
              choose(forward, own, memory, size)))
    return status;
  if (cudnnStatus_t status = cudnnAddTensor(handle, unit, biasDesc, bias, unit, yDesc, y))
    return status;
  return activation->mode == CUDNN_ACTIVATION_IDENTITY
             ? CUDNN_STATUS_SUCCESS
             : cudnnActivationForward(handle, activation, unit, yDesc, y, nullptr, yDesc,
                                      y);
}
