// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More blocks than any device holds at a time, each of which must run once;
// blocks that end at once and blocks that work long are mixed.
// CUDA C++ Programming Guide: Thread Hierarchy (blocks run in any order).

#include "Inputs/check.h"

__global__ void kernel(unsigned *times, unsigned *total) {
  unsigned b = blockIdx.x + gridDim.x * blockIdx.y;
  if (threadIdx.x == 0)
    atomicAdd(&times[b], 1u);
  if (b % 97 != 0)
    return;
  __shared__ unsigned sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  unsigned mine = 0;
  for (unsigned i = 0; i < b % 1000; ++i)
    mine += i ^ threadIdx.x;
  atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(total, sum);
}

int main() {
  const unsigned x = 701, y = 23;
  check::Array<unsigned> times(x * y), total(1);
  kernel<<<dim3(x, y), 32>>>(times, total);
  times.get();
  unsigned want = 0;
  for (unsigned b = 0; b < x * y; ++b) {
    CHECK_AT(b, times.host[b], 1u);
    for (unsigned t = 0; t < 32 && b % 97 == 0; ++t)
      for (unsigned i = 0; i < b % 1000; ++i)
        want += i ^ t;
  }
  CHECK_EQ(total.get()[0], want);
  return check::finish("many_blocks");
}
