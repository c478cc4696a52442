// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram: each block counts in shared memory and adds what it found to the
// whole.

#include "histogram.h"

__global__ void count(const unsigned char *text, size_t length,
                      unsigned *counts) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < length;
       i += stride)
    atomicAdd(&own[text[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

cudaError_t countBytes(const std::string &text, unsigned (&counts)[256]) {
  unsigned char *deviceText = nullptr;
  unsigned *deviceCounts = nullptr;
  cudaError_t error = cudaMalloc(&deviceText, text.size());
  if (error == cudaSuccess)
    error = cudaMalloc(&deviceCounts, sizeof(counts));
  if (error == cudaSuccess)
    error = cudaMemcpy(deviceText, text.data(), text.size(),
                       cudaMemcpyHostToDevice);
  if (error == cudaSuccess)
    error = cudaMemset(deviceCounts, 0, sizeof(counts));
  if (error == cudaSuccess) {
    count<<<4, 256>>>(deviceText, text.size(), deviceCounts);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(counts, deviceCounts, sizeof(counts),
                       cudaMemcpyDeviceToHost);
  cudaFree(deviceText);
  cudaFree(deviceCounts);
  return error;
}
