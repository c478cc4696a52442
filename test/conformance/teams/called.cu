// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Team operations in functions that are not inlined, that recurse, and that are
// called through a pointer that differs between groups of lanes.
// CUDA C++ Programming Guide: Warp Vote and Warp Shuffle Functions.

#include "Inputs/check.h"

__device__ __noinline__ unsigned sum(unsigned mask, unsigned value) {
  unsigned total = 0;
  for (int l = 0; l < 32; ++l) {
    unsigned got = __shfl_sync(mask, value, mask >> l & 1 ? l : threadIdx.x);
    total += mask >> l & 1 ? got : 0;
  }
  return total;
}
// Halves the group until one lane is left, voting at each depth.
__device__ __noinline__ unsigned depth(unsigned mask, int bit) {
  if (bit < 0)
    return 0;
  bool upper = threadIdx.x >> bit & 1;
  unsigned with = __ballot_sync(mask, upper);
  return (unsigned)__popc(with) * (bit + 1) +
         depth(upper ? with : mask & ~with, bit - 1);
}
typedef unsigned (*Operation)(unsigned, unsigned);
__device__ unsigned least(unsigned mask, unsigned v) {
  return __reduce_min_sync(mask, v);
}
__device__ unsigned most(unsigned mask, unsigned v) {
  return __reduce_max_sync(mask, v);
}

__global__ void kernel(unsigned *out, int shift) {
  unsigned lane = threadIdx.x;
  unsigned mask = lane < 10 ? 0x000003ffu : 0xfffffc00u;
  out[lane * 4] = sum(~0u, lane);
  out[lane * 4 + 1] = lane < 10 ? sum(mask, lane) : sum(mask, lane * 2);
  out[lane * 4 + 2] = depth(~0u, 4);
  // Lanes of one group call the same function.
  unsigned third = lane / 11;
  unsigned group = third == 0 ? 0x7ffu : third == 1 ? 0x3ff800u : 0xffc00000u;
  unsigned which = (third + shift) % 3;
  Operation operation = which == 0 ? least : which == 1 ? most : sum;
  out[lane * 4 + 3] = operation(group, lane + 5);
}

static unsigned expectTable(unsigned lane, int shift) {
  unsigned third = lane / 11, low = ~0u, high = 0, total = 0;
  for (unsigned l = third * 11; l < 32 && l < third * 11 + 11; ++l) {
    low = l + 5 < low ? l + 5 : low;
    high = l + 5;
    total += l + 5;
  }
  unsigned which = (third + shift) % 3;
  return which == 0 ? low : which == 1 ? high : total;
}

int main() {
  check::Array<unsigned> out(128);
  for (int shift = 0; shift < 3; ++shift) {
    kernel<<<1, 32>>>(out, shift);
    out.get();
    for (unsigned l = 0; l < 32; ++l) {
      const unsigned *o = &out.host[l * 4];
      CHECK_AT(l, o[0], 496u);
      CHECK_AT(l, o[1], l < 10 ? 45u : (496u - 45u) * 2);
      CHECK_AT(l, o[2], 16u * 5 + 8 * 4 + 4 * 3 + 2 * 2 + 1);
      CHECK_AT(l, o[3], expectTable(l, shift));
    }
  }
  return check::finish("called");
}
