// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcudnn
//
// Batch normalisation in training, in inference and backwards, and normalisation over
// channels, against the host's in double.

#include "Inputs/dnn.h"

using namespace dnn;

constexpr int images = 5, channels = 3, height = 4, width = 7;
constexpr double epsilon = 1e-3;

template <class T> struct Parameters {
  using P = Factor<T>;
  cudnnTensorDescriptor_t descriptor;
  check::Array<P> scale, bias, mean, variance, savedMean, savedInverse, scaleGradient,
      biasGradient;
  explicit Parameters(size_t count)
      : scale(count), bias(count), mean(count), variance(count), savedMean(count),
        savedInverse(count), scaleGradient(count), biasGradient(count) {
    DNN(cudnnCreateTensorDescriptor(&descriptor));
    for (size_t i = 0; i < count; ++i) {
      scale.host[i] = P(1 + 0.25 * double(i % 5));
      bias.host[i] = P(0.5 - 0.125 * double(i % 7));
      mean.host[i] = P(0.25);
      variance.host[i] = P(2);
    }
    scale.put();
    bias.put();
    mean.put();
    variance.put();
  }
  ~Parameters() { DNN(cudnnDestroyTensorDescriptor(descriptor)); }
};

template <class T>
void checkBatch(const Handle &handle, cudnnBatchNormMode_t mode, bool isChannelLast) {
  using P = Factor<T>;
  const bool isEach = mode == CUDNN_BATCHNORM_PER_ACTIVATION;
  const size_t count = isEach ? channels * height * width : channels;
  const double members = isEach ? images : images * height * width;
  const auto number = [&](int c, int h, int w) {
    return isEach ? (size_t(c) * height + h) * width + w : size_t(c);
  };
  Tensor<T> x({images, channels, height, width}, isChannelLast, 21);
  Tensor<T> y({images, channels, height, width}, isChannelLast, 0);
  Tensor<T> dy({images, channels, height, width}, isChannelLast, 22);
  Tensor<T> dx({images, channels, height, width}, isChannelLast, 0);
  Parameters<T> own(count);
  DNN(cudnnDeriveBNTensorDescriptor(own.descriptor, x, mode));
  const P one = 1, none = 0;
  DNN(cudnnBatchNormalizationForwardInference(
      handle, mode, &one, &none, x, x.data, y, y.data, own.descriptor, own.scale, own.bias,
      own.mean, own.variance, epsilon));
  y.data.get();
  y.forAll([&](int n, int c, int h, int w) {
    const size_t i = number(c, h, w);
    near<T>("inference", y(n, c, h, w),
            double(own.scale.host[i]) * (x(n, c, h, w) - 0.25) / std::sqrt(2 + epsilon) +
                double(own.bias.host[i]),
            8);
  });
  DNN(cudnnBatchNormalizationForwardTraining(
      handle, mode, &one, &none, x, x.data, y, y.data, own.descriptor, own.scale, own.bias,
      0.25, own.mean, own.variance, epsilon, own.savedMean, own.savedInverse));
  y.data.get();
  std::vector<double> mean(count), variance(count), sums(count), products(count);
  x.forAll([&](int n, int c, int h, int w) {
    mean[number(c, h, w)] += x(n, c, h, w) / members;
  });
  x.forAll([&](int n, int c, int h, int w) {
    const size_t i = number(c, h, w);
    variance[i] += std::pow(x(n, c, h, w) - mean[i], 2) / members;
  });
  const auto normal = [&](int n, int c, int h, int w) {
    const size_t i = number(c, h, w);
    return (x(n, c, h, w) - mean[i]) / std::sqrt(variance[i] + epsilon);
  };
  x.forAll([&](int n, int c, int h, int w) {
    const size_t i = number(c, h, w);
    near<T>("training", y(n, c, h, w),
            double(own.scale.host[i]) * normal(n, c, h, w) + double(own.bias.host[i]), 16);
    sums[i] += dy(n, c, h, w);
    products[i] += dy(n, c, h, w) * normal(n, c, h, w);
  });
  own.mean.get();
  own.variance.get();
  for (size_t i = 0; i < count; ++i) {
    near<P>("mean", double(own.mean.host[i]), 0.75 * 0.25 + 0.25 * mean[i], 32);
    near<P>("variance", double(own.variance.host[i]),
            0.75 * 2 + 0.25 * variance[i] * members / (members - 1), 32);
  }
  for (bool withSaved : {true, false}) {
    DNN(cudnnBatchNormalizationBackward(
        handle, mode, &one, &none, &one, &none, x, x.data, dy, dy.data, dx, dx.data,
        own.descriptor, own.scale, own.scaleGradient, own.biasGradient, epsilon,
        withSaved ? (P *)own.savedMean : nullptr,
        withSaved ? (P *)own.savedInverse : nullptr));
    dx.data.get();
    own.scaleGradient.get();
    own.biasGradient.get();
    x.forAll([&](int n, int c, int h, int w) {
      const size_t i = number(c, h, w);
      near<P>("scale's gradient", double(own.scaleGradient.host[i]), products[i], 256);
      near<P>("bias' gradient", double(own.biasGradient.host[i]), sums[i], 256);
      const double expected =
          double(own.scale.host[i]) / std::sqrt(variance[i] + epsilon) *
          (dy(n, c, h, w) - sums[i] / members - normal(n, c, h, w) * products[i] / members);
      near<T>("gradient", dx(n, c, h, w), expected, 64);
    });
  }
}

template <class T> void checkNeighbours(const Handle &handle, unsigned size) {
  cudnnLRNDescriptor_t descriptor;
  DNN(cudnnCreateLRNDescriptor(&descriptor));
  const double alpha = 0.5, beta = 0.75, k = 2;
  DNN(cudnnSetLRNDescriptor(descriptor, size, alpha, beta, k));
  Tensor<T> x({2, 7, 3, 4}, true, 23), y({2, 7, 3, 4}, false, 0);
  Tensor<T> dy({2, 7, 3, 4}, false, 24), dx({2, 7, 3, 4}, true, 0);
  const Factor<T> one = 1, none = 0;
  DNN(cudnnLRNCrossChannelForward(handle, descriptor, CUDNN_LRN_CROSS_CHANNEL_DIM1, &one,
                                  x, x.data, &none, y, y.data));
  DNN(cudnnLRNCrossChannelBackward(handle, descriptor, CUDNN_LRN_CROSS_CHANNEL_DIM1, &one,
                                   y, y.data, dy, dy.data, x, x.data, &none, dx, dx.data));
  y.data.get();
  dx.data.get();
  const int before = int(size - 1) / 2, after = int(size) - 1 - before;
  const auto scale = [&](int n, int c, int h, int w) {
    double sum = 0;
    for (int i = std::max(0, c - before); i <= std::min(6, c + after); ++i)
      sum += std::pow(x(n, i, h, w), 2);
    return k + alpha / size * sum;
  };
  x.forAll([&](int n, int c, int h, int w) {
    near<T>("channels", y(n, c, h, w),
            x(n, c, h, w) * std::pow(scale(n, c, h, w), -beta), 8);
    double gradient = dy(n, c, h, w) * std::pow(scale(n, c, h, w), -beta);
    for (int i = 0; i < 7; ++i)
      if (c >= i - before && c <= i + after)
        gradient -= 2 * alpha * beta / size * x(n, c, h, w) * dy(n, i, h, w) *
                    x(n, i, h, w) * std::pow(scale(n, i, h, w), -beta - 1);
    near<T>("channels' gradient", dx(n, c, h, w), gradient, 16);
  });
  DNN(cudnnDestroyLRNDescriptor(descriptor));
}

template <class T> void checkType(const Handle &handle) {
  for (cudnnBatchNormMode_t mode :
       {CUDNN_BATCHNORM_PER_ACTIVATION, CUDNN_BATCHNORM_SPATIAL,
        CUDNN_BATCHNORM_SPATIAL_PERSISTENT})
    for (bool isChannelLast : {false, true})
      checkBatch<T>(handle, mode, isChannelLast);
  for (unsigned size : {1, 4, 5})
    checkNeighbours<T>(handle, size);
}

int main() {
  const Handle handle;
  checkType<float>(handle);
  checkType<double>(handle);
  if (hasNarrowTypes())
    checkType<__half>(handle);
  return check::finish("normalisation");
}
