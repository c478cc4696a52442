/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cbrt and rcbrt of float: a first r = x^(-1/3) from the exponent and fraction taken as one
 * integer, divided by three (Kahan's method); then x r^2 and r times a minimax polynomial of
 * e = x r^3 - 1 (sollya/first_values.py, short_f32.py). No division, branch-free.
 */
#include "math.h"

struct Root {
  float a, r, q, e; /* r near x^(-1/3), q = x r^2, e = q r - 1, |e| < 0.104 */
  int tiny;
};

HET_LOCAL struct Root firstRoot(float x) {
  struct Root root;
  root.a = abs32(x);
  root.tiny = root.a < 0x1p-126f;
  root.a = root.tiny ? root.a * 0x1p24f : root.a;
  /*
   * A third of the bits' upper part, rounded to an integer by the sum and shifted into place:
   * 12 bits, so that r^2 is exact.
   */
  float third = fma32((float)(i32)bits32(root.a), -0x1.555556p-14f, 0x1p23f + 0x54a20p0f);
  root.r = float32(bits32(third) << 12);
  root.q = root.a * (root.r * root.r);
  root.e = fma32(root.q, root.r, -1.0f);
  return root;
}

/* Error: 1.02 ULP (all numbers from 1 to 8). */
HET_MATH float __het_cbrt_f32(float x) {
  struct Root root = firstRoot(x);
  float e = root.e;
  float p = -0x1.b6b456p-2f;
  p = fma32(p, e, 0x1.d595a8p-2f);
  p = fma32(p, e, -0x1.f9a724p-2f);
  p = fma32(p, e, 0x1.1c6f42p-1f);
  p = fma32(p, e, -0x1.555556p-1f);
  float y = fma32(root.q * e, p, root.q);
  y = root.tiny ? y * 0x1p-8f : y;
  y = root.a == INF32 ? root.a : y;
  return sign32(y, x);
}

/* Error: 0.91 ULP (all numbers from 1 to 8). */
HET_MATH float __het_rcbrt_f32(float x) {
  struct Root root = firstRoot(x);
  float e = root.e;
  float p = -0x1.02f02cp-3f;
  p = fma32(p, e, 0x1.2a599ep-3f);
  p = fma32(p, e, -0x1.61f5a8p-3f);
  p = fma32(p, e, 0x1.c7199ep-3f);
  p = fma32(p, e, -0x1.555556p-2f);
  float y = fma32(root.r * e, p, root.r);
  y = root.tiny ? y * 0x1p8f : y;
  y = x == 0.0f ? INF32 : y;
  y = root.a == INF32 ? 0.0f : y;
  return sign32(y, x);
}
