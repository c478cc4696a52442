/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shared by sin, cos, tan and their kin of double: sine and cosine of r, |r| <= pi/4,
 * by minimax polynomials (sollya/double.sollya).
 */
#ifndef HET_DEVICELIB_TRIG_F64_H
#define HET_DEVICELIB_TRIG_F64_H
#include "math.h"

/* sin(r + low) - r; s = r^2. */
HET_LOCAL double sineTail64(double r, double low, double s) {
  double p = 0x1.5e113p-33;
  p = fma64(p, s, -0x1.ae602p-26);
  p = fma64(p, s, 0x1.71de37b0d3e34p-19);
  p = fma64(p, s, -0x1.a01a019ea0725p-13);
  p = fma64(p, s, 0x1.1111111110c8p-7);
  p = fma64(p, s, -0x1.5555555555555p-3);
  return fma64(p, s * r, low);
}
/* sin(r), but a zero may have the wrong sign. */
HET_LOCAL double sineNear0(double r, double s) { return sineTail64(r, r, s); }

/* (cos(r) - 1) / r^2. */
HET_LOCAL double cosineTail64(double s) {
  double p = -0x1.93e32p-37;
  p = fma64(p, s, 0x1.1ef0cp-29);
  p = fma64(p, s, -0x1.27e5p-22);
  p = fma64(p, s, 0x1.a01a01a4adf05p-16);
  p = fma64(p, s, -0x1.6c16c16c1850bp-10);
  p = fma64(p, s, 0x1.5555555555558p-5);
  return fma64(p, s, -0.5);
}
HET_LOCAL double cosineNear0(double s) { return fma64(cosineTail64(s), s, 1.0); }

/* sin(r + quadrant pi/2). A zero keeps the sign of r. */
HET_LOCAL double sineOf64(double r, u32 quadrant) {
  double s = r * r;
  double sine = sign64(sineNear0(r, s), r), cosine = cosineNear0(s);
  double y = quadrant & 1u ? cosine : sine;
  return float64(bits64(y) ^ (u64)(quadrant & 2u) << 62);
}

#endif
