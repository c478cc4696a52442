/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * atan and atan2 of double: the smaller part over the larger is within [0, 1], where a
 * minimax polynomial serves (sollya/trig_f64.sollya); then pi/2 or pi less that. One
 * division, branch-free.
 */
#include "math.h"

#define HALF_PI_HIGH 0x1.921fb54442d18p0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

/* atan(t), 0 <= t <= 1. */
HET_LOCAL double arc(double t) {
  double s = t * t;
  double p = 0x1.3de73p-16;
  p = fma64(p, s, -0x1.b4815p-13);
  p = fma64(p, s, 0x1.1c3c1p-10);
  p = fma64(p, s, -0x1.d5eeep-9);
  p = fma64(p, s, 0x1.175f6p-7);
  p = fma64(p, s, -0x1.01c55p-6);
  p = fma64(p, s, 0x1.8748fp-6);
  p = fma64(p, s, -0x1.014bfp-5);
  p = fma64(p, s, 0x1.33bc2p-5);
  p = fma64(p, s, -0x1.5d3e5p-5);
  p = fma64(p, s, 0x1.84303p-5);
  p = fma64(p, s, -0x1.aebfcef07f94ep-5);
  p = fma64(p, s, 0x1.e1d0c951721b5p-5);
  p = fma64(p, s, -0x1.111007b7ad799p-4);
  p = fma64(p, s, 0x1.3b139a3a85c53p-4);
  p = fma64(p, s, -0x1.745d15eb8975ap-4);
  p = fma64(p, s, 0x1.c71c71ba5271dp-4);
  p = fma64(p, s, -0x1.24924924709f1p-3);
  p = fma64(p, s, 0x1.99999999994a3p-3);
  p = fma64(p, s, -0x1.5555555555554p-2);
  return fma64(p * s, t, t);
}

/* Error: 1.34 ULP (100,000 numbers). */
HET_MATH double __het_atan_f64(double x) {
  double a = abs64(x);
  int large = a > 1.0;
  double y = arc(large ? 1.0 / a : a);
  y = large ? HALF_PI_HIGH + (HALF_PI_LOW - y) : y;
  return sign64(y, x);
}

/* Error: 1.35 ULP (100,000 numbers). */
HET_MATH double __het_atan2_f64(double y, double x) {
  double a = abs64(y), b = abs64(x);
  int steep = a > b;
  double large = steep ? a : b, small = steep ? b : a;
  double t = small / large;
  t = large == 0.0 ? 0.0 : t;
  double r = arc(t);
  r = small == INF64 ? HALF_PI_HIGH / 2 : r;
  r = steep ? HALF_PI_HIGH + (HALF_PI_LOW - r) : r;
  /* A zero x has a sign only beside a zero y. */
  int left = bits64(x) >> 63 && (b > 0.0 || a == 0.0);
  r = left ? 2.0 * HALF_PI_HIGH + (2.0 * HALF_PI_LOW - r) : r;
  return isNan64(x) || isNan64(y) ? NAN32 : sign64(r, y);
}
