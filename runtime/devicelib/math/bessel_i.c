/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modified Bessel functions of the first kind, CUDA's cyl_bessel_i0 and cyl_bessel_i1:
 * polynomials of x^2 below 8, and of 1 / x beside exp(x) / sqrt(x) above.
 */
#include "bessel_i_polynomials.h"

double __het_exp_f64(double);

/* exp(x) / sqrt(x) times a factor; halved, so that only the last product overflows. */
HET_LOCAL double grow(double x, double factor) {
  x = x > 800.0 ? 800.0 : x;
  double e = __het_exp_f64(0.5 * x);
  return factor / sqrt64(x) * e * e;
}

/* Error: 3 ULP. */
HET_MATH double __het_cyl_bessel_i0_f64(double x) {
  double a = abs64(x), z = 8.0 / a;
  if (isNan64(x))
    return x;
  if (a < 8.0)
    return i0Low(a * a * (1.0 / 64));
  return grow(a, a < 32.0 ? i0Middle(z - 0.625) : i0High(z));
}
HET_MATH double __het_cyl_bessel_i1_f64(double x) {
  double a = abs64(x), z = 8.0 / a;
  if (isNan64(x))
    return x;
  if (a < 8.0)
    return x * i1Low(a * a * (1.0 / 64));
  return sign64(grow(a, a < 32.0 ? i1Middle(z - 0.625) : i1High(z)), x);
}
