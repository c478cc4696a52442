// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hundreds of blocks that take about a second in all: barriers in a loop, lanes that go
// different ways, blocks that wait for the one before. With an argument it exits while
// the first kernel runs.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int blocks = 300, threads = 256;

__global__ void barriers(unsigned long long *out, int steps) {
  __shared__ unsigned shared[threads];
  const unsigned t = threadIdx.x;
  unsigned long long x = blockIdx.x * 1000003ull + t;
  shared[t] = t;
  __syncthreads();
  for (int i = 0; i < steps; ++i) {
    x = x * 6364136223846793005ull + shared[(t + i) % threads];
    if (x & 1)
      x ^= x >> 17;
    else
      x += i;
    __syncthreads();
    shared[t] = unsigned(x >> 32);
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = x;
}

// Each lane has a number of steps of its own.
__global__ void alone(unsigned long long *out, int steps) {
  const unsigned t = blockIdx.x * threads + threadIdx.x;
  unsigned long long x = out[t];
  for (unsigned i = 0; i < steps + (t & 31) * 20; ++i)
    x = x % 3 ? x * 2862933555777941757ull + i : x / 3 + (x << 60);
  out[t] = x;
}

// A sum over all blocks, handed from one to the next.
__global__ void handOn(const unsigned long long *in, volatile unsigned long long *sums,
                       volatile int *ready) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) {
    if (blockIdx.x)
      while (!ready[blockIdx.x - 1])
        ;
    __threadfence();
    sum = blockIdx.x ? sums[blockIdx.x - 1] : 0;
  }
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * threads + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    ready[blockIdx.x] = 1;
  }
}

static void check(cudaError_t error) {
  if (!error)
    return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(1);
}

int main(int count, char **) {
  unsigned long long *out, *sums;
  int *ready;
  const size_t size = sizeof(*out) * blocks * threads;
  check(cudaMalloc(&out, size));
  check(cudaMalloc(&sums, sizeof(*sums) * blocks));
  check(cudaMalloc(&ready, sizeof(*ready) * blocks));
  std::vector<unsigned long long> result(blocks * threads), totals(blocks);
  for (int round = 0; round < 3; ++round) {
    check(cudaMemset(ready, 0, sizeof(*ready) * blocks));
    barriers<<<blocks, threads>>>(out, 500 + round);
    if (count > 1)
      return 7;
    alone<<<blocks, threads>>>(out, 300);
    handOn<<<blocks, threads>>>(out, sums, ready);
    check(cudaMemcpy(result.data(), out, size, cudaMemcpyDeviceToHost));
    check(cudaMemcpy(totals.data(), sums, sizeof(*sums) * blocks,
                     cudaMemcpyDeviceToHost));
    unsigned long long hash = 0;
    for (unsigned long long value : result)
      hash = hash * 31 + value;
    std::printf("%llx %llx\n", hash, totals.back());
  }
  return 0;
}
