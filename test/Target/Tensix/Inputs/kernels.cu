// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory and barriers, teams, atomics of blocks that run at once, mathematics in
// double and float, a grid barrier.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

__global__ void sums(const float *in, double *out, unsigned *count, int n) {
  __shared__ double part[4];
  double x = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x += sin((double)in[i]) * sqrtf(in[i]);
  for (int d = 16; d; d /= 2)
    x += __shfl_down_sync(~0u, x, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
  atomicAdd(count, __popc(__ballot_sync(~0u, threadIdx.x & 1)));
}

__global__ void meet(unsigned *arrived, unsigned *seen) {
  auto grid = cooperative_groups::this_grid();
  for (int round = 0; round < 10; ++round) {
    atomicAdd(arrived, 1);
    grid.sync();
    if (threadIdx.x == 0)
      seen[blockIdx.x * 10 + round] = *(volatile unsigned *)arrived;
    grid.sync();
  }
}

int main() {
  const int n = 5000, blocks = 10;
  float *in;
  double *out;
  unsigned *count;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, blocks * sizeof(double));
  cudaMallocManaged(&count, 400);
  for (int i = 0; i < n; ++i)
    in[i] = i * 0.37f;
  count[0] = 0;
  sums<<<blocks, 128>>>(in, out, count, n);
  cudaDeviceSynchronize();
  for (int b = 0; b < blocks; ++b) {
    unsigned long long bits;
    memcpy(&bits, &out[b], 8);
    printf("sum %016llx\n", bits);
  }
  printf("counted %u\n", count[0]);
  unsigned *arrived = count, *seen;
  cudaMallocManaged(&seen, blocks * 10 * sizeof(unsigned));
  arrived[0] = 0;
  void *arguments[] = {&arrived, &seen};
  cudaLaunchCooperativeKernel((void *)meet, blocks, 64, arguments);
  cudaError_t error = cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < blocks * 10; ++i)
    right &= seen[i] == (i % 10 + 1) * blocks * 64u;
  printf("meetings %u, %s, %s\n", arrived[0], right ? "right" : "wrong",
         cudaGetErrorString(error));
}
