/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What sin, cos, tan and their kin of double share: sine and cosine of r + low, |r| <= pi/4,
 * by minimax polynomials (sollya/double.sollya).
 */
#ifndef HET_DEVICELIB_TRIG_F64_H
#define HET_DEVICELIB_TRIG_F64_H
#include "math.h"

struct Angle {
  double r, low; /* r + low */
  u32 quadrant;
};

/* sin(r + low) - r. */
HET_LOCAL double sineTail64(double r, double low, double s) {
  double p = 0x1.5e10f0f11be83p-33;
  p = fma64(p, s, -0x1.ae601f55662f9p-26);
  p = fma64(p, s, 0x1.71de37b03c015p-19);
  p = fma64(p, s, -0x1.a01a019ea010ap-13);
  p = fma64(p, s, 0x1.1111111110c7fp-7);
  p = fma64(p, s, -0x1.5555555555555p-3);
  return fma64(p, s * r, fma64(low * -0.5, s, low));
}

/* cos(r + low) - (1 - r^2 / 2). */
HET_LOCAL double cosineTail64(double r, double low, double s) {
  double p = -0x1.907340f51a30ap-37;
  p = fma64(p, s, 0x1.1eeb578692166p-29);
  p = fma64(p, s, -0x1.27e4fa02af779p-22);
  p = fma64(p, s, 0x1.a01a019f3823fp-16);
  p = fma64(p, s, -0x1.6c16c16c168cap-10);
  p = fma64(p, s, 0x1.5555555555555p-5);
  return fma64(p * s, s, -r * low);
}

/* sin(r + low + quadrant pi/2). A zero keeps the sign of r. */
HET_LOCAL double sineOf64(struct Angle a) {
  double s = a.r * a.r;
  double sine = sign64(a.r + sineTail64(a.r, a.low, s), a.r);
  double high = fma64(s, -0.5, 1.0);
  double cosine = high + (fma64(s, -0.5, 1.0 - high) + cosineTail64(a.r, a.low, s));
  double y = a.quadrant & 1u ? cosine : sine;
  return float64(bits64(y) ^ (u64)(a.quadrant & 2u) << 62);
}

#endif
