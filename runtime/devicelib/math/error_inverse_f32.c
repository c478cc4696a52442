/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * erfinv, erfcinv, normcdfinv of float: of w = -log(1 - x^2) a minimax polynomial, which times
 * x is erfinv(x), and beyond w = 5 one of 1/sqrt(w), which times sqrt(w) is (the variable is
 * Giles', GPU Computing Gems, 2012; the tail serves down to the least number). Polynomials:
 * sollya/special_f32.py, short_f32.py.
 */
#include "inverse_f32.h"
#include "log_f32.h"

float __het_log_f32(float);

/*
 * -log(s) - 0.7273, s positive and normal: the bits of s, taken as an integer, are log2(s)
 * but for a function of its fraction. Absolute error 2^-23.
 */
HET_LOCAL float minusLogShifted(float s) {
  float line = (float)(i32)(bits32(s) - bits32(1.0f));
  float t = float32((bits32(s) & 0x7fffffu) | bits32(1.0f)) - 1.5f;
  float p = 0x1.9cca5p-8f;
  p = fma32(p, t, -0x1.4fa94cp-7f);
  p = fma32(p, t, 0x1.d36d74p-7f);
  p = fma32(p, t, -0x1.a97366p-6f);
  p = fma32(p, t, 0x1.94db96p-5f);
  p = fma32(p, t, -0x1.94a6a4p-4f);
  p = fma32(p, t, 0x1.c71bb2p-3f);
  p = fma32(p, t, 0x1.b1dd6cp-6f);
  p = fma32(p, t, -0x1.928d6ep-1f);
  return fma32(line, -0x1.62e43p-1f * 0x1p-23f, p);
}

/* erfinv(x) / x, v = w - 0.7273, w <= 5. */
HET_LOCAL float central(float v) {
  float p = -0x1.30bdd8p-27f;
  p = fma32(p, v, 0x1.61fdc2p-23f);
  p = fma32(p, v, -0x1.d18708p-21f);
  p = fma32(p, v, -0x1.9a6c82p-19f);
  p = fma32(p, v, 0x1.746p-15f);
  p = fma32(p, v, 0x1.6eadf6p-15f);
  p = fma32(p, v, -0x1.41df6p-9f);
  p = fma32(p, v, 0x1.985c9p-8f);
  p = fma32(p, v, 0x1.f5b6fcp-3f);
  p = fma32(p, v, 0x1.0f6708p0f);
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
  float y = central(minusLogShifted(s)) * x;
  /* w > 5, or none. */
  if (__builtin_expect(!(s > 0x1.b993fep-8f), 0)) {
    float w = -__het_log_f32(s);
    y = sign32(w == INF32 ? w : tail(w), x);
    y = s >= 0.0f ? y : NAN32;
  }
  return y;
}

/* Error: 1.9 ULP. */
HET_MATH float __het_erfinv_f32(float x) { return inverse(x, fma32(-x, x, 1.0f)); }

/* Error: 2.9 ULP. */
HET_MATH float __het_erfcinv_f32(float y) {
  return inverse(1.0f - y, y * (2.0f - y));
}

/* -sqrt(2) erfcinv(2 x). */
/* Error: 3.3 ULP. */
HET_MATH float __het_normcdfinv_f32(float x) {
  float y = x + x;
  return inverse(y - 1.0f, y * (2.0f - y)) * 0x1.6a09e6p0f;
}
