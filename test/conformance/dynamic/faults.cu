// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child that traps: the error is the device's, as if the host had launched it, and nothing
// that would come after it runs.
// CUDA C++ Programming Guide: CUDA Dynamic Parallelism, API Errors and Launch Failures.
// FLAGS: -rdc=true

#include "Inputs/check.h"

__global__ void trap() { __trap(); }
__global__ void note(int *out) { *out = 1; }

__global__ void parent(int *out) {
  note<<<1, 1>>>(out);
  trap<<<1, 1>>>();
  note<<<1, 1>>>(out + 1);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(out + 2);
}

int main() {
  int *out = nullptr;
  CUDA(cudaHostAlloc(&out, 3 * sizeof(int), cudaHostAllocMapped));
  out[0] = out[1] = out[2] = 0;
  parent<<<1, 1>>>(out);
  CUDA(cudaGetLastError());
  cudaError_t error = cudaDeviceSynchronize();
  CHECK_TRUE(error == cudaErrorLaunchFailure || error == cudaErrorIllegalInstruction);
  CHECK_EQ(out[0], 1);
  CHECK_EQ(out[1], 0);
  CHECK_EQ(out[2], 0);
  return check::finish("dynamic/faults");
}
