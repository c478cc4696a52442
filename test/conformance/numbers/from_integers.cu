// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __int2float_rn and its family, __ll2double, __double2float: four roundings;
// and the reinterpretations of bits.
// CUDA Math API: Type Casting Intrinsics.

#include "Inputs/floats.h"
using namespace floats;
typedef long long i64;
typedef unsigned long long u64;

#define MODES(X) X(rn) X(rz) X(ru) X(rd)

__global__ void kernel(const u64 *in, float *single, double *dbl, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  u64 v = in[at];
  float *f = single + at * 20;
  double *d = dbl + at * 8;
#define X(m)                                                                   \
  *f++ = __int2float_##m((int)v);                                              \
  *f++ = __uint2float_##m((unsigned)v);                                        \
  *f++ = __ll2float_##m((i64)v);                                               \
  *f++ = __ull2float_##m(v);                                                   \
  *f++ = __double2float_##m(__longlong_as_double((i64)v));                     \
  *d++ = __ll2double_##m((i64)v);                                              \
  *d++ = __ull2double_##m(v);
  MODES(X)
#undef X
}
__global__ void bits(unsigned *out) {
  out[0] = (unsigned)__float_as_int(-1.5f);
  out[1] = __float_as_uint(1.5f);
  out[2] = __float_as_uint(__int_as_float(0x12345678));
  out[3] = __float_as_uint(__uint_as_float(0x87654321u));
  out[4] = (unsigned)__double2hiint(-1.5),
  out[5] = (unsigned)__double2loint(0.1);
  out[6] = (unsigned)__double2hiint(__hiloint2double(0x40091eb8, 0x51eb851f));
  out[7] = (unsigned)(__double_as_longlong(0.1) >> 16);
  out[8] = __int2double_rn(-7) == -7.0 && __uint2double_rn(~0u) == 4294967295.0;
  bool isSo = threadIdx.x == blockIdx.x; // 1, and -1 as a signed number of one bit
  out[9] = __float_as_uint((float)-(int)isSo);
  out[10] = __float_as_uint((float)isSo);
}

static float expectSingle(int which, Mode mode, u64 value) {
  volatile int i = (int)value;
  volatile unsigned u = (unsigned)value;
  volatile i64 l = (i64)value;
  volatile double d = fromBits<double>(value);
  switch (which) {
  case 0:
    return rounded(mode, [&] { return (float)i; });
  case 1:
    return rounded(mode, [&] { return (float)u; });
  case 2:
    return rounded(mode, [&] { return (float)l; });
  // Through long double, which holds every unsigned long long.
  case 3: {
    volatile long double wide = (long double)value;
    return rounded(mode, [&] { return (float)wide; });
  }
  default:
    return rounded(mode, [&] { return (float)d; });
  }
}

int main() {
  std::vector<u64> values = {0,
                             1,
                             ~0ull,
                             1ull << 63,
                             (1ull << 63) - 1,
                             0xffffff,
                             0x1000001,
                             0x1000003,
                             0x7fffffff,
                             0x80000000,
                             0x80000001,
                             0xffffff7f,
                             0xffffff80,
                             0xffffff81,
                             0x20000000000001,
                             0x20000000000003,
                             0x8000008000000000,
                             0x8000008000000001,
                             0xfffffffffffffbff};
  for (double d : doubles(30))
    values.push_back(*(u64 *)&d);
  unsigned state = 7;
  for (int i = 0; i < 40; ++i)
    values.push_back(((u64)check::random(state) << 32 | check::random(state)) >>
                     i % 40);
  // Doubles between and on the borders of float
  for (u64 v :
       {0x380fffffffffffffull, 0x36a0000000000000ull, 0x369fffffffffffffull,
        0x47efffffe0000001ull, 0x47effffff0000000ull, 0x3ff0000010000000ull,
        0x3ff0000030000000ull, 0xbff0000010000001ull})
    values.push_back(v);
  int n = (int)values.size();
  check::Array<u64> in(values);
  check::Array<float> f(n * 20);
  check::Array<double> d(n * 8);
  kernel<<<(n + 31) / 32, 32>>>(in, f, d, n);
  f.get(), d.get();
  for (int i = 0; i < n; ++i)
    for (int mode = 0; mode < 4; ++mode) {
      for (int k = 0; k < 5; ++k)
        CHECK_AT(i * 100 + mode * 10 + k, f.host[i * 20 + mode * 5 + k],
                 expectSingle(k, (Mode)mode, values[i]));
      volatile long double s = (i64)values[i], u = values[i];
      CHECK_AT(i * 100 + mode * 10 + 5, d.host[i * 8 + mode * 2],
               rounded((Mode)mode, [&] { return (double)s; }));
      CHECK_AT(i * 100 + mode * 10 + 6, d.host[i * 8 + mode * 2 + 1],
               rounded((Mode)mode, [&] { return (double)u; }));
    }
  check::Array<unsigned> out(11);
  bits<<<1, 1>>>(out);
  const unsigned want[] = {0xbfc00000, 0x3fc00000, 0x12345678,
                           0x87654321, 0xbff80000, 0x9999999a,
                           0x40091eb8, 0x99999999, 1,
                           0xbf800000, 0x3f800000};
  out.get();
  for (int i = 0; i < 11; ++i)
    CHECK_AT(i, out.host[i], want[i]);
  return check::finish("from_integers");
}
