/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shared by sinpi, cospi, tanpi and the gamma functions of float: x = n / 2 + r is
 * exact, |r| <= 1/4, n read from the bits of a sum with 1.5 * 2^23; then minimax
 * polynomials of r^2, with pi in twice the precision. Multiples of 2 leave a large
 * argument first.
 */
#ifndef HET_DEVICELIB_TRIGPI_F32_H
#define HET_DEVICELIB_TRIGPI_F32_H
#include "math.h"

#define TURN_SHIFTER 0x1.8p23f

struct Turn32 {
  float sine, cosine; /* of r pi */
  u32 quadrant;
};

HET_LOCAL struct Turn32 turn(float x) {
  /* An infinite one becomes a NaN. */
  if (RARE(!(abs32(x) < 0x1p21f)))
    x = fma32(trunc32(x * 0.5f), -2.0f, x);
  float shifted = fma32(x, 2.0f, TURN_SHIFTER);
  float r = fma32(shifted - TURN_SHIFTER, -0.5f, x), s = r * r;
  float sine = 0x1.4bdebap-4f;
  sine = fma32(sine, s, -0x1.32cb06p-1f);
  sine = fma32(sine, s, 0x1.466bbcp1f);
  sine = fma32(sine, s, -0x1.4abbcep2f);
  sine = fma32(sine, s, -0x1.777a5cp-24f);
  float cosine = 0x1.d9d202p-3f;
  cosine = fma32(cosine, s, -0x1.55c5d4p0f);
  cosine = fma32(cosine, s, 0x1.03c1dep2f);
  cosine = fma32(cosine, s, -0x1.3bd3ccp2f);
  struct Turn32 t;
  t.sine = fma32(r, 0x1.921fb6p1f, sine * r);
  t.cosine = fma32(cosine, s, 1.0f);
  t.quadrant = bits32(shifted);
  return t;
}

HET_LOCAL float pick(struct Turn32 t, u32 quadrant) {
  float y = quadrant & 1u ? t.cosine : t.sine;
  return float32(bits32(y) ^ (quadrant & 2u) << 30);
}
/* An integer gives a zero of its own sign. */
HET_LOCAL float sineIn(struct Turn32 t, float x) {
  float y = pick(t, t.quadrant);
  return y == 0 ? sign32(0.0f, x) : y;
}
HET_LOCAL float cosineIn(struct Turn32 t) { return pick(t, t.quadrant + 1u) + 0.0f; }

#endif
