// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __syncthreads_count, _and, _or: over whole blocks, partial warps, after some
// threads have ended, and in a loop.
// CUDA C++ Programming Guide: Synchronization Functions.

#include "Inputs/check.h"

__global__ void votes(int *out, int rounds) {
  int t = threadIdx.x, n = blockDim.x;
  for (int r = 0; r < rounds; ++r) {
    int p = (t * 7 + r * 13) % 5 < r ? t * 256 + 256 : 0; // low byte is 0
    int *to = out + (r * n + t) * 3;
    to[0] = __syncthreads_count(p);
    to[1] = __syncthreads_and(p) != 0;
    to[2] = __syncthreads_or(p) != 0;
  }
}

__global__ void afterEnd(int *out) {
  int t = threadIdx.x;
  if (t % 3 == 1)
    return;
  out[t * 3] = __syncthreads_count(t % 2);
  out[t * 3 + 1] = __syncthreads_and(t % 3 != 1) != 0;
  out[t * 3 + 2] = __syncthreads_or(t == 4) != 0; // thread 4 has ended
}

int main() {
  const int rounds = 6;
  for (int n : {1, 32, 57, 160, 1024}) {
    check::Array<int> out(rounds * n * 3);
    votes<<<1, n>>>(out, rounds);
    out.get();
    for (int r = 0; r < rounds; ++r) {
      int count = 0;
      for (int t = 0; t < n; ++t)
        count += (t * 7 + r * 13) % 5 < r;
      for (int t = 0; t < n; ++t) {
        const int *o = &out.host[(r * n + t) * 3];
        CHECK_AT(n * 10000 + r * 1000 + t, o[0], count);
        CHECK_AT(n * 10000 + r * 1000 + t, o[1], count == n ? 1 : 0);
        CHECK_AT(n * 10000 + r * 1000 + t, o[2], count != 0 ? 1 : 0);
      }
    }
  }
  check::Array<int> out(300);
  afterEnd<<<1, 100>>>(out);
  out.get();
  int odd = 0;
  for (int t = 0; t < 100; ++t)
    odd += t % 3 != 1 && t % 2;
  for (int t = 0; t < 100; ++t) {
    CHECK_AT(t, out.host[t * 3], t % 3 == 1 ? 0 : odd);
    CHECK_AT(t, out.host[t * 3 + 1], t % 3 == 1 ? 0 : 1);
    CHECK_AT(t, out.host[t * 3 + 2], 0);
  }
  return check::finish("syncthreads_votes");
}
