// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that nobody can unroll, for quiet.test.

__global__ void reverse_sum(float *data, int n) {
  __shared__ float tile[64];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < n; ++i) {
    tile[threadIdx.x] = data[i * 64 + threadIdx.x];
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  data[threadIdx.x] = sum;
}
