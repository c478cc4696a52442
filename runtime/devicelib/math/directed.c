/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arithmetic with directed rounding (CUDA's __fadd_rz and its kin). Each function takes
 * the result rounded to nearest and the sign of what that rounding left away, which
 * error-free transformations give exactly, and steps to the neighbour where the mode asks
 * for it. float computes in double, where all its operations are exact up to one
 * remainder. double takes operands apart into fraction and exponent, so that no
 * intermediate over- or underflows; sources: Boldo and Muller, "Exact and approximated
 * error of the FMA" (IEEE TC 2011); Knuth's two-sum.
 */
#include "math.h"

enum Mode { NEAREST, ZERO, UP, DOWN };

/* The mode's answer, of y = nearest(exact), where `left` has the sign of exact - y. */
HET_LOCAL float step32(float y, double left, enum Mode mode) {
  u32 bits = bits32(y);
  int negative = bits >> 31;
  int up = left > 0 && (mode == UP || (mode == ZERO && negative));
  int down = left < 0 && (mode == DOWN || (mode == ZERO && !negative));
  /* The neighbour above a negative number has the smaller bits; -0 leads to +tiny. */
  u32 above = bits == 0x80000000u ? 1u : negative ? bits - 1 : bits + 1;
  u32 below = bits == 0u ? 0x80000001u : negative ? bits + 1 : bits - 1;
  return float32(up ? above : down ? below : bits);
}

HET_LOCAL double step64(double y, double left, enum Mode mode) {
  u64 bits = bits64(y);
  int negative = (int)(bits >> 63);
  int up = left > 0 && (mode == UP || (mode == ZERO && negative));
  int down = left < 0 && (mode == DOWN || (mode == ZERO && !negative));
  u64 above = bits == 1ull << 63 ? 1ull : negative ? bits - 1 : bits + 1;
  u64 below = bits == 0 ? (1ull << 63) + 1 : negative ? bits + 1 : bits - 1;
  return float64(up ? above : down ? below : bits);
}

/* y = nearest(high + low) as a float, stepped: |low| is below high's last place. */
HET_LOCAL float narrow(double high, double low, enum Mode mode) {
  float y = (float)high;
  double left = high - (double)y;
  return step32(y, left != 0 ? left : low, mode);
}

/* The part that a sum a + b lost when it was rounded to s. */
HET_LOCAL double lostBySum(double a, double b, double s) {
  double t = s - a;
  return (a - (s - t)) + (b - t);
}

/* ---- float ---- */

HET_LOCAL float add32(float a, float b, enum Mode mode) {
  double s = (double)a + (double)b;
  double low = lostBySum(a, b, s);
  if (mode == DOWN && s == 0 && low == 0)
    return a == 0 && b == 0 && !(bits32(a) >> 31) && !(bits32(b) >> 31) ? 0.0f : -0.0f;
  /* Nearest in one rounding, not by way of double. */
  float y = a + b;
  double left = s - (double)y;
  return step32(y, left != 0 ? left : low, mode);
}

HET_LOCAL float multiply32(float a, float b, enum Mode mode) {
  return narrow((double)a * (double)b, 0, mode);
}

HET_LOCAL float fma32Directed(float a, float b, float c, enum Mode mode) {
  double p = (double)a * (double)b;
  double s = p + (double)c;
  double low = lostBySum(p, c, s);
  if (mode == DOWN && s == 0 && low == 0)
    return p == 0 && c == 0 && !(bits64(p) >> 63) && !(bits32(c) >> 31) ? 0.0f : -0.0f;
  float y = fma32(a, b, c);
  double left = s - (double)y;
  return step32(y, left != 0 ? left : low, mode);
}

HET_LOCAL float divide32(float a, float b, enum Mode mode) {
  double q = (double)a / (double)b;
  double rest = fma64(-q, b, a);
  float y = a / b;
  double left = q - (double)y;
  return step32(y, left != 0 ? left : b < 0 ? -rest : rest, mode);
}

HET_LOCAL float root32(float a, enum Mode mode) {
  double s = sqrt64(a);
  double rest = fma64(-s, s, a);
  float y = sqrt32(a);
  double left = s - (double)y;
  return step32(y, left != 0 ? left : rest, mode);
}

/* ---- double ---- */

struct Split {
  double fraction; /* 1 <= |fraction| < 2; 0, infinite or NaN as the number is */
  i32 exponent;
};

HET_LOCAL struct Split split(double x) {
  struct Split s = {x, 0};
  if (x == 0 || !isFinite64(x))
    return s;
  int tiny = abs64(x) < 0x1p-1022;
  u64 bits = bits64(tiny ? x * 0x1p54 : x);
  s.exponent = (i32)(bits >> 52 & 2047) - 1023 - (tiny ? 54 : 0);
  s.fraction = float64((bits & ~(2047ull << 52)) | 1023ull << 52);
  return s;
}

/* x * 2^n where neither x nor the result leaves the normal range by much. */
HET_LOCAL double rescale(double x, i32 n) {
  i32 third = n / 3;
  return x * power2f64(third) * power2f64(third) * power2f64(n - 2 * third);
}

/*
 * The sign of (high + low) 2^exponent - y, where y is that value rounded to nearest in
 * the format: what rounding to a subnormal or an overflow left away is seen here.
 */
HET_LOCAL double leftOf(double high, double low, i32 exponent, double y) {
  if (!isFinite64(y))
    return isFinite64(high) ? -y : 0;
  if (y == 0)
    return high != 0 ? high : low;
  double left = high - rescale(y, -exponent);
  return left != 0 ? left : low;
}

HET_LOCAL double add64(double a, double b, enum Mode mode) {
  double s = a + b;
  if (mode == DOWN && s == 0)
    return a == 0 && b == 0 && !(bits64(a) >> 63) && !(bits64(b) >> 63) ? 0.0 : -0.0;
  double left = isFinite64(s) ? lostBySum(a, b, s)
                : isFinite64(a) && isFinite64(b) ? -s
                                                 : 0;
  return step64(s, left, mode);
}

HET_LOCAL double multiply64(double a, double b, enum Mode mode) {
  double y = a * b;
  struct Split sa = split(a), sb = split(b);
  double p = sa.fraction * sb.fraction;
  double low = fma64(sa.fraction, sb.fraction, -p);
  return step64(y, leftOf(p, low, sa.exponent + sb.exponent, y), mode);
}

HET_LOCAL double divide64(double a, double b, enum Mode mode) {
  double y = a / b;
  if (b == 0 || isInf64(b) || a == 0)
    return y;
  struct Split sa = split(a), sb = split(b);
  double q = sa.fraction / sb.fraction;
  double rest = fma64(-q, sb.fraction, sa.fraction);
  rest = b < 0 ? -rest : rest;
  return step64(y, leftOf(q, rest, sa.exponent - sb.exponent, y), mode);
}

HET_LOCAL double root64(double a, enum Mode mode) {
  double y = sqrt64(a);
  double scale = a < 0x1p-900 ? 0x1p120 : 1.0;
  double s = y * scale;
  return step64(y, fma64(-s, s, a * scale * scale), mode);
}

/* The sign of a b + c - y, of fractions a and b, and c that is not far from a b. */
HET_LOCAL double lostByFma(double a, double b, double c, double y) {
  double p = a * b;
  double low = fma64(a, b, -p);
  double s = c + low;
  double t = lostBySum(c, low, s);
  double u = p + s;
  double v = lostBySum(p, s, u);
  return ((u - y) + v) + t;
}

HET_LOCAL double fma64Directed(double a, double b, double c, enum Mode mode) {
  double y = fma64(a, b, c);
  if (a == 0 || b == 0 || c == 0 || !isFinite64(a) || !isFinite64(b) || !isFinite64(c)) {
    if (c == 0 && a != 0 && b != 0)
      return multiply64(a, b, mode);
    if (mode == DOWN && y == 0 && bits64(a * b) >> 63 != bits64(c) >> 63)
      return -0.0;
    return y;
  }
  struct Split sa = split(a), sb = split(b), sc = split(c);
  i32 exponent = sa.exponent + sb.exponent;
  double p = sa.fraction * sb.fraction;
  i32 apart = sc.exponent - exponent;
  double left;
  if (apart > 200) {
    left = y == c ? p : leftOf(sc.fraction, p, sc.exponent, y);
  } else if (apart < -300) {
    double low = fma64(sa.fraction, sb.fraction, -p);
    left = leftOf(p, low != 0 ? low : c, exponent, y);
  } else {
    double near = rescale(sc.fraction, apart);
    double s = fma64(sa.fraction, sb.fraction, near);
    if (s == 0)
      return mode == DOWN ? -0.0 : 0.0;
    left = leftOf(s, lostByFma(sa.fraction, sb.fraction, near, s), exponent, y);
  }
  return step64(y, left, mode);
}

/* ---- the names ---- */

#define DIRECTED(suffix, mode)                                                       \
  HET_MATH float __het_add_##suffix##_f32(float a, float b) {                        \
    return add32(a, b, mode);                                                        \
  }                                                                                  \
  HET_MATH float __het_sub_##suffix##_f32(float a, float b) {                        \
    return add32(a, -b, mode);                                                       \
  }                                                                                  \
  HET_MATH float __het_mul_##suffix##_f32(float a, float b) {                        \
    return multiply32(a, b, mode);                                                   \
  }                                                                                  \
  HET_MATH float __het_div_##suffix##_f32(float a, float b) {                        \
    return divide32(a, b, mode);                                                     \
  }                                                                                  \
  HET_MATH float __het_rcp_##suffix##_f32(float a) {                                 \
    return divide32(1.0f, a, mode);                                                  \
  }                                                                                  \
  HET_MATH float __het_sqrt_##suffix##_f32(float a) { return root32(a, mode); }      \
  HET_MATH float __het_fma_##suffix##_f32(float a, float b, float c) {               \
    return fma32Directed(a, b, c, mode);                                             \
  }                                                                                  \
  HET_MATH double __het_add_##suffix##_f64(double a, double b) {                     \
    return add64(a, b, mode);                                                        \
  }                                                                                  \
  HET_MATH double __het_sub_##suffix##_f64(double a, double b) {                     \
    return add64(a, -b, mode);                                                       \
  }                                                                                  \
  HET_MATH double __het_mul_##suffix##_f64(double a, double b) {                     \
    return multiply64(a, b, mode);                                                   \
  }                                                                                  \
  HET_MATH double __het_div_##suffix##_f64(double a, double b) {                     \
    return divide64(a, b, mode);                                                     \
  }                                                                                  \
  HET_MATH double __het_rcp_##suffix##_f64(double a) {                               \
    return divide64(1.0, a, mode);                                                   \
  }                                                                                  \
  HET_MATH double __het_sqrt_##suffix##_f64(double a) { return root64(a, mode); }    \
  HET_MATH double __het_fma_##suffix##_f64(double a, double b, double c) {           \
    return fma64Directed(a, b, c, mode);                                             \
  }                                                                                  \
  HET_MATH float __het_float_from_double_##suffix##_f64(double x) {                       \
    return narrow(x, 0, mode);                                                       \
  }

DIRECTED(rn, NEAREST)
DIRECTED(rz, ZERO)
DIRECTED(ru, UP)
DIRECTED(rd, DOWN)

HET_MATH float __het_rsqrt_rn_f32(float a) {
  /* 1 / sqrt(a) in double is within 2^-52 of it: enough for every float. */
  return (float)(1.0 / sqrt64(a));
}
