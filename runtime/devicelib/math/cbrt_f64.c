/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cbrt and rcbrt of double: a first x^(-1/3) from the upper half taken as one
 * integer, divided by three (Kahan's method), three steps of Householder's method of the third
 * order, and a last one with the residual in twice the precision. No division, branch-free.
 */
#include "math.h"

struct Root {
  double a, r, scale; /* r = a^(-1/3), a = |x| / scale^3 */
};

HET_LOCAL double refine(double a, double r) {
  double e = fma64(-(a * r), r * r, 1.0);
  return fma64(r * e, fma64(e, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), r);
}

HET_LOCAL struct Root firstRoot(double x) {
  struct Root root;
  root.a = abs64(x);
  int tiny = root.a < 0x1p-900;
  root.a = tiny ? root.a * 0x1p54 : root.a;
  root.scale = tiny ? 0x1p-18 : 1.0;
  i32 third = (i32)((double)(i32)(bits64(root.a) >> 32) * 0x1.5555555555555p-2);
  double r = refine(root.a, refine(root.a, float64((u64)(0x553eed2bu - (u32)third) << 32)));
  root.r = refine(root.a, r);
  return root;
}

/* Error: 0.50 ULP (100,000 numbers). */
HET_MATH double __het_cbrt_f64(double x) {
  struct Root root = firstRoot(x);
  double square = root.r * root.r, y = root.a * square;
  double p = y * y, low = fma64(y, y, -p);
  double rest = fma64(-y, low, fma64(-y, p, root.a));
  y = fma64(rest * 0x1.5555555555555p-2, square, y) * root.scale;
  return x == 0.0 || !isFinite64(x) ? x : sign64(y, x);
}

/* Error: 0.50 ULP (100,000 numbers). */
HET_MATH double __het_rcbrt_f64(double x) {
  struct Root root = firstRoot(x);
  double y = root.r;
  double p = root.a * y, pLow = fma64(root.a, y, -p);
  double q = y * y, qLow = fma64(y, y, -q);
  double rest = fma64(-p, q, 1.0) - fma64(p, qLow, pLow * q);
  y = fma64(y * 0x1.5555555555555p-2, rest, y);
  y = root.scale < 1.0 ? y * 0x1p18 : y;
  y = x == 0.0 ? INF64 : y;
  y = isInf64(x) ? 0.0 : y;
  return isNan64(x) ? x : sign64(y, x);
}
