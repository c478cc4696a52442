// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling: the maximum or the average of each window. A gradient goes to the first element
// that is the maximum.

#include "Common.cuh"

#include <cudnn.h>

namespace het::dnn {
namespace {

struct Place {
  int image, channel, at[3];
};

__device__ Place placeNumber(int64_t number, int channels, const int *sizes) {
  Place place;
  for (int k = 3; k--;) {
    place.at[k] = static_cast<int>(number % sizes[k]);
    number /= sizes[k];
  }
  place.channel = static_cast<int>(number % channels);
  place.image = static_cast<int>(number / channels);
  return place;
}

__device__ int64_t offsetOf(const Operand &operand, const Place &place) {
  int64_t offset = place.image * operand.strides[0] + place.channel * operand.strides[1];
  for (int k = 0; k < 3; ++k)
    offset += place.at[k] * operand.strides[2 + k];
  return offset;
}

/// The part of a window that is in the image.
struct Clipped {
  int begin[3], end[3], count, countWithPadding;
};

__device__ Clipped clip(const Windows &windows, const int *out) {
  Clipped clipped;
  clipped.count = clipped.countWithPadding = 1;
  for (int k = 0; k < 3; ++k) {
    const int begin = out[k] * windows.step[k] - windows.padding[k];
    const int end = begin + windows.window[k];
    clipped.begin[k] = begin < 0 ? 0 : begin;
    clipped.end[k] = end < windows.in[k] ? end : windows.in[k];
    clipped.count *= clipped.end[k] - clipped.begin[k];
    clipped.countWithPadding *= windows.window[k];
  }
  return clipped;
}

__device__ bool isMaximum(int mode) {
  return mode == CUDNN_POOLING_MAX || mode == CUDNN_POOLING_MAX_DETERMINISTIC;
}

template <class C> __device__ C divisorOf(int mode, const Clipped &clipped) {
  const int count = mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING
                        ? clipped.countWithPadding
                        : clipped.count;
  return static_cast<C>(count);
}

/// The number, in the image, of a window's first greatest element; its value in `most`.
template <class T>
__device__ int64_t findMaximum(const Pooling &work, const Place &out,
                               const Clipped &clipped, Computed<T> &most) {
  int64_t found = -1;
  most = 0;
  Place place = out;
  for (int i = clipped.begin[0]; i < clipped.end[0]; ++i)
    for (int j = clipped.begin[1]; j < clipped.end[1]; ++j)
      for (int k = clipped.begin[2]; k < clipped.end[2]; ++k) {
        place.at[0] = i;
        place.at[1] = j;
        place.at[2] = k;
        const Computed<T> value = load<T>(work.x.data, offsetOf(work.x, place));
        const bool isNan = value != value;
        if (found >= 0 && most != most)
          continue;
        if (isNan ? work.propagatesNan : found < 0 || value > most) {
          most = value;
          found = (int64_t(i) * work.windows.in[1] + j) * work.windows.in[2] + k;
        }
      }
  return found;
}

template <class T> __global__ void poolKernel(Pooling work) {
  using C = Computed<T>;
  const Windows &windows = work.windows;
  const int64_t number = threadNumber();
  if (number >= int64_t(windows.images) * windows.channels * windows.out[0] *
                    windows.out[1] * windows.out[2])
    return;
  const Place out = placeNumber(number, windows.channels, windows.out);
  const Clipped clipped = clip(windows, out.at);
  C result = 0;
  if (isMaximum(work.mode)) {
    findMaximum<T>(work, out, clipped, result);
  } else {
    Place place = out;
    for (int i = clipped.begin[0]; i < clipped.end[0]; ++i)
      for (int j = clipped.begin[1]; j < clipped.end[1]; ++j)
        for (int k = clipped.begin[2]; k < clipped.end[2]; ++k) {
          place.at[0] = i;
          place.at[1] = j;
          place.at[2] = k;
          result += load<T>(work.x.data, offsetOf(work.x, place));
        }
    result /= divisorOf<C>(work.mode, clipped);
  }
  put<T>(work.y, offsetOf(work.y, out), result, work.blend);
}

/// The outputs along an axis whose windows have an element.
__device__ void windowsOf(const Windows &windows, int axis, int in, int &begin, int &end) {
  const int last = in + windows.padding[axis];
  const int first = last - windows.window[axis] + 1;
  begin = first <= 0 ? 0 : (first + windows.step[axis] - 1) / windows.step[axis];
  end = last / windows.step[axis] + 1;
  end = end < windows.out[axis] ? end : windows.out[axis];
}

template <class T> __global__ void poolBackwardKernel(Pooling work) {
  using C = Computed<T>;
  const Windows &windows = work.windows;
  const int64_t number = threadNumber();
  if (number >= int64_t(windows.images) * windows.channels * windows.in[0] *
                    windows.in[1] * windows.in[2])
    return;
  const Place in = placeNumber(number, windows.channels, windows.in);
  const int64_t own =
      (int64_t(in.at[0]) * windows.in[1] + in.at[1]) * windows.in[2] + in.at[2];
  int begin[3], end[3];
  for (int k = 0; k < 3; ++k)
    windowsOf(windows, k, in.at[k], begin[k], end[k]);
  C sum = 0;
  Place out = in;
  for (int i = begin[0]; i < end[0]; ++i)
    for (int j = begin[1]; j < end[1]; ++j)
      for (int k = begin[2]; k < end[2]; ++k) {
        out.at[0] = i;
        out.at[1] = j;
        out.at[2] = k;
        const Clipped clipped = clip(windows, out.at);
        const C gradient = load<T>(work.dy.data, offsetOf(work.dy, out));
        C most;
        if (!isMaximum(work.mode))
          sum += gradient / divisorOf<C>(work.mode, clipped);
        else if (findMaximum<T>(work, out, clipped, most) == own)
          sum += gradient;
      }
  put<T>(work.dx, offsetOf(work.dx, in), sum, work.blend);
}

int64_t volume(const int *sizes) { return int64_t(sizes[0]) * sizes[1] * sizes[2]; }

} // namespace

cudaError_t pool(const Pooling &work, Type type, cudaStream_t stream) {
  const Windows &windows = work.windows;
  const int64_t count = volume(windows.out) * windows.images * windows.channels;
  return withType(type, [&](auto t) {
    poolKernel<decltype(t)><<<gridOfThreads(count), threads, 0, stream>>>(work);
  });
}

cudaError_t poolBackward(const Pooling &work, Type type, cudaStream_t stream) {
  const Windows &windows = work.windows;
  const int64_t count = volume(windows.in) * windows.images * windows.channels;
  return withType(type, [&](auto t) {
    poolBackwardKernel<decltype(t)><<<gridOfThreads(count), threads, 0, stream>>>(work);
  });
}

} // namespace het::dnn
