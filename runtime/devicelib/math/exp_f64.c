/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * exp, exp2, exp10 of double: as in exp_f32.c, with longer polynomials.
 */
#include "exp_f64.h"

/* Error: 0.8 ULP. */
HET_MATH double __het_exp_f64(double x) {
  double shifted = fma64(x, 0x1.71547652b82fep0, SHIFTER64);
  double n = shifted - SHIFTER64;
  double r = fma64(n, -0x1.62e42fefa39efp-1, x);
  r = fma64(n, -0x1.abc9e3b39803fp-56, r);
  double p = fma64(expTail64(r), r, 1.0);
  p = fma64(p, r, 1.0);
  double y = scaleNormal64(p, shifted);
  if (RARE(!isBelow64(x, 708.0)))
    y = scaleFar64(p, shifted, x, -746.0, 710.0);
  return y;
}

/* Error: 0.8 ULP. */
HET_MATH double __het_exp2_f64(double x) {
  double shifted = x + SHIFTER64;
  double r = x - (shifted - SHIFTER64);
  double p = 0x1.ea482p-32;
  p = fma64(p, r, 0x1.e627ap-28);
  p = fma64(p, r, 0x1.b524ap-24);
  p = fma64(p, r, 0x1.62bfcp-20);
  p = fma64(p, r, 0x1.ffcbfc9def158p-17);
  p = fma64(p, r, 0x1.430913121c7bp-13);
  p = fma64(p, r, 0x1.5d87fe78954fdp-10);
  p = fma64(p, r, 0x1.3b2ab6fb9ef47p-7);
  p = fma64(p, r, 0x1.c6b08d704a14bp-5);
  p = fma64(p, r, 0x1.ebfbdff82c5acp-3);
  p = fma64(p, r, 0x1.62e42fefa39efp-1);
  p = fma64(p, r, 1.0);
  double y = scaleNormal64(p, shifted);
  if (RARE(!isBelow64(x, 1022.0)))
    y = scaleFar64(p, shifted, x, -1076.0, 1024.5);
  return y;
}

/* x = n log10(2) + r. Error: 0.8 ULP. */
HET_MATH double __het_exp10_f64(double x) {
  double shifted = fma64(x, 0x1.a934f0979a371p1, SHIFTER64);
  double n = shifted - SHIFTER64;
  double r = fma64(n, -0x1.34413509f79ffp-2, x);
  r = fma64(n, 0x1.9dc1da994fd21p-59, r);
  double p = 0x1.f722fp-13;
  p = fma64(p, r, 0x1.2f72ap-10);
  p = fma64(p, r, 0x1.489ap-8);
  p = fma64(p, r, 0x1.41166p-6);
  p = fma64(p, r, 0x1.16e4dee1a233ep-4);
  p = fma64(p, r, 0x1.a7ed70a0dd346p-3);
  p = fma64(p, r, 0x1.1429ffd22204dp-1);
  p = fma64(p, r, 0x1.2bd7609fd537cp0);
  p = fma64(p, r, 0x1.0470591de2b42p1);
  p = fma64(p, r, 0x1.53524c73cea76p1);
  p = fma64(p, r, 0x1.26bb1bbb55516p1);
  p = fma64(p, r, 1.0);
  double y = scaleNormal64(p, shifted);
  if (RARE(!isBelow64(x, 307.0)))
    y = scaleFar64(p, shifted, x, -325.0, 309.0);
  return y;
}
