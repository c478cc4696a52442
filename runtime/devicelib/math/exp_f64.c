/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * exp, exp2, exp10 of double: as in exp_f32.c, with longer polynomials. Branch-free.
 */
#include "exp_f64.h"

/* Error: 0.8 ULP. */
HET_MATH double __het_exp_f64(double x) {
  struct Exponential e = exponential(clamp64(x, -746.0, 710.0), 0);
  return scale64(e.fraction, e.exponent);
}

/* Error: 0.8 ULP. */
HET_MATH double __het_exp2_f64(double x) {
  x = clamp64(x, -1076.0, 1025.0);
  double shifted = x + SHIFTER64;
  double r = x - (shifted - SHIFTER64);
  double p = 0x1.c2cabc3b17935p-36;
  p = fma64(p, r, 0x1.ea03c69c8f44bp-32);
  p = fma64(p, r, 0x1.e4d0726cca15p-28);
  p = fma64(p, r, 0x1.b524dbce049cp-24);
  p = fma64(p, r, 0x1.62c021dfec598p-20);
  p = fma64(p, r, 0x1.ffcbfc7583c1cp-17);
  p = fma64(p, r, 0x1.430912f884a81p-13);
  p = fma64(p, r, 0x1.5d87fe78a24b8p-10);
  p = fma64(p, r, 0x1.3b2ab6fba4e1ep-7);
  p = fma64(p, r, 0x1.c6b08d704a0dp-5);
  p = fma64(p, r, 0x1.ebfbdff82c58fp-3);
  p = fma64(p, r, 0x1.62e42fefa39efp-1);
  return scale64(fma64(p, r, 1.0), shiftedInteger(shifted));
}

/* 10^x = exp(x log(10)), the product in twice the precision. Error: 0.8 ULP. */
HET_MATH double __het_exp10_f64(double x) {
  x = clamp64(x, -325.0, 310.0);
  double product = x * 0x1.26bb1bbb55516p1;
  double low = fma64(x, 0x1.26bb1bbb55516p1, -product);
  low = fma64(x, -0x1.f48ad494ea3e9p-53, low);
  struct Exponential e = exponential(product, low);
  return scale64(e.fraction, e.exponent);
}
