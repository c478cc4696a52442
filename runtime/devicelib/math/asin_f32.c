/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asin and acos of float: a minimax polynomial of x^2 up to 1/2 (sollya/trig_f32.sollya);
 * above, asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)), whose argument is below 1/2 (Cody and
 * Waite, 1980). Branch-free. A number beyond 1 has a negative square: NaN.
 */
#include "math.h"

#define HALF_PI_HIGH 0x1.921fb6p0f
#define HALF_PI_LOW -0x1.777a5cp-25f

struct Arc {
  float s, tail; /* asin(s) = s + tail */
  int large;
};

HET_LOCAL struct Arc arc(float a) {
  struct Arc r;
  r.large = a > 0.5f;
  float z = r.large ? fma32(a, -0.5f, 0.5f) : a * a;
  r.s = r.large ? sqrt32(z) : a;
  float p = 0x1.1ac0e4p-5f;
  p = fma32(p, z, 0x1.0fec3ap-6f);
  p = fma32(p, z, 0x1.ffbd92p-6f);
  p = fma32(p, z, 0x1.6d3e74p-5f);
  p = fma32(p, z, 0x1.3334cep-4f);
  p = fma32(p, z, 0x1.555554p-3f);
  r.tail = p * z * r.s;
  return r;
}

/* Error: 2.00 ULP (all numbers). */
HET_MATH float __het_asin_f32(float x) {
  struct Arc r = arc(abs32(x));
  float small = r.s + r.tail;
  float y = fma32(-2.0f, r.s, HALF_PI_HIGH) + fma32(-2.0f, r.tail, HALF_PI_LOW);
  return sign32(r.large ? y : small, x);
}

/* Error: 1.09 ULP (all numbers). */
HET_MATH float __het_acos_f32(float x) {
  struct Arc r = arc(abs32(x));
  /* asin(x) where x is small; else twice asin(s) or pi less that. */
  float factor = sign32(r.large ? 2.0f : 1.0f, r.large ? x : -x);
  float whole = x < 0.0f ? 2.0f * HALF_PI_HIGH : 0.0f;
  return fma32(factor, r.s + r.tail, r.large ? whole : HALF_PI_HIGH);
}
