// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -O3
// FLAGS: -G
//
// A lane polls for a later lane of its warp through a pointer to a function that only
// reads a volatile place; called.cu has the other ways.
// CUDA C++ Programming Guide: Independent Thread Scheduling.

#include "Inputs/check.h"

typedef bool (*Look)(int *);
__device__ bool isSet(int *flag) { return *(volatile int *)flag != 0; }
__device__ bool isSetTwice(int *flag) { return isSet(flag) && isSet(flag); }

constexpr int threads = 48;

// Pointers that no compiler knows: another kernel writes them.
__device__ Look written[2];

__global__ void write() {
  written[0] = isSet;
  written[1] = isSetTwice;
}

// Each lane waits for the next one, the last one for nobody.
__global__ void chain(int *flags, int *out, int which) {
  Look looks[] = {isSet, isSetTwice, written[0], written[1]};
  int lane = threadIdx.x, last = blockDim.x - 1;
  if (lane < last)
    while (!looks[which](flags + lane + 1)) {
    }
  __threadfence();
  out[lane] = lane == last ? 1 : out[lane + 1] + lane;
  __threadfence();
  atomicExch(flags + lane, 1);
}

int main() {
  write<<<1, 1>>>();
  for (int which = 0; which < 4; ++which) {
    check::Array<int> flags(threads), out(threads);
    chain<<<1, threads>>>(flags, out, which);
    out.get();
    int want = 1;
    for (int l = threads; l-- > 0;) {
      want += l == threads - 1 ? 0 : l;
      CHECK_AT(which * 100 + l, out.host[l], want);
    }
  }
  return check::finish("called_volatile");
}
