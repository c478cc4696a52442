/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asin and acos of float: a minimax polynomial of x^2 up to 1/2 (sollya/short_f32.py);
 * above, asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)), whose argument is below 1/2 (Cody and
 * Waite, 1980). Branch-free. A number beyond 1 has a negative square: NaN.
 */
#include "math.h"

#define HALF_PI_HIGH 0x1.921fb6p0f
#define HALF_PI_LOW -0x1.777a5cp-25f

/* s^2, where asin(s) serves: s = a or sqrt((1 - a) / 2). */
HET_LOCAL float arcSquare(float a, int large) {
  return large ? fma32(a, -0.5f, 0.5f) : a * a;
}

/* asin(s) / s - 1, z = s^2. */
HET_LOCAL float arcTail(float z) {
  float p = 0x1.59cc8ep-5f;
  p = fma32(p, z, 0x1.8bb538p-6f);
  p = fma32(p, z, 0x1.748a2cp-5f);
  p = fma32(p, z, 0x1.33016ap-4f);
  p = fma32(p, z, 0x1.5555cap-3f);
  return p * z;
}

/* Error: 2.03 ULP (all numbers of its middle range). */
HET_MATH float __het_asin_f32(float x) {
  float a = abs32(x);
  int large = a > 0.5f;
  float z = arcSquare(a, large), root = sqrt32(z), s = large ? root : a;
  float tail = arcTail(z) * s;
  float y = fma32(-2.0f, s, HALF_PI_HIGH) + fma32(-2.0f, tail, HALF_PI_LOW);
  return sign32(large ? y : s + tail, x);
}

/* Error: 1.27 ULP (all numbers of its middle range). */
HET_MATH float __het_acos_f32(float x) {
  int large = abs32(x) > 0.5f;
  float z = arcSquare(abs32(x), large), s = sqrt32(z);
  /* pi/2 - asin(x) where x is small; else twice asin(s) or pi less that. */
  float main = large ? sign32(s + s, x) : -x;
  float whole = x < 0.0f ? 2.0f * HALF_PI_HIGH : 0.0f;
  whole = large ? whole : HALF_PI_HIGH;
  return whole + fma32(main, arcTail(z), main);
}
