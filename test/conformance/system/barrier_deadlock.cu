// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier that some threads never reach, while they wait for those that did:
// undefined in CUDA, so any result is right, but not a hang of the process.
// CUDA C++ Programming Guide: Synchronization Functions.

#include "Inputs/check.h"

// Lane 0 waits at a barrier of its own, the others at another one in a loop
// that lane 0 would have to end.
__global__ void unequal(int *out) {
  __shared__ int box;
  if (threadIdx.x == 0) {
    __syncthreads();
    __syncthreads();
    box = 1;
    __syncthreads();
  } else if (threadIdx.x < 8) {
    __syncthreads();
  }
  *out = threadIdx.x;
}
// Lanes that a mask names have left already, or never come.
__global__ void missing(int *out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_sync(~0u, threadIdx.x, 20);
}

int main() {
  check::Array<int> out(32);
  unequal<<<1, 64>>>(out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) {
    missing<<<1, 32>>>(out);
    error = cudaDeviceSynchronize();
  }
  printf("%s\n", cudaGetErrorName(error));
  return check::finish("barrier_deadlock");
}
