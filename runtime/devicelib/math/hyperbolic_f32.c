/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sinh, cosh, tanh of float. With x = n ln2 + r, sinh(x) = cosh(r) sinh(n ln2) + sinh(r)
 * cosh(n ln2), and sinh and cosh of n ln2 are sums of two powers of two: no division, and
 * no cancellation where n = 0. Polynomials: sollya/short_f32.py. Branch-free.
 */
#include "exp_f32.h"
#include "inverse_f32.h"

struct Hyperbolic {
  float sinh, coshLess1; /* of r */
  float plus, minus;     /* cosh and sinh of n ln2, halved */
};

HET_LOCAL struct Hyperbolic split(float a) {
  struct Split32 split = splitByLn2(clamp32(a, 0.0f, 89.7f));
  float r = split.r, s = r * r;
  float sine = 0x1.122944p-7f;
  sine = fma32(sine, s, 0x1.5554aep-3f);
  float cosine = 0x1.6d51c6p-10f;
  cosine = fma32(cosine, s, 0x1.5554e4p-5f);
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

/* Error: 1.94 ULP (all numbers). */
HET_MATH float __het_sinh_f32(float x) {
  float a = abs32(x);
  struct Hyperbolic h = split(a);
  float half = h.minus + fma32(h.coshLess1, h.minus, h.sinh * h.plus);
  float y = half + half;
  y = a < 0x1p-13f ? a : y;
  return sign32(y, x);
}

/* Error: 1.86 ULP (all numbers). */
HET_MATH float __het_cosh_f32(float x) {
  struct Hyperbolic h = split(abs32(x));
  float half = h.plus + fma32(h.coshLess1, h.plus, h.sinh * h.minus);
  return half + half;
}

/*
 * e / (e + 1) with e = (exp(2 x) - 1) / 2 = (2^n - 1) / 2 + 2^n (exp(2 h) - 1) / 2: n is at
 * most 29, so that ln2 needs no second part. The step of the third order from a rough
 * 1 / (e + 1) takes e + 1 without its rounding.
 */
/* Error: 2.24 ULP (all numbers of its middle range). */
HET_MATH float __het_tanh_f32(float x) {
  float a = abs32(x);
  a = a > 10.0f ? 10.0f : a;
  float shifted = fma32(a, 0x1.715476p1f, SHIFTER32);
  float h = fma32(shifted - SHIFTER32, -0x1.62e43p-2f, a);
  float p = 0x1.6b8d7ep-5f;
  p = fma32(p, h, 0x1.1226b8p-3f);
  p = fma32(p, h, 0x1.5557p-2f);
  p = fma32(p, h, 0x1.5554b2p-1f);
  p = fma32(p, h, 0x1.fffffep-1f);
  float less1 = fma32(p * h, h, h);
  float scale = scaleNormal32(1.0f, shifted);
  float e = fma32(scale, less1, fma32(scale, 0.5f, -0.5f));
  float y = roughInverse32(e + 1.0f), rest = fma32(-e, y, 1.0f - y);
  return sign32(e * fma32(y, fma32(rest, rest, rest), y), x);
}
