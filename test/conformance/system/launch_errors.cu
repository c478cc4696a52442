// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that can not be: each is refused with an error, which is taken away
// by cudaGetLastError, and the next launch works.
// CUDA C++ Programming Guide: Error Checking; Execution Configuration.

#include "Inputs/check.h"

__global__ void plain(int *p) { atomicAdd(p, 1); }
__global__ void __launch_bounds__(64) bounded(int *p) { atomicAdd(p, 1); }

static bool refused(cudaError_t error) { // 12.x and 13.x differ in which
  return error == cudaErrorInvalidConfiguration ||
         error == cudaErrorInvalidValue;
}

int main() {
  check::Array<int> count(1);
  plain<<<1, 1025>>>(count);
  CHECK_TRUE(refused(cudaPeekAtLastError()));
  CHECK_TRUE(refused(cudaGetLastError()));
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  plain<<<0, 32>>>(count);
  CHECK_TRUE(refused(cudaGetLastError()));
  plain<<<1, 0>>>(count);
  CHECK_TRUE(refused(cudaGetLastError()));
  plain<<<dim3(1, 65536), 32>>>(count);
  CHECK_TRUE(refused(cudaGetLastError()));
  plain<<<1, dim3(1, 1, 65)>>>(count);
  CHECK_TRUE(refused(cudaGetLastError()));
  plain<<<1, 32, 1 << 30>>>(count);
  CHECK_TRUE(refused(cudaGetLastError()));
  bounded<<<1, 96>>>(count);
  CHECK_TRUE(cudaGetLastError() != cudaSuccess);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  bounded<<<2, 64>>>(count);
  CHECK_EQ(count.get()[0], 128);
  return check::finish("launch_errors");
}
