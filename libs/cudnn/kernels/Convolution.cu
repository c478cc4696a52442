// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions and their gradients. A thread has an element of the result, and adds what
// belongs to it in the order of channels and windows; a filter's gradient, for which there
// is much to add, has a block for each element.

#include "Common.cuh"

namespace het::dnn {
namespace {

struct Point {
  int image, channel, at[3];
};

__device__ Point pointOf(int64_t number, int channels, const int *sizes) {
  Point point;
  for (int k = 3; k--;) {
    point.at[k] = static_cast<int>(number % sizes[k]);
    number /= sizes[k];
  }
  point.channel = static_cast<int>(number % channels);
  point.image = static_cast<int>(number / channels);
  return point;
}

__device__ int64_t placeAt(const Operand &operand, int image, int channel, int a, int b,
                           int c) {
  return image * operand.strides[0] + channel * operand.strides[1] +
         a * operand.strides[2] + b * operand.strides[3] + c * operand.strides[4];
}

/// Where the window's place `tap` lies in the input, for an output.
__device__ int inputOf(const Windows &windows, int axis, int out, int tap) {
  return out * windows.step[axis] - windows.padding[axis] + tap * windows.dilation[axis];
}

__device__ int tapOf(const Convolution &work, int axis, int tap) {
  return work.isFlipped ? work.windows.window[axis] - 1 - tap : tap;
}

template <class T> __global__ void forwardKernel(Convolution work) {
  using C = Computed<T>;
  const Windows &windows = work.windows;
  const int64_t number = threadNumber();
  const int64_t count = int64_t(windows.images) * work.outputs * windows.out[0] *
                        windows.out[1] * windows.out[2];
  if (number >= count)
    return;
  const Point point = pointOf(number, work.outputs, windows.out);
  const int channels = windows.channels / work.groups;
  const int first = point.channel / (work.outputs / work.groups) * channels;
  C sum = 0;
  for (int c = 0; c < channels; ++c)
    for (int i = 0; i < windows.window[0]; ++i) {
      const int x = inputOf(windows, 0, point.at[0], i);
      if (x < 0 || x >= windows.in[0])
        continue;
      for (int j = 0; j < windows.window[1]; ++j) {
        const int y = inputOf(windows, 1, point.at[1], j);
        if (y < 0 || y >= windows.in[1])
          continue;
        for (int k = 0; k < windows.window[2]; ++k) {
          const int z = inputOf(windows, 2, point.at[2], k);
          if (z < 0 || z >= windows.in[2])
            continue;
          sum += load<T>(work.x.data, placeAt(work.x, point.image, first + c, x, y, z)) *
                 load<T>(work.w.data,
                         placeAt(work.w, point.channel, c, tapOf(work, 0, i),
                                 tapOf(work, 1, j), tapOf(work, 2, k)));
        }
      }
    }
  put<T>(work.y,
         placeAt(work.y, point.image, point.channel, point.at[0], point.at[1],
                 point.at[2]),
         sum, work.blend);
}

/// The output whose window has an input at place `tap`; negative if there is none.
__device__ int outputOf(const Windows &windows, int axis, int in, int tap) {
  const int shifted = in + windows.padding[axis] - tap * windows.dilation[axis];
  if (shifted < 0 || shifted % windows.step[axis])
    return -1;
  const int out = shifted / windows.step[axis];
  return out < windows.out[axis] ? out : -1;
}

template <class T> __global__ void toDataKernel(Convolution work) {
  using C = Computed<T>;
  const Windows &windows = work.windows;
  const int64_t number = threadNumber();
  const int64_t count = int64_t(windows.images) * windows.channels * windows.in[0] *
                        windows.in[1] * windows.in[2];
  if (number >= count)
    return;
  const Point point = pointOf(number, windows.channels, windows.in);
  const int channels = windows.channels / work.groups, outputs = work.outputs / work.groups;
  const int first = point.channel / channels * outputs;
  C sum = 0;
  for (int o = first; o < first + outputs; ++o)
    for (int i = 0; i < windows.window[0]; ++i) {
      const int x = outputOf(windows, 0, point.at[0], i);
      if (x < 0)
        continue;
      for (int j = 0; j < windows.window[1]; ++j) {
        const int y = outputOf(windows, 1, point.at[1], j);
        if (y < 0)
          continue;
        for (int k = 0; k < windows.window[2]; ++k) {
          const int z = outputOf(windows, 2, point.at[2], k);
          if (z < 0)
            continue;
          sum += load<T>(work.y.data, placeAt(work.y, point.image, o, x, y, z)) *
                 load<T>(work.w.data,
                         placeAt(work.w, o, point.channel % channels, tapOf(work, 0, i),
                                 tapOf(work, 1, j), tapOf(work, 2, k)));
        }
      }
    }
  put<T>(work.x,
         placeAt(work.x, point.image, point.channel, point.at[0], point.at[1],
                 point.at[2]),
         sum, work.blend);
}

/// A block has one element of the filter.
template <class T> __global__ void toFilterKernel(Convolution work) {
  using C = Computed<T>;
  __shared__ C shared[threads];
  const Windows &windows = work.windows;
  const int channels = windows.channels / work.groups;
  const int64_t blocks = int64_t(work.outputs) * channels * windows.window[0] *
                         windows.window[1] * windows.window[2];
  if (blockNumber() >= blocks)
    return;
  const Point filter = pointOf(blockNumber(), channels, windows.window);
  const int output = filter.image;
  const int channel = output / (work.outputs / work.groups) * channels + filter.channel;
  const int64_t count =
      int64_t(windows.images) * windows.out[0] * windows.out[1] * windows.out[2];
  C sum = 0;
  for (int64_t i = threadIdx.x; i < count; i += threads) {
    const Point out = pointOf(i, 1, windows.out);
    const int x = inputOf(windows, 0, out.at[0], filter.at[0]);
    const int y = inputOf(windows, 1, out.at[1], filter.at[1]);
    const int z = inputOf(windows, 2, out.at[2], filter.at[2]);
    const bool isInside = x >= 0 && x < windows.in[0] && y >= 0 && y < windows.in[1] &&
                          z >= 0 && z < windows.in[2];
    if (isInside)
      sum += load<T>(work.x.data, placeAt(work.x, out.image, channel, x, y, z)) *
             load<T>(work.y.data, placeAt(work.y, out.image, output, out.at[0], out.at[1],
                                          out.at[2]));
  }
  sum = sumOfBlock(sum, shared);
  if (threadIdx.x == 0)
    put<T>(work.w,
           placeAt(work.w, output, filter.channel, tapOf(work, 0, filter.at[0]),
                   tapOf(work, 1, filter.at[1]), tapOf(work, 2, filter.at[2])),
           sum, work.blend);
}

int64_t volume(const int *sizes) { return int64_t(sizes[0]) * sizes[1] * sizes[2]; }

} // namespace

cudaError_t convolve(const Convolution &work, Type type, cudaStream_t stream) {
  const int64_t count =
      volume(work.windows.out) * work.windows.images * work.outputs;
  return withType(type, [&](auto t) {
    forwardKernel<decltype(t)><<<gridOfThreads(count), threads, 0, stream>>>(work);
  });
}

cudaError_t convolveToData(const Convolution &work, Type type, cudaStream_t stream) {
  const int64_t count =
      volume(work.windows.in) * work.windows.images * work.windows.channels;
  return withType(type, [&](auto t) {
    toDataKernel<decltype(t)><<<gridOfThreads(count), threads, 0, stream>>>(work);
  });
}

cudaError_t convolveToFilter(const Convolution &work, Type type, cudaStream_t stream) {
  const int64_t blocks = volume(work.windows.window) * work.outputs *
                         (work.windows.channels / work.groups);
  return withType(type, [&](auto t) {
    toFilterKernel<decltype(t)><<<gridOf(blocks), threads, 0, stream>>>(work);
  });
}

} // namespace het::dnn
