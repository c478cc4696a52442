/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cbrt and rcbrt of float: a first x^(-1/3) from the exponent and fraction taken as one
 * integer, divided by three (Kahan's method), a polynomial of a (first value)^3 fitted to its error
 * (least squares at Chebyshev's points), and a step of Newton's. No division, branch-free.
 */
#include "math.h"

struct Root {
  float a, r, scale; /* r = a^(-1/3) to 3e-5, a = |x| / scale^3 */
};

HET_LOCAL struct Root firstRoot(float x) {
  struct Root root;
  root.a = abs32(x);
  int tiny = root.a < 0x1p-126f;
  root.a = tiny ? root.a * 0x1p24f : root.a;
  root.scale = tiny ? 0x1p-8f : 1.0f;
  /* A 768th of the bits, rounded to an integer by the sum and shifted into place. */
  float third = fma32((float)(i32)bits32(root.a), -0x1.555556p-10f, 0x1p23f + 0x548e80p0f);
  float r = float32(bits32(third) << 8);
  float u = root.a * r * (r * r);
  root.r = r * fma32(fma32(u, 0.4619412f, -1.18297721f), u, 1.72801101f);
  return root;
}

/* Error: 0.50 ULP (all numbers). */
HET_MATH float __het_cbrt_f32(float x) {
  struct Root root = firstRoot(x);
  float square = root.r * root.r, y = root.a * square;
  float rest = fma32(-(y * y), y, root.a);
  y = fma32(rest, square * 0x1.555556p-2f, y) * root.scale;
  return sign32(root.a == INF32 ? root.a : y, x);
}

/* Error: 0.50 ULP (all numbers). */
HET_MATH float __het_rcbrt_f32(float x) {
  struct Root root = firstRoot(x);
  float y = root.r, p = root.a * y;
  float rest = fma32(-p, y * y, 1.0f);
  y = fma32(rest, y * 0x1.555556p-2f, y);
  y = root.scale < 1.0f ? y * 0x1p8f : y;
  y = x == 0.0f ? INF32 : y;
  y = root.a == INF32 ? 0.0f : y;
  return sign32(y, x);
}
