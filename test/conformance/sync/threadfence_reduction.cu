// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __threadfence: the block that finishes last sums what all blocks wrote; and
// __threadfence_block and __threadfence_system are accepted between warps.
// CUDA C++ Programming Guide: Memory Fence Functions (its own example).

#include "Inputs/check.h"

__device__ unsigned finished;

__global__ void sum(const unsigned *in, unsigned n, volatile unsigned *partial,
                    unsigned *out) {
  __shared__ unsigned box[128];
  __shared__ bool isLast;
  unsigned t = threadIdx.x, mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n;
       i += blockDim.x * gridDim.x)
    mine += in[i];
  box[t] = mine;
  __syncthreads();
  if (t == 0) {
    unsigned total = 0;
    for (unsigned i = 0; i < blockDim.x; ++i)
      total += box[i];
    partial[blockIdx.x] = total;
    __threadfence();
    isLast = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && t == 0) {
    unsigned total = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      total += partial[i];
    *out = total;
    finished = 0;
  }
}

// Warp 1 waits for warp 0 of its block.
__global__ void warps(int *out) {
  __shared__ volatile int flag, data[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[lane] = lane * 9;
    __threadfence_block();
    __syncwarp();
    if (lane == 0)
      flag = 1;
  } else {
    while (flag == 0) {
    }
    __threadfence_block();
    out[lane] = data[31 - lane];
  }
  __threadfence_system();
}

int main() {
  const unsigned n = 20000;
  std::vector<unsigned> values(n);
  unsigned state = 5, want = 0;
  for (unsigned &v : values)
    want += v = check::random(state);
  check::Array<unsigned> in(values), partial(16), out(1);
  for (int run = 0; run < 20; ++run) {
    out.fill(0);
    sum<<<16, 128>>>(in, n, partial, out);
    CHECK_AT(run, out.get()[0], want);
  }
  check::Array<int> box(32);
  warps<<<1, 64>>>(box);
  box.get();
  for (int l = 0; l < 32; ++l)
    CHECK_AT(l, box.host[l], (31 - l) * 9);
  return check::finish("threadfence_reduction");
}
