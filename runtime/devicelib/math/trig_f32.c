/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sin and cos of float: x = n pi/2 + r, |r| <= pi/4, then a minimax polynomial in r^2
 * (Remez). Moderate arguments are reduced by Cody and Waite's method with fused
 * multiply-adds, large ones with the bits of 2/pi (Payne and Hanek, ACM SIGNUM 1983) in
 * integers; there is no table in memory, so that lanes of a vector can each take theirs.
 */
#include "math.h"

#define SHIFTER 0x1.8p23f
/* Up to here n has 16 bits and the three-part reduction is exact enough. */
#define MODERATE 0x1p16f

struct Reduced {
  float r;
  u32 quadrant;
};

/* 32 bits of 0 followed by the bits of 2/pi, from bit 32 * index. */
HET_LOCAL u32 bitsOfTwoOverPi(u32 index) {
  u32 w = index == 0 ? 0 : 0xa2f9836eu;
  w = index == 2 ? 0x4e441529u : w;
  w = index == 3 ? 0xfc2757d1u : w;
  w = index == 4 ? 0xf534ddc0u : w;
  w = index == 5 ? 0xdb629599u : w;
  w = index == 6 ? 0x3c439041u : w;
  return index == 7 ? 0xfe5163abu : w;
}

HET_LOCAL u32 window(u32 high, u32 low, u32 shift) {
  return (u32)((((u64)high << 32 | low) << shift) >> 32);
}

/*
 * |x| = M 2^e. The bits of 2/pi that make multiples of 4 with M 2^e are left away; of
 * the rest 96 are enough: M times them, modulo 2^96, is 2 bits of quadrant and a
 * fraction.
 */
HET_LOCAL struct Reduced reduceLarge(float x) {
  u32 bits = bits32(x);
  u32 m = (bits & 0x7fffffu) | 0x800000u;
  u32 first = ((bits >> 23) & 255u) - 150u + 30u;
  u32 index = first >> 5, shift = first & 31u;
  u32 a = bitsOfTwoOverPi(index), b = bitsOfTwoOverPi(index + 1);
  u32 c = bitsOfTwoOverPi(index + 2), d = bitsOfTwoOverPi(index + 3);
  u64 low = (u64)m * window(c, d, shift);
  u64 middle = (u64)m * window(b, c, shift) + (low >> 32);
  u64 high = (u64)m * window(a, b, shift) + (middle >> 32);
  u64 product = high << 32 | (u32)middle;
  struct Reduced result;
  result.quadrant = (u32)(product >> 62) + (u32)(product >> 61 & 1u);
  i64 fraction = (i64)(product << 2);
  float top = (float)(fraction >> 32 << 32);
  float rest = (float)(fraction - (i64)top);
  float r = top * (0x1.921fb6p0f * 0x1p-64f);
  float lost = fma32(top, 0x1.921fb6p0f * 0x1p-64f, -r);
  lost = fma32(top, -0x1.777a5cp-25f * 0x1p-64f, lost);
  r += fma32(rest, 0x1.921fb6p0f * 0x1p-64f, lost);
  int negative = bits >> 31;
  result.r = negative ? -r : r;
  result.quadrant = negative ? 0u - result.quadrant : result.quadrant;
  return result;
}

HET_LOCAL struct Reduced reduce(float x) {
  float shifted = fma32(x, 0x1.45f306p-1f, SHIFTER);
  float n = shifted - SHIFTER;
  struct Reduced result;
  float r = fma32(n, -0x1.921fb6p0f, x);
  r = fma32(n, 0x1.777a5cp-25f, r);
  result.r = fma32(n, 0x1.ee59dap-50f, r);
  result.quadrant = bits32(shifted);
  if (abs32(x) >= MODERATE)
    result = reduceLarge(x);
  result.r = isFinite32(x) ? result.r : NAN32;
  return result;
}

/* sin(r + quadrant pi/2). */
HET_LOCAL float sineOf(float r, u32 quadrant) {
  float s = r * r;
  float sine = 0x1.7c2d52p-19f;
  sine = fma32(sine, s, -0x1.a05956p-13f);
  sine = fma32(sine, s, 0x1.111174p-7f);
  sine = fma32(sine, s, -0x1.555556p-3f);
  sine = fma32(sine, s * r, r);
  float cosine = 0x1.99e708p-16f;
  cosine = fma32(cosine, s, -0x1.6c0c26p-10f);
  cosine = fma32(cosine, s, 0x1.55554ap-5f);
  cosine = fma32(cosine, s, -0.5f);
  cosine = fma32(cosine, s, 1.0f);
  float y = quadrant & 1u ? cosine : sine;
  return float32(bits32(y) ^ (quadrant & 2u) << 30);
}

/* Error: 1.2 ULP. */
HET_MATH float __het_sin_f32(float x) {
  struct Reduced reduced = reduce(x);
  return sineOf(reduced.r, reduced.quadrant);
}

/* Error: 1.2 ULP. */
HET_MATH float __het_cos_f32(float x) {
  struct Reduced reduced = reduce(x);
  return sineOf(reduced.r, reduced.quadrant + 1u);
}
