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
  double p = -0x1.959e99e5d052fp-17;
  p = fma64(p, s, 0x1.243ad36952315p-13);
  p = fma64(p, s, -0x1.8ff38a61d42edp-11);
  p = fma64(p, s, 0x1.5bb4d7ad14518p-9);
  p = fma64(p, s, -0x1.b28c29c65f0d7p-8);
  p = fma64(p, s, 0x1.a4627f0482f8dp-7);
  p = fma64(p, s, -0x1.4cc40a52ec92fp-6);
  p = fma64(p, s, 0x1.c48a48b49a7f5p-6);
  p = fma64(p, s, -0x1.14b8a75005098p-5);
  p = fma64(p, s, 0x1.3d58552227922p-5);
  p = fma64(p, s, -0x1.60f31796f9d96p-5);
  p = fma64(p, s, 0x1.854bc4fc0aa7ap-5);
  p = fma64(p, s, -0x1.af00c87163751p-5);
  p = fma64(p, s, 0x1.e1dc016818859p-5);
  p = fma64(p, s, -0x1.1110be031dcc9p-4);
  p = fma64(p, s, 0x1.3b13aaa61eb25p-4);
  p = fma64(p, s, -0x1.745d16eac7943p-4);
  p = fma64(p, s, 0x1.c71c71c400394p-4);
  p = fma64(p, s, -0x1.249249248aa63p-3);
  p = fma64(p, s, 0x1.9999999999889p-3);
  p = fma64(p, s, -0x1.5555555555555p-2);
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
