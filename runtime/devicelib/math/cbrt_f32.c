/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cbrt and rcbrt of float: a first x^(-1/3) from the exponent and fraction taken as one
 * integer, divided by three (Kahan's method), two steps of Householder's method of the third
 * order, and a last one with the residual in twice the precision. No division, branch-free.
 */
#include "math.h"

struct Root {
  float a, r, scale; /* r = a^(-1/3), a = |x| / scale^3 */
};

HET_LOCAL float refine(float a, float r) {
  float e = fma32(-(a * r), r * r, 1.0f);
  return fma32(r * e, fma32(e, 0x1.c71c72p-3f, 0x1.555556p-2f), r);
}

HET_LOCAL struct Root firstRoot(float x) {
  struct Root root;
  root.a = abs32(x);
  int tiny = root.a < 0x1p-100f;
  root.a = tiny ? root.a * 0x1p24f : root.a;
  root.scale = tiny ? 0x1p-8f : 1.0f;
  i32 third = (i32)((float)(i32)bits32(root.a) * 0x1.555556p-2f);
  root.r = refine(root.a, refine(root.a, float32(0x54a21400u - (u32)third)));
  return root;
}

/* Error: 0.50 ULP (all numbers). */
HET_MATH float __het_cbrt_f32(float x) {
  struct Root root = firstRoot(x);
  float square = root.r * root.r, y = root.a * square;
  float p = y * y, low = fma32(y, y, -p);
  float rest = fma32(-y, low, fma32(-y, p, root.a));
  y = fma32(rest * 0x1.555556p-2f, square, y) * root.scale;
  return x == 0.0f || !isFinite32(x) ? x : sign32(y, x);
}

/* Error: 0.50 ULP (all numbers). */
HET_MATH float __het_rcbrt_f32(float x) {
  struct Root root = firstRoot(x);
  float y = root.r;
  float p = root.a * y, pLow = fma32(root.a, y, -p);
  float q = y * y, qLow = fma32(y, y, -q);
  float rest = fma32(-p, q, 1.0f) - fma32(p, qLow, pLow * q);
  y = fma32(y * 0x1.555556p-2f, rest, y);
  y = root.scale < 1.0f ? y * 0x1p8f : y;
  y = x == 0.0f ? INF32 : y;
  y = isInf32(x) ? 0.0f : y;
  return isNan32(x) ? x : sign32(y, x);
}
