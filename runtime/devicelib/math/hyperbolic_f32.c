/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sinh, cosh, tanh of float. With x = n ln2 + r, sinh(x) = cosh(r) sinh(n ln2) + sinh(r)
 * cosh(n ln2), and sinh and cosh of n ln2 are sums of two powers of two: no division, and
 * no cancellation where n = 0. Polynomials: sollya/exp_f32.sollya. Branch-free.
 */
#include "exp_f32.h"

struct Hyperbolic {
  float sinh, coshLess1; /* of r */
  float plus, minus;     /* cosh and sinh of n ln2, halved */
};

HET_LOCAL struct Hyperbolic split(float a) {
  struct Split32 split = splitByLn2(clamp32(a, 0.0f, 89.7f));
  float r = split.r, s = r * r;
  float sine = 0x1.a35c7ap-13f;
  sine = fma32(sine, s, 0x1.110f8ap-7f);
  sine = fma32(sine, s, 0x1.555556p-3f);
  float cosine = 0x1.a3ae0ep-16f;
  cosine = fma32(cosine, s, 0x1.6c14a2p-10f);
  cosine = fma32(cosine, s, 0x1.555556p-5f);
  cosine = fma32(cosine, s, 0.5f);
  i32 n = split.n;
  float up = power2f32(n - 2), down = power2f32(-2 - (n > 64 ? 64 : n));
  struct Hyperbolic h;
  h.sinh = fma32(sine * s, r, r);
  h.coshLess1 = cosine * s;
  h.plus = up + down;
  h.minus = up - down;
  return h;
}

/* Error: 1.81 ULP (all numbers). */
HET_MATH float __het_sinh_f32(float x) {
  float a = abs32(x);
  struct Hyperbolic h = split(a);
  float half = h.minus + fma32(h.coshLess1, h.minus, h.sinh * h.plus);
  return a < 0x1p-13f ? x : sign32(half + half, x);
}

/* Error: 1.83 ULP (all numbers). */
HET_MATH float __het_cosh_f32(float x) {
  struct Hyperbolic h = split(abs32(x));
  float half = h.plus + fma32(h.coshLess1, h.plus, h.sinh * h.minus);
  return half + half;
}

/* A polynomial of x^2 below 0.55, 1 - 2 / (exp(2 x) + 1) above. */
/* Error: 1.46 ULP (all numbers). */
HET_MATH float __het_tanh_f32(float x) {
  float a = abs32(x), s = x * x;
  float p = -0x1.b05946p-8f;
  p = fma32(p, s, 0x1.5cf902p-6f);
  p = fma32(p, s, -0x1.b99b0ep-5f);
  p = fma32(p, s, 0x1.110fcap-3f);
  p = fma32(p, s, -0x1.555554p-2f);
  float small = fma32(p * s, a, a);
  struct Split32 split = splitByLn2(clamp32(a + a, 0.0f, 20.0f));
  float e = fma32(split.r * split.r, expTail32(split.r), split.r);
  float scale = power2f32(split.n);
  float y = 1.0f - 2.0f / (fma32(scale, e, scale) + 1.0f);
  return sign32(a < 0.55f ? small : isNan32(x) ? x : y, x);
}
