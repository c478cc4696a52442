/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * expm1 of double: as in exp_f32.c, 2^n (1 + r + r^2 p) - 1 = ((2^n - 1) + 2^n r) + 2^n r^2 p,
 * the first sum with its rounding error (Dekker). Where 2^n is too large, exp serves.
 */
#include "exp_f64.h"

/* Error: 0.95 ULP (100,000 numbers). */
HET_MATH double __het_expm1_f64(double x) {
  double shifted = fma64(x, 0x1.71547652b82fep0, SHIFTER64);
  double n = shifted - SHIFTER64;
  double near = fma64(n, -0x1.62e42fefa39efp-1, x);
  double nLow = n * -0x1.abc9e3b39803fp-56;
  double r = near + nLow, tail = expTail64(r);
  double scale = scaleNormal64(1.0, shifted);
  double base = scale - 1.0, sum = fma64(scale, near, base);
  double lost = fma64(scale, near, base - sum) + ((scale - base) - 1.0);
  lost = fma64(scale, nLow, lost);
  double y = sign64(sum + fma64(scale * (r * r), tail, lost), x);
  if (RARE(!isBelow64(x, 709.0))) {
    double p = fma64(fma64(tail, r, 1.0), r, 1.0);
    p = scaleFar64(p, shifted, x, -750.0, 709.9);
    y = x < 0.0 ? -1.0 : p;
  }
  return y;
}
