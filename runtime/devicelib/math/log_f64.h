/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shared by the logarithms of double: x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and
 * log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2))), s = f / (2 + f), with a minimax
 * polynomial R (the form of Sun's fdlibm, 1993, with coefficients fitted anew).
 */
#ifndef HET_DEVICELIB_LOG_F64_H
#define HET_DEVICELIB_LOG_F64_H
#include "math.h"

#define ROOT_HALF64 0x3fe6a09eu /* the upper half of the number's bits */

struct Log64 {
  double k, f;
  u64 bits; /* of x, a subnormal x made normal */
};

HET_LOCAL struct Log64 logReduce64(double x) {
  int tiny = x < 0x1p-1022;
  struct Log64 r;
  r.bits = bits64(tiny ? x * 0x1p54 : x);
  u32 high = (u32)(r.bits >> 32), over = high - ROOT_HALF64;
  u32 k = (u32)((i32)over >> 20);
  r.f = float64((u64)(high - (over & 0xfff00000u)) << 32 | (u32)r.bits) - 1.0;
  r.k = (double)((i32)k - (tiny ? 54 : 0));
  return r;
}

/* The logarithm of r's number, that of a positive finite one being y. */
HET_LOCAL double logSpecial64(struct Log64 r, double y) {
  if (RARE(r.bits - 1 >= 0x7fefffffffffffffull)) {
    double x = float64(r.bits);
    y = fma64(x, INF64, INF64);
    y = x == 0.0 ? -INF64 : y;
  }
  return y;
}

/* log(1 + f) - f. */
HET_LOCAL double logTail64(double f) {
  double s = f * (1.0 / (2.0 + f)), z = s * s;
  double p = 0x1.2c4dfp-3;
  p = fma64(p, z, 0x1.39e88p-3);
  p = fma64(p, z, 0x1.74637p-3);
  p = fma64(p, z, 0x1.c71c6p-3);
  p = fma64(p, z, 0x1.249249308d6f7p-2);
  p = fma64(p, z, 0x1.9999999993696p-2);
  p = fma64(p, z, 0x1.555555555555ap-1);
  double half = 0.5 * f * f;
  return fma64(s, fma64(p, z, half), -half);
}

/* log(1 + v) + extra ln2, v > -1 finite; 1 + v is taken in twice the precision. */
HET_LOCAL double logOnePlus64(double v, double extra) {
  double u = 1.0 + v;
  double low = v - (u - 1.0);
  i32 exponent = (i32)((i64)(bits64(u) - 0x3fe6a09e667f3bcdull) >> 52);
  double m = float64(bits64(u) - ((u64)(i64)exponent << 52)) - 1.0;
  double part = low * power2f64(-(exponent > 100 ? 100 : exponent));
  double f = m + part;
  double lost = part - (f - m);
  /* The derivative at 1 + f is nearly 1 - f. */
  lost = fma64(-f, lost, lost);
  double k = (double)exponent + extra;
  double whole = k * 0x1.62e42fefa38p-1;
  double sum = whole + f;
  double rest = fma64(k, 0x1.ef35793c7673p-45, logTail64(f) + lost);
  return sum + ((f - (sum - whole)) + rest);
}

#endif
