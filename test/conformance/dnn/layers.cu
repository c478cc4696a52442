// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcudnn
//
// Activations, pooling, softmax, sums, reductions and dropout, and their gradients,
// against the host's in double.

#include "Inputs/dnn.h"

using namespace dnn;

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

static double activate(cudnnActivationMode_t mode, double x, double coefficient) {
  switch (mode) {
  case CUDNN_ACTIVATION_SIGMOID:
    return sigmoid(x);
  case CUDNN_ACTIVATION_RELU:
    return std::max(x, 0.0);
  case CUDNN_ACTIVATION_TANH:
    return std::tanh(x);
  case CUDNN_ACTIVATION_CLIPPED_RELU:
    return std::min(std::max(x, 0.0), coefficient);
  case CUDNN_ACTIVATION_ELU:
    return x > 0 ? x : coefficient * std::expm1(x);
  case CUDNN_ACTIVATION_SWISH:
    return x * sigmoid(coefficient * x);
  default:
    return x;
  }
}

template <class T> void checkActivations(const Handle &handle, bool isChannelLast) {
  cudnnActivationDescriptor_t activation;
  DNN(cudnnCreateActivationDescriptor(&activation));
  const Factor<T> one = 1, none = 0;
  for (int mode = CUDNN_ACTIVATION_SIGMOID; mode <= CUDNN_ACTIVATION_SWISH; ++mode) {
    const double coefficient = mode == CUDNN_ACTIVATION_CLIPPED_RELU ? 0.7 : 1.25;
    const auto kind = cudnnActivationMode_t(mode);
    DNN(cudnnSetActivationDescriptor(activation, kind, CUDNN_PROPAGATE_NAN, coefficient));
    DNN(cudnnSetActivationDescriptorSwishBeta(activation, coefficient));
    Tensor<T> x({2, 3, 4, 5}, isChannelLast, 7), y({2, 3, 4, 5}, false, 0);
    Tensor<T> dy({2, 3, 4, 5}, isChannelLast, 8), dx({2, 3, 4, 5}, false, 0);
    DNN(cudnnActivationForward(handle, activation, &one, x, x.data, &none, y, y.data));
    DNN(cudnnActivationBackward(handle, activation, &one, y, y.data, dy, dy.data, x,
                                x.data, &none, dx, dx.data));
    y.data.get();
    dx.data.get();
    x.forAll([&](int n, int c, int h, int w) {
      const double at = x(n, c, h, w), step = 1e-5;
      near<T>("activation", y(n, c, h, w), activate(kind, at, coefficient), 4);
      if (at == 0 || at == coefficient)
        return; // there is no gradient
      const double slope = (activate(kind, at + step, coefficient) -
                            activate(kind, at - step, coefficient)) /
                           (2 * step);
      const double expected = slope * dy(n, c, h, w);
      CHECK_TRUE(std::abs(dx(n, c, h, w) - expected) <
                 8 * TypeOf<T>::epsilon * (1 + std::abs(expected)) + 1e-8);
    });
  }
  DNN(cudnnDestroyActivationDescriptor(activation));
}

template <class T>
void checkPooling(const Handle &handle, cudnnPoolingMode_t mode, bool isChannelLast) {
  cudnnPoolingDescriptor_t pooling;
  DNN(cudnnCreatePoolingDescriptor(&pooling));
  DNN(cudnnSetPooling2dDescriptor(pooling, mode, CUDNN_PROPAGATE_NAN, 3, 2, 1, 0, 2, 1));
  Tensor<T> x({2, 3, 7, 6}, isChannelLast, 9), dx({2, 3, 7, 6}, isChannelLast, 0);
  int n, c, h, w;
  DNN(cudnnGetPooling2dForwardOutputDim(pooling, x, &n, &c, &h, &w));
  Tensor<T> y({n, c, h, w}, isChannelLast, 0), dy({n, c, h, w}, isChannelLast, 10);
  const Factor<T> one = 1, none = 0;
  DNN(cudnnPoolingForward(handle, pooling, &one, x, x.data, &none, y, y.data));
  DNN(cudnnPoolingBackward(handle, pooling, &one, y, y.data, dy, dy.data, x, x.data,
                           &none, dx, dx.data));
  y.data.get();
  dx.data.get();
  std::vector<double> gradients(dx.data.size());
  const bool isMost = mode == CUDNN_POOLING_MAX || mode == CUDNN_POOLING_MAX_DETERMINISTIC;
  y.forAll([&](int n, int c, int h, int w) {
    double sum = 0, most = -1e30;
    int count = 0;
    size_t first = 0;
    for (int i = 2 * h - 1; i < 2 * h + 2; ++i)
      for (int j = w; j < w + 2; ++j)
        if (x.has(i, j)) {
          ++count;
          sum += x(n, c, i, j);
          if (x(n, c, i, j) > most) {
            most = x(n, c, i, j);
            first = x.at(n, c, i, j);
          }
        }
    const int divisor = mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING ? 6 : count;
    near<T>("pooling", y(n, c, h, w), isMost ? most : sum / divisor, 4);
    if (isMost)
      gradients[first] += dy(n, c, h, w);
    else
      for (int i = 2 * h - 1; i < 2 * h + 2; ++i)
        for (int j = w; j < w + 2; ++j)
          if (x.has(i, j))
            gradients[x.at(n, c, i, j)] += dy(n, c, h, w) / divisor;
  });
  for (size_t i = 0; i < gradients.size(); ++i)
    near<T>("pooling's gradient", double(dx.data.host[i]), gradients[i], 8);
  DNN(cudnnDestroyPoolingDescriptor(pooling));
}

template <class T> void checkSoftmax(const Handle &handle, bool isChannelLast) {
  const Factor<T> one = 1, none = 0;
  for (int algorithm = CUDNN_SOFTMAX_FAST; algorithm <= CUDNN_SOFTMAX_LOG; ++algorithm)
    for (int mode = CUDNN_SOFTMAX_MODE_INSTANCE; mode <= CUDNN_SOFTMAX_MODE_CHANNEL;
         ++mode) {
      Tensor<T> x({2, 150, 2, 3}, isChannelLast, 11), y({2, 150, 2, 3}, isChannelLast, 0);
      Tensor<T> dy({2, 150, 2, 3}, false, 12), dx({2, 150, 2, 3}, isChannelLast, 0);
      const auto kind = cudnnSoftmaxAlgorithm_t(algorithm);
      const auto rows = cudnnSoftmaxMode_t(mode);
      DNN(cudnnSoftmaxForward(handle, kind, rows, &one, x, x.data, &none, y, y.data));
      DNN(cudnnSoftmaxBackward(handle, kind, rows, &one, y, y.data, dy, dy.data, &none,
                               dx, dx.data));
      y.data.get();
      dx.data.get();
      const auto rowOf = [&](int n, int h, int w) {
        return rows == CUDNN_SOFTMAX_MODE_CHANNEL ? (n * 2 + h) * 3 + w : n;
      };
      double sums[12] = {}, products[12] = {};
      const bool isLog = kind == CUDNN_SOFTMAX_LOG;
      x.forAll([&](int n, int c, int h, int w) {
        sums[rowOf(n, h, w)] += std::exp(x(n, c, h, w));
        products[rowOf(n, h, w)] += dy(n, c, h, w) * (isLog ? 1 : y(n, c, h, w));
      });
      x.forAll([&](int n, int c, int h, int w) {
        const int row = rowOf(n, h, w);
        const double e = x(n, c, h, w), own = y(n, c, h, w), gradient = dy(n, c, h, w);
        near<T>("softmax", own,
                isLog ? e - std::log(sums[row]) : std::exp(e) / sums[row], 8);
        near<T>("softmax's gradient", dx(n, c, h, w),
                isLog ? gradient - std::exp(own) * products[row]
                      : own * (gradient - products[row]),
                32);
      });
    }
}

template <class T> void checkReductions(const Handle &handle) {
  cudnnReduceTensorDescriptor_t reduction;
  DNN(cudnnCreateReduceTensorDescriptor(&reduction));
  const Factor<T> one = 1, none = 0;
  Tensor<T> x({3, 4, 5, 6}, true, 13), y({3, 1, 5, 1}, false, 0);
  for (int op = CUDNN_REDUCE_TENSOR_ADD; op <= CUDNN_REDUCE_TENSOR_NORM2; ++op) {
    DNN(cudnnSetReduceTensorDescriptor(
        reduction, cudnnReduceTensorOp_t(op), CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN,
        CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES));
    DNN(cudnnReduceTensor(handle, reduction, nullptr, 0, nullptr, 0, &one, x, x.data,
                          &none, y, y.data));
    y.data.get();
    y.forAll([&](int n, int, int h, int) {
      double sum = 0, product = 1, least = 1e30, most = -1e30, size = 0, squares = 0,
             largest = 0;
      for (int c = 0; c < 4; ++c)
        for (int w = 0; w < 6; ++w) {
          const double value = x(n, c, h, w);
          sum += value;
          product *= value;
          least = std::min(least, value);
          most = std::max(most, value);
          largest = std::max(largest, std::abs(value));
          size += std::abs(value);
          squares += value * value;
        }
      const double expected[] = {sum,     product,  least, most,
                                 largest, sum / 24, size,  std::sqrt(squares)};
      near<T>("reduction", y(n, 0, h, 0), expected[op], 32);
    });
  }
  DNN(cudnnDestroyReduceTensorDescriptor(reduction));
}

static void checkSums(const Handle &handle) {
  cudnnOpTensorDescriptor_t op;
  DNN(cudnnCreateOpTensorDescriptor(&op));
  const float two = 2, half = 0.5, none = 0, seven = 7;
  Tensor<float> a({2, 3, 4, 5}, false, 14), b({1, 3, 1, 5}, false, 15),
      c({2, 3, 4, 5}, true, 0);
  for (int kind = CUDNN_OP_TENSOR_ADD; kind <= CUDNN_OP_TENSOR_MAX; ++kind) {
    DNN(cudnnSetOpTensorDescriptor(op, cudnnOpTensorOp_t(kind), CUDNN_DATA_FLOAT,
                                   CUDNN_PROPAGATE_NAN));
    DNN(cudnnOpTensor(handle, op, &two, a, a.data, &half, b, b.data, &none, c, c.data));
    c.data.get();
    c.forAll([&](int n, int k, int h, int w) {
      const float left = 2 * float(a(n, k, h, w)), right = float(b(0, k, 0, w)) / 2;
      const float results[] = {left + right, left * right, std::min(left, right),
                               std::max(left, right)};
      CHECK_EQ(c.data.host[c.at(n, k, h, w)], results[kind]);
    });
  }
  DNN(cudnnTransformTensor(handle, &two, a, a.data, &none, c, c.data));
  c.data.get();
  c.forAll([&](int n, int k, int h, int w) {
    CHECK_EQ(c.data.host[c.at(n, k, h, w)], 2 * float(a(n, k, h, w)));
  });
  DNN(cudnnSetTensor(handle, c, c.data, &seven));
  DNN(cudnnScaleTensor(handle, c, c.data, &half));
  for (float value : c.data.get())
    CHECK_EQ(value, 3.5f);
  DNN_ERROR(cudnnOpTensor(handle, op, &two, a, a.data, &half, a, a.data, &none, b, b.data),
            CUDNN_STATUS_BAD_PARAM);
  DNN(cudnnDestroyOpTensorDescriptor(op));
}

/// The greatest and the least of what is no number and what is, in both orders.
static void checkNans(const Handle &handle) {
  cudnnOpTensorDescriptor_t op;
  cudnnReduceTensorDescriptor_t reduction;
  DNN(cudnnCreateOpTensorDescriptor(&op));
  DNN(cudnnCreateReduceTensorDescriptor(&reduction));
  const float one = 1, none = 0;
  Tensor<float> a({1, 1, 1, 2}, false, 0), b({1, 1, 1, 2}, false, 0),
      c({1, 1, 1, 2}, false, 0), all({1, 1, 1, 1}, false, 0);
  a.data.host[0] = b.data.host[1] = NAN;
  a.data.host[1] = b.data.host[0] = 3;
  a.data.put();
  b.data.put();
  for (cudnnNanPropagation_t nan : {CUDNN_NOT_PROPAGATE_NAN, CUDNN_PROPAGATE_NAN}) {
    const auto isRight = [&](float value) {
      return nan == CUDNN_PROPAGATE_NAN ? std::isnan(value) : value == 3;
    };
    for (cudnnOpTensorOp_t kind : {CUDNN_OP_TENSOR_MIN, CUDNN_OP_TENSOR_MAX}) {
      DNN(cudnnSetOpTensorDescriptor(op, kind, CUDNN_DATA_FLOAT, nan));
      DNN(cudnnOpTensor(handle, op, &one, a, a.data, &one, b, b.data, &none, c, c.data));
      for (float value : c.data.get())
        CHECK_TRUE(isRight(value));
    }
    for (cudnnReduceTensorOp_t kind : {CUDNN_REDUCE_TENSOR_MIN, CUDNN_REDUCE_TENSOR_MAX,
                                       CUDNN_REDUCE_TENSOR_AMAX})
      for (Tensor<float> *of : {&a, &b}) {
        DNN(cudnnSetReduceTensorDescriptor(reduction, kind, CUDNN_DATA_FLOAT, nan,
                                           CUDNN_REDUCE_TENSOR_NO_INDICES,
                                           CUDNN_32BIT_INDICES));
        DNN(cudnnReduceTensor(handle, reduction, nullptr, 0, nullptr, 0, &one, *of,
                              of->data, &none, all, all.data));
        CHECK_TRUE(isRight(all.data.get()[0]));
      }
  }
  DNN(cudnnDestroyOpTensorDescriptor(op));
  DNN(cudnnDestroyReduceTensorDescriptor(reduction));
}

static void checkDropout(const Handle &handle) {
  cudnnDropoutDescriptor_t dropout;
  DNN(cudnnCreateDropoutDescriptor(&dropout));
  Tensor<float> x({8, 16, 8, 8}, false, 0), y({8, 16, 8, 8}, false, 0),
      z({8, 16, 8, 8}, false, 0);
  x.data.fill(1);
  size_t states = 0, size = 0;
  DNN(cudnnDropoutGetStatesSize(handle, &states));
  DNN(cudnnDropoutGetReserveSpaceSize(x, &size));
  check::Array<unsigned char> space(size), place(states);
  DNN(cudnnSetDropoutDescriptor(dropout, handle, 0.25f, place, states, 99));
  DNN(cudnnDropoutForward(handle, dropout, x, x.data, y, y.data, space, size));
  DNN(cudnnDropoutBackward(handle, dropout, x, x.data, z, z.data, space, size));
  y.data.get();
  z.data.get();
  size_t kept = 0;
  for (size_t i = 0; i < y.data.size(); ++i) {
    kept += y.data.host[i] != 0;
    CHECK_AT(i, z.data.host[i], y.data.host[i]);
    CHECK_TRUE(y.data.host[i] == 0 || y.data.host[i] == 1 / 0.75f);
  }
  CHECK_TRUE(std::abs(double(kept) / y.data.size() - 0.75) < 0.03);
  const std::vector<float> before = y.data.host;
  DNN(cudnnDropoutForward(handle, dropout, x, x.data, y, y.data, space, size));
  CHECK_TRUE(y.data.get() != before); // other numbers each time
  DNN_ERROR(cudnnDropoutForward(handle, dropout, x, x.data, y, y.data, space, size - 1),
            CUDNN_STATUS_BAD_PARAM);
  DNN(cudnnDestroyDropoutDescriptor(dropout));
}

template <class T> void checkType(const Handle &handle) {
  for (bool isChannelLast : {false, true}) {
    checkActivations<T>(handle, isChannelLast);
    for (int mode = CUDNN_POOLING_MAX; mode <= CUDNN_POOLING_MAX_DETERMINISTIC; ++mode)
      checkPooling<T>(handle, cudnnPoolingMode_t(mode), isChannelLast);
    checkSoftmax<T>(handle, isChannelLast);
  }
  checkReductions<T>(handle);
}

int main() {
  const Handle handle;
  checkType<float>(handle);
  checkType<double>(handle);
  if (hasNarrowTypes())
    checkType<__half>(handle);
  checkSums(handle);
  checkNans(handle);
  checkDropout(handle);
  return check::finish("layers");
}
