// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __launch_bounds__, __noinline__, __forceinline__, __restrict__ and what
// cudaFuncGetAttributes says of kernels.
// CUDA C++ Programming Guide: Launch Bounds; Function Execution Space
// Specifiers.

#include "Inputs/check.h"

__device__ __noinline__ int apart(int x) { return x * 3; }
__device__ __forceinline__ int merged(int x) { return x + 1; }
__constant__ int filler[25];

__global__ void __launch_bounds__(128, 2)
    bounded(const int *__restrict__ in, int *__restrict__ out) {
  __shared__ int box[128];
  int t = threadIdx.x;
  box[t] = apart(in[t]) + filler[t % 25];
  __syncthreads();
  out[t] = merged(box[127 - t]);
}
template <int threads>
__launch_bounds__(threads) __global__ void bound(int *out) {
  out[threadIdx.x] = threads;
}
extern "C" __global__ void plain(int *out) { *out = 5; }

int main() {
  std::vector<int> values(128);
  for (int t = 0; t < 128; ++t)
    values[t] = t * t;
  check::Array<int> in(values), out(128);
  bounded<<<1, 128>>>(in, out);
  out.get();
  for (int t = 0; t < 128; ++t)
    CHECK_AT(t, out.host[t], (127 - t) * (127 - t) * 3 + 1);
  bound<96><<<1, 96>>>(out);
  CHECK_EQ(out.get()[95], 96);
  plain<<<1, 1>>>(out);
  CHECK_EQ(out.get()[0], 5);
  cudaFuncAttributes a;
  CUDA(cudaFuncGetAttributes(&a, bounded));
  CHECK_EQ(a.maxThreadsPerBlock, 128);
  CHECK_EQ(a.sharedSizeBytes, (size_t)512);
  CUDA(cudaFuncGetAttributes(&a, bound<96>));
  CHECK_EQ(a.maxThreadsPerBlock, 96);
  CUDA(cudaFuncGetAttributes(&a, plain));
  CHECK_TRUE(a.maxThreadsPerBlock >= 256);
  CHECK_EQ(a.sharedSizeBytes, (size_t)0);
  return check::finish("launch_bounds");
}
