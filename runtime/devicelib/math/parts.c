/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions of a number's parts, all exact: exponent and fraction, neighbour, scaling,
 * remainders, positive difference. A C function with a second result through a pointer
 * has a second name here: frexp and frexp_exponent, modf and modf_integer, remquo and
 * remquo_quotient.
 */
#include "math.h"

/* The exponent of a finite number other than 0, with 1 <= fraction < 2. */
HET_LOCAL i32 exponent32(float x) {
  int tiny = abs32(x) < 0x1p-126f;
  u32 bits = bits32(tiny ? x * 0x1p24f : x);
  return (i32)(bits >> 23 & 255u) - 127 - (tiny ? 24 : 0);
}
HET_LOCAL i32 exponent64(double x) {
  int tiny = abs64(x) < 0x1p-1022;
  u64 bits = bits64(tiny ? x * 0x1p54 : x);
  return (i32)(bits >> 52 & 2047u) - 1023 - (tiny ? 54 : 0);
}

/* The fraction, 1/2 <= |fraction| < 1; other numbers are their own. */
HET_MATH float __het_frexp_f32(float x) {
  u32 bits = bits32(abs32(x) < 0x1p-126f ? x * 0x1p24f : x);
  float y = float32((bits & 0x807fffffu) | 126u << 23);
  return x == 0 || !isFinite32(x) ? x + x : y;
}
HET_MATH double __het_frexp_f64(double x) {
  u64 bits = bits64(abs64(x) < 0x1p-1022 ? x * 0x1p54 : x);
  double y = float64((bits & ~(2047ull << 52)) | 1022ull << 52);
  return x == 0 || !isFinite64(x) ? x + x : y;
}
HET_MATH i32 __het_frexp_exponent_f32(float x) {
  return x == 0 || !isFinite32(x) ? 0 : exponent32(x) + 1;
}
HET_MATH i32 __het_frexp_exponent_f64(double x) {
  return x == 0 || !isFinite64(x) ? 0 : exponent64(x) + 1;
}

HET_MATH float __het_modf_f32(float x) {
  float y = isInf32(x) ? 0.0f : x - trunc32(x);
  return isNan32(x) ? x : sign32(y, x);
}
HET_MATH double __het_modf_f64(double x) {
  double y = isInf64(x) ? 0.0 : x - trunc64(x);
  return isNan64(x) ? x : sign64(y, x);
}
HET_MATH float __het_modf_integer_f32(float x) { return trunc32(x); }
HET_MATH double __het_modf_integer_f64(double x) { return trunc64(x); }

HET_MATH i32 __het_ilogb_f32(float x) {
  i32 y = exponent32(x);
  y = isInf32(x) ? INT32_MAX : y;
  return x == 0 || isNan32(x) ? INT32_MIN : y;
}
HET_MATH i32 __het_ilogb_f64(double x) {
  i32 y = exponent64(x);
  y = isInf64(x) ? INT32_MAX : y;
  return x == 0 || isNan64(x) ? INT32_MIN : y;
}
HET_MATH float __het_logb_f32(float x) {
  float y = (float)exponent32(x);
  y = isFinite32(x) ? y : x * x;
  return x == 0 ? -INF32 : y;
}
HET_MATH double __het_logb_f64(double x) {
  double y = (double)exponent64(x);
  y = isFinite64(x) ? y : x * x;
  return x == 0 ? -INF64 : y;
}

/*
 * x 2^n with one rounding: the number is first brought near 1, so that the scaling's
 * first steps are exact.
 */
HET_MATH float __het_ldexp_f32(float x, i32 n) {
  if (x == 0 || !isFinite32(x))
    return x + x;
  i32 e = exponent32(x);
  i32 half = e / 2;
  float fraction = x * power2f32(-half) * power2f32(half - e);
  n = n > 1000 ? 1000 : n < -1000 ? -1000 : n;
  n += e;
  return scale32(fraction, n > 200 ? 200 : n < -200 ? -200 : n);
}
HET_MATH double __het_ldexp_f64(double x, i32 n) {
  if (x == 0 || !isFinite64(x))
    return x + x;
  i32 e = exponent64(x);
  i32 half = e / 2;
  double fraction = x * power2f64(-half) * power2f64(half - e);
  n = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
  n += e;
  return scale64(fraction, n > 1500 ? 1500 : n < -1500 ? -1500 : n);
}
HET_MATH float __het_scalbn_f32(float x, i32 n) { return __het_ldexp_f32(x, n); }
HET_MATH double __het_scalbn_f64(double x, i32 n) { return __het_ldexp_f64(x, n); }
HET_MATH float __het_scalbln_f32(float x, i64 n) {
  return __het_ldexp_f32(x, (i32)(n > 1000 ? 1000 : n < -1000 ? -1000 : n));
}
HET_MATH double __het_scalbln_f64(double x, i64 n) {
  return __het_ldexp_f64(x, (i32)(n > 5000 ? 5000 : n < -5000 ? -5000 : n));
}

HET_MATH float __het_nextafter_f32(float x, float y) {
  u32 bits = bits32(x);
  int outward = (x < y) == !(bits >> 31);
  float z = float32(outward ? bits + 1 : bits - 1);
  z = x == 0 ? sign32(0x1p-149f, y) : z;
  z = x == y ? y : z;
  return isNan32(x) || isNan32(y) ? NAN32 : z;
}
HET_MATH double __het_nextafter_f64(double x, double y) {
  u64 bits = bits64(x);
  int outward = (x < y) == !(bits >> 63);
  double z = float64(outward ? bits + 1 : bits - 1);
  z = x == 0 ? sign64(0x1p-1074, y) : z;
  z = x == y ? y : z;
  return isNan64(x) || isNan64(y) ? NAN64 : z;
}

HET_MATH float __het_fdim_f32(float x, float y) {
  return x <= y ? 0.0f : x - y;
}
HET_MATH double __het_fdim_f64(double x, double y) {
  return x <= y ? 0.0 : x - y;
}
