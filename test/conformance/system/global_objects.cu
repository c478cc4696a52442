// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global objects whose constructors launch kernels and copy to the device's variables:
// a file's kernels are known before its objects are initialised.
// CUDA Runtime API: Initialization.

#include "Inputs/check.h"

__constant__ int factor;
__device__ int total;
__managed__ int managed = 5;

template <typename T> __global__ void fill(T *p, int n, T value) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    p[i] = value * factor;
}
__global__ void sum(const int *p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&total, p[i]);
  if (threadIdx.x == 0)
    managed += factor;
}

/// An array of the device's that is filled before main.
struct Filled {
  static constexpr int size = 100;
  int *data = nullptr;
  int found = 0;
  cudaError_t error = cudaSuccess;

  explicit Filled(int value) {
    const int three = 3;
    note(cudaMemcpyToSymbol(factor, &three, sizeof(three)));
    note(cudaMalloc(&data, size * sizeof(int)));
    fill<<<1, 32>>>(data, size, value);
    note(cudaGetLastError());
    sum<<<1, 32>>>(data, size);
    note(cudaMemcpyFromSymbol(&found, total, sizeof(found)));
  }

private:
  void note(cudaError_t status) {
    if (error == cudaSuccess)
      error = status;
  }
};

static Filled first(7);
Filled second(2);

int main() {
  CUDA(first.error);
  CUDA(second.error);
  CHECK_EQ(first.found, 100 * 7 * 3);
  CHECK_EQ(second.found, 100 * (7 + 2) * 3);
  CUDA(cudaDeviceSynchronize());
  const int counted = managed;
  CHECK_EQ(counted, 5 + 2 * 3);
  return check::finish("global_objects");
}
