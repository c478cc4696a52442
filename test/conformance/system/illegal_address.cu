// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to memory that is not there: cudaErrorIllegalAddress, which stays for
// every later call, while the process itself goes on.
// CUDA C++ Programming Guide: Error Checking. Documentation of cudaError.
// FLAGS: -DNULLPTR
// FLAGS: -DWILD
// FLAGS: -DFREED
// NOT-YET-ON spirv: Intel's runtime ends the process with a signal

#include "Inputs/check.h"

__global__ void store(volatile int *p) { p[threadIdx.x] = 5; }

int main() {
  int *good = nullptr, *p = nullptr;
  CUDA(cudaMalloc((void **)&good, 256));
  store<<<1, 32>>>(good);
  CUDA_DONE();
#ifdef WILD
  p = (int *)0x123456789000;
#elif defined FREED
  CUDA(cudaMalloc((void **)&p, 64 << 20));
  CUDA(cudaFree(p));
#endif
  store<<<1, 32>>>(p);
  CUDA_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CUDA_ERROR(cudaGetLastError(), cudaErrorIllegalAddress);
  store<<<1, 32>>>(good);
  CUDA_ERROR(cudaGetLastError(), cudaErrorIllegalAddress);
  int host[4];
  CUDA_ERROR(cudaMemcpy(host, good, sizeof host, cudaMemcpyDeviceToHost),
             cudaErrorIllegalAddress);
  void *more;
  CUDA_ERROR(cudaMalloc(&more, 64), cudaErrorIllegalAddress);
  return check::finish("illegal_address");
}
