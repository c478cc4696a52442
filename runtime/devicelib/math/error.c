/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The error function's family of double: erf, erfc, erfcx, normcdf and the inverses erfinv,
 * erfcinv, normcdfinv. All rest on erfcx(x) = exp(x^2) erfc(x), which for x >= 0 is one
 * polynomial of (x - 4) / (x + 4), over x + 4 (Shepherd and Laframboise, Math. Comp. 36,
 * 1981). The inverses refine a value of float by one step.
 */
#include "exp_f64.h"
#include "inverse_f32.h"
#include "log_f32.h"
#include "error_polynomials.h"

#define SQRT_PI 0x1.c5bf891b4ef6bp0
#define SQRT_HALF 0x1.6a09e667f3bcdp-1
#define SQRT_HALF_LOW -0x1.bdd3413b26456p-55

double __het_exp_f64(double);

HET_LOCAL double erfcxPositive(double a) {
  double d = a + 4.0, low = a - (d - 4.0), y = 1.0 / d;
  double e = fma64(-y, low, fma64(-y, d, 1.0));
  e = a < 0x1p60 ? e : 0.0;
  /* 1 - 8 / d, whose difference is exact where it matters. */
  double eighth = 8.0 * y;
  return erfcxMapped(fma64(-eighth, e, 1.0 - eighth)) * fma64(y, e, y);
}

/* exp(sign (x + low)^2) last, sign 1 or -1. */
HET_LOCAL double gaussTimes(double x, double low, double sign, double last) {
  double square = x * x * sign;
  double rest = fma64(x * sign, x, -square);
  rest = fma64(2.0 * sign * x, low, rest);
  double shifted = fma64(square, 0x1.71547652b82fep0, SHIFTER64);
  double n = shifted - SHIFTER64;
  double r = fma64(n, -0x1.62e42fefa39efp-1, square);
  r += fma64(n, -0x1.abc9e3b39803fp-56, rest);
  double p = fma64(r * r, expTail64(r), r);
  p = fma64(last, p, last);
  double y = p * float64(bits64(1.0) + (bits64(shifted) << 52));
  if (RARE(!isBelow64(square, 708.0)))
    y = scale64(p, shiftedInteger(shifted));
  return y;
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
  if (!(a < 1.0)) {
    double q = minusLogErfc((a > 6.0 ? 6.0 : a) - 2.5);
    double shifted = fma64(q, -0x1.71547652b82fep0, SHIFTER64);
    double n = shifted - SHIFTER64;
    double r = fma64(n, -0x1.62e42fefa39efp-1, -q);
    r = fma64(n, -0x1.abc9e3b39803fp-56, r);
    double e = fma64(fma64(expTail64(r), r, 1.0), r, 1.0);
    small = fma64(scaleNormal64(1.0, shifted), -e, 1.0);
  }
  return sign64(small, x);
}

/* erfc(a + low), a >= 0. */
HET_LOCAL double complement(double a, double low) {
  a = a > 28.5 ? 28.5 : a;
  return gaussTimes(a, low, -1.0, erfcxPositive(a));
}

/* Error: 3 ULP. */
HET_MATH double __het_erfc_f64(double x) {
  double y = complement(abs64(x), 0);
  return x < 0.0 ? 2.0 - y : y;
}

/* Error: 3 ULP. */
HET_MATH double __het_erfcx_f64(double x) {
  double a = abs64(x), y = erfcxPositive(a);
  if (x < 0.0)
    y = gaussTimes(a > 28.5 ? 28.5 : a, 0, 1.0, 2.0) - y;
  return y;
}

/* erfc(-x sqrt(1/2)) / 2, the product taken in twice the precision. */
HET_MATH double __het_normcdf_f64(double x) {
  double a = abs64(x);
  a = a > 40.0 ? 40.0 : a;
  double z = a * SQRT_HALF, low = fma64(a, SQRT_HALF, -z);
  double y = gaussTimes(z, fma64(a, SQRT_HALF_LOW, low), -1.0, 0.5 * erfcxPositive(z));
  return x > 0.0 ? 1.0 - y : y;
}

/* erfcinv to 22 bits: as in error_inverse_f32.c, s = z (2 - z) 2^-scale. */
HET_LOCAL float inverseRough(double z, double s, i32 scale) {
  u32 high = (u32)(bits64(s) >> 32), exponent = (high - 0x3fe55555u) & 0xfff00000u;
  float f = (float)(float64(bits64(s) - ((u64)exponent << 32)) - 1.0);
  float k = (float)(((i32)exponent >> 20) + scale);
  float w = fma32(k, -LN2_HIGH32, -logNear1(f)), v = inverseRoot32(w);
  return w < 5.0f ? inverseMiddle(w - 0x1.2cccccp1f) * (float)(1.0 - z)
                  : inverseFar(v) * (w * v);
}

/*
 * erfcinv, 0 < z <= 1/2. Beside a y with an error d, erfc changes by 2/sqrt(pi) exp(-y^2)
 * (1 - exp(-2 y d)) / (2 y) but for d^3; solved for d by the logarithm's series.
 */
HET_LOCAL double inverseTail(double z) {
  int tiny = z < 0x1p-1020;
  double scaled = tiny ? z * 0x1p54 : z, s = tiny ? scaled + scaled : fma64(-z, z, z + z);
  double y = inverseRough(z, s, tiny ? -54 : 0), square = y * y; /* exact */
  double shifted = fma64(square, 0x1.71547652b82fep0, SHIFTER64);
  double n = shifted - SHIFTER64;
  double r = fma64(n, -0x1.62e42fefa39efp-1, square);
  r = fma64(n, -0x1.abc9e3b39803fp-56, r);
  double e = fma64(fma64(r * r, expTail64(r), r), scaled, scaled);
  e = scale64(e, shiftedInteger(shifted) - (tiny ? 54 : 0));
  double u = (erfcxPositive(y) - e) * (SQRT_PI / 2), v = 2.0 * y * u;
  return fma64(u, v * fma64(v, fma64(v, 0.25, 0x1.5555555555555p-2), 0.5), y + u);
}

/* Error: 4 ULP. */
HET_MATH double __het_erfinv_f64(double x) {
  double a = abs64(x);
  if (a <= 0.5)
    return inverseNear0(x);
  if (a >= 1.0)
    return a == 1.0 ? sign64(INF64, x) : NAN64;
  return isNan64(x) ? x : sign64(inverseTail(1.0 - a), x);
}

/* Error: 4 ULP. */
HET_MATH double __het_erfcinv_f64(double x) {
  if (x <= 0.0 || x >= 2.0)
    return x == 0.0 ? INF64 : x == 2.0 ? -INF64 : NAN64;
  if (isNan64(x))
    return x;
  if (x >= 0.5 && x <= 1.5)
    return inverseNear0(1.0 - x);
  return x < 0.5 ? inverseTail(x) : -inverseTail(2.0 - x);
}

HET_MATH double __het_normcdfinv_f64(double x) {
  double y = __het_erfcinv_f64(2.0 * x);
  return -(2.0 * SQRT_HALF) * y + 0.0;
}
