/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * erfinv, erfcinv, normcdfinv of float: of w = -log(1 - x^2) a minimax polynomial, which times
 * x is erfinv(x), and beyond w = 5 one of 1/sqrt(w), which times sqrt(w) is (the variable is
 * Giles', GPU Computing Gems, 2012; the tail serves down to the least number). Polynomials:
 * sollya/special_f32.py.
 */
#include "inverse_f32.h"
#include "log_f32.h"

float __het_log_f32(float);

/* -log(s) of a normal positive number; absolute error 2^-24. */
HET_LOCAL float minusLog(float s) {
  u32 exponent = (bits32(s) - TWO_THIRDS32) & EXPONENT32;
  float f = float32(bits32(s) - exponent) - 1.0f;
  float p = -0x1.49c87p-3f;
  p = fma32(p, f, 0x1.6609aep-3f);
  p = fma32(p, f, -0x1.4d0c2cp-3f);
  p = fma32(p, f, 0x1.93f4d2p-3f);
  p = fma32(p, f, -0x1.002eep-2f);
  p = fma32(p, f, 0x1.556b7cp-2f);
  p = fma32(p, f, -0x1.ffff56p-2f);
  p = fma32(p, f, 0x1.ffffeap-1f);
  return fma32((float)(i32)exponent, -LN2_HIGH32 * 0x1p-23f, -(f * p));
}

/* erfinv(x) / x, w <= 5. */
HET_LOCAL float central(float w) {
  float v = w - 0x1.2cccccp+1f;
  float p = -0x1.2e5f3ap-27f;
  p = fma32(p, v, 0x1.2d792p-25f);
  p = fma32(p, v, 0x1.cf1fecp-22f);
  p = fma32(p, v, -0x1.081242p-18f);
  p = fma32(p, v, -0x1.b633f6p-20f);
  p = fma32(p, v, 0x1.cf2484p-13f);
  p = fma32(p, v, -0x1.6af862p-10f);
  p = fma32(p, v, -0x1.d5c43ep-9f);
  p = fma32(p, v, 0x1.fb81b4p-3f);
  p = fma32(p, v, 0x1.76ddeap0f);
  return p;
}

/* |erfinv(x)|, 5 <= w <= 105. */
HET_LOCAL float tail(float w) {
  float v = inverseRoot32(w);
  float p = 0x1.f47e22p5f;
  p = fma32(p, v, -0x1.275b1ep7f);
  p = fma32(p, v, 0x1.38d916p7f);
  p = fma32(p, v, -0x1.9362dap6f);
  p = fma32(p, v, 0x1.698cd2p5f);
  p = fma32(p, v, -0x1.f5d95ap3f);
  p = fma32(p, v, 0x1.3a65d6p2f);
  p = fma32(p, v, -0x1.36245ep0f);
  p = fma32(p, v, -0x1.da96bp-6f);
  p = fma32(p, v, 0x1.0017cap0f);
  return p * (w * v);
}

/* For erfinv(x) = erfcinv(y), with y (2 - y) = s the same as 1 - x^2. */
HET_LOCAL float inverse(float x, float s) {
  float w = minusLog(s);
  float y = central(w) * x;
  if (__builtin_expect(!(w <= 5.0f && s > 0.0f), 0)) {
    w = -__het_log_f32(s);
    y = sign32(w == INF32 ? w : tail(w), x);
    y = s >= 0.0f ? y : NAN32;
  }
  return y;
}

/* Error: 2 ULP (all numbers). */
HET_MATH float __het_erfinv_f32(float x) { return inverse(x, fma32(-x, x, 1.0f)); }

/* Error: 2 ULP (all numbers). */
HET_MATH float __het_erfcinv_f32(float y) {
  return inverse(1.0f - y, y * (2.0f - y));
}

/* -sqrt(2) erfcinv(2 x). */
/* Error: 3 ULP (all numbers). */
HET_MATH float __het_normcdfinv_f32(float x) {
  float y = x + x;
  return inverse(y - 1.0f, y * (2.0f - y)) * 0x1.6a09e6p0f;
}
