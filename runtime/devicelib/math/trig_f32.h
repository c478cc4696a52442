/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shared by sin, cos and tan of float and the Bessel functions: x = n pi/2 + r, |r| <=
 * pi/4, and minimax polynomials in r^2 (sollya/trig_f32.sollya). Moderate arguments are
 * reduced by Cody and Waite's method with fused multiply-adds, large ones with the bits
 * of 2/pi (Payne and Hanek, ACM SIGNUM 1983). The latter is arithmetic of 32 bits without
 * tables in memory and without branches, so that a vectoriser can take both ways for all
 * lanes; elsewhere it is a branch hardly ever taken.
 */
#ifndef HET_DEVICELIB_TRIG_F32_H
#define HET_DEVICELIB_TRIG_F32_H
#include "math.h"

#define SHIFTER 0x1.8p23f
/* Up to here n has 16 bits and the three-part reduction is exact enough. */
#define MODERATE 0x1p16f
#define HALF_PI_HIGH 0x1.921fb6p0f
#define HALF_PI_LOW -0x1.777a5cp-25f

struct Reduced {
  float r;
  u32 quadrant;
};

HET_LOCAL u32 pick(u32 index, u32 a, u32 b, u32 c, u32 d, u32 e) {
  u32 w = index == 1 ? b : a;
  w = index == 2 ? c : w;
  w = index == 3 ? d : w;
  return index == 4 ? e : w;
}

/* The upper half of (high, low) << shift, shift < 32. */
HET_LOCAL u32 window(u32 high, u32 low, u32 shift) {
  return __builtin_elementwise_fshl(high, low, shift);
}

/*
 * |x| = M 2^e. The bits of 2/pi that make multiples of 4 with M 2^e are left away; of the
 * rest 80 are enough. The first 32 make, times M, quarter turns modulo 4 in units of
 * 2^-30; the others add less than 2^24 units, computed in floating point as hi + lo,
 * whose parts are added last.
 */
HET_LOCAL struct Reduced reduceLarge(float x) {
  u32 bits = bits32(x);
  u32 m = (bits & 0x7fffffu) | 0x800000u;
  float factor = float32((bits & 0x7fffffu) | 0x4b000000u);
  u32 first = ((bits >> 23) & 255u) - 120u;
  u32 index = first >> 5, shift = first & 31u;
  u32 a = pick(index, 0, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u);
  u32 b = pick(index, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u);
  u32 c = pick(index, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u);
  u32 d = pick(index, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu);
  u32 second = window(b, c, shift), third = window(c, d, shift);
  float next = (float)(i32)(second >> 8) * 0x1p-24f;
  float last = (float)(i32)((second & 255u) << 23 | third >> 9) * 0x1p-55f;
  float product = factor * next;
  float low = fma32(factor, next, -product);
  i32 whole = (i32)product;
  u32 turns = m * window(a, b, shift) + (u32)whole;
  u32 quadrant = (turns + 0x20000000u) >> 30;
  /*
   * In units of 2^-32: fraction + 4 (product - whole + low + factor last). The fraction's
   * lowest byte is taken with a sign, so that a small fraction has no other part.
   */
  i32 fraction = (i32)(turns << 2);
  i32 upper = ((fraction >> 7) + 1) >> 1;
  float high = (float)upper;
  float rest = (float)(i32)((u32)fraction - ((u32)upper << 8));
  rest = fma32(4.0f, product - (float)whole, rest);
  rest = fma32(4.0f * factor, last, fma32(4.0f, low, rest));
  float sum = fma32(high, 256.0f, rest);
  rest -= fma32(high, -256.0f, sum);
  float r = sum * (HALF_PI_HIGH * 0x1p-32f);
  float lost = fma32(sum, HALF_PI_HIGH * 0x1p-32f, -r);
  lost = fma32(sum, HALF_PI_LOW * 0x1p-32f, lost);
  r += fma32(rest, HALF_PI_HIGH * 0x1p-32f, lost);
  u32 sign = (u32)((i32)bits >> 31);
  struct Reduced result;
  result.r = float32(bits32(r) ^ (sign & 0x80000000u));
  /* Infinite, or none. */
  result.r = (bits & 0x7fffffffu) >= 0x7f800000u ? NAN32 : result.r;
  result.quadrant = (quadrant ^ sign) - sign;
  return result;
}

HET_LOCAL struct Reduced reduce(float x) {
  float shifted = fma32(x, 0x1.45f306p-1f, SHIFTER);
  float n = shifted - SHIFTER;
  struct Reduced result;
  float r = fma32(n, -0x1.921fb4p0f, x);
  r = fma32(n, -0x1.4442dp-24f, r);
  result.r = fma32(n, -0x1.846988p-48f, r);
  result.quadrant = bits32(shifted);
  if (RARE(!(abs32(x) < MODERATE)))
    result = reduceLarge(x);
  return result;
}

/* A zero may have the wrong sign. */
HET_LOCAL float sineNear0(float r, float s) {
  float p = -0x1.9ab3cap-13f;
  p = fma32(p, s, 0x1.110be6p-7f);
  p = fma32(p, s, -0x1.555552p-3f);
  return fma32(p, s * r, r);
}

HET_LOCAL float cosineNear0(float s) {
  float p = 0x1.9a7f06p-16f;
  p = fma32(p, s, -0x1.6c0e64p-10f);
  p = fma32(p, s, 0x1.55554ep-5f);
  p = fma32(p, s, -0.5f);
  return fma32(p, s, 1.0f);
}

/* sin(r + quadrant pi/2). */
HET_LOCAL float sineOf(float r, u32 quadrant) {
  float s = r * r;
  float sine = sign32(sineNear0(r, s), r), cosine = cosineNear0(s);
  float y = quadrant & 1u ? cosine : sine;
  return float32(bits32(y) ^ (quadrant & 2u) << 30);
}

#endif
