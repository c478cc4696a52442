// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels share: a block has a matrix, whose threads work in steps with barriers
// between them. The order in which numbers are added depends on sizes alone.

#ifndef HET_LIBS_CUSOLVER_BLOCK_CUH
#define HET_LIBS_CUSOLVER_BLOCK_CUH

#include "../../Launch.h"
#include "../Kernels.h"

namespace het::solver {

constexpr int blockThreads = 256;
constexpr Index maxBlocks = 65535;

inline unsigned blocksFor(Index count) {
  const Index blocks = (count + blockThreads - 1) / blockThreads;
  return static_cast<unsigned>(blocks < maxBlocks ? blocks : maxBlocks);
}
__device__ inline Index threadNumber() {
  return static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline Index threadCount() {
  return static_cast<Index>(gridDim.x) * blockDim.x;
}

template <class T> __device__ T *matrixAt(const Matrices<T> &a, Index number) {
  return a.array ? a.array[number] : a.base + number * a.stride;
}

/// The real part, and the square of the absolute value.
template <class T> __device__ Real<T> realOf(T a) {
  if constexpr (isComplex<T>)
    return a.re;
  else
    return a;
}
template <class T> __device__ Real<T> squareOf(T a) {
  if constexpr (isComplex<T>)
    return a.re * a.re + a.im * a.im;
  else
    return a * a;
}
template <class T> __device__ Real<T> absoluteOf(T a) {
  if constexpr (isComplex<T>)
    return hypot(a.re, a.im);
  else
    return fabs(a);
}
/// a / |a|; 1 for 0.
template <class T> __device__ T phaseOf(T a) {
  const Real<T> size = absoluteOf(a);
  if (size == Real<T>(0))
    return T(1);
  if constexpr (isComplex<T>)
    return {a.re / size, a.im / size};
  else
    return a < T(0) ? T(-1) : T(1);
}
template <class R> constexpr R epsilon = sizeof(R) == 8 ? R(0x1p-52) : R(0x1p-23);

/// The sum of a number of each thread, for all of them.
template <class V> __device__ V addUp(V value) {
  __shared__ V values[blockThreads];
  __syncthreads(); // the last sum has been read
  values[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockThreads / 2; half; half /= 2) {
    if (threadIdx.x < half)
      values[threadIdx.x] = values[threadIdx.x] + values[threadIdx.x + half];
    __syncthreads();
  }
  return values[0];
}
/// The greatest.
template <class R> __device__ R greatest(R value) {
  __shared__ R values[blockThreads];
  __syncthreads();
  values[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockThreads / 2; half; half /= 2) {
    if (threadIdx.x < half && values[threadIdx.x + half] > values[threadIdx.x])
      values[threadIdx.x] = values[threadIdx.x + half];
    __syncthreads();
  }
  return values[0];
}

} // namespace het::solver

#endif // HET_LIBS_CUSOLVER_BLOCK_CUH
