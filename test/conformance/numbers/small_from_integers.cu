// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// All integers to half precision and bfloat16 in the four roundings, rounded
// once.
// CUDA Math API: Half and Bfloat16 Precision Conversion.

#include "Inputs/small_float.h"
using small::Bits;
typedef long long i64;
typedef unsigned long long u64;

__global__ void kernel(const u64 *in, Bits *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  u64 v = in[at];
  Bits *o = out + at * 24;
#define MODE(m)                                                                \
  *o++ = AS_BITS(NAMED(__short2, _##m)((short)v));                             \
  *o++ = AS_BITS(NAMED(__ushort2, _##m)((unsigned short)v));                   \
  *o++ = AS_BITS(NAMED(__int2, _##m)((int)v));                                 \
  *o++ = AS_BITS(NAMED(__uint2, _##m)((unsigned)v));                           \
  *o++ = AS_BITS(NAMED(__ll2, _##m)((i64)v));                                  \
  *o++ = AS_BITS(NAMED(__ull2, _##m)(v));
  MODE(rn) MODE(rz) MODE(ru) MODE(rd)
}

// An integer as high and low part, whose sum is made odd: see small::sum.
static double exact(u64 magnitude, bool negative) {
  double high = (double)(magnitude >> 32) * 4294967296.0;
  double low = (double)(magnitude & 0xffffffffu);
  return negative ? small::sum(-high, -low) : small::sum(high, low);
}
static Bits expect(u64 v, int type, floats::Mode mode) {
  const i64 wide[6] = {(short)v, (unsigned short)v, (int)v, (unsigned)v, (i64)v,
                       (i64)v};
  bool negative = type != 5 && wide[type] < 0;
  u64 magnitude = negative ? 0 - (u64)wide[type] : (u64)wide[type];
  return small::round(exact(magnitude, negative), mode);
}

int main() {
  std::vector<u64> values = {0,
                             1,
                             ~0ull,
                             1ull << 63,
                             (1ull << 63) - 1,
                             65504,
                             65519,
                             65520,
                             65521,
                             65535,
                             65536,
                             2049,
                             2051,
                             257,
                             259,
                             0x7fff,
                             0x8000,
                             0x1010000000000001ull,
                             0x100fffffffffffffull,
                             0xff80000000000001ull,
                             0x01010001,
                             0x01010000,
                             0x01008001};
  unsigned state = 17;
  for (int i = 0; i < 300; ++i)
    values.push_back(((u64)check::random(state) << 32 | check::random(state)) >>
                     i % 64);
  int n = (int)values.size();
  check::Array<u64> in(values);
  check::Array<Bits> out(n * 24);
  kernel<<<(n + 127) / 128, 128>>>(in, out, n);
  out.get();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 24; ++k)
      CHECK_SMALL(i * 100 + k, out.host[i * 24 + k],
                  expect(values[i], k % 6, (floats::Mode)(k / 6)));
  return check::finish("small_from_integers");
}
