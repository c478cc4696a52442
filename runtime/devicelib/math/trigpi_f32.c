/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sinpi, cospi and tanpi of float: sin, cos and tan of pi x. x = n / 2 + r is exact, |r| <= 1/4; then
 * minimax polynomials of r^2, with pi in twice the precision. Branch-free.
 */
#include "math.h"

HET_LOCAL float sineOfPi(float x, u32 quarterTurns) {
  /* Beyond 2^23 every number is an integer, beyond 2^24 an even one. */
  float bounded = abs32(x) < 0x1p24f ? x : 0.0f;
  float n = rint32(2.0f * bounded);
  float r = fma32(n, -0.5f, bounded);
  /* n modulo 4, without a conversion that could be out of range. */
  u32 quadrant = (u32)(n - 4.0f * floor32(n * 0.25f)) + quarterTurns;
  float s = r * r;
  float sine = 0x1.4bdebap-4f;
  sine = fma32(sine, s, -0x1.32cb06p-1f);
  sine = fma32(sine, s, 0x1.466bbcp1f);
  sine = fma32(sine, s, -0x1.4abbcep2f);
  sine = fma32(sine * s, r, r * -0x1.777a5cp-24f);
  sine = fma32(r, 0x1.921fb6p1f, sine);
  float cosine = 0x1.d9d202p-3f;
  cosine = fma32(cosine, s, -0x1.55c5d4p0f);
  cosine = fma32(cosine, s, 0x1.03c1dep2f);
  cosine = fma32(cosine, s, -0x1.3bd3ccp2f);
  cosine = fma32(cosine, s, 1.0f);
  float y = quadrant & 1u ? cosine : sine;
  y = float32(bits32(y) ^ (quadrant & 2u) << 30);
  return isFinite32(x) ? y : NAN32;
}

/* Error: 1 ULP. An integer gives a zero of its own sign. */
HET_MATH float __het_sinpi_f32(float x) {
  float y = sineOfPi(x, 0);
  return y == 0 ? sign32(0.0f, x) : y;
}
HET_MATH float __het_cospi_f32(float x) {
  float y = sineOfPi(x, 1);
  return y + 0.0f;
}

/* The signs of zeros and infinities follow from those of sinpi and cospi. */
HET_MATH float __het_tanpi_f32(float x) {
  float sine = sineOfPi(x, 0), cosine = sineOfPi(x, 1);
  sine = sine == 0 ? sign32(0.0f, x) : sine;
  return sine / (cosine + 0.0f);
}
