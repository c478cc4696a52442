/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * log, log2, log10 of double: x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and
 * log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2))), s = f / (2 + f), with a minimax polynomial
 * R (the form of Sun's fdlibm, 1993, with coefficients fitted anew). Branch-free.
 */
#include "math.h"

struct Reduced {
  double k, f;
};

HET_LOCAL struct Reduced reduce(double x) {
  int tiny = x < 0x1p-1022;
  u64 bits = bits64(tiny ? x * 0x1p54 : x);
  u64 rootHalf = 0x3fe6a09e667f3bcdull;
  i32 k = (i32)((i64)(bits - rootHalf) >> 52);
  struct Reduced r;
  r.f = float64(bits - ((u64)(i64)k << 52)) - 1.0;
  r.k = (double)(k - (tiny ? 54 : 0));
  return r;
}

/* log(1 + f) - f. */
HET_LOCAL double logTail(double f) {
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

/* What a logarithm is outside of the positive finite numbers. */
HET_LOCAL double special(double x, double y) {
  y = x == INF64 ? INF64 : y;
  y = x == 0.0 ? -INF64 : y;
  return x < 0.0 || isNan64(x) ? NAN64 : y;
}

/*
 * (k kHigh) + (k kLow) + log(1 + f) (high + low), where k kHigh is exact: the constant
 * ends in eleven zero bits.
 */
HET_LOCAL double scaled(struct Reduced r, double kHigh, double kLow, double high,
                        double low) {
  double tail = logTail(r.f);
  double product = r.f * high;
  double rest = fma64(r.f, high, -product);
  rest = fma64(tail, high, fma64(r.f, low, rest));
  rest = fma64(r.k, kLow, rest);
  double k = r.k * kHigh;
  double sum = k + product;
  return sum + ((product - (sum - k)) + rest);
}

/* Error: 0.8 ULP. */
HET_MATH double __het_log_f64(double x) {
  return special(x, scaled(reduce(x), 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45, 1.0, 0.0));
}

/* Error: 0.8 ULP. */
HET_MATH double __het_log2_f64(double x) {
  return special(
      x, scaled(reduce(x), 1.0, 0.0, 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56));
}

/* Error: 0.8 ULP. */
HET_MATH double __het_log10_f64(double x) {
  return special(x, scaled(reduce(x), 0x1.34413509f7p-2, 0x1.3fde623e2566bp-43, 0x1.bcb7b1526e50ep-2,
                           0x1.95355baaafad3p-57));
}
