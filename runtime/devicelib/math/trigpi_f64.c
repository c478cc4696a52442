/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sinpi, cospi and tanpi of double: as in trigpi_f32.c, x = n / 2 + r is exact; minimax
 * polynomials of r^2 (sollya/double.sollya) with pi in twice the precision.
 */
#include "math.h"

#define SHIFTER64 0x1.8p52

struct Turn {
  double sine, cosine;
  u32 quadrant;
};

HET_LOCAL struct Turn turn(double x) {
  /* Multiples of 2 leave a large argument; an infinite one becomes a NaN. */
  if (RARE(!isBelow64(x, 0x1p50)))
    x = fma64(trunc64(x * 0.5), -2.0, x);
  double shifted = fma64(x, 2.0, SHIFTER64);
  double r = fma64(shifted - SHIFTER64, -0.5, x), s = r * r;
  double p = -0x1.80fb29be97894p-16;
  p = fma64(p, s, 0x1.e931e2be0c6d3p-12);
  p = fma64(p, s, -0x1.e3079f38d6a33p-8);
  p = fma64(p, s, 0x1.507834b835953p-4);
  p = fma64(p, s, -0x1.32d2cce6483b7p-1);
  p = fma64(p, s, 0x1.466bc6775abc6p1);
  p = fma64(p, s, -0x1.4abbce625be53p2);
  p = fma64(p, s, 0x1.1a62633145c07p-53);
  double q = -0x1.ab31ep-14;
  q = fma64(q, s, 0x1.f9b52p-10);
  q = fma64(q, s, -0x1.a6d1dp-6);
  q = fma64(q, s, 0x1.e1f50661e437bp-3);
  q = fma64(q, s, -0x1.55d3c7e3b62acp0);
  q = fma64(q, s, 0x1.03c1f081b5a1dp2);
  q = fma64(q, s, -0x1.3bd3cc9be45dep2);
  struct Turn t;
  t.sine = fma64(r, 0x1.921fb54442d18p1, p * r);
  t.cosine = fma64(q, s, 1.0);
  t.quadrant = (u32)bits64(shifted);
  return t;
}

HET_LOCAL double pick(struct Turn t, u32 quadrant) {
  double y = quadrant & 1u ? t.cosine : t.sine;
  return float64(bits64(y) ^ (u64)(quadrant & 2u) << 62);
}
HET_LOCAL double sineIn(struct Turn t, double x) {
  double y = pick(t, t.quadrant);
  return y == 0 ? sign64(0.0, x) : y;
}
HET_LOCAL double cosineIn(struct Turn t) { return pick(t, t.quadrant + 1u) + 0.0; }

/* An integer gives a zero of its own sign. */
/* Error: 0.79 ULP (100,000 numbers). */
HET_MATH double __het_sinpi_f64(double x) { return sineIn(turn(x), x); }
/* Error: 0.81 ULP (100,000 numbers). */
HET_MATH double __het_cospi_f64(double x) { return cosineIn(turn(x)); }
/* The signs of zeros and infinities follow from those of sinpi and cospi. */
/* Error: 1.90 ULP (100,000 numbers). */
HET_MATH double __het_tanpi_f64(double x) {
  struct Turn t = turn(x);
  return sineIn(t, x) / cosineIn(t);
}
