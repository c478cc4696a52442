/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The error function's family: erf, erfc, erfcx, normcdf and the inverses erfinv, erfcinv,
 * normcdfinv. All rest on erfcx(x) = exp(x^2) erfc(x), which for x >= 0 is one polynomial
 * of (x - 4) / (x + 4) (Shepherd and Laframboise, Math. Comp. 36, 1981). The inverses
 * refine a rough value by Newton's method. float goes by way of double: there its
 * results, subnormal ones too, are rounded once.
 */
#include "error_polynomials.h"

#define SQRT_PI 0x1.c5bf891b4ef6bp0
#define SQRT_HALF 0x1.6a09e667f3bcdp-1
#define SQRT_HALF_LOW -0x1.bdd3413b26456p-55

double __het_exp_f64(double);
double __het_log_f64(double);

HET_LOCAL double erfcxPositive(double x) {
  double q = x > 0x1p60 ? 1.0 : (x - 4.0) / (x + 4.0);
  return 0.5 * erfcxMapped(q) / (x + 0.5);
}

/* exp(-(x + low)^2) factor, in such an order that only the last product can underflow. */
HET_LOCAL double gaussTimes(double x, double low, double factor) {
  double square = x * x;
  double rest = fma64(x, x, -square) + 2.0 * x * low;
  double e = __het_exp_f64(-0.5 * square);
  factor = fma64(-rest, factor, factor);
  return e * factor * e;
}

/* A polynomial (sollya/double.sollya) below 1, the complement above. */
HET_MATH double __het_erf_f64(double x) {
  double a = abs64(x), s = x * x;
  double p = -0x1.8cd9b21379165p-36;
  p = fma64(p, s, 0x1.cc717f6c32359p-33);
  p = fma64(p, s, -0x1.b24675c32a5e6p-30);
  p = fma64(p, s, 0x1.090786087a597p-26);
  p = fma64(p, s, -0x1.60fa904d1cd38p-23);
  p = fma64(p, s, 0x1.ba0cffa3179afp-20);
  p = fma64(p, s, -0x1.f4d4f90a06f79p-17);
  p = fma64(p, s, 0x1.f9a3470837a19p-14);
  p = fma64(p, s, -0x1.c02db510a4673p-11);
  p = fma64(p, s, 0x1.565bcd147db6ap-8);
  p = fma64(p, s, -0x1.b82ce312b4d8ap-6);
  p = fma64(p, s, 0x1.ce2f21a043773p-4);
  p = fma64(p, s, -0x1.812746b0379fep-2);
  p = fma64(p, s, 0x1.06eba8214db69p-3);
  double small = fma64(p, a, a);
  double bounded = a > 6.5 ? 6.5 : a;
  double y = 1.0 - gaussTimes(bounded, 0.0, erfcxPositive(bounded));
  return sign64(a < 1.0 ? small : y, x);
}

/* erfc(x + low). */
HET_LOCAL double complement(double x, double low) {
  if (x < 0.5) {
    /* d erf = 2/sqrt(pi) exp(-x^2) d x. */
    double slope = 2.0 / SQRT_PI * __het_exp_f64(-x * x);
    double y = low == 0 ? 0 : slope * low;
    if (x > -0.5)
      return 1.0 - (__het_erf_f64(x) + y);
    x = x < -30.0 ? -30.0 : x;
    return 2.0 - gaussTimes(-x, -low, erfcxPositive(-x));
  }
  return x > 30.0 ? 0.0 : gaussTimes(x, low, erfcxPositive(x));
}

/* Error: 3 ULP. */
HET_MATH double __het_erfc_f64(double x) { return complement(x, 0); }

/* Error: 3 ULP. */
HET_MATH double __het_erfcx_f64(double x) {
  if (abs64(x) < 0.5)
    return __het_exp_f64(x * x) * (1.0 - __het_erf_f64(x));
  if (x >= 0)
    return erfcxPositive(x);
  if (x * x > 709.1)
    return INF64;
  double square = x * x, rest = fma64(x, x, -square);
  double e = __het_exp_f64(square);
  return 2.0 * fma64(e, rest, e) - erfcxPositive(-x);
}

/* erfc(-x sqrt(1/2)) / 2, the product taken in twice the precision. */
HET_MATH double __het_normcdf_f64(double x) {
  x = x < -40.0 ? -40.0 : x;
  double z = -x * SQRT_HALF;
  double low = isInf64(x) ? 0 : fma64(-x, SQRT_HALF, -z) - x * SQRT_HALF_LOW;
  return 0.5 * complement(z, low);
}

/* erfinv, |x| <= 1/2: a polynomial good to 29 bits and one step of Newton's. */
HET_LOCAL double inverseCentral(double x) {
  double y = x * inverseNear0(x * x);
  double wrong = __het_erf_f64(y) - x;
  return fma64(-wrong * (SQRT_PI / 2), __het_exp_f64(y * y), y);
}

/*
 * erfcinv, 0 < z <= 1/2: the y with y^2 - log(erfcx(y)) = -log(z), whose left side is
 * nearly a parabola; four steps of Newton's from sqrt(-log z) - 0.35.
 */
HET_LOCAL double inverseTail(double z) {
  double target = -__het_log_f64(z);
  double y = sqrt64(target) - 0.35;
  for (int i = 0; i < 4; ++i) {
    double e = erfcxPositive(y);
    double wrong = fma64(y, y, -target) - __het_log_f64(e);
    y = fma64(-wrong, e * (SQRT_PI / 2), y);
  }
  return y;
}

/* Error: 4 ULP. */
HET_MATH double __het_erfinv_f64(double x) {
  double a = abs64(x);
  if (a <= 0.5)
    return inverseCentral(x);
  if (a >= 1.0)
    return a == 1.0 ? sign64(INF64, x) : NAN64;
  return isNan64(x) ? x : sign64(inverseTail(1.0 - a), x);
}
HET_MATH float __het_erfinv_f32(float x) { return (float)__het_erfinv_f64(x); }

/* Error: 4 ULP. */
HET_MATH double __het_erfcinv_f64(double x) {
  if (x <= 0.0 || x >= 2.0)
    return x == 0.0 ? INF64 : x == 2.0 ? -INF64 : NAN64;
  if (isNan64(x))
    return x;
  if (x >= 0.5 && x <= 1.5)
    return inverseCentral(1.0 - x);
  return x < 0.5 ? inverseTail(x) : -inverseTail(2.0 - x);
}
HET_MATH float __het_erfcinv_f32(float x) { return (float)__het_erfcinv_f64(x); }

HET_MATH double __het_normcdfinv_f64(double x) {
  double y = __het_erfcinv_f64(2.0 * x);
  return -(2.0 * SQRT_HALF) * y;
}
HET_MATH float __het_normcdfinv_f32(float x) {
  return (float)__het_normcdfinv_f64(x);
}
