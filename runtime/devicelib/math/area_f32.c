/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asinh, acosh, atanh of float, as log(1 + v) with v formed without cancellation
 * (Abramowitz and Stegun 4.6.20 ff.). Beyond 2^30 asinh(x) and acosh(x) are log(x) + ln2.
 * Branch-free, without division.
 */
#include "inverse_f32.h"
#include "log_f32.h"

#define LARGE 0x1p30f

/* Error: 1.74 ULP (all numbers). */
HET_MATH float __het_asinh_f32(float x) {
  float a = abs32(x);
  int large = a > LARGE;
  float b = large ? 1.0f : a, s = fma32(b, b, 1.0f);
  float root = s * inverseRoot32(s);
  float v = fma32(b * b, inverse32(1.0f + root), b);
  float y = logOnePlus32(large ? a : v, large);
  return sign32(a < INF32 ? y : a, x);
}

/* Error: 2.05 ULP (all numbers). */
HET_MATH float __het_acosh_f32(float x) {
  float t = x - 1.0f;
  int large = x > LARGE;
  float s = large ? 1.0f : fma32(t, t, t + t);
  float v = fma32(s, inverseRoot32(s), t);
  float y = logOnePlus32(large ? x : v, large);
  y = x < INF32 ? y : x;
  return x < 1.0f ? NAN32 : y;
}

/* Error: 2.08 ULP (all numbers). */
HET_MATH float __het_atanh_f32(float x) {
  float a = abs32(x);
  float y = 0.5f * logOnePlus32(quotient32(a + a, 1.0f - a), 0);
  y = a == 1.0f ? INF32 : y;
  return sign32(a <= 1.0f ? y : NAN32, x);
}
