/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * expm1: exp(x) = 2^n (1 + t), so exp(x) - 1 = (2^n - 1) + 2^n t, with t in twice the
 * precision and the sum without loss (Dekker).
 */
#include "exp_f64.h"

/* Error: 0.7 ULP. */
HET_MATH double __het_expm1_f64(double x) {
  struct Exponential e = exponential(clamp64(x, -50.0, 720.0), 0);
  i32 n = e.exponent;
  /* At the upper end everything is halved, and doubled last. */
  int large = n > 1000;
  double scale = power2f64(n > 1024 ? 1023 : n - large);
  double one = large ? 0.5 : 1.0, base = scale - one;
  double t = scale * e.less1;
  double sum = base + t;
  double lost = abs64(base) > abs64(t) ? t - (sum - base) : base - (sum - t);
  lost += (scale - base) - one;
  double y = sum + fma64(scale, e.less1Low, lost);
  y = large ? 2.0 * y : y;
  y = x > 709.9 ? INF64 : y;
  return x == 0 ? x : y;
}

/* exp_f32.c's polynomial, with the rounding of r kept. Error: 0.8 ULP. */
HET_MATH float __het_expm1_f32(float x) {
  float bounded = x < -20.0f ? -20.0f : x;
  bounded = bounded > 90.0f ? 90.0f : bounded;
  float shifted = fma32(bounded, 0x1.715476p0f, 0x1.8p23f);
  float k = shifted - 0x1.8p23f;
  float near = fma32(k, -0x1.62e43p-1f, bounded);
  float r = fma32(k, 0x1.05c61p-29f, near);
  float lost = fma32(k, 0x1.05c61p-29f, near - r);
  float p = 0x1.6ae84ep-10f;
  p = fma32(p, r, 0x1.1240e4p-7f);
  p = fma32(p, r, 0x1.555842p-5f);
  p = fma32(p, r, 0x1.555488p-3f);
  p = fma32(p, r, 0x1.fffffcp-2f);
  p = fma32(r * r, p, lost);
  float less1 = r + p;
  float less1Low = p - (less1 - r);
  i32 n = (i32)(bits32(shifted) - bits32(0x1.8p23f));
  int large = n > 100;
  float scale = power2f32(n > 128 ? 127 : n - large);
  float one = large ? 0.5f : 1.0f, base = scale - one;
  float t = scale * less1;
  float sum = base + t;
  lost = abs32(base) > abs32(t) ? t - (sum - base) : base - (sum - t);
  lost += (scale - base) - one;
  float y = sum + fma32(scale, less1Low, lost);
  y = large ? 2.0f * y : y;
  y = x > 88.8f ? INF32 : y;
  return x == 0 ? x : y;
}
