/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sinh, cosh, tanh of float. With x = n ln2 + r, sinh(x) = cosh(r) sinh(n ln2) + sinh(r)
 * cosh(n ln2), and sinh and cosh of n ln2 are sums of two powers of two: no division, and
 * no cancellation where n = 0. Polynomials: sollya/exp_f32.sollya. Branch-free.
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

/* e / (e + 2) with e = exp(2 x) - 1 = (2^n - 1) + 2^n (exp(r) - 1). */
/* Error: 1.3 ULP (all numbers). */
HET_MATH float __het_tanh_f32(float x) {
  float a = abs32(x);
  a = a > 10.0f ? 10.0f : a;
  struct Split32 split = splitByLn2(a + a);
  float tail = split.r * split.r * expTail32(split.r), less1 = split.r + tail;
  float lost = tail - (less1 - split.r);
  float scale = scaleNormal32(1.0f, split.shifted);
  float e = fma32(scale, less1, scale - 1.0f);
  /* What rounding left away counts where n is 0. */
  float d = e + 2.0f, y = inverse32(d), q = e * y;
  float rest = fma32(-q, e - (d - 2.0f), fma32(-q, d, e)) + lost;
  return sign32(fma32(rest, y, q), x);
}
