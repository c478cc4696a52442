/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asinh, acosh, atanh of float, as log(1 + v) with v formed without cancellation
 * (Abramowitz and Stegun 4.6.20 ff.). Beyond 2^30 asinh(x) and acosh(x) are log(x) + ln2,
 * whatever v is. Branch-free, without division.
 */
#include "inverse_f32.h"
#include "log_f32.h"

#define LARGE 0x1p30f

/* Error: 1.94 ULP (all numbers of its middle range). */
HET_MATH float __het_asinh_f32(float x) {
  float a = abs32(x);
  int large = a > LARGE;
  float s = fma32(a, a, 1.0f);
  float v = fma32(a * a, inverse32(1.0f + nearRoot32(s)), a);
  float y = logOnePlus32(large ? a : v, large);
  return sign32(a < INF32 ? y : a, x);
}

/* Error: 2.55 ULP (all numbers of its middle range). */
HET_MATH float __het_acosh_f32(float x) {
  float t = x - 1.0f;
  int large = x > LARGE;
  float s = fma32(t, t, t + t);
  float v = nearRoot32(s) + t;
  float y = logOnePlus32(large ? x : v, large);
  y = x < INF32 ? y : x;
  return x < 1.0f ? NAN32 : y;
}

/* Error: 3.06 ULP (all numbers of its middle range). */
HET_MATH float __het_atanh_f32(float x) {
  float a = abs32(x);
  float y = 0.5f * logOnePlus32((a + a) * inverse32(1.0f - a), 0);
  y = a == 1.0f ? INF32 : y;
  return sign32(a <= 1.0f ? y : NAN32, x);
}
