/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cbrt and rcbrt of double: a first x^(-1/3) from the upper half of the bits
 * taken as one integer, divided by three (Kahan's method), a polynomial of a (first value)^3
 * fitted to its error, a step of Householder's method of the third order and one of Newton's.
 * No division, branch-free.
 */
#include "math.h"

struct Root {
  double a, r, scale; /* r = a^(-1/3) to 1e-13, a = |x| / scale^3 */
};

HET_LOCAL double refine(double a, double r) {
  double e = fma64(-(a * r), r * r, 1.0);
  return fma64(r * e, fma64(e, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), r);
}

HET_LOCAL struct Root firstRoot(double x) {
  struct Root root;
  root.a = abs64(x);
  int tiny = root.a < 0x1p-1022;
  root.a = tiny ? root.a * 0x1p54 : root.a;
  root.scale = tiny ? 0x1p-18 : 1.0;
  /* As in cbrt_f32.c, from the upper half of the bits. */
  float upper = (float)(i32)(bits64(root.a) >> 32);
  float third = fma32(upper, -0x1.555556p-10f, 0x1p23f + 0x5541d0p0f);
  double r = float64((u64)(bits32(third) << 8) << 32);
  double u = root.a * r * (r * r);
  r *= fma64(fma64(u, 0.0916664, -0.46948454), u, 1.37153999);
  root.r = refine(root.a, r);
  return root;
}

/* Error: 0.50 ULP (100,000 numbers). */
HET_MATH double __het_cbrt_f64(double x) {
  struct Root root = firstRoot(x);
  double square = root.r * root.r, y = root.a * square;
  double rest = fma64(-(y * y), y, root.a);
  y = fma64(rest, square * 0x1.5555555555555p-2, y) * root.scale;
  return sign64(root.a == INF64 ? root.a : y, x);
}

/* Error: 0.50 ULP (100,000 numbers). */
HET_MATH double __het_rcbrt_f64(double x) {
  struct Root root = firstRoot(x);
  double y = root.r;
  double rest = fma64(-(root.a * y), y * y, 1.0);
  y = fma64(rest, y * 0x1.5555555555555p-2, y);
  y = root.scale < 1.0 ? y * 0x1p18 : y;
  y = x == 0.0 ? INF64 : y;
  y = root.a == INF64 ? 0.0 : y;
  return sign64(y, x);
}
