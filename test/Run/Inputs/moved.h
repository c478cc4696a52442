// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs have in common that are moved while their kernels run: blocks, fewer for
// devices that are simulated, and a digest of each kernel's results.

#ifndef HET_TEST_RUN_MOVED_H
#define HET_TEST_RUN_MOVED_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Fewer for devices that are simulated.
#ifndef HET_BLOCKS
#define HET_BLOCKS 12
#define HET_THREADS 96
#endif
constexpr unsigned blocks = HET_BLOCKS, threads = HET_THREADS, number = blocks * threads;

__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__host__ __device__ uint64_t mix(uint64_t x) {
  x ^= x >> 29;
  return x * 0x9E3779B97F4A7C15ull + 1;
}

static void check(cudaError_t error) {
  if (!error)
    return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// Of a kernel.
static void print(const char *name, const std::vector<uint64_t> &result) {
  uint64_t hash = 0;
  for (uint64_t value : result)
    hash = mix(hash + value);
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

#endif // HET_TEST_RUN_MOVED_H
