/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * erf, erfc, erfcx, normcdf of float. erf is a polynomial of x^2 near 0 and 1 - 2^-q(x)
 * further out, q a polynomial. The others rest on erfcx(a) = exp(a^2) erfc(a), a >= 0:
 * erfcx(a) (a + c) is one polynomial of (a - c) / (a + c), c = 2 (Shepherd and Laframboise,
 * Math. Comp. 36, 1981); the exponential takes a^2 as hi + lo. Polynomials:
 * sollya/error_f32.sollya, short_f32.py. One inverse each, branch-free.
 */
#include "exp_f32.h"
#include "inverse_f32.h"

/* erf(x) = 1 - 2^-q(x), 0.92 <= x <= 4. */
HET_LOCAL float complementsLog2(float x) {
  float q = -0x1.26eac4p-12f;
  q = fma32(q, x, 0x1.1ed56ap-8f);
  q = fma32(q, x, -0x1.064084p-5f);
  q = fma32(q, x, 0x1.32dbcp-3f);
  q = fma32(q, x, 0x1.d6b8fcp-1f);
  q = fma32(q, x, 0x1.a0777p0f);
  return fma32(q, x, 0x1.3928eap-12f);
}

/* Error: 1.60 ULP (all numbers of its middle range). */
HET_MATH float __het_erf_f32(float x) {
  float a = abs32(x), s = x * x;
  float p = -0x1.3bc1cap-11f;
  p = fma32(p, s, 0x1.476ea6p-8f);
  p = fma32(p, s, -0x1.b685a2p-6f);
  p = fma32(p, s, 0x1.ce1868p-4f);
  p = fma32(p, s, -0x1.8126c8p-2f);
  p = fma32(p, s, 0x1.06eba4p-3f);
  float small = fma32(p, a, a);
  float q = complementsLog2(a > 4.0f ? 4.0f : a);
  float shifted = SHIFTER32 - q;
  float r = -q - (shifted - SHIFTER32);
  float e = 0x1.5fa14ap-10f;
  e = fma32(e, r, 0x1.3cebbep-7f);
  e = fma32(e, r, 0x1.c6add8p-5f);
  e = fma32(e, r, 0x1.ebf9b8p-3f);
  e = fma32(e, r, 0x1.62e432p-1f);
  e = fma32(e, r, 1.0f);
  float y = fma32(-power2f32(shiftedInteger32(shifted)), e, 1.0f);
  return sign32(a > 0.92f ? y : small, x);
}

/* erfcx(a) / inverse, where inverse = 1 / (a + 2). */
HET_LOCAL float erfcxMapped32(float inverse) {
  float t = fma32(-4.0f, inverse, 1.0f);
  float p = 0x1.6cd602p-14f;
  p = fma32(p, t, 0x1.353808p-14f);
  p = fma32(p, t, -0x1.3d38d6p-11f);
  p = fma32(p, t, -0x1.c43a54p-11f);
  p = fma32(p, t, 0x1.918364p-9f);
  p = fma32(p, t, 0x1.a9305cp-8f);
  p = fma32(p, t, -0x1.60553cp-6f);
  p = fma32(p, t, -0x1.2a8bd6p-5f);
  p = fma32(p, t, 0x1.1e2dcap-2f);
  p = fma32(p, t, -0x1.5fd384p-1f);
  return fma32(p, t, 0x1.058672p0f);
}

/* 1 / (a + 2), the sum's rounding made good; a <= 2^100. */
HET_LOCAL float inverseOf(float a) {
  float d = a + 2.0f, low = a - (d - 2.0f);
  float y = roughInverse32(d);
  float e = fma32(-y, low, fma32(-y, d, 1.0f));
  return fma32(y, fma32(e, e, e), y);
}

/* exp(factor x^2) last, factor a power of two or its negative. */
HET_LOCAL float gaussTimes32(float x, float factor, float last) {
  float s = x * x, low = fma32(x, x, -s);
  struct Split32 split = splitByLn2(factor * s);
  float r = fma32(factor, low, split.r);
  float e = fma32(r * r, expTail32(r), r);
  last = fma32(last, e, last);
  float y = last * power2f32(split.n);
  if (RARE(!(abs32(factor * s) < 87.0f)))
    y = scale32(last, split.n);
  return y;
}

/* Error: 4.16 ULP (all numbers). */
HET_MATH float __het_erfc_f32(float x) {
  float a = abs32(x);
  a = a > 10.5f ? 10.5f : a;
  float inverse = inverseOf(a);
  float y = gaussTimes32(a, -1.0f, erfcxMapped32(inverse) * inverse);
  return x < 0.0f ? 2.0f - y : y;
}

/* Error: 3.10 ULP (all numbers). */
HET_MATH float __het_erfcx_f32(float x) {
  float a = abs32(x);
  float inverse = inverseOf(a);
  if (RARE(!(a < 0x1p100f)))
    inverse = 1.0f / a;
  float y = erfcxMapped32(inverse) * inverse;
  if (x < 0.0f)
    y = gaussTimes32(a > 9.5f ? 9.5f : a, 1.0f, 2.0f) - y;
  return y;
}

/* erfc(-x sqrt(1/2)) / 2; the root goes into the constants. */
/* Error: 4.42 ULP (all numbers). */
HET_MATH float __het_normcdf_f32(float x) {
  float a = abs32(x);
  a = a > 15.0f ? 15.0f : a;
  float inverse = inverseOf(a * 0x1.6a09e6p-1f);
  float y = gaussTimes32(a, -0.5f, 0.5f * (erfcxMapped32(inverse) * inverse));
  return x > 0.0f ? 1.0f - y : y;
}
