/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * exp, exp2, exp10 of float: x = n ln2 + r (n log10(2), n), |r| <= ln2 / 2, and a minimax
 * polynomial in r (fitted by the Remez exchange, coefficients rounded one by one). The
 * result is scaled by 2^n in two steps, so that a subnormal one is rounded once.
 * Branch-free, without conversions: n is read from the bits of a sum with 1.5 * 2^23.
 */
#include "math.h"

#define SHIFTER 0x1.8p23f

/* Keeps n in the range of scale32; a NaN stays. */
HET_LOCAL float clamp(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/* Error: 0.94 ULP. */
HET_MATH float __het_exp_f32(float x) {
  x = clamp(x, -105.0f, 90.0f);
  float shifted = fma32(x, 0x1.715476p0f, SHIFTER);
  float n = shifted - SHIFTER;
  float r = fma32(n, -0x1.62e43p-1f, x);
  r = fma32(n, 0x1.05c61p-29f, r);
  float p = 0x1.6ae84ep-10f;
  p = fma32(p, r, 0x1.1240e4p-7f);
  p = fma32(p, r, 0x1.555842p-5f);
  p = fma32(p, r, 0x1.555488p-3f);
  p = fma32(p, r, 0x1.fffffcp-2f);
  float y = 1.0f + fma32(r * r, p, r);
  return scale32(y, (i32)(bits32(shifted) - bits32(SHIFTER)));
}

/* Error: 0.94 ULP. */
HET_MATH float __het_exp2_f32(float x) {
  x = clamp(x, -151.0f, 129.0f);
  float shifted = x + SHIFTER;
  float r = x - (shifted - SHIFTER);
  float p = 0x1.18c20cp-13f;
  p = fma32(p, r, 0x1.5ef6a8p-10f);
  p = fma32(p, r, 0x1.3b671ap-7f);
  p = fma32(p, r, 0x1.c6af9cp-5f);
  p = fma32(p, r, 0x1.ebfb94p-3f);
  p = fma32(p, r, 0x1.62e43p-1f);
  return scale32(fma32(p, r, 1.0f), (i32)(bits32(shifted) - bits32(SHIFTER)));
}

/* Error: 0.94 ULP. */
HET_MATH float __het_exp10_f32(float x) {
  x = clamp(x, -46.0f, 39.0f);
  float shifted = fma32(x, 0x1.a934fp1f, SHIFTER);
  float n = shifted - SHIFTER;
  float r = fma32(n, -0x1.344136p-2f, x);
  r = fma32(n, 0x1.ec10cp-27f, r);
  float p = 0x1.7c6df8p-3f;
  p = fma32(p, r, 0x1.1562dcp-1f);
  p = fma32(p, r, 0x1.2c045cp0f);
  p = fma32(p, r, 0x1.046fa6p1f);
  p = fma32(p, r, 0x1.535224p1f);
  p = fma32(p, r, 0x1.26bb1cp1f);
  return scale32(fma32(p, r, 1.0f), (i32)(bits32(shifted) - bits32(SHIFTER)));
}
