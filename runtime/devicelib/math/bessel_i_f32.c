/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The modified Bessel functions i0 and i1 of float: below 8 a minimax polynomial of x^2, whose
 * terms are all positive; above, exp(x) / sqrt(x) times one of 1 / x
 * (sollya/special_f32.py).
 */
#include "exp_f32.h"
#include "inverse_f32.h"

/* exp(a) / sqrt(a) y(1/a), a >= 8; the last factor of 2 as late as it may be. */
HET_LOCAL float grow(float a, float root, float y) {
  struct Split32 split = splitByLn2(clamp32(a, 8.0f, 100.0f));
  return scale32(expNear0(split.r) * root * y, split.n);
}

/* Error: 6 ULP (all numbers). */
HET_MATH float __het_cyl_bessel_i0_f32(float x) {
  float a = abs32(x), s = a * a;
  float p = 0x1.067c14p-54f;
  p = fma32(p, s, 0x1.a7b57ep-48f);
  p = fma32(p, s, 0x1.71bd56p-39f);
  p = fma32(p, s, 0x1.fccefcp-32f);
  p = fma32(p, s, 0x1.240578p-24f);
  p = fma32(p, s, 0x1.c6f81cp-18f);
  p = fma32(p, s, 0x1.c7200ap-12f);
  p = fma32(p, s, 0x1.ffffbp-7f);
  p = fma32(p, s, 0x1.000002p-2f);
  p = fma32(p, s, 0x1p0f);
  if (!(a < 8.0f)) {
    float root = inverseRoot32(a), u = root * root;
    float q = 0x1.aefbcp-3f;
    q = fma32(q, u, 0x1.63d5dap-5f);
    q = fma32(q, u, 0x1.be836p-6f);
    q = fma32(q, u, 0x1.ce25bcp-6f);
    q = fma32(q, u, 0x1.987d28p-5f);
    q = fma32(q, u, 0x1.988454p-2f);
    p = a > 1000.0f ? INF32 : grow(a, root, q);
  }
  return p;
}

/* Error: 6 ULP (all numbers). */
HET_MATH float __het_cyl_bessel_i1_f32(float x) {
  float a = abs32(x), s = a * a;
  float p = 0x1.8df78cp-59f;
  p = fma32(p, s, 0x1.a4630ep-52f);
  p = fma32(p, s, 0x1.68d5aap-43f);
  p = fma32(p, s, 0x1.24a944p-35f);
  p = fma32(p, s, 0x1.84e51cp-28f);
  p = fma32(p, s, 0x1.6c0a42p-21f);
  p = fma32(p, s, 0x1.c71d92p-15f);
  p = fma32(p, s, 0x1.55554cp-9f);
  p = fma32(p, s, 0x1p-4f);
  p = fma32(p, s, 0x1p-1f);
  p *= x;
  if (!(a < 8.0f)) {
    float root = inverseRoot32(a), u = root * root;
    float q = -0x1.1c09aep-1f;
    q = fma32(q, u, 0x1.56d5c6p-5f);
    q = fma32(q, u, -0x1.9736bp-5f);
    q = fma32(q, u, -0x1.7c3818p-5f);
    q = fma32(q, u, -0x1.3265cp-3f);
    q = fma32(q, u, 0x1.988454p-2f);
    p = sign32(a > 1000.0f ? INF32 : grow(a, root, q), x);
  }
  return p;
}
