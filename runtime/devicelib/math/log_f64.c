/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * log, log2, log10, log1p of double: see log_f64.h.
 */
#include "log_f64.h"

/*
 * (k kHigh) + (k kLow) + log(1 + f) (high + low), where k kHigh is exact: the constant
 * ends in eleven zero bits.
 */
HET_LOCAL double scaled(struct Log64 r, double kHigh, double kLow, double high,
                        double low) {
  double tail = logTail64(r.f);
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
  struct Log64 r = logReduce64(x);
  return logSpecial64(
      r, scaled(r, 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45, 1.0, 0.0));
}

/* Error: 0.8 ULP. */
HET_MATH double __het_log2_f64(double x) {
  struct Log64 r = logReduce64(x);
  return logSpecial64(
      r, scaled(r, 1.0, 0.0, 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56));
}

/* Error: 0.8 ULP. */
HET_MATH double __het_log10_f64(double x) {
  struct Log64 r = logReduce64(x);
  return logSpecial64(r, scaled(r, 0x1.34413509f7p-2, 0x1.3fde623e2566bp-43,
                                0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57));
}

HET_MATH double __het_log1p_f64(double x) {
  double y = logOnePlus64(x, 0.0);
  y = x > -1.0 && x < INF64 ? sign64(y, x) : x == INF64 ? x : NAN64;
  return x == -1.0 ? -INF64 : y;
}
