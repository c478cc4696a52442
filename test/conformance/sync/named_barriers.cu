// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named barriers: two halves of a block meet at two barriers of their own, and
// producers arrive at a barrier at which consumers wait.
// PTX ISA: bar.sync, bar.arrive with a barrier and a number of threads.

#include "Inputs/check.h"

__global__ void halves(int *out) {
  __shared__ int box[128];
  int t = threadIdx.x, half = t / 64, x = t;
  for (int r = 0; r < 5 + half * 3; ++r) { // the halves run apart
    box[t] = x;
    asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
    x = x * 2 + box[half * 64 + (t + 1) % 64];
    asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
  }
  out[t] = x;
}

__global__ void arrive(int *out) {
  __shared__ int box[32];
  int t = threadIdx.x, lane = t % 32;
  for (int r = 0; r < 4; ++r) {
    if (t < 32) { // produces
      box[lane] = r * 100 + lane;
      asm volatile("bar.arrive 3, 64;" ::: "memory");
      asm volatile("bar.sync 4, 64;" ::: "memory");
    } else { // consumes
      asm volatile("bar.sync 3, 64;" ::: "memory");
      out[r * 32 + lane] = box[31 - lane];
      asm volatile("bar.arrive 4, 64;" ::: "memory");
    }
  }
}

int main() {
  check::Array<int> out(128);
  halves<<<1, 128>>>(out);
  out.get();
  for (int half = 0; half < 2; ++half) {
    std::vector<int> x(64), old;
    for (int t = 0; t < 64; ++t)
      x[t] = half * 64 + t;
    for (int r = 0; r < 5 + half * 3; ++r) {
      old = x;
      for (int t = 0; t < 64; ++t)
        x[t] = old[t] * 2 + old[(t + 1) % 64];
    }
    for (int t = 0; t < 64; ++t)
      CHECK_AT(half * 64 + t, out.host[half * 64 + t], x[t]);
  }
  arrive<<<1, 64>>>(out);
  out.get();
  for (int i = 0; i < 128; ++i)
    CHECK_AT(i, out.host[i], i / 32 * 100 + 31 - i % 32);
  return check::finish("named_barriers");
}
