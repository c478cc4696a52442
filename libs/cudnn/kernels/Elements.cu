// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element by element: sums, products, activations and their gradients; dropout.

#include "Common.cuh"

#include <cudnn.h>
#include <curand_kernel.h>

namespace het::dnn {
namespace {

template <class C> __device__ C sigmoid(C x) { return C(1) / (C(1) + exp(-x)); }

template <class C> __device__ C activate(int mode, C x, C coefficient) {
  switch (mode) {
  case CUDNN_ACTIVATION_SIGMOID:
    return sigmoid(x);
  case CUDNN_ACTIVATION_RELU:
    return x > 0 || x != x ? x : C(0);
  case CUDNN_ACTIVATION_TANH:
    return tanh(x);
  case CUDNN_ACTIVATION_CLIPPED_RELU:
    return x != x ? x : x < 0 ? C(0) : x < coefficient ? x : coefficient;
  case CUDNN_ACTIVATION_ELU:
    return x > 0 ? x : coefficient * expm1(x);
  case CUDNN_ACTIVATION_SWISH:
    return x * sigmoid(coefficient * x);
  default:
    return x;
  }
}

/// The gradient of x, by its activation y where that is enough.
template <class C> __device__ C slope(int mode, C y, C x, C coefficient) {
  switch (mode) {
  case CUDNN_ACTIVATION_SIGMOID:
    return y * (C(1) - y);
  case CUDNN_ACTIVATION_RELU:
    return x > 0 ? C(1) : C(0);
  case CUDNN_ACTIVATION_TANH:
    return C(1) - y * y;
  case CUDNN_ACTIVATION_CLIPPED_RELU:
    return x > 0 && x < coefficient ? C(1) : C(0);
  case CUDNN_ACTIVATION_ELU:
    return x > 0 ? C(1) : y + coefficient;
  case CUDNN_ACTIVATION_SWISH: {
    const C s = sigmoid(coefficient * x);
    return s * (C(1) + coefficient * x * (C(1) - s));
  }
  default:
    return C(1);
  }
}

template <class T> __global__ void mapKernel(Elementwise work) {
  using C = Computed<T>;
  const int64_t number = threadNumber();
  if (number >= work.extent.count)
    return;
  const auto value = [&](const Operand &operand) {
    return load<T>(operand.data, placeOf(work.extent, operand, number));
  };
  const C first = static_cast<C>(work.blend.alpha), second = static_cast<C>(work.secondAlpha);
  const C coefficient = static_cast<C>(work.coefficient);
  Blend blend = work.blend;
  C result = value(work.a);
  if (work.map != Map::Blend && work.map < Map::Activation) {
    result *= first;
    blend.alpha = 1;
  }
  switch (work.map) {
  case Map::Add:
    result += second * value(work.b);
    break;
  case Map::Multiply:
    result *= second * value(work.b);
    break;
  case Map::Minimum:
    result = lesserOf(result, second * value(work.b), work.propagatesNan);
    break;
  case Map::Maximum:
    result = greaterOf(result, second * value(work.b), work.propagatesNan);
    break;
  case Map::Root:
    result = sqrt(result);
    break;
  case Map::Complement:
    result = C(1) - result;
    break;
  case Map::Activation:
    result = activate(work.activation, result, coefficient);
    break;
  case Map::ActivationBackward:
    result = value(work.b) * slope(work.activation, result, value(work.c), coefficient);
    break;
  default:
    break;
  }
  put<T>(work.y, placeOf(work.extent, work.y, number), result, blend);
}

template <class T> __global__ void dropKernel(Dropout work) {
  using C = Computed<T>;
  const int64_t number = threadNumber();
  if (number >= work.extent.count)
    return;
  bool isKept;
  if (work.isBackward) {
    isKept = work.kept[number];
  } else {
    curandStatePhilox4_32_10_t state;
    curand_init(work.seed, number, work.first, &state);
    isKept = curand_uniform(&state) > static_cast<float>(work.rate);
    work.kept[number] = isKept;
  }
  const C factor = C(1) / (C(1) - static_cast<C>(work.rate));
  const C x = load<T>(work.x.data, placeOf(work.extent, work.x, number));
  store<T>(work.y.data, placeOf(work.extent, work.y, number), isKept ? x * factor : C(0));
}

} // namespace

cudaError_t mapElements(const Elementwise &work, Type type, cudaStream_t stream) {
  return withType(type, [&](auto t) {
    mapKernel<decltype(t)><<<gridOfThreads(work.extent.count), threads, 0, stream>>>(work);
  });
}

cudaError_t dropElements(const Dropout &work, Type type, cudaStream_t stream) {
  return withType(type, [&](auto t) {
    dropKernel<decltype(t)><<<gridOfThreads(work.extent.count), threads, 0, stream>>>(work);
  });
}

} // namespace het::dnn
