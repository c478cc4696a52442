// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System scope: the host and a running kernel pass messages to and fro through
// mapped host memory.
// CUDA C++ Programming Guide: Mapped Memory; Memory Fence Functions.

#include "Inputs/check.h"

__global__ void answer(volatile unsigned *question, volatile unsigned *data,
                       volatile unsigned *reply, unsigned rounds) {
  unsigned sum = 0;
  for (unsigned r = 1; r <= rounds; ++r) {
    while (*question != r) {
    }
    __threadfence_system();
    sum = sum * 3 + data[0];
    data[16] = sum;
    __threadfence_system();
    *reply = r;
  }
}

int main() {
  unsigned *box, *device;
  const unsigned rounds = 200;
  CUDA(cudaHostAlloc((void **)&box, 4096, cudaHostAllocMapped));
  CUDA(cudaHostGetDevicePointer((void **)&device, box, 0));
  memset(box, 0, 4096);
  answer<<<1, 1>>>(device, device + 32, device + 128, rounds);
  CUDA(cudaGetLastError());
  unsigned want = 0;
  for (unsigned r = 1; r <= rounds; ++r) {
    box[32] = r * r;
    __atomic_store_n(&box[0], r, __ATOMIC_RELEASE);
    while (__atomic_load_n(&box[128], __ATOMIC_ACQUIRE) != r)
      if (cudaStreamQuery(0) == cudaErrorLaunchFailure)
        return check::finish("host_and_device");
    want = want * 3 + r * r;
    CHECK_AT(r, box[48], want);
  }
  CUDA_DONE();
  CUDA(cudaFreeHost(box));
  return check::finish("host_and_device");
}
