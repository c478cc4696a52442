/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sin, cos and tan of double: x = n pi/2 + r, |r| <= pi/4. Up to
 * 2^30 by Cody and Waite's method in three parts with fused multiply-adds; beyond, by the
 * bits of 2/pi (Payne and Hanek, ACM SIGNUM 1983) in integers, behind a branch.
 */
#include "trig_f64.h"

#define SHIFTER64 0x1.8p52
#define MODERATE 0x1p30

struct Angle {
  double r, low; /* r + low */
  u64 quadrant;  /* modulo 4 */
};

/* 64 zero bits, then the bits of 2/pi. */
static const u64 twoOverPi[20] = {
    0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull,
    0xdb6295993c439041ull, 0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull,
    0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull,
    0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull,
    0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull};

/* The upper half of (high, low) << shift, shift < 64. */
HET_LOCAL u64 window(u64 high, u64 low, u32 shift) {
  return high << shift | low >> 1 >> (63u - shift);
}

HET_LOCAL u64 highProduct(u64 a, u64 b) {
  u64 aLow = (u32)a, aHigh = a >> 32, bLow = (u32)b, bHigh = b >> 32;
  u64 cross = aHigh * bLow + (aLow * bLow >> 32);
  u64 other = aLow * bHigh + (u32)cross;
  return aHigh * bHigh + (cross >> 32) + (other >> 32);
}

/*
 * |x| = M 2^e. The bits of 2/pi that make multiples of 4 with M 2^e are left away; of the
 * rest 192 are enough: M times them, modulo 2^192, is 2 bits of quadrant and a fraction.
 */
static __attribute__((noinline, const, nothrow)) struct Angle reduceLarge(double x) {
  if (!isFinite64(x))
    return (struct Angle){NAN64, NAN64, 0};
  u64 bits = bits64(x);
  u64 m = (bits & 0xfffffffffffffull) | 1ull << 52;
  u32 first = (u32)(bits >> 52 & 2047u) - 1075u + 62u;
  u32 index = first >> 6, shift = first & 63u;
  const u64 *w = twoOverPi + index;
  u64 a = window(w[0], w[1], shift), b = window(w[1], w[2], shift);
  u64 c = window(w[2], index < 17 ? w[3] : 0, shift);
  u64 low = m * b, middle = low + highProduct(m, c);
  u64 high = m * a + highProduct(m, b) + (middle < low);
  struct Angle result;
  u32 quadrant = (u32)(high >> 62) + (u32)(high >> 61 & 1u);
  u64 fraction = high << 2 | middle >> 62;
  double top = (double)(i64)(fraction & ~2047ull);
  double rest = (double)(i64)((fraction & 2047u) << 52 | middle << 2 >> 12) * 0x1p-52;
  double sum = top + rest;
  rest -= sum - top;
  double r = sum * 0x1.921fb54442d18p-64;
  double lost = fma64(sum, 0x1.921fb54442d18p-64, -r);
  lost = fma64(sum, 0x1.1a62633145c07p-118, lost);
  lost = fma64(rest, 0x1.921fb54442d18p-64, lost);
  int negative = bits >> 63;
  result.r = negative ? -r : r;
  result.low = negative ? -lost : lost;
  result.quadrant = negative ? 0u - quadrant : quadrant;
  return result;
}

/* Within 1 ULP of r. */
HET_LOCAL struct Angle reduce(double x) {
  double shifted = fma64(x, 0x1.45f306dc9c883p-1, SHIFTER64);
  double n = shifted - SHIFTER64;
  double r = fma64(n, -0x1.921fb54442d18p0, x);
  r = fma64(n, -0x1.1a62633145c06p-54, r);
  struct Angle a = {fma64(n, -0x1.c1cd129024e09p-107, r), 0, bits64(shifted)};
  if (RARE(!isBelow64(x, MODERATE))) {
    a = reduceLarge(x);
    a.r += a.low;
  }
  return a;
}

/* Error: 0.75 ULP (100,000 numbers). */
HET_MATH double __het_sin_f64(double x) {
  struct Angle a = reduce(x);
  return sineOf64(a.r, (u32)a.quadrant);
}

/* Error: 0.72 ULP (100,000 numbers). */
HET_MATH double __het_cos_f64(double x) {
  struct Angle a = reduce(x);
  return sineOf64(a.r, (u32)a.quadrant + 1u);
}

/* sin / cos or -cos / sin, the quotient corrected by its remainder. */
/* Error: 0.80 ULP (100,000 numbers). */
HET_MATH double __het_tan_f64(double x) {
  double shifted = fma64(x, 0x1.45f306dc9c883p-1, SHIFTER64);
  double n = shifted - SHIFTER64;
  double near = fma64(n, -0x1.921fb54442d18p0, x);
  struct Angle a = {fma64(n, -0x1.1a62633145c06p-54, near), 0, bits64(shifted)};
  a.low = fma64(n, -0x1.1a62633145c06p-54, near - a.r);
  a.low = fma64(n, -0x1.c1cd129024e09p-107, a.low);
  if (RARE(!isBelow64(x, MODERATE)))
    a = reduceLarge(x);
  double s = a.r * a.r;
  double sine = a.r + sineTail64(a.r, a.low, s);
  double less = fma64(cosineTail64(s), s, -a.r * a.low), cosine = 1.0 + less;
  double cosineLow = less - (cosine - 1.0);
  int odd = (int)(a.quadrant & 1u);
  double upper = odd ? cosine : sine, lower = odd ? sine : cosine;
  double inverse = 1.0 / lower, q = upper * inverse;
  double rest = fma64(odd ? 1.0 : -q, cosineLow, fma64(-q, lower, upper));
  double y = fma64(rest, inverse, q);
  y = sign64(isFinite64(q) ? y : q, a.r);
  return float64(bits64(y) ^ a.quadrant << 63);
}
