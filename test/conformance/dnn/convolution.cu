// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcudnn
//
// Convolutions and their gradients against sums of the host's: layouts, types, groups,
// paddings, steps, dilations, both modes, factors; a bias and its gradient.

#include "Inputs/dnn.h"
#include <algorithm>

using namespace dnn;

struct Problem {
  int images, channels, height, width, outputs, windowH, windowW, groups, pad, step,
      dilation;
  cudnnConvolutionMode_t mode;
};

template <class T> struct Convolution {
  const Problem &p;
  Handle handle;
  cudnnConvolutionDescriptor_t descriptor;
  cudnnFilterDescriptor_t filter;
  Tensor<T> x, w;
  std::unique_ptr<Tensor<T>> y;

  Convolution(const Problem &p, bool isChannelLast)
      : p(p), x({p.images, p.channels, p.height, p.width}, isChannelLast, 1),
        w({p.outputs, p.channels / p.groups, p.windowH, p.windowW}, isChannelLast, 2) {
    DNN(cudnnCreateConvolutionDescriptor(&descriptor));
    DNN(cudnnSetConvolution2dDescriptor(
        descriptor, p.pad, p.pad + 1, p.step, p.step, p.dilation, p.dilation, p.mode,
        std::is_same<T, double>::value ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT));
    DNN(cudnnSetConvolutionGroupCount(descriptor, p.groups));
    DNN(cudnnCreateFilterDescriptor(&filter));
    DNN(cudnnSetFilter4dDescriptor(filter, TypeOf<T>::type,
                                   isChannelLast ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
                                   p.outputs, p.channels / p.groups, p.windowH,
                                   p.windowW));
    int sizes[4];
    DNN(cudnnGetConvolution2dForwardOutputDim(descriptor, x, filter, &sizes[0], &sizes[1],
                                              &sizes[2], &sizes[3]));
    y = std::make_unique<Tensor<T>>(std::vector<int>(sizes, sizes + 4), isChannelLast, 3);
  }
  ~Convolution() {
    DNN(cudnnDestroyConvolutionDescriptor(descriptor));
    DNN(cudnnDestroyFilterDescriptor(filter));
  }
  // All products of x, w and y that belong together.
  void forAll(const std::function<void(size_t x, size_t w, size_t y)> &call) const {
    const int channels = p.channels / p.groups, outputs = p.outputs / p.groups;
    y->forAll([&](int n, int k, int h, int v) {
      w.forAll([&](int o, int c, int r, int s) {
        if (o != k)
          return;
        const bool isFlipped = p.mode == CUDNN_CONVOLUTION;
        const int i = isFlipped ? p.windowH - 1 - r : r;
        const int j = isFlipped ? p.windowW - 1 - s : s;
        const int row = h * p.step - p.pad + i * p.dilation;
        const int column = v * p.step - p.pad - 1 + j * p.dilation;
        if (x.has(row, column))
          call(x.at(n, k / outputs * channels + c, row, column), w.at(o, c, r, s),
               y->at(n, k, h, v));
      });
    });
  }
};

template <class T>
void compare(const char *what, Tensor<T> &result, const std::vector<T> &before,
             const std::vector<double> &sums, const std::vector<double> &sizes,
             double alpha, double beta) {
  result.data.get();
  for (size_t i = 0; i < sums.size(); ++i) {
    const double expected = alpha * sums[i] + beta * double(before[i]);
    const double rounded = double(result.data.host[i]);
    // Sums are of float for narrow types.
    const double most = TypeOf<T>::epsilon * (std::abs(expected) + 0.1) +
                        std::min(TypeOf<T>::epsilon, 1.2e-7) * 64 * sizes[i];
    if (!(std::abs(rounded - expected) <= most) && ++check::failures() <= 10)
      printf("%s [%zu]: found %.9g, expected %.9g\n", what, i, rounded, expected);
  }
}

// By sums of each element, or by products of matrices in memory of the program's.
template <class T>
void checkProblem(const Problem &p, bool isChannelLast, bool byProducts) {
  Convolution<T> own(p, isChannelLast);
  const auto forward = byProducts ? CUDNN_CONVOLUTION_FWD_ALGO_GEMM
                                  : CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  const auto toData = byProducts ? CUDNN_CONVOLUTION_BWD_DATA_ALGO_1
                                 : CUDNN_CONVOLUTION_BWD_DATA_ALGO_0;
  const auto toFilter = byProducts ? CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1
                                   : CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0;
  size_t needed[3] = {};
  DNN(cudnnGetConvolutionForwardWorkspaceSize(own.handle, own.x, own.filter,
                                              own.descriptor, *own.y, forward,
                                              &needed[0]));
  DNN(cudnnGetConvolutionBackwardDataWorkspaceSize(own.handle, own.filter, *own.y,
                                                   own.descriptor, own.x, toData,
                                                   &needed[1]));
  DNN(cudnnGetConvolutionBackwardFilterWorkspaceSize(own.handle, own.x, *own.y,
                                                     own.descriptor, own.filter, toFilter,
                                                     &needed[2]));
  const size_t size = std::max({needed[0], needed[1], needed[2]});
  CHECK_EQ(size > 0, byProducts && !isChannelLast);
  check::Array<unsigned char> memory(size + 1);
  const Factor<T> alpha = Factor<T>(0.5), beta = Factor<T>(p.step == 1 ? 2 : 0);
  const std::vector<T> x = own.x.data.host, w = own.w.data.host, y = own.y->data.host;
  std::vector<double> sums[3], sizes[3];
  const size_t counts[] = {x.size(), w.size(), y.size()};
  for (int k = 0; k < 3; ++k) {
    sums[k].resize(counts[k]);
    sizes[k].resize(counts[k]);
  }
  own.forAll([&](size_t i, size_t j, size_t k) {
    const double a = double(x[i]), b = double(w[j]), c = double(y[k]);
    sums[0][i] += b * c;
    sums[1][j] += a * c;
    sums[2][k] += a * b;
    sizes[0][i] += std::abs(b * c);
    sizes[1][j] += std::abs(a * c);
    sizes[2][k] += std::abs(a * b);
  });
  Tensor<T> &xs = own.x, &ws = own.w, &ys = *own.y;
  DNN(cudnnConvolutionForward(own.handle, &alpha, xs, xs.data, own.filter, ws.data,
                              own.descriptor, forward, memory, needed[0], &beta, ys,
                              ys.data));
  compare("forward", ys, y, sums[2], sizes[2], alpha, beta);
  ys.data.host = y;
  ys.data.put();
  DNN(cudnnConvolutionBackwardData(own.handle, &alpha, own.filter, ws.data, ys, ys.data,
                                   own.descriptor, toData, memory, needed[1], &beta, xs,
                                   xs.data));
  compare("to data", xs, x, sums[0], sizes[0], alpha, beta);
  xs.data.host = x;
  xs.data.put();
  DNN(cudnnConvolutionBackwardFilter(own.handle, &alpha, xs, xs.data, ys, ys.data,
                                     own.descriptor, toFilter, memory, needed[2], &beta,
                                     own.filter, ws.data));
  compare("to filter", ws, w, sums[1], sizes[1], alpha, beta);
}

template <class T> void checkBias() {
  Handle handle;
  const Factor<T> one = 1, none = 0;
  for (bool isChannelLast : {false, true}) {
    Tensor<T> y({3, 5, 4, 7}, isChannelLast, 4), bias({1, 5, 1, 1}, false, 5);
    const std::vector<T> before = y.data.host;
    DNN(cudnnAddTensor(handle, &one, bias, bias.data, &one, y, y.data));
    y.data.get();
    y.forAll([&](int n, int c, int h, int w) {
      const T expected = T(Factor<T>(bias.data.host[c]) + Factor<T>(before[y.at(n, c, h, w)]));
      CHECK_EQ(y.data.host[y.at(n, c, h, w)], expected);
    });
    DNN(cudnnConvolutionBackwardBias(handle, &one, y, y.data, &none, bias, bias.data));
    bias.data.get();
    std::vector<double> sums(5);
    y.forAll([&](int n, int c, int h, int w) { sums[c] += y(n, c, h, w); });
    for (int c = 0; c < 5; ++c)
      near<T>("bias", double(bias.data.host[c]), sums[c], 32);
  }
}

static void checkAlgorithms() {
  Convolution<float> own({2, 3, 8, 8, 4, 3, 3, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION},
                         false);
  int count = 0, returned = 0;
  DNN(cudnnGetConvolutionForwardAlgorithmMaxCount(own.handle, &count));
  std::vector<cudnnConvolutionFwdAlgoPerf_t> results(count);
  DNN(cudnnFindConvolutionForwardAlgorithm(own.handle, own.x, own.filter, own.descriptor,
                                           *own.y, count, &returned, results.data()));
  CHECK_TRUE(returned == 2 && results[0].status == CUDNN_STATUS_SUCCESS &&
             results[0].time > 0 && results[0].time <= results[1].time);
  DNN(cudnnGetConvolutionForwardAlgorithm_v7(own.handle, own.x, own.filter,
                                             own.descriptor, *own.y, count, &returned,
                                             results.data()));
  size_t size = 1;
  DNN(cudnnGetConvolutionForwardWorkspaceSize(own.handle, own.x, own.filter,
                                              own.descriptor, *own.y, results[0].algo,
                                              &size));
  CHECK_EQ(size, results[0].memory);
  check::Array<unsigned char> memory(size);
  // A result of another size, other channels, another type, no memory.
  Tensor<float> wrong({2, 4, 8, 9}, false, 0), few({2, 2, 8, 8}, false, 0);
  Tensor<double> wide({2, 4, 8, 8}, false, 0);
  const float one = 1;
  const auto forward = [&](cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t y,
                           void *place) {
    return cudnnConvolutionForward(own.handle, &one, x, own.x.data, own.filter,
                                   own.w.data, own.descriptor, results[0].algo, memory,
                                   size, &one, y, place);
  };
  DNN(forward(own.x, *own.y, own.y->data));
  --size; // too little memory
  DNN_ERROR(forward(own.x, *own.y, own.y->data), CUDNN_STATUS_BAD_PARAM);
  ++size;
  DNN_ERROR(forward(own.x, wrong, wrong.data), CUDNN_STATUS_BAD_PARAM);
  DNN_ERROR(forward(few, *own.y, own.y->data), CUDNN_STATUS_BAD_PARAM);
  DNN_ERROR(forward(own.x, wide, wide.data), CUDNN_STATUS_NOT_SUPPORTED);
  DNN_ERROR(forward(own.x, *own.y, nullptr), CUDNN_STATUS_BAD_PARAM);
  DNN_ERROR(forward(nullptr, *own.y, own.y->data), CUDNN_STATUS_BAD_PARAM);
}

int main() {
  const Problem problems[] = {
      {2, 3, 9, 8, 4, 3, 3, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION},
      {1, 4, 7, 9, 6, 3, 2, 2, 0, 2, 1, CUDNN_CROSS_CORRELATION},
      {3, 2, 11, 10, 2, 2, 3, 2, 2, 3, 2, CUDNN_CONVOLUTION},
      {2, 5, 6, 6, 3, 1, 1, 1, 0, 1, 1, CUDNN_CONVOLUTION},
  };
  for (const Problem &problem : problems)
    for (bool byProducts : {false, true}) {
      checkProblem<float>(problem, byProducts, false);
      checkProblem<float>(problem, false, byProducts);
      checkProblem<double>(problem, false, byProducts);
      if (!hasNarrowTypes())
        continue;
      checkProblem<__half>(problem, !byProducts, byProducts);
      checkProblem<__half>(problem, false, byProducts);
      checkProblem<__nv_bfloat16>(problem, false, byProducts);
    }
  checkBias<float>();
  checkBias<double>();
  if (hasNarrowTypes())
    checkBias<__half>();
  checkAlgorithms();
  return check::finish("convolution");
}
