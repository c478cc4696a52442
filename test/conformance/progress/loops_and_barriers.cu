// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with break and continue round barriers, nested loops whose bounds are
// uniform but only known at run time, and a barrier behind a uniform condition.
// CUDA C++ Programming Guide: Synchronization Functions.

#include "Inputs/check.h"

__global__ void loops(int *out, const int *plan, int rounds) {
  __shared__ int box[64];
  int t = threadIdx.x, x = t + 1;
  for (int r = 0; r < rounds; ++r) {
    if (plan[r] == 0) // the same for each thread
      continue;
    box[t] = x;
    __syncthreads();
    for (int i = 0; i < plan[r]; ++i) {
      x += box[(t + i) % 64];
      __syncthreads();
      if (i == 2 && plan[r] > 4)
        break;
      if (x % 3 == t % 3) // differs from thread to thread
        x ^= 1;
      box[t] = x & 0xff;
      __syncthreads();
    }
    if (plan[r] == 7)
      break;
    __syncthreads();
  }
  out[t] = x;
}

static void expect(std::vector<int> &x, const std::vector<int> &plan) {
  std::vector<int> box(64);
  for (int t = 0; t < 64; ++t)
    x[t] = t + 1;
  for (int p : plan) {
    if (p == 0)
      continue;
    box = x;
    for (int i = 0; i < p; ++i) {
      for (int t = 0; t < 64; ++t)
        x[t] += box[(t + i) % 64];
      if (i == 2 && p > 4)
        break;
      for (int t = 0; t < 64; ++t) {
        if (x[t] % 3 == t % 3)
          x[t] ^= 1;
        box[t] = x[t] & 0xff;
      }
    }
    if (p == 7)
      break;
  }
}

// Loops with trip counts that differ between threads lie between the barriers.
__global__ void between(int *out) {
  __shared__ int sums[96];
  int t = threadIdx.x;
  sums[t] = 0;
  __syncthreads();
  for (int r = 0; r < 3; ++r) {
    int mine = 0;
    for (int i = t; i < 200; i += 7 + t % 5) {
      if (i % 4 == r)
        continue;
      mine += i;
      if (mine > 1500 + t)
        break;
    }
    __syncthreads();
    atomicAdd(&sums[(t + r) % 96], mine);
    __syncthreads();
  }
  out[t] = sums[t];
}
static int part(int t, int r) {
  int mine = 0;
  for (int i = t; i < 200; i += 7 + t % 5) {
    if (i % 4 == r)
      continue;
    mine += i;
    if (mine > 1500 + t)
      break;
  }
  return mine;
}

int main() {
  std::vector<int> plan = {2, 0, 6, 1, 3, 0, 0, 4, 7, 5, 2}, want(64);
  check::Array<int> in(plan), out(96);
  loops<<<1, 64>>>(out, in, (int)plan.size());
  expect(want, plan);
  out.get();
  for (int t = 0; t < 64; ++t)
    CHECK_AT(t, out.host[t], want[t]);
  between<<<1, 96>>>(out);
  out.get();
  for (int t = 0; t < 96; ++t) {
    int sum = 0;
    for (int r = 0; r < 3; ++r)
      sum += part((t - r + 96) % 96, r);
    CHECK_AT(t, out.host[t], sum);
  }
  return check::finish("loops_and_barriers");
}
