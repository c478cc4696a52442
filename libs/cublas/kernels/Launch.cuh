// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many blocks a launch has, and the types for which kernels are made.

#ifndef HET_LIBS_CUBLAS_LAUNCH_CUH
#define HET_LIBS_CUBLAS_LAUNCH_CUH

#include "Operands.cuh"

namespace het::blas {

constexpr int blockThreads = 256;

/// One thread for each of `count`, up to where threads take several.
inline unsigned blocksFor(Index count, Index most = 1 << 16) {
  const Index blocks = (count + blockThreads - 1) / blockThreads;
  return static_cast<unsigned>(blocks < most ? blocks : most);
}
inline unsigned atMost(Index count, Index most = 65535) {
  return static_cast<unsigned>(count < most ? count : most);
}

__device__ inline Index threadNumber() {
  return static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline Index threadCount() {
  return static_cast<Index>(gridDim.x) * blockDim.x;
}

#define HET_FOR_EACH_TYPE(make) make(float) make(double) make(Complex32) make(Complex64)

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_LAUNCH_CUH
