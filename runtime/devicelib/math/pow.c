/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * pow of double: exp(y log|x|) with the logarithm in twice the precision (about 10 bits more than
 * the result's would do). log(1 + f) = 2 s + s^3 (2/3 + s^2 (2/5 + s^2 P(s^2))), s = f /
 * (2 + f); the first two terms are carried as hi + lo, by Dekker's and Knuth's exact
 * products and sums. Special cases are C's (ISO C, F.10.4.4). Branch-free but for calls
 * inlined.
 */
#include "exp_f64.h"

struct Pair64 {
  double high, low;
};
HET_LOCAL struct Pair64 sum64(double a, double b) { /* |a| >= |b| */
  double s = a + b;
  return (struct Pair64){s, b - (s - a)};
}
HET_LOCAL struct Pair64 product64(struct Pair64 a, struct Pair64 b) {
  double p = a.high * b.high;
  double low = fma64(a.high, b.high, -p);
  low = fma64(a.high, b.low, fma64(a.low, b.high, low));
  return sum64(p, low);
}

/* log of a positive finite number. */
HET_LOCAL struct Pair64 logPair64(double x) {
  int tiny = x < 0x1p-1022;
  u64 bits = bits64(tiny ? x * 0x1p54 : x);
  i32 exponent = (i32)((i64)(bits - 0x3fe6a09e667f3bcdull) >> 52);
  double f = float64(bits - ((u64)(i64)exponent << 52)) - 1.0;
  double k = (double)(exponent - (tiny ? 54 : 0));
  /* s = f / (2 + f) with its remainder; 2 + f = divisor - lost. */
  struct Pair64 divisor = sum64(2.0, f);
  double inverse = 1.0 / divisor.high, q = f * inverse;
  double rest = fma64(-q, divisor.low, fma64(-q, divisor.high, f));
  struct Pair64 s = {q, rest * inverse};
  struct Pair64 z = product64(s, s);
  double p = 0x1.e7f894c889aadp-4;
  p = fma64(p, z.high, 0x1.de9bbd1a9b597p-4);
  p = fma64(p, z.high, 0x1.111dde8105c32p-3);
  p = fma64(p, z.high, 0x1.3b1377d4da522p-3);
  p = fma64(p, z.high, 0x1.745d17d891aa4p-3);
  p = fma64(p, z.high, 0x1.c71c71c658285p-3);
  p = fma64(p, z.high, 0x1.24924924927d7p-2);
  p = z.high * fma64(p, z.high, 0x1.999999999999ap-2);
  struct Pair64 c = sum64(0x1.5555555555555p-1, p);
  c.low += 0x1.5555555555555p-55;
  struct Pair64 cubic = product64(product64(c, z), s);
  struct Pair64 twice = sum64(2.0 * s.high, cubic.high);
  twice.low += fma64(2.0, s.low, cubic.low);
  struct Pair64 log2 = sum64(k * 0x1.62e42fefa38p-1, twice.high);
  /* Where k is 0 the sum is exact in the other order. */
  log2.low = k == 0 ? 0 : log2.low;
  log2.low += fma64(k, 0x1.ef35793c7673p-45, twice.low);
  return sum64(log2.high, log2.low);
}

HET_LOCAL int isOdd64(double y) {
  double half = y * 0.5;
  return y == rint64(y) && half != rint64(half) && isFinite64(y);
}

/* Error: 0.7 ULP. */
HET_MATH double __het_pow_f64(double x, double y) {
  double a = abs64(x);
  struct Pair64 log = logPair64(a);
  double product = y * log.high;
  double low = fma64(y, log.high, -product) + y * log.low;
  int huge = abs64(product) > 1200.0;
  struct Exponential e = exponential(clamp64(product, -1200.0, 1200.0), huge ? 0 : low);
  i32 n = e.exponent;
  n = n > 1100 ? 1100 : n < -1150 ? -1150 : n;
  double r = scale64(e.fraction, n);
  int grows = (a > 1.0) == (y > 0);
  double limit = grows ? INF64 : 0.0;
  r = a == 0 || isInf64(a) || isInf64(y) ? limit : r;
  r = bits64(x) >> 63 && isOdd64(y) ? -r : r;
  r = x < 0 && isFinite64(x) && y != rint64(y) ? NAN64 : r;
  r = a == 1.0 && isInf64(y) ? 1.0 : r;
  r = isNan64(x) || isNan64(y) ? NAN64 : r;
  return x == 1.0 || y == 0 ? 1.0 : r;
}

/* An integer power. */
HET_MATH double __het_powi_f64(double x, i32 n) { return __het_pow_f64(x, n); }
HET_MATH float __het_powi_f32(float x, i32 n) { return (float)__het_pow_f64(x, n); }
