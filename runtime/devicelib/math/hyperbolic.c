/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sinh, cosh, tanh: minimax polynomials of x^2 below 1, exponentials above. Halves of
 * exp(x) are made by its exponent, so that nothing overflows before the result does.
 */
#include "exp_f64.h"

struct QuarterExp {
  double high, low;
};

/* exp(x) / 4, 0 <= x, and what its rounding left away. */
HET_LOCAL struct QuarterExp quarterExp64(double x) {
  struct Exponential e = exponential(x > 710.6 ? 710.6 : x, 0);
  double scale = power2f64(e.exponent - 2);
  struct QuarterExp quarter = {e.fraction * scale, e.rest * scale};
  return quarter;
}

/* Error: 1 ULP. */
HET_MATH double __het_sinh_f64(double x) {
  double a = abs64(x), s = x * x;
  double p = 0x1.9a7937c634deep-49;
  p = fma64(p, s, 0x1.ae756ec3f7fd8p-41);
  p = fma64(p, s, 0x1.61246af9de4e1p-33);
  p = fma64(p, s, 0x1.ae6456741c244p-26);
  p = fma64(p, s, 0x1.71de3a5573f7p-19);
  p = fma64(p, s, 0x1.a01a01a019fc1p-13);
  p = fma64(p, s, 0x1.1111111111111p-7);
  p = fma64(p, s, 0x1.5555555555555p-3);
  double small = fma64(p * s, a, a);
  struct QuarterExp e = quarterExp64(a);
  double half = e.high + (e.low - 1.0 / (16.0 * e.high));
  double y = a < 1.0 ? small : half + half;
  return isNan64(x) ? x : sign64(y, x);
}

/* Error: 1 ULP. */
HET_MATH double __het_cosh_f64(double x) {
  struct QuarterExp e = quarterExp64(abs64(x));
  double half = e.high + (e.low + 1.0 / (16.0 * e.high));
  return half + half;
}

/* Error: 1 ULP. */
HET_MATH double __het_tanh_f64(double x) {
  double a = abs64(x), s = x * x;
  double p = 0x1.6d72407eda727p-26;
  p = fma64(p, s, -0x1.f3c6d7f13a21ap-23);
  p = fma64(p, s, 0x1.54f90c7d191cap-20);
  p = fma64(p, s, -0x1.3f23424f6a429p-18);
  p = fma64(p, s, 0x1.df07d7bf897bbp-17);
  p = fma64(p, s, -0x1.3f45bc4853068p-15);
  p = fma64(p, s, 0x1.93992374bbeebp-14);
  p = fma64(p, s, -0x1.f4ddf05bc4036p-13);
  p = fma64(p, s, 0x1.354b382b32b37p-11);
  p = fma64(p, s, -0x1.7da1d7882426ap-10);
  p = fma64(p, s, 0x1.d6d3ae86a9301p-9);
  p = fma64(p, s, -0x1.226e3455bbf0dp-7);
  p = fma64(p, s, 0x1.664f48784ad3fp-6);
  p = fma64(p, s, -0x1.ba1ba1b9dc2f4p-5);
  p = fma64(p, s, 0x1.1111111110af1p-3);
  p = fma64(p, s, -0x1.555555555554fp-2);
  double small = fma64(p * s, a, a);
  double quarter = quarterExp64(a > 20.0 ? 40.0 : 2.0 * a).high;
  double y = a < 1.0 ? small : 1.0 - 1.0 / fma64(2.0, quarter, 0.5);
  return isNan64(x) ? x : sign64(y, x);
}
