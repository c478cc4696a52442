// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __trap: the kernel ends with an error, which stays, and the process goes on.
// CUDA C++ Programming Guide: Trap function. Documentation of cudaError.

#include "Inputs/check.h"

__global__ void maybe(int when) {
  if ((int)threadIdx.x == when)
    __trap();
}

int main() {
  maybe<<<2, 64>>>(-1);
  CUDA_DONE();
  maybe<<<2, 64>>>(40);
  CUDA(cudaGetLastError());
  cudaError_t error = cudaDeviceSynchronize();
  // The runtime says launch failure or illegal instruction for a trap.
  CHECK_TRUE(error == cudaErrorLaunchFailure ||
             error == cudaErrorIllegalInstruction);
  void *p;
  CUDA_ERROR(cudaMalloc(&p, 16), error);
  CUDA_ERROR(cudaGetLastError(), error);
  return check::finish("trap");
}
