// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A spin lock taken by each lane of a warp in turn, in the two usual forms, and
// by all threads of several blocks: each thread makes progress by itself.
// CUDA C++ Programming Guide: Independent Thread Scheduling.

#include "Inputs/check.h"

__device__ int lock, counter, order;

__device__ void take() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void give() {
  __threadfence();
  atomicExch(&lock, 0);
}

__global__ void waitThenWork(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    take();
    *(volatile int *)&counter = *(volatile int *)&counter + 1;
    give();
  }
}

__global__ void tryAgain(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    bool done = false;
    while (!done) {
      if (atomicCAS(&lock, 0, 1) == 0) {
        __threadfence();
        *(volatile int *)&counter = *(volatile int *)&counter + 3;
        give();
        done = true;
      }
    }
  }
}

// The lock is in shared memory; lanes take it with a back-off.
__global__ void sharedLock(int *out) {
  __shared__ int guard;
  __shared__ volatile int sum;
  if (threadIdx.x == 0)
    guard = sum = 0;
  __syncthreads();
  while (atomicExch(&guard, 1) != 0)
    __nanosleep(20); // not timed: any time will do
  __threadfence_block();
  sum += threadIdx.x;
  __threadfence_block();
  atomicExch(&guard, 0);
  __syncthreads();
  if (threadIdx.x == 0)
    *out = sum;
}

static int value() {
  int found = 0, zero = 0;
  CUDA_DONE();
  CUDA(cudaMemcpyFromSymbol(&found, counter, sizeof found));
  CUDA(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
  return found;
}

int main() {
  waitThenWork<<<1, 32>>>(3);
  CHECK_EQ(value(), 96);
  waitThenWork<<<2, 48>>>(2);
  CHECK_EQ(value(), 192);
  tryAgain<<<1, 32>>>(3);
  CHECK_EQ(value(), 288);
  tryAgain<<<2, 48>>>(2);
  CHECK_EQ(value(), 576);
  check::Array<int> out(1);
  sharedLock<<<1, 96>>>(out);
  CHECK_EQ(out.get()[0], 95 * 96 / 2);
  return check::finish("spin_lock");
}
