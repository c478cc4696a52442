/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * expm1: exp(x) = 2^n (1 + t), so exp(x) - 1 = (2^n - 1) + 2^n t, with t in twice the
 * precision and the sum without loss (Dekker).
 */
#include "exp_f64.h"

/* Error: 0.7 ULP. */
HET_MATH double __het_expm1_f64(double x) {
  struct Exponential e = exponential(clamp64(x, -50.0, 720.0), 0);
  i32 n = e.exponent;
  /* At the upper end everything is halved, and doubled last. */
  int large = n > 1000;
  double scale = power2f64(n > 1024 ? 1023 : n - large);
  double one = large ? 0.5 : 1.0, base = scale - one;
  double t = scale * e.less1;
  double sum = base + t;
  double lost = abs64(base) > abs64(t) ? t - (sum - base) : base - (sum - t);
  lost += (scale - base) - one;
  double y = sum + fma64(scale, e.less1Low, lost);
  y = large ? 2.0 * y : y;
  y = x > 709.9 ? INF64 : y;
  return x == 0 ? x : y;
}
