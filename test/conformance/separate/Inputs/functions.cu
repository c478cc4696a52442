// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other file of separate/functions.

#define SEPARATE_TAG 2
#include "Inputs/check.h"
#include "functions.h"

static __device__ int tag() { return 2; }
__device__ int otherTag() { return tag(); }

__device__ int blockSum(int value) {
  __shared__ int parts[64];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  return parts[0];
}

__device__ int lanesSum(int value) {
  for (int offset = 16; offset; offset /= 2)
    value += __shfl_xor_sync(0xffffffff, value, offset);
  return value;
}

__device__ long long collatz(long long n) {
  long long count = 0;
  for (; n != 1; ++count)
    n = step(n);
  return count;
}

void addThere(int *out, int count) { add<int><<<1, count>>>(out, 7); }

int staticKernelThere(int *out) {
  staticKernel<<<1, 1>>>(out);
  int value = 0;
  CUDA(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}
