// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Arithmetic on pairs of half precision and bfloat16: each part is what the
// scalar function gives; and how pairs are made and taken apart.
// CUDA Math API: Half2 and Bfloat162 Arithmetic Functions; Data Movement.

#include "Inputs/small_float.h"
#ifdef BFLOAT
#define LOWS __lows2bfloat162
#define HIGHS __highs2bfloat162
#else
#define LOWS __lows2half2
#define HIGHS __highs2half2
#endif
using small::Bits;
enum { Fields = 15 };

__device__ unsigned pack(Small2 v) {
  return AS_BITS(v.x) | (unsigned)AS_BITS(v.y) << 16;
}
__global__ void kernel(const Bits *in, unsigned *found, unsigned *want, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  const Bits *i = in + at;
  Small ax = AS_SMALL(i[0]), ay = AS_SMALL(i[1]), bx = AS_SMALL(i[2]);
  Small by = AS_SMALL(i[3]), cx = AS_SMALL(i[4]), cy = AS_SMALL(i[5]);
  Small2 a(ax, ay), b(bx, by), c(cx, cy);
  unsigned *f = found + at * Fields, *w = want + at * Fields;
#define BOTH(pair, x, y) *f++ = pack(pair), *w++ = pack(Small2(x, y))
  BOTH(a + b, ax + bx, ay + by);
  BOTH(a - b, ax - bx, ay - by);
  BOTH(a * b, ax * bx, ay * by);
  BOTH(a / b, ax / bx, ay / by);
  BOTH(__hadd2(a, b), __hadd(ax, bx), __hadd(ay, by));
  BOTH(__hsub2_rn(a, b), __hsub(ax, bx), __hsub(ay, by));
  BOTH(__hmul2_sat(a, b), __hmul_sat(ax, bx), __hmul_sat(ay, by));
  BOTH(__h2div(a, b), __hdiv(ax, bx), __hdiv(ay, by));
  BOTH(__hfma2(a, b, c), __hfma(ax, bx, cx), __hfma(ay, by, cy));
  BOTH(__hneg2(a), -ax, -ay);
  BOTH(__habs2(a), __habs(ax), __habs(ay));
  a += b;
  BOTH(a, ax + bx, ay + by);
  BOTH(LOWS(b, c), bx, cx);
  BOTH(HIGHS(b, c), by, cy);
  BOTH(__lowhigh2highlow(b), by, bx);
}

int main() {
  std::vector<Bits> values;
  for (int round = 0; round < 3; ++round)
    for (Bits b : small::samples(401 + round * 300))
      if (!small::isNan(b)) // payloads would differ
        values.push_back(b);
  std::vector<Bits> mixed(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    mixed[i] = values[i * 257 % values.size()];
  int n = (int)mixed.size() - 6;
  check::Array<Bits> in(mixed);
  check::Array<unsigned> found(n * Fields), want(n * Fields);
  kernel<<<(n + 63) / 64, 64>>>(in, found, want, n);
  found.get(), want.get();
  for (int i = 0; i < n * Fields; ++i) {
    CHECK_SMALL(i, (Bits)found.host[i], (Bits)want.host[i]);
    CHECK_SMALL(i, (Bits)(found.host[i] >> 16), (Bits)(want.host[i] >> 16));
  }
  return check::finish("small_pairs");
}
