// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clock, clock64 and the global timer go forward; __nanosleep returns, after no
// more than a generous multiple of its time.
// CUDA C++ Programming Guide: Time Function; __nanosleep. PTX ISA:
// %globaltimer.

#include "Inputs/check.h"

__device__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void kernel(long long *out, int rounds) {
  long long last = clock64(), first = last, steps = 0, back = 0;
  for (int i = 0; i < rounds; ++i) {
    long long t = clock64();
    back += t < last;
    steps += t > last;
    last = t;
  }
  out[0] = back, out[1] = steps, out[2] = last - first;
  clock_t a = clock(), b = clock();
  out[3] = (long long)(b - a);
  unsigned long long before = now();
  for (int i = 0; i < 20; ++i)
    __nanosleep(100000);
  out[4] = (long long)(now() - before);
}

int main() {
  check::Array<long long> out(5);
  kernel<<<1, 1>>>(out, 1000);
  out.get();
  CHECK_EQ(out.host[0], 0ll);
  CHECK_TRUE(out.host[1] > 0);
  CHECK_TRUE(out.host[2] > 0);
  CHECK_TRUE(out.host[3] >= 0);
  // The guide: the sleep lies in [0, 2 t]. Others may use the device, too.
  CHECK_TRUE(out.host[4] >= 0);
  CHECK_TRUE(out.host[4] < 3000000000ll);
  return check::finish("clocks");
}
