// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalisation: of the elements that share a parameter, by a block for each; and of
// neighbouring channels.

#include "Common.cuh"

namespace het::dnn {
namespace {

template <class C> __device__ C parameter(const void *values, int64_t at) {
  return static_cast<const C *>(values)[at];
}
template <class C> __device__ void set(void *values, int64_t at, C value) {
  if (values)
    static_cast<C *>(values)[at] = value;
}
template <class C> __device__ void average(void *values, int64_t at, C value, C factor) {
  if (values)
    set(values, at,
        factor == C(1) ? value // what was there may be no number
                       : factor * value + (C(1) - factor) * parameter<C>(values, at));
}

template <class T> __global__ void trainingKernel(Normalisation work) {
  using C = Computed<T>;
  __shared__ C shared[threads];
  const int64_t number = blockNumber();
  if (number >= work.parameters.count)
    return;
  const int64_t base = placeOf(work.parameters, work.x, number);
  const int64_t result = placeOf(work.parameters, work.y, number);
  const auto value = [&](int64_t i) {
    return load<T>(work.x.data, base + placeOf(work.elements, work.elementOfX, i));
  };
  const C count = static_cast<C>(work.elements.count);
  C sum = 0;
  for (int64_t i = threadIdx.x; i < work.elements.count; i += threads)
    sum += value(i);
  const C mean = sumOfBlock(sum, shared) / count;
  C squares = 0;
  for (int64_t i = threadIdx.x; i < work.elements.count; i += threads) {
    const C difference = value(i) - mean;
    squares += difference * difference;
  }
  squares = sumOfBlock(squares, shared);
  const C inverse = C(1) / sqrt(squares / count + static_cast<C>(work.epsilon));
  if (threadIdx.x == 0) {
    const C factor = static_cast<C>(work.averageFactor);
    // The running variance is that of a sample.
    average(work.runningMean, number, mean, factor);
    average(work.runningVariance, number, squares / (count > 1 ? count - 1 : C(1)), factor);
    set(work.savedMean, number, mean);
    set(work.savedInverse, number, inverse);
  }
  const C scale = parameter<C>(work.scale, number), bias = parameter<C>(work.bias, number);
  for (int64_t i = threadIdx.x; i < work.elements.count; i += threads)
    put<T>(work.y, result + placeOf(work.elements, work.elementOfY, i),
           scale * (value(i) - mean) * inverse + bias, work.blend);
}

template <class T> __global__ void inferenceKernel(Normalisation work) {
  using C = Computed<T>;
  const int64_t number = blockNumber();
  if (number >= work.parameters.count)
    return;
  const int64_t base = placeOf(work.parameters, work.x, number);
  const int64_t result = placeOf(work.parameters, work.y, number);
  const C scale = parameter<C>(work.scale, number), bias = parameter<C>(work.bias, number);
  const C mean = parameter<C>(work.mean, number);
  const C inverse =
      C(1) / sqrt(parameter<C>(work.variance, number) + static_cast<C>(work.epsilon));
  for (int64_t i = threadIdx.x; i < work.elements.count; i += threads)
    put<T>(work.y, result + placeOf(work.elements, work.elementOfY, i),
           scale *
                   (load<T>(work.x.data,
                            base + placeOf(work.elements, work.elementOfX, i)) -
                    mean) *
                   inverse +
               bias,
           work.blend);
}

/// y is the gradient of x here.
template <class T> __global__ void backwardKernel(Normalisation work) {
  using C = Computed<T>;
  __shared__ C shared[threads];
  const int64_t number = blockNumber();
  if (number >= work.parameters.count)
    return;
  const int64_t base = placeOf(work.parameters, work.x, number);
  const int64_t baseDy = placeOf(work.parameters, work.dy, number);
  const int64_t result = placeOf(work.parameters, work.y, number);
  const auto value = [&](int64_t i) {
    return load<T>(work.x.data, base + placeOf(work.elements, work.elementOfX, i));
  };
  const auto gradient = [&](int64_t i) {
    return load<T>(work.dy.data, baseDy + placeOf(work.elements, work.elementOfDy, i));
  };
  const C count = static_cast<C>(work.elements.count);
  C mean, inverse;
  if (work.savedMean && work.savedInverse) {
    mean = parameter<C>(work.savedMean, number);
    inverse = parameter<C>(work.savedInverse, number);
  } else {
    C sum = 0, squares = 0;
    for (int64_t i = threadIdx.x; i < work.elements.count; i += threads)
      sum += value(i);
    mean = sumOfBlock(sum, shared) / count;
    for (int64_t i = threadIdx.x; i < work.elements.count; i += threads)
      squares += (value(i) - mean) * (value(i) - mean);
    squares = sumOfBlock(squares, shared);
    inverse = C(1) / sqrt(squares / count + static_cast<C>(work.epsilon));
  }
  C sum = 0, products = 0;
  for (int64_t i = threadIdx.x; i < work.elements.count; i += threads) {
    sum += gradient(i);
    products += gradient(i) * (value(i) - mean) * inverse;
  }
  sum = sumOfBlock(sum, shared);
  products = sumOfBlock(products, shared);
  if (threadIdx.x == 0) {
    const auto write = [&](void *place, C found) {
      C next = static_cast<C>(work.parameterBlend.alpha) * found;
      if (work.parameterBlend.beta != 0)
        next += static_cast<C>(work.parameterBlend.beta) * parameter<C>(place, number);
      set(place, number, next);
    };
    write(work.scaleGradient, products);
    write(work.biasGradient, sum);
  }
  const C scale = parameter<C>(work.scale, number);
  for (int64_t i = threadIdx.x; i < work.elements.count; i += threads) {
    const C normal = (value(i) - mean) * inverse;
    put<T>(work.y, result + placeOf(work.elements, work.elementOfY, i),
           scale * inverse * (gradient(i) - sum / count - normal * products / count),
           work.blend);
  }
}

/// k + alpha / n times the squares of the channels around one.
template <class T>
__device__ Computed<T> scaleOf(const Neighbours &work, int64_t place, int channel) {
  using C = Computed<T>;
  const int before = (work.size - 1) / 2, after = work.size - 1 - before;
  const int channels = work.extent.sizes[1];
  const int begin = channel < before ? 0 : channel - before;
  const int end = channel + after < channels ? channel + after : channels - 1;
  C sum = 0;
  for (int c = begin; c <= end; ++c) {
    const C x = load<T>(work.x.data, place + (c - channel) * work.x.strides[1]);
    sum += x * x;
  }
  return static_cast<C>(work.k) + static_cast<C>(work.alpha) / work.size * sum;
}

__device__ int channelOf(const Extent &extent, int64_t number) {
  for (int k = extent.dimensions; --k > 1;)
    number /= extent.sizes[k];
  return static_cast<int>(number % extent.sizes[1]);
}

template <class T> __global__ void neighboursKernel(Neighbours work) {
  using C = Computed<T>;
  const int64_t number = threadNumber();
  if (number >= work.extent.count)
    return;
  const int64_t place = placeOf(work.extent, work.x, number);
  const C scale = scaleOf<T>(work, place, channelOf(work.extent, number));
  put<T>(work.y, placeOf(work.extent, work.y, number),
         load<T>(work.x.data, place) * pow(scale, -static_cast<C>(work.beta)), work.blend);
}

template <class T> __global__ void neighboursBackwardKernel(Neighbours work) {
  using C = Computed<T>;
  const int64_t number = threadNumber();
  if (number >= work.extent.count)
    return;
  const int64_t place = placeOf(work.extent, work.x, number);
  const int64_t dy = placeOf(work.extent, work.dy, number);
  const int channel = channelOf(work.extent, number), channels = work.extent.sizes[1];
  const C beta = static_cast<C>(work.beta);
  const int before = (work.size - 1) / 2, after = work.size - 1 - before;
  // Channels that have this one among theirs.
  const int begin = channel < after ? 0 : channel - after;
  const int end = channel + before < channels ? channel + before : channels - 1;
  C sum = 0;
  for (int c = begin; c <= end; ++c) {
    const int64_t other = place + (c - channel) * work.x.strides[1];
    sum += load<T>(work.dy.data, dy + (c - channel) * work.dy.strides[1]) *
           load<T>(work.x.data, other) * pow(scaleOf<T>(work, other, c), -beta - C(1));
  }
  const C own = load<T>(work.dy.data, dy) * pow(scaleOf<T>(work, place, channel), -beta);
  const C factor = C(2) * static_cast<C>(work.alpha) * beta / work.size;
  put<T>(work.dx, placeOf(work.extent, work.dx, number),
         own - factor * load<T>(work.x.data, place) * sum, work.blend);
}

} // namespace

cudaError_t normaliseTraining(const Normalisation &work, Type type, cudaStream_t stream) {
  return withType(type, [&](auto t) {
    trainingKernel<decltype(t)>
        <<<gridOf(work.parameters.count), threads, 0, stream>>>(work);
  });
}

cudaError_t normaliseInference(const Normalisation &work, Type type,
                               cudaStream_t stream) {
  return withType(type, [&](auto t) {
    inferenceKernel<decltype(t)>
        <<<gridOf(work.parameters.count), threads, 0, stream>>>(work);
  });
}

cudaError_t normaliseBackward(const Normalisation &work, Type type, cudaStream_t stream) {
  return withType(type, [&](auto t) {
    backwardKernel<decltype(t)>
        <<<gridOf(work.parameters.count), threads, 0, stream>>>(work);
  });
}

cudaError_t normaliseNeighbours(const Neighbours &work, Type type, cudaStream_t stream) {
  return withType(type, [&](auto t) {
    neighboursKernel<decltype(t)>
        <<<gridOfThreads(work.extent.count), threads, 0, stream>>>(work);
  });
}

cudaError_t normaliseNeighboursBackward(const Neighbours &work, Type type,
                                        cudaStream_t stream) {
  return withType(type, [&](auto t) {
    neighboursBackwardKernel<decltype(t)>
        <<<gridOfThreads(work.extent.count), threads, 0, stream>>>(work);
  });
}

} // namespace het::dnn
