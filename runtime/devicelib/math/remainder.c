/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * fmod, remainder and remquo, exact, by long division of the integer fractions: one bit
 * of quotient a step, as many steps as the exponents differ.
 */
#include "inverse_f32.h"

struct Division {
  u64 rest;     /* of |x| / |y|, in units of 2^unit */
  u32 quotient; /* its low bits */
  i32 unit;
};

struct Integer {
  u64 fraction;
  i32 exponent;
};

/* |x| = fraction 2^exponent, the fraction's highest bit at `top`. */
HET_LOCAL struct Integer integerOf(double x) {
  u64 bits = bits64(x) & ~(1ull << 63);
  struct Integer r = {(bits & ((1ull << 52) - 1)) | 1ull << 52, (i32)(bits >> 52) - 1075};
  if (bits >> 52 == 0) {
    i32 shift = __builtin_clzll(bits | 1) - 11;
    r.fraction = bits << shift;
    r.exponent = -1074 - shift;
  }
  return r;
}

/* For finite x and y, neither 0, |x| >= |y|. */
HET_LOCAL struct Division divide(double x, double y) {
  struct Integer a = integerOf(x), b = integerOf(y);
  struct Division d = {a.fraction, 0, b.exponent};
  for (i32 n = a.exponent - b.exponent; n >= 0; --n) {
    u64 fits = d.rest >= b.fraction;
    d.rest -= fits ? b.fraction : 0;
    d.quotient = d.quotient << 1 | (u32)fits;
    d.rest <<= n > 0;
  }
  return d;
}

HET_LOCAL double restOf(struct Division d) {
  double r = (double)d.rest;
  i32 half = d.unit / 2;
  return r * power2f64(half) * power2f64(d.unit - half);
}

HET_LOCAL double modulo(double x, double y) {
  if (isNan64(x) || isNan64(y) || isInf64(x) || y == 0)
    return NAN64;
  if (abs64(x) < abs64(y) || x == 0)
    return x;
  return sign64(restOf(divide(x, y)), x);
}

struct Remainder {
  double rest;
  i32 quotient; /* its low bits, with its sign */
};

/* The remainder of the nearest quotient (the even one where two are near). */
HET_LOCAL struct Remainder nearest(double x, double y) {
  if (isNan64(x) || isNan64(y) || isInf64(x) || y == 0)
    return (struct Remainder){NAN64, 0};
  if (isInf64(y) || x == 0)
    return (struct Remainder){x, 0};
  double rest = abs64(x), divisor = abs64(y);
  u32 bits = 0;
  if (rest >= divisor) {
    struct Division d = divide(x, y);
    rest = restOf(d);
    bits = d.quotient;
  }
  double other = divisor - rest;
  if (rest > other || (rest == other && (bits & 1u))) {
    rest = -other;
    ++bits;
  }
  i32 quotient = (i32)(bits & 0x7fffffffu);
  struct Remainder r;
  r.rest = bits64(x) >> 63 ? -rest : rest;
  r.quotient = (bits64(x) ^ bits64(y)) >> 63 ? -quotient : quotient;
  return r;
}

HET_MATH double __het_fmod_f64(double x, double y) { return modulo(x, y); }
HET_MATH double __het_remainder_f64(double x, double y) { return nearest(x, y).rest; }

/* Division of floats: a quotient below 2^22 takes one step, for x - n y is a float then.
   */
struct Short {
  float rest, divisor; /* |x| - n |y| is within 0.6 |y| of 0 */
  u32 n;
  int far; /* the long way is needed */
};
HET_LOCAL struct Short shortDivision(float x, float y) {
  float a = abs32(x);
  struct Short s;
  s.divisor = abs32(y);
  float shifted = fma32(a, inverse32(s.divisor), 0x1.8p23f);
  s.n = bits32(shifted);
  s.rest = fma32(-(shifted - 0x1.8p23f), s.divisor, a);
  s.far = !(a < s.divisor * 0x1p22f && s.divisor > 0x1p-100f && s.divisor < 0x1p100f);
  return s;
}
HET_MATH float __het_fmod_f32(float x, float y) {
  struct Short s = shortDivision(x, y);
  float r = sign32(s.rest < 0.0f ? s.rest + s.divisor : s.rest, x);
  if (RARE(s.far))
    r = (float)modulo(x, y);
  return r;
}
HET_MATH float __het_remainder_f32(float x, float y) {
  struct Short s = shortDivision(x, y);
  float twice = abs32(s.rest) * 2.0f, other = s.rest - sign32(s.divisor, s.rest);
  /* The even one of two quotients as near. */
  int more = twice > s.divisor || (twice == s.divisor && (s.n & 1u));
  float r = more ? other : s.rest;
  r = r == 0.0f ? sign32(r, x) : float32(bits32(r) ^ (bits32(x) & 0x80000000u));
  if (RARE(s.far))
    r = (float)nearest(x, y).rest;
  return r;
}
HET_MATH double __het_remquo_f64(double x, double y) { return nearest(x, y).rest; }
HET_MATH float __het_remquo_f32(float x, float y) { return (float)nearest(x, y).rest; }
HET_MATH i32 __het_remquo_quotient_f64(double x, double y) {
  return nearest(x, y).quotient;
}
HET_MATH i32 __het_remquo_quotient_f32(float x, float y) {
  return nearest(x, y).quotient;
}
