// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __syncwarp orders the shared memory of the lanes in its mask: whole warps,
// parts of a warp, and a loop.
// CUDA C++ Programming Guide: Synchronization Functions, __syncwarp.

#include "Inputs/check.h"

__global__ void exchange(int *out) {
  __shared__ int box[64];
  int t = threadIdx.x, lane = t % 32, base = t - lane;
  box[t] = t * 5;
  __syncwarp();
  int got = box[base + (lane + 1) % 32];
  __syncwarp();
  if (lane < 16) {
    box[t] = got + 1;
    __syncwarp(0x0000ffffu);
    got = box[base + (lane ^ 3)];
  } else {
    box[t] = got + 2;
    __syncwarp(0xffff0000u);
    got = box[base + (lane ^ 5)];
  }
  out[t] = got;
}

// A scan by doubling, which is wrong as soon as one barrier is missing.
__global__ void scan(int *out) {
  __shared__ volatile int sums[32];
  int lane = threadIdx.x;
  sums[lane] = lane + 1;
  __syncwarp();
  for (int by = 1; by < 32; by *= 2) {
    int below = lane >= by ? sums[lane - by] : 0;
    __syncwarp();
    sums[lane] += below;
    __syncwarp();
  }
  out[lane] = sums[lane];
}

int main() {
  check::Array<int> out(64);
  exchange<<<1, 64>>>(out);
  out.get();
  for (int t = 0; t < 64; ++t) {
    int lane = t % 32, from = lane < 16 ? lane ^ 3 : lane ^ 5;
    CHECK_AT(t, out.host[t],
             (t / 32 * 32 + (from + 1) % 32) * 5 + (lane < 16 ? 1 : 2));
  }
  scan<<<1, 32>>>(out);
  out.get();
  for (int l = 0; l < 32; ++l)
    CHECK_AT(l, out.host[l], (l + 1) * (l + 2) / 2);
  return check::finish("syncwarp");
}
