/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * expm1 of double: as in exp_f32.c, 2^n (1 + r + r^2 p) - 1 = ((2^n - 1) + 2^n r) + 2^n r^2 p,
 * the first sum with its rounding error (Dekker); halved until the end, so that 2^1024 does
 * not arise.
 */
#include "exp_f64.h"

/* Error: 0.95 ULP (100,000 numbers). */
HET_MATH double __het_expm1_f64(double x) {
  double shifted = fma64(x, 0x1.71547652b82fep0, SHIFTER64);
  double n = shifted - SHIFTER64;
  double near = fma64(n, -0x1.62e42fefa39efp-1, x);
  double nLow = n * -0x1.abc9e3b39803fp-56;
  double r = near + nLow;
  double half = float64(bits64(0.5) + (bits64(shifted) << 52));
  double base = half - 0.5, sum = fma64(half, near, base);
  double lost = fma64(half, near, base - sum) + ((half - base) - 0.5);
  lost = fma64(half, nLow, lost);
  double y = sum + fma64(half * (r * r), expTail64(r), lost);
  y = sign64(y + y, x);
  if (RARE(!(abs64(x) < 700.0))) {
    y = x > 709.9 ? INF64 : y;
    y = x < -700.0 ? -1.0 : y;
  }
  return y;
}
