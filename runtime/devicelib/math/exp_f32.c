/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * exp, exp2, exp10, expm1 of float: x = n ln2 + r (n log10(2), n), |r| <= ln2 / 2, and a
 * minimax polynomial in r, no longer than CUDA's limits ask for (sollya/short_f32.py; expm1:
 * exp_f32.sollya). 2^n goes into the result's exponent as an integer; where the result is
 * not a normal number it is a factor in two steps, so that a subnormal result is rounded
 * once, behind a branch hardly ever taken.
 */
#include "exp_f32.h"

/* Error: 1.91 ULP (all numbers). */
HET_MATH float __het_exp_f32(float x) {
  struct Split32 s = splitByLn2(x);
  float p = 0x1.0ec0d8p-7f;
  p = fma32(p, s.r, 0x1.573c6p-5f);
  p = fma32(p, s.r, 0x1.555d3cp-3f);
  p = fma32(p, s.r, 0x1.fffdcp-2f);
  p = fma32(p, s.r, 0x1.ffffeep-1f);
  p = fma32(p, s.r, 1.0f);
  float y = scaleNormal32(p, s.shifted);
  if (RARE(!(abs32(x) < 87.0f)))
    y = scaleFar32(p, s.shifted, x, -105.0f, 89.0f);
  return y;
}

/* Error: 1.79 ULP (all numbers). */
HET_MATH float __het_exp2_f32(float x) {
  float shifted = x + SHIFTER32;
  float r = x - (shifted - SHIFTER32);
  float p = 0x1.5aa9a6p-10f;
  p = fma32(p, r, 0x1.3cedbp-7f);
  p = fma32(p, r, 0x1.c6bac2p-5f);
  p = fma32(p, r, 0x1.ebf9b2p-3f);
  p = fma32(p, r, 0x1.62e424p-1f);
  p = fma32(p, r, 1.0f);
  float y = scaleNormal32(p, shifted);
  if (RARE(!(abs32(x) < 126.0f)))
    y = scaleFar32(p, shifted, x, -151.0f, 128.5f);
  return y;
}

/* Error: 1.96 ULP (all numbers of its middle range). */
HET_MATH float __het_exp10_f32(float x) {
  float shifted = fma32(x, 0x1.a934fp1f, SHIFTER32);
  float n = shifted - SHIFTER32;
  float r = fma32(n, -0x1.344136p-2f, x);
  r = fma32(n, 0x1.ec10cp-27f, r);
  float p = 0x1.11f4eap-1f;
  p = fma32(p, r, 0x1.2d8444p0f);
  p = fma32(p, r, 0x1.047614p1f);
  p = fma32(p, r, 0x1.5350ccp1f);
  p = fma32(p, r, 0x1.26bb12p1f);
  p = fma32(p, r, 1.0f);
  float y = scaleNormal32(p, shifted);
  if (RARE(!(abs32(x) < 37.5f)))
    y = scaleFar32(p, shifted, x, -46.0f, 39.0f);
  return y;
}

/*
 * 2^n (1 + r + r^2 p) - 1 = ((2^n - 1) + 2^n r) + 2^n r^2 p; the first sum with its rounding
 * error (Dekker, Numer. Math. 18, 1971). Everything is halved until the end, so that 2^128
 * does not arise.
 */
/* Error: 1.01 ULP (all numbers). */
HET_MATH float __het_expm1_f32(float x) {
  struct Split32 s = splitByLn2(clamp32(x, -20.0f, 89.0f));
  float half = power2f32(s.n - 1);
  float base = half - 0.5f;
  float sum = fma32(half, s.near, base);
  float lost = fma32(half, s.near, base - sum) + ((half - base) - 0.5f);
  lost = fma32(half, s.nLow, lost);
  float y = sum + fma32(half * (s.r * s.r), expTail32(s.r), lost);
  return abs32(x) < 0x1p-25f ? x : y + y;
}
