// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
//
// Kernel parameters of more than 4 KiB, up to 32764 bytes.
// CUDA C++ Programming Guide: __global__ function parameters (since CUDA 12.1,
// from Volta on).

#include "Inputs/check.h"

template <int n> struct Block {
  int values[n];
};
template <int n> __global__ void sum(long long *out, Block<n> b, int add) {
  long long mine = 0;
  for (int i = threadIdx.x; i < n; i += 64)
    mine += b.values[i] + add;
  out[threadIdx.x] = mine;
}

template <int n> static void test() {
  Block<n> b;
  for (int i = 0; i < n; ++i)
    b.values[i] = i * 77 - n;
  check::Array<long long> out(64);
  sum<n><<<1, 64>>>((long long *)out, b, 3);
  out.get();
  for (int t = 0; t < 64; ++t) {
    long long want = 0;
    for (int i = t; i < n; i += 64)
      want += i * 77 - n + 3;
    CHECK_AT(n * 100 + t, out.host[t], want);
  }
}

int main() {
  test<1020>();
  test<1100>();
  test<5000>();
  test<(32764 - 12) / 4>(); // a pointer and an int stand beside it
  return check::finish("parameters_large");
}
