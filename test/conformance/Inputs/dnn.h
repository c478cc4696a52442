// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs about cuDNN share: tensors with a descriptor, of any layout, and
// references that the host computes in double.

#ifndef CONFORMANCE_DNN_H
#define CONFORMANCE_DNN_H

#include "check.h"
#include <cmath>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cudnn.h>
#include <functional>
#include <memory>

#define DNN(...) CHECK_EQ(__VA_ARGS__, CUDNN_STATUS_SUCCESS)
#define DNN_ERROR(call, status) CHECK_EQ(call, status)

namespace dnn {

template <class T> struct TypeOf;
template <> struct TypeOf<float> {
  static constexpr cudnnDataType_t type = CUDNN_DATA_FLOAT;
  static constexpr double epsilon = 1.2e-7;
  using Factor = float;
};
template <> struct TypeOf<double> {
  static constexpr cudnnDataType_t type = CUDNN_DATA_DOUBLE;
  static constexpr double epsilon = 2.3e-16;
  using Factor = double;
};
template <> struct TypeOf<__half> {
  static constexpr cudnnDataType_t type = CUDNN_DATA_HALF;
  static constexpr double epsilon = 1e-3;
  using Factor = float;
};
template <> struct TypeOf<__nv_bfloat16> {
  static constexpr cudnnDataType_t type = CUDNN_DATA_BFLOAT16;
  static constexpr double epsilon = 8e-3;
  using Factor = float;
};
template <class T> using Factor = typename TypeOf<T>::Factor;

// Whether narrow types are to be tried. Their kernels are those of float with other loads
// and stores; where the program moves, each would be made for two devices in three forms.
inline bool hasNarrowTypes() { return !std::getenv("HET_HOP"); }

struct Handle {
  cudnnHandle_t handle;
  Handle() { DNN(cudnnCreate(&handle)); }
  ~Handle() { DNN(cudnnDestroy(handle)); }
  operator cudnnHandle_t() const { return handle; }
};

// A tensor of n, c, h and w, or a filter, in either layout, filled with small numbers.
template <class T> struct Tensor {
  int sizes[4], strides[4];
  bool isChannelLast;
  check::Array<T> data;
  cudnnTensorDescriptor_t descriptor;

  Tensor(std::vector<int> given, bool isChannelLast, unsigned seed)
      : isChannelLast(isChannelLast),
        data(size_t(given[0]) * given[1] * given[2] * given[3]) {
    std::copy(given.begin(), given.end(), sizes);
    const int order[2][4] = {{3, 2, 1, 0}, {1, 3, 2, 0}};
    int next = 1;
    for (int k : order[isChannelLast]) {
      strides[k] = next;
      next *= sizes[k];
    }
    DNN(cudnnCreateTensorDescriptor(&descriptor));
    DNN(cudnnSetTensor4dDescriptor(
        descriptor, isChannelLast ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
        TypeOf<T>::type, sizes[0], sizes[1], sizes[2], sizes[3]));
    if (seed)
      for (T &value : data.host)
        value = T(float(int(check::random(seed) % 2001) - 1000) / 512);
    data.put();
  }
  Tensor(const Tensor &) = delete;
  ~Tensor() { DNN(cudnnDestroyTensorDescriptor(descriptor)); }
  operator cudnnTensorDescriptor_t() const { return descriptor; }
  size_t at(int n, int c, int h, int w) const {
    return size_t(n) * strides[0] + c * strides[1] + h * strides[2] + w * strides[3];
  }
  double operator()(int n, int c, int h, int w) const {
    return double(data.host[at(n, c, h, w)]);
  }
  bool has(int h, int w) const {
    return h >= 0 && h < sizes[2] && w >= 0 && w < sizes[3];
  }
  void forAll(const std::function<void(int, int, int, int)> &call) const {
    for (int n = 0; n < sizes[0]; ++n)
      for (int c = 0; c < sizes[1]; ++c)
        for (int h = 0; h < sizes[2]; ++h)
          for (int w = 0; w < sizes[3]; ++w)
            call(n, c, h, w);
  }
};

// Within so many units of the type's precision of a number of this size.
template <class T>
void near(const char *what, double found, double expected, double units) {
  const double most = units * TypeOf<T>::epsilon * std::max(1.0, std::abs(expected));
  if (std::abs(found - expected) <= most || ++check::failures() > 10)
    return;
  printf("%s: found %.9g, expected %.9g\n", what, found, expected);
}

} // namespace dnn

#endif // CONFORMANCE_DNN_H
