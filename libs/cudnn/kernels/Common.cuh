// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuDNN's kernels share: types, places of elements, sums of a block.

#ifndef HET_LIBS_CUDNN_KERNELS_COMMON_CUH
#define HET_LIBS_CUDNN_KERNELS_COMMON_CUH

#include "../Kernels.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <type_traits>

namespace het::dnn {

constexpr int threads = 128, rounds = 7; // 2^rounds threads

/// What elements of a type are computed in.
template <class T>
using Computed = std::conditional_t<std::is_same<T, double>::value, double, float>;

template <class T> __device__ Computed<T> load(const void *data, int64_t at) {
  return static_cast<Computed<T>>(static_cast<const T *>(data)[at]);
}
template <class T> __device__ void store(const void *data, int64_t at, Computed<T> value) {
  static_cast<T *>(const_cast<void *>(data))[at] = static_cast<T>(value);
}

/// Writes a result as Blend says.
template <class T>
__device__ void put(const Operand &y, int64_t at, Computed<T> value, const Blend &blend) {
  using C = Computed<T>;
  value = static_cast<C>(blend.alpha) * value;
  if (blend.beta != 0)
    value += static_cast<C>(blend.beta) * load<T>(y.data, at);
  store<T>(y.data, at, value);
}

/// The place of an element, which has this number among all of the extent. It is told that
/// there are one to eight dimensions, so code that can be suspended does not stop in here:
/// kernels have up to eight copies of this.
__device__ inline int64_t placeOf(const Extent &extent, const Operand &operand,
                                  int64_t number) {
  int64_t place = 0;
  int k = min(max(extent.dimensions, 1), maxDimensions);
#pragma unroll 1
  do {
    --k;
    const int size = extent.sizes[k];
    place += number % size * operand.strides[k];
    number /= size;
  } while (k > 0);
  return place;
}

/// The sum over a block, for all of its threads, in the order of a tree.
template <class C, class Combine>
__device__ C combineBlock(C value, C *shared, Combine combine) {
  shared[threadIdx.x] = value;
  __syncthreads();
#pragma unroll 1 // kernels have up to four of them
  for (int round = 1; round <= rounds; ++round) {
    const int half = threads >> round;
    if (threadIdx.x < half)
      shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const C result = shared[0];
  __syncthreads();
  return result;
}
template <class C> __device__ C sumOfBlock(C value, C *shared) {
  return combineBlock(value, shared, [](C a, C b) { return a + b; });
}

/// The number of a thread among all; blocks beyond the first dimension's limit are in
/// the second.
__device__ inline int64_t threadNumber() {
  return (blockIdx.y * int64_t(gridDim.x) + blockIdx.x) * threads + threadIdx.x;
}
__device__ inline int64_t blockNumber() {
  return blockIdx.y * int64_t(gridDim.x) + blockIdx.x;
}

inline dim3 gridOf(int64_t blocks) {
  constexpr int64_t most = 1 << 20;
  const int64_t rows = (blocks + most - 1) / most;
  return dim3(static_cast<unsigned>(blocks < most ? blocks : most),
              static_cast<unsigned>(rows ? rows : 1));
}
inline dim3 gridOfThreads(int64_t count) { return gridOf((count + threads - 1) / threads); }

/// The lesser and the greater of both; a NaN wins, or loses.
template <class C> __device__ C lesserOf(C a, C b, bool propagatesNan) {
  if (a != a || b != b)
    return (a != a) == propagatesNan ? a : b;
  return b < a ? b : a;
}
template <class C> __device__ C greaterOf(C a, C b, bool propagatesNan) {
  if (a != a || b != b)
    return (a != a) == propagatesNan ? a : b;
  return b > a ? b : a;
}

/// Calls with an object of the type that a tensor has.
template <class Call> cudaError_t withType(Type type, const Call &call) {
  switch (type) {
  case Type::Float:
    call(float());
    break;
  case Type::Double:
    call(double());
    break;
  case Type::Half:
    call(__half());
    break;
  case Type::Bfloat:
    call(__nv_bfloat16());
    break;
  }
  return cudaGetLastError();
}

} // namespace het::dnn

#endif // HET_LIBS_CUDNN_KERNELS_COMMON_CUH
