/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asinh, acosh, atanh of float, as log(1 + v) with v formed without cancellation
 * (Abramowitz and Stegun 4.6.20 ff.). Beyond 2^30 asinh(x) and acosh(x) are log(x) + ln2.
 * Branch-free.
 */
#include "log_f32.h"

#define LARGE 0x1p30f

/* Error: 1.74 ULP (all numbers). */
HET_MATH float __het_asinh_f32(float x) {
  float a = abs32(x), s = a * a;
  float v = a + s / (1.0f + sqrt32(s + 1.0f));
  int large = a > LARGE;
  float y = logOnePlus32(large ? a : v, large ? 1.0f : 0.0f);
  return sign32(a < INF32 ? y : a, x);
}

/* Error: 2.05 ULP (all numbers). */
HET_MATH float __het_acosh_f32(float x) {
  float t = x - 1.0f;
  float v = t + sqrt32(fma32(t, t, t + t));
  int large = x > LARGE;
  float y = logOnePlus32(large ? x : v, large ? 1.0f : 0.0f);
  y = x < INF32 ? y : x;
  return x < 1.0f ? NAN32 : y;
}

/* Error: 2.08 ULP (all numbers). */
HET_MATH float __het_atanh_f32(float x) {
  float a = abs32(x);
  float y = 0.5f * logOnePlus32((a + a) / (1.0f - a), 0.0f);
  y = a == 1.0f ? INF32 : y;
  return sign32(a > 1.0f ? NAN32 : y, x);
}
