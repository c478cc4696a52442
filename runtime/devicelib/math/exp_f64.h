/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * exp of double, as a fraction and a power of two, so that callers can scale late.
 * Terms: x + low is the argument in twice the precision.
 */
#ifndef HET_DEVICELIB_EXP_F64_H
#define HET_DEVICELIB_EXP_F64_H
#include "math.h"

#define SHIFTER64 0x1.8p52

struct Exponential {
  double fraction;        /* between 0.7 and 1.42 */
  double rest;            /* what rounding the fraction left away, nearly */
  double less1, less1Low; /* fraction - 1, in twice the precision */
  i32 exponent;
  double shifted; /* SHIFTER64 + exponent */
};

HET_LOCAL double clamp64(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/* The integer nearest to a number below 2^31 that had SHIFTER64 added. */
HET_LOCAL i32 shiftedInteger(double shifted) { return (i32)(u32)bits64(shifted); }

/*
 * (exp(r) - 1 - r) / r^2, |r| <= 0.347. Here and elsewhere the highest coefficients have
 * 21 bits: where a number's lower half is zero, it fits into an instruction.
 */
HET_LOCAL double expTail64(double r) {
  double p = 0x1.ace7dp-26;
  p = fma64(p, r, 0x1.28a87p-22);
  p = fma64(p, r, 0x1.71df8p-19);
  p = fma64(p, r, 0x1.a019ap-16);
  p = fma64(p, r, 0x1.a01a0104b9a19p-13);
  p = fma64(p, r, 0x1.6c16c181b87c1p-10);
  p = fma64(p, r, 0x1.111111112df42p-7);
  p = fma64(p, r, 0x1.555555555152fp-5);
  p = fma64(p, r, 0x1.55555555554e5p-3);
  return fma64(p, r, 0x1.0000000000007p-1);
}

/* exp(x + low), |x| <= 1500: x = n ln2 + r, |r| <= ln2 / 2, a minimax polynomial in r. */
HET_LOCAL struct Exponential exponential(double x, double low) {
  double shifted = fma64(x, 0x1.71547652b82fep0, SHIFTER64);
  double n = shifted - SHIFTER64;
  double r = fma64(n, -0x1.62e42fefa39efp-1, x);
  double correction = fma64(n, -0x1.abc9e3b39803fp-56, low);
  double sum = r + correction;
  double lost = correction - (sum - r);
  r = sum;
  double p = expTail64(r);
  p = fma64(r * r, p, lost);
  struct Exponential e;
  e.less1 = r + p;
  e.less1Low = p - (e.less1 - r);
  e.fraction = 1.0 + e.less1;
  e.rest = e.less1 - (e.fraction - 1.0) + e.less1Low;
  e.exponent = shiftedInteger(shifted);
  e.shifted = shifted;
  return e;
}

/* y 2^n, shifted = SHIFTER64 + n, where it and y are normal numbers. */
HET_LOCAL double scaleNormal64(double y, double shifted) {
  return float64(bits64(y) + (bits64(shifted) << 52));
}

/*
 * y 2^n with one rounding, n any number of [-2044, 2044], y near 1; 0 or infinity where x
 * is beyond the bounds, whatever n is. A NaN in y stays.
 */
HET_LOCAL double scaleFar64(double y, double shifted, double x, double low, double high) {
  y = scale64(y, shiftedInteger(shifted));
  y = x > high ? INF64 : y;
  return x < low ? 0.0 : y;
}

#endif
