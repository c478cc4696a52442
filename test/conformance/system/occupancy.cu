// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy against launches: a shape that can be launched has at least one block on a
// multiprocessor, one that can not has none; and the shapes that the occupancy functions
// suggest can be launched.
// CUDA Runtime API: Occupancy. CUDA C++ Programming Guide: Occupancy Calculator.

#include "Inputs/check.h"

extern __shared__ int dynamicShared[];

__global__ void plain(int *p) { atomicAdd(p, 1); }
__global__ void __launch_bounds__(64) bounded(int *p) { atomicAdd(p, 1); }

__global__ void shared(int *p) {
  __shared__ int numbers[2048];
  numbers[threadIdx.x] = 1;
  __syncthreads();
  atomicAdd(p, numbers[threadIdx.x]);
}

__global__ void dynamic(int *p) {
  dynamicShared[0] = 1;
  __syncthreads();
  atomicAdd(p, dynamicShared[0]);
}

/// Whose threads each keep much across a barrier.
__global__ void large(int *p) {
  int numbers[64];
  for (int i = 0; i < 64; ++i)
    numbers[i] = i == int(threadIdx.x % 64);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += numbers[(i * 7 + *p * 0) % 64];
  atomicAdd(p, sum);
}

using Kernel = void (*)(int *);

/// Whether one block of this shape can be launched, and runs.
static bool runs(Kernel kernel, int threads, size_t bytes, check::Array<int> &count) {
  count.host[0] = 0;
  count.put();
  kernel<<<1, threads, bytes>>>(count);
  if (cudaGetLastError() != cudaSuccess)
    return false;
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  CHECK_EQ(count.get()[0], threads);
  return true;
}

/// What one multiprocessor holds by the device's properties.
static void checkLimits(Kernel kernel, int blocks, int threads, size_t bytes) {
  cudaDeviceProp limits;
  cudaFuncAttributes attributes;
  CUDA(cudaGetDeviceProperties(&limits, 0));
  CUDA(cudaFuncGetAttributes(&attributes, kernel));
  CHECK_TRUE(blocks * ((threads + 31) / 32 * 32) <= limits.maxThreadsPerMultiProcessor);
  CHECK_TRUE(blocks <= limits.maxBlocksPerMultiProcessor);
  CHECK_TRUE(blocks * (attributes.sharedSizeBytes + bytes) <=
             limits.sharedMemPerMultiprocessor);
}

static void examine(Kernel kernel, int mostThreads, size_t leastBytes,
                    check::Array<int> &count) {
  int before = 1 << 30;
  for (int threads : {1, 5, 31, 32, 33, 64, 96, 128, 256, 512, 1024, 1025}) {
    int blocks = -1;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                       leastBytes));
    CHECK_EQ(blocks >= 1, threads <= mostThreads);
    CHECK_EQ(blocks >= 1, runs(kernel, threads, leastBytes, count));
    CHECK_TRUE(blocks <= before); // more threads, fewer blocks
    checkLimits(kernel, blocks, threads, leastBytes);
    before = blocks;
  }
  for (size_t bytes : {size_t(16), size_t(1000), size_t(16384),
                       size_t(48 << 10) + 16, size_t(1) << 30}) {
    int blocks = -1;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, bytes));
    CHECK_EQ(blocks >= 1, runs(kernel, 32, bytes, count));
    checkLimits(kernel, blocks, 32, bytes);
  }
  int grid = 0, threads = 0;
  CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, kernel, leastBytes));
  CHECK_TRUE(grid >= 1 && threads >= 1);
  CHECK_TRUE(runs(kernel, threads, leastBytes, count));
  CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, kernel, leastBytes, 48));
  CHECK_TRUE(grid >= 1 && threads >= 1 && threads <= 48);
  CHECK_TRUE(runs(kernel, threads, leastBytes, count));
  size_t bytes = 0;
  CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 32));
  CHECK_TRUE(bytes >= leastBytes);
  CHECK_TRUE(runs(kernel, 32, bytes, count));
}

int main() {
  check::Array<int> count(1);
  examine(plain, 1024, 0, count);
  examine(bounded, 64, 0, count);
  examine(shared, 1024, 0, count);
  examine(dynamic, 1024, 16, count);
  examine(large, 1024, 0, count);
  return check::finish("occupancy");
}
