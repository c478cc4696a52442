// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images as matrices, by which convolutions are products, and back.

#include "Common.cuh"

namespace het::dnn {
namespace {

__device__ int64_t volumeOf(const int *sizes) {
  return int64_t(sizes[0]) * sizes[1] * sizes[2];
}

__device__ void split(int64_t number, const int *sizes, int *at) {
  for (int k = 3; k--;) {
    at[k] = static_cast<int>(number % sizes[k]);
    number /= sizes[k];
  }
}

template <class T> __global__ void toColumnsKernel(Columns work) {
  const Windows &windows = work.convolution.windows;
  const int64_t outs = volumeOf(windows.out), taps = volumeOf(windows.window);
  const int64_t rows = windows.channels * taps;
  const int64_t number = threadNumber();
  if (number >= work.images * rows * outs)
    return;
  const int64_t row = number / outs % rows, image = number / outs / rows + work.first;
  int out[3], tap[3];
  split(number % outs, windows.out, out);
  split(row % taps, windows.window, tap);
  const Operand &x = work.convolution.x;
  int64_t place = image * x.strides[0] + row / taps * x.strides[1];
  bool isInside = true;
  for (int k = 0; k < 3; ++k) {
    const int i = work.convolution.isFlipped ? windows.window[k] - 1 - tap[k] : tap[k];
    const int at =
        out[k] * windows.step[k] - windows.padding[k] + i * windows.dilation[k];
    isInside = isInside && at >= 0 && at < windows.in[k];
    place += at * x.strides[2 + k];
  }
  static_cast<T *>(work.columns)[number] =
      isInside ? static_cast<const T *>(x.data)[place] : T(0.f);
}

template <class T> __global__ void fromColumnsKernel(Columns work) {
  using C = Computed<T>;
  const Windows &windows = work.convolution.windows;
  const int64_t ins = volumeOf(windows.in), outs = volumeOf(windows.out);
  const int64_t taps = volumeOf(windows.window);
  const int64_t number = threadNumber();
  if (number >= work.images * windows.channels * ins)
    return;
  const int64_t channel = number / ins % windows.channels;
  const int64_t image = number / ins / windows.channels;
  int in[3], tap[3];
  split(number % ins, windows.in, in);
  C sum = 0;
  for (int64_t t = 0; t < taps; ++t) {
    split(t, windows.window, tap);
    int64_t out = 0;
    bool isThere = true;
    for (int k = 0; k < 3; ++k) {
      const int i = work.convolution.isFlipped ? windows.window[k] - 1 - tap[k] : tap[k];
      const int shifted = in[k] + windows.padding[k] - i * windows.dilation[k];
      isThere = isThere && shifted >= 0 && shifted % windows.step[k] == 0 &&
                shifted / windows.step[k] < windows.out[k];
      out = out * windows.out[k] + (isThere ? shifted / windows.step[k] : 0);
    }
    if (isThere)
      sum += static_cast<const C *>(
          work.columns)[((image * windows.channels + channel) * taps + t) * outs + out];
  }
  const Operand &x = work.convolution.x;
  int64_t place = (image + work.first) * x.strides[0] + channel * x.strides[1];
  for (int k = 0; k < 3; ++k)
    place += in[k] * x.strides[2 + k];
  put<T>(x, place, sum, work.convolution.blend);
}

int64_t volume(const int *sizes) { return int64_t(sizes[0]) * sizes[1] * sizes[2]; }

} // namespace

cudaError_t toColumns(const Columns &work, Type type, cudaStream_t stream) {
  const Windows &windows = work.convolution.windows;
  const int64_t count = work.images * int64_t(windows.channels) *
                        volume(windows.window) * volume(windows.out);
  return withType(type, [&](auto t) {
    toColumnsKernel<decltype(t)><<<gridOfThreads(count), threads, 0, stream>>>(work);
  });
}

cudaError_t fromColumns(const Columns &work, Type type, cudaStream_t stream) {
  const Windows &windows = work.convolution.windows;
  const int64_t count = work.images * int64_t(windows.channels) * volume(windows.in);
  return withType(type, [&](auto t) {
    fromColumnsKernel<decltype(t)><<<gridOfThreads(count), threads, 0, stream>>>(work);
  });
}

} // namespace het::dnn
