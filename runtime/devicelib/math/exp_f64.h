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
  double fraction; /* between 0.7 and 1.42 */
  double rest;     /* what rounding the fraction left away, nearly */
  double less1, less1Low; /* fraction - 1, in twice the precision */
  i32 exponent;
};

HET_LOCAL double clamp64(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/* The integer nearest to a number below 2^31 that had SHIFTER64 added. */
HET_LOCAL i32 shiftedInteger(double shifted) { return (i32)(u32)bits64(shifted); }

/* exp(x + low), |x| <= 1500: x = n ln2 + r, |r| <= ln2 / 2, a minimax polynomial in r. */
HET_LOCAL struct Exponential exponential(double x, double low) {
  double shifted = fma64(x, 0x1.71547652b82fep0, SHIFTER64);
  double n = shifted - SHIFTER64;
  double r = fma64(n, -0x1.62e42fefa39efp-1, x);
  double correction = fma64(n, -0x1.abc9e3b39803fp-56, low);
  double sum = r + correction;
  double lost = correction - (sum - r);
  r = sum;
  double p = 0x1.ad7de4fc35dc7p-26;
  p = fma64(p, r, 0x1.28ae9bc392a8dp-22);
  p = fma64(p, r, 0x1.71df282ccd0acp-19);
  p = fma64(p, r, 0x1.a01998d9c5c86p-16);
  p = fma64(p, r, 0x1.a01a01283df75p-13);
  p = fma64(p, r, 0x1.6c16c18494c45p-10);
  p = fma64(p, r, 0x1.111111112846dp-7);
  p = fma64(p, r, 0x1.55555555506b8p-5);
  p = fma64(p, r, 0x1.55555555554f7p-3);
  p = fma64(p, r, 0x1.000000000000ap-1);
  p = fma64(r * r, p, lost);
  struct Exponential e;
  e.less1 = r + p;
  e.less1Low = p - (e.less1 - r);
  e.fraction = 1.0 + e.less1;
  e.rest = e.less1 - (e.fraction - 1.0) + e.less1Low;
  e.exponent = shiftedInteger(shifted);
  return e;
}

#endif
