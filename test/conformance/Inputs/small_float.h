// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 16-bit floating type under test, __half or (with BFLOAT) __nv_bfloat16, by
// one set of names, and its arithmetic on the host, done with integers and
// doubles: exact first, then rounded once.

#ifndef CONFORMANCE_SMALL_FLOAT_H
#define CONFORMANCE_SMALL_FLOAT_H

#include "floats.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifdef BFLOAT
typedef __nv_bfloat16 Small;
typedef __nv_bfloat162 Small2;
#define AS_SMALL __ushort_as_bfloat16
#define AS_BITS __bfloat16_as_ushort
#define NAMED(prefix, suffix) prefix##bfloat16##suffix
#else
typedef __half Small;
typedef __half2 Small2;
#define AS_SMALL __ushort_as_half
#define AS_BITS __half_as_ushort
#define NAMED(prefix, suffix) prefix##half##suffix
#endif

namespace small {
typedef unsigned short Bits;
using floats::Mode;

#ifdef BFLOAT
const int digits = 8, least = -126, most = 127;
#else
const int digits = 11, least = -14, most = 15;
#endif
const Bits infinity = (Bits)((2 * most + 1) << (digits - 1));
const Bits nan = 0x7fff;

inline bool isNan(Bits b) { return (b & 0x7fff) > infinity; }

inline double value(Bits bits) {
  int exponent = (bits & 0x7fff) >> (digits - 1);
  int fraction = bits & ((1 << (digits - 1)) - 1);
  double x;
  if (exponent == 2 * most + 1)
    x = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    x = std::ldexp((double)fraction, least - digits + 1);
  else
    x = std::ldexp((double)(fraction | 1 << (digits - 1)), exponent - most - digits + 1);
  return bits & 0x8000 ? -x : x;
}

// Rounds an exact value once.
inline Bits round(double x, Mode mode = floats::Nearest) {
  if (x != x)
    return nan;
  Bits sign = std::signbit(x) ? 0x8000 : 0;
  double a = std::fabs(x);
  if (a == 0 || std::isinf(a))
    return sign | (a == 0 ? (Bits)0 : infinity);
  int e = std::ilogb(a) < least ? least : std::ilogb(a);
  if (e > most + 1)
    e = most + 1;
  double ulp = std::ldexp(1.0, e - digits + 1), q = a / ulp;
  double floor = std::floor(q), rest = q - floor;
  bool up = mode == floats::Nearest
                ? rest > 0.5 || (rest == 0.5 && std::fmod(floor, 2) == 1)
                : rest > 0 && mode == (sign ? floats::Down : floats::Up);
  double r = (floor + up) * ulp;
  if (r >= std::ldexp(1.0, most + 1)) {
    bool away = mode == floats::Nearest || mode == (sign ? floats::Down : floats::Up);
    return sign | (Bits)(away ? infinity : infinity - 1);
  }
  if (r < std::ldexp(1.0, least))
    return sign | (Bits)(r / std::ldexp(1.0, least - digits + 1));
  int exponent = std::ilogb(r);
  int fraction = (int)std::ldexp(r, digits - 1 - exponent);
  return sign | (Bits)((exponent + most) << (digits - 1) |
                       (fraction & ((1 << (digits - 1)) - 1)));
}

// a + b, made odd where a double does not hold it, so that rounding it once
// more is right.
inline double sum(double x, double y) {
  volatile double a = x, b = y, s = a + b;
  if (s != s || std::isinf(s))
    return s;
  volatile double t = s - a, error = (a - (s - t)) + (b - t);
  unsigned long long bits;
  double result = s;
  memcpy(&bits, &result, sizeof bits);
  if (error != 0 && !(bits & 1))
    result = std::nextafter(result, error > 0 ? INFINITY : -INFINITY);
  return result;
}

// Bits under test: all borders, both signs, and some of each exponent.
inline std::vector<Bits> samples(int step) {
  std::vector<Bits> list;
  Bits one = round(1.0);
  for (int sign = 0; sign < 2; ++sign)
    for (int b : {0, 1, 2, (1 << (digits - 1)) - 1, 1 << (digits - 1), one - 1, (int)one,
                  one + 1, infinity - 1, (int)infinity, (int)nan})
      list.push_back((Bits)(b | sign << 15));
  for (int b = 5; b < 0x10000; b += step)
    list.push_back((Bits)b);
  for (int i = 0; i < 24; ++i) // near to 1, where sums meet
    list.push_back((Bits)(one - 300 + i * 29));
  return list;
}

// Equal, where every NaN is one.
inline void compare(const char *what, int line, long long index, Bits found,
                    Bits expected) {
  check::equal(what, line, index, isNan(found) ? nan : found,
               isNan(expected) ? nan : expected);
}
} // namespace small

#define CHECK_SMALL(index, found, expected)                                              \
  small::compare(#found, __LINE__, index, found, expected)

#endif // CONFORMANCE_SMALL_FLOAT_H
