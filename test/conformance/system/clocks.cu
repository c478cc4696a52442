// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clock, clock64 and the global timer go forward, and not back; __nanosleep
// returns.
// not timed: how far they go is not looked at
// CUDA C++ Programming Guide: Time Function; __nanosleep. PTX ISA:
// %globaltimer.

#include "Inputs/check.h"

__device__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void kernel(long long *out, int rounds) {
  long long last = clock64(), first = last, back = 0;
  for (int i = 0; i < rounds; ++i) {
    long long t = clock64();
    back += t < last;
    last = t;
  }
  while (clock64() == first) // however coarse it is
    ;
  out[0] = back, out[1] = clock64() - first;
  clock_t a = clock(), b = clock();
  out[2] = (long long)(b - a);
  unsigned long long before = now();
  for (int i = 0; i < 20; ++i)
    __nanosleep(100000);
  while (now() == before)
    ;
  out[3] = (long long)(now() - before);
}

int main() {
  check::Array<long long> out(4);
  kernel<<<1, 1>>>(out, 1000);
  out.get();
  CHECK_EQ(out.host[0], 0ll);
  CHECK_TRUE(out.host[1] > 0);
  CHECK_TRUE(out.host[2] >= 0);
  CHECK_TRUE(out.host[3] > 0);
  return check::finish("clocks");
}
