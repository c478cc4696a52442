// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel parameters: many, of all sizes and alignments, structures with padding
// and arrays, 4 KiB of them, and __grid_constant__ with its address taken.
// CUDA C++ Programming Guide: __global__ function parameters.

#include "Inputs/check.h"

struct Mixed {
  char c;
  double d;
  short s[3];
  struct {
    long long l;
    unsigned char b;
  } inner;
};
struct Empty {};
struct alignas(32) Aligned {
  int i;
};
struct Large {
  int values[1000];
};

__global__ void many(double *out, char a, short b, int c, long long d, float e,
                     double f, Mixed m, Empty, Aligned g, const int *p, bool h,
                     float4 v, char3 w, unsigned char z) {
  out[0] = a + b * 10.0 + c * 100.0 + (double)d + e + f;
  out[1] = m.c + m.d + m.s[0] + m.s[2] * 7 + (double)m.inner.l + m.inner.b;
  out[2] = g.i + (p ? 1 : 0) + (h ? 1000 : 0) + z;
  out[3] = v.x + v.y * 2 + v.z * 3 + v.w * 4 + w.x + w.y * 2 + w.z * 3;
}
__global__ void large(int *out, Large l, int plus) {
  l.values[threadIdx.x] += plus; // a copy of its own
  out[threadIdx.x] = l.values[threadIdx.x] + l.values[999 - threadIdx.x * 3];
}
__device__ int through(const Large *l, int i) { return l->values[i]; }
__global__ void constant(int *out, const __grid_constant__ Large l) {
  out[threadIdx.x] = through(&l, threadIdx.x * 2);
}

int main() {
  check::Array<double> out(4);
  Mixed m = {'x', 2.5, {3, 4, 5}, {1ll << 40, 200}};
  many<<<1, 1>>>(out, 'a', -3, 70000, 1ll << 50, 0.25f, -0.125, m, Empty(),
                 Aligned{77}, nullptr, true, make_float4(1, 2, 3, 4),
                 make_char3(-1, -2, -3), 250);
  out.get();
  CHECK_EQ(out.host[0], 'a' - 30.0 + 7e6 + (double)(1ll << 50) + 0.25 - 0.125);
  CHECK_EQ(out.host[1], 'x' + 2.5 + 3 + 35 + (double)(1ll << 40) + 200);
  CHECK_EQ(out.host[2], 77.0 + 1000 + 250);
  CHECK_EQ(out.host[3], 30.0 - 14.0);
  Large l;
  for (int i = 0; i < 1000; ++i)
    l.values[i] = i * i;
  check::Array<int> ints(256);
  large<<<1, 256>>>(ints, l, 5);
  ints.get();
  for (int t = 0; t < 256; ++t) {
    int other = 999 - t * 3;
    CHECK_AT(t, ints.host[t], t * t + 5 + other * other + (other == t ? 5 : 0));
  }
  constant<<<1, 256>>>(ints, l);
  ints.get();
  for (int t = 0; t < 256; ++t)
    CHECK_AT(t, ints.host[t], 4 * t * t);
  return check::finish("parameters");
}
