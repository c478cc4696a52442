// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers by number used as they must not be: a count that is no multiple of 32, counts
// that differ, a number that is none, more or fewer threads than the count. Undefined in
// CUDA, so any result is right, but not a hang or a crash of the process. Where a device
// has a GPU's way with them, only what the GPU ends by itself is tried.
// PTX ISA: barrier.cta.

#include "Inputs/check.h"

__global__ void count(int *out, unsigned number, unsigned threads) {
  __nvvm_barrier_sync_cnt(number, threads);
  out[threadIdx.x] = 1;
}
__global__ void differ(int *out) {
  __nvvm_barrier_sync_cnt(3, threadIdx.x < 32 ? 64 : 96);
  out[threadIdx.x] = 1;
}
__global__ void apart(int *out) { // the two halves of a warp at two barriers
  __nvvm_barrier_sync_cnt(1 + threadIdx.x % 32 / 16, 64);
  out[threadIdx.x] = 1;
}
__global__ void left(int *out) { // arrivals that nobody waits for
  asm volatile("bar.arrive 2, 96;" ::: "memory");
  out[threadIdx.x] = 1;
}

template <class Launch> void expect(const char *what, cudaError_t error, Launch launch) {
  launch();
  cudaError_t found = cudaDeviceSynchronize();
  if (found != error) {
    printf("%s: found %s, expected %s\n", what, cudaGetErrorName(found),
           cudaGetErrorName(error));
    ++check::failures();
  }
  CUDA(cudaDeviceReset());
}

int main() {
  cudaDeviceProp properties;
  CUDA(cudaGetDeviceProperties(&properties, 0));
  int *out = nullptr;
  auto allocate = [&] { CUDA(cudaMalloc(&out, 1024 * sizeof(int))); };
  allocate();
  expect("left", cudaSuccess, [&] { left<<<1, 64>>>(out); });
  if (std::string(properties.name).find("NVIDIA") != std::string::npos)
    return check::finish("barrier_misuse");
  struct {
    const char *what;
    unsigned number, threads, block;
    cudaError_t error;
  } cases[] = {{"a count of 40", 1, 40, 64, cudaErrorLaunchFailure},
               {"a count of 0", 1, 0, 64, cudaErrorLaunchFailure},
               {"a count of -1", 1, ~0u, 64, cudaErrorLaunchFailure},
               {"number 16", 16, 64, 64, cudaErrorLaunchFailure},
               {"number -1", ~0u, 64, 64, cudaErrorLaunchFailure},
               {"too few threads", 1, 96, 64, cudaErrorLaunchTimeout},
               {"too many threads", 1, 64, 96, cudaErrorLaunchTimeout},
               {"twice as many threads", 1, 64, 128, cudaSuccess}};
  for (auto &one : cases) {
    allocate();
    expect(one.what, one.error,
           [&] { count<<<1, one.block>>>(out, one.number, one.threads); });
  }
  allocate();
  expect("counts that differ", cudaErrorLaunchFailure, [&] { differ<<<1, 96>>>(out); });
  allocate();
  expect("a warp apart", cudaErrorLaunchTimeout, [&] { apart<<<1, 64>>>(out); });
  return check::finish("barrier_misuse");
}
