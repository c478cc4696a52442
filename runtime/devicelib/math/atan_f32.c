/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * atan and atan2 of float: the smaller part over the larger is within [0, 1], where a
 * minimax polynomial serves (sollya/short_f32.py); then pi/2 or pi less that. One
 * division (atan2) or inverse, branch-free.
 */
#include "inverse_f32.h"

#define HALF_PI_HIGH 0x1.921fb6p0f
#define HALF_PI_LOW -0x1.777a5cp-25f

/* atan(t), 0 <= t <= 1. */
HET_LOCAL float arc(float t) {
  float s = t * t;
  float p = 0x1.81cb4ep-9f;
  p = fma32(p, s, -0x1.0de9ecp-6f);
  p = fma32(p, s, 0x1.63a518p-5f);
  p = fma32(p, s, -0x1.36276ap-4f);
  p = fma32(p, s, 0x1.b552ep-4f);
  p = fma32(p, s, -0x1.231ba2p-3f);
  p = fma32(p, s, 0x1.997b64p-3f);
  p = fma32(p, s, -0x1.5554eep-2f);
  return fma32(p * s, t, t);
}

/* Error: 2.00 ULP (all numbers of its middle range). */
HET_MATH float __het_atan_f32(float x) {
  float a = abs32(x);
  int large = a > 1.0f;
  /* Beyond 2^100 the inverse is 0 beside pi/2 anyway. */
  float y = arc(large ? inverse32(a > 0x1p100f ? 0x1p100f : a) : a);
  y = large ? HALF_PI_HIGH - y : y;
  return sign32(y, x);
}

/* Error: 1.42 ULP (100,000 numbers). */
HET_MATH float __het_atan2_f32(float y, float x) {
  float a = abs32(y), b = abs32(x);
  int steep = a > b;
  float large = steep ? a : b, small = steep ? b : a;
  float t = small / large;
  t = large == 0.0f ? 0.0f : t;
  float r = arc(t);
  r = small == INF32 ? HALF_PI_HIGH / 2 : r;
  r = steep ? HALF_PI_HIGH + (HALF_PI_LOW - r) : r;
  /* A zero x has a sign only beside a zero y. */
  int left = bits32(x) >> 31 && (b > 0.0f || a == 0.0f);
  r = left ? 2.0f * HALF_PI_HIGH + (2.0f * HALF_PI_LOW - r) : r;
  return isNan32(x) || isNan32(y) ? NAN32 : sign32(r, y);
}
