/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asinh, acosh, atanh of double, as log(1 + v) with v formed without cancellation
 * (Abramowitz and Stegun 4.6.20 ff.). Beyond 2^60 asinh(x) and acosh(x) are log(x) + ln2.
 * Branch-free.
 */
#include "log_f64.h"

#define LARGE 0x1p60

/* Error: 1.47 ULP (100,000 numbers). */
HET_MATH double __het_asinh_f64(double x) {
  double a = abs64(x), s = a * a;
  double v = a + s / (1.0 + sqrt64(s + 1.0));
  int large = a > LARGE;
  double y = logOnePlus64(large ? a : v, large ? 1.0 : 0.0);
  return sign64(a < INF64 ? y : a, x);
}

/* Error: 1.22 ULP (100,000 numbers). */
HET_MATH double __het_acosh_f64(double x) {
  double t = x - 1.0;
  double v = t + sqrt64(fma64(t, t, t + t));
  int large = x > LARGE;
  double y = logOnePlus64(large ? x : v, large ? 1.0 : 0.0);
  y = x < INF64 ? y : x;
  return x < 1.0 ? NAN64 : y;
}

/* Error: 1.79 ULP (100,000 numbers). */
HET_MATH double __het_atanh_f64(double x) {
  double a = abs64(x);
  double y = 0.5 * logOnePlus64((a + a) / (1.0 - a), 0.0);
  y = a == 1.0 ? INF64 : y;
  return sign64(a > 1.0 ? NAN64 : y, x);
}
