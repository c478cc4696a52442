/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the logarithms of double share: x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and
 * log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2))), s = f / (2 + f), with a minimax polynomial
 * R (the form of Sun's fdlibm, 1993, with coefficients fitted anew).
 */
#ifndef HET_DEVICELIB_LOG_F64_H
#define HET_DEVICELIB_LOG_F64_H
#include "math.h"

struct Log64 {
  double k, f;
};

HET_LOCAL struct Log64 logReduce64(double x) {
  int tiny = x < 0x1p-1022;
  u64 bits = bits64(tiny ? x * 0x1p54 : x);
  u64 rootHalf = 0x3fe6a09e667f3bcdull;
  i32 k = (i32)((i64)(bits - rootHalf) >> 52);
  struct Log64 r;
  r.f = float64(bits - ((u64)(i64)k << 52)) - 1.0;
  r.k = (double)(k - (tiny ? 54 : 0));
  return r;
}

/* log(1 + f) - f. */
HET_LOCAL double logTail64(double f) {
  double s = f / (2.0 + f), z = s * s;
  double p = 0x1.0f6e10fccc5c4p-3;
  p = fma64(p, z, 0x1.0f5b95d23d967p-3);
  p = fma64(p, z, 0x1.3b20b9138ae9fp-3);
  p = fma64(p, z, 0x1.745cdde72d7c4p-3);
  p = fma64(p, z, 0x1.c71c7259f5e49p-3);
  p = fma64(p, z, 0x1.249249242a71fp-2);
  p = fma64(p, z, 0x1.9999999999e09p-2);
  p = fma64(p, z, 0x1.5555555555555p-1);
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
