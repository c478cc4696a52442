// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow with goto: loops that are entered at two places, with a shuffle,
// a __syncwarp and a __syncthreads inside of them.
// CUDA C++ Programming Guide: Control Flow Instructions; Synchronization.

#include "Inputs/check.h"

// Lanes enter the loop at its middle or at its head.
__global__ void twoEntries(int *out, int n) {
  int lane = threadIdx.x, x = lane, i = 0;
  if (lane % 2)
    goto middle;
head:
  x = x * 3 + 1;
  ++i;
middle:
  x += i;
  if (i < n + lane % 4) {
    ++i;
    if (x & 1)
      goto middle;
    goto head;
  }
  out[lane] = x;
}
static int expectEntries(int lane, int n) {
  int x = lane, i = 0;
  bool head = lane % 2 == 0;
  while (true) {
    if (head) {
      x = x * 3 + 1;
      ++i;
    }
    x += i;
    if (i >= n + lane % 4)
      return x;
    ++i;
    head = !(x & 1);
  }
}

// The whole block enters at one of two places, and meets in the loop.
__global__ void barrier(int *out, int entry, int n) {
  __shared__ int box[64];
  int t = threadIdx.x, i = 0, x = t;
  box[t] = t;
  if (entry)
    goto second;
first:
  box[t] = x + i;
  __syncthreads();
second:
  x += box[(t + 1) % 64] * 2;
  __syncthreads();
  if (++i < n) {
    if (i % 3 == entry)
      goto second;
    goto first;
  }
  out[t] = x;
}
static void expectBarrier(std::vector<int> &x, int entry, int n) {
  std::vector<int> box(64);
  for (int t = 0; t < 64; ++t)
    box[t] = x[t] = t;
  bool first = !entry;
  for (int i = 0;;) {
    if (first)
      for (int t = 0; t < 64; ++t)
        box[t] = x[t] + i;
    for (int t = 0; t < 64; ++t)
      x[t] += box[(t + 1) % 64] * 2;
    if (++i >= n)
      return;
    first = i % 3 != entry;
  }
}

// A shuffle by the halves of a warp, each of which enters elsewhere.
__global__ void shuffles(int *out, int n) {
  int lane = threadIdx.x, half = lane / 16, x = lane, i = 0;
  unsigned mask = half ? 0xffff0000u : 0x0000ffffu;
  if (half)
    goto second;
first:
  x = x * 2 + i;
second:
  x += __shfl_xor_sync(mask, x, i % 16);
  __syncwarp(mask);
  if (++i < n + half) {
    if (i & 1)
      goto first;
    goto second;
  }
  out[lane] = x;
}
static void expectShuffles(std::vector<int> &x, int n) {
  for (int half = 0; half < 2; ++half) {
    for (int l = 0; l < 16; ++l)
      x[half * 16 + l] = half * 16 + l;
    bool first = !half;
    for (int i = 0;;) {
      if (first)
        for (int l = 0; l < 16; ++l)
          x[half * 16 + l] = x[half * 16 + l] * 2 + i;
      std::vector<int> old = x;
      for (int l = half * 16; l < half * 16 + 16; ++l)
        x[l] += old[l ^ (i % 16)];
      if (++i >= n + half)
        break;
      first = i & 1;
    }
  }
}

int main() {
  check::Array<int> out(64);
  twoEntries<<<1, 64>>>(out, 5);
  out.get();
  for (int l = 0; l < 64; ++l)
    CHECK_AT(l, out.host[l], expectEntries(l, 5));
  std::vector<int> want(64);
  for (int entry = 0; entry < 2; ++entry) {
    barrier<<<1, 64>>>(out, entry, 6);
    expectBarrier(want, entry, 6);
    out.get();
    for (int t = 0; t < 64; ++t)
      CHECK_AT(t, out.host[t], want[t]);
  }
  shuffles<<<1, 32>>>(out, 7);
  expectShuffles(want, 7);
  out.get();
  for (int l = 0; l < 32; ++l)
    CHECK_AT(l, out.host[l], want[l]);
  return check::finish("irreducible");
}
