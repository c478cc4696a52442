/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Conversions to half precision and bfloat16, as their bits, with a rounding; and those
 * of pairs of e4m3 and e5m2. What is wider than float is made odd on the way: its last
 * digit is set where digits were lost, and it may be rounded once more.
 */
#include "math.h"

typedef uint16_t u16;

enum direction { rn, rz, ru, rd };

HET_LOCAL u16 encodeHalf(float x) { return __builtin_bit_cast(u16, (_Float16)x); }
HET_LOCAL float decodeHalf(u16 h) { return (float)__builtin_bit_cast(_Float16, h); }
HET_LOCAL u16 encodeBfloat(float x) {
  u32 word = bits32(x);
  u16 nearest = (u16)((word + 0x7fffu + (word >> 16 & 1)) >> 16);
  return (word & 0x7fffffffu) > 0x7f800000u ? 0x7fff : nearest;
}
HET_LOCAL float decodeBfloat(u16 b) { return float32((u32)b << 16); }

/* The neighbour in the wanted direction of bits, which are of the value found and
   nearest to exact. */
HET_LOCAL u16 directed(u16 bits, float found, float exact, enum direction to) {
  const int isNegative = bits >> 15;
  if (to == rz)
    to = isNegative ? ru : rd;
  const int isLow = found<exact, isHigh = found> exact;
  const int away = isNegative ? -1 : 1; /* up, in codes */
  int step = to == ru && isLow ? away : to == rd && isHigh ? -away : 0;
  return (u16)(bits + step);
}

/* To float, made odd. */
HET_LOCAL float oddDouble(double d) {
  float f = (float)d;
  u32 word = bits32(f);
  const int isOff = ((double)f > d) | ((double)f < d);
  const u32 step = abs64((double)f) > abs64(d) ? (u32)-1 : 1u;
  return float32((isOff & isFinite32(f) & !(word & 1)) ? word + step : word);
}
HET_LOCAL float oddUnsigned(u64 i) {
  const int shift = i >> 24 ? 40 - __builtin_clzll(i | 1) : 0; /* 24 bits are left */
  u64 kept = i >> shift;
  kept |= kept << shift != i;
  return (float)(i32)kept * power2f32(shift);
}
HET_LOCAL float oddSigned(i64 i) {
  float magnitude = oddUnsigned(i < 0 ? 0ull - (u64)i : (u64)i);
  return i < 0 ? -magnitude : magnitude;
}
HET_LOCAL float oddInt(u32 i) { return oddSigned((i32)i); }
HET_LOCAL float oddUint(u32 i) { return oddUnsigned(i); }
HET_LOCAL float same(float x) { return x; }

#define CONVERT(to, Encoding, from, bits, type, mode, odd)                               \
  HET_MATH u16 __het_##to##_from_##from##_##mode##_##bits(type x) {                      \
    float value = odd(x);                                                                \
    u16 nearest = encode##Encoding(value);                                               \
    return directed(nearest, decode##Encoding(nearest), value, mode);                    \
  }
#define CONVERT_INTEGERS(to, Encoding, mode)                                             \
  CONVERT(to, Encoding, int, i32, u32, mode, oddInt)                                     \
  CONVERT(to, Encoding, uint, i32, u32, mode, oddUint)                                   \
  CONVERT(to, Encoding, ll, i64, i64, mode, oddSigned)                                   \
  CONVERT(to, Encoding, ull, i64, u64, mode, oddUnsigned)
#define CONVERT_DIRECTED(to, Encoding, mode)                                             \
  CONVERT_INTEGERS(to, Encoding, mode)                                                   \
  CONVERT(to, Encoding, float, f32, float, mode, same)
#define CONVERT_ALL(to, Encoding)                                                        \
  CONVERT_INTEGERS(to, Encoding, rn)                                                     \
  CONVERT(to, Encoding, double, f64, double, rn, oddDouble)                              \
  CONVERT_DIRECTED(to, Encoding, rz)                                                     \
  CONVERT_DIRECTED(to, Encoding, ru)                                                     \
  CONVERT_DIRECTED(to, Encoding, rd)
CONVERT_ALL(half, Half)
CONVERT_ALL(bfloat, Bfloat)

/* The code of a number of 8 bits, to nearest; what is too large becomes `largest`, a NaN
   0x7f. The code of |x| is its value in units of the last digit, above those of the
   binades below. */
HET_LOCAL u32 narrow(float x, int digits, int bias, u32 largest) {
  const u32 magnitude = bits32(x) & 0x7fffffffu;
  const i32 biased = (i32)(magnitude >> 23) - 127, least = 1 - bias;
  i32 exponent = biased < least ? least : biased > 32 ? 32 : biased;
  const float count = rint32(float32(magnitude) * power2f32(digits - exponent));
  const u32 units = biased > 32 ? 0xffu : (u32)(i32)count;
  const u32 code = ((u32)(exponent + bias - 1) << digits) + units;
  const u32 sign = bits32(x) >> 24 & 0x80u;
  return magnitude > 0x7f800000u ? 0x7fu : sign | (code > largest ? largest : code);
}
HET_MATH u16 __het_e4m3x2_from_floats_rn_f32(float low, float high) {
  return (u16)(narrow(low, 3, 7, 0x7e) | narrow(high, 3, 7, 0x7e) << 8);
}
HET_MATH u16 __het_e5m2x2_from_floats_rn_f32(float low, float high) {
  return (u16)(narrow(low, 2, 15, 0x7b) | narrow(high, 2, 15, 0x7b) << 8);
}

/* A pair of halves of two e4m3. */
HET_LOCAL u32 halfOfE4m3(u32 code) {
  const u32 rest = code & 0x7fu;
  const float value = (float)(i32)(rest & 7) * 0x1p-9f;
  u32 bits = (rest >> 3) ? (rest << 7) + (8u << 10) : encodeHalf(value);
  return (code & 0x80u) << 8 | (rest == 0x7fu ? 0x7e00u : bits);
}
HET_MATH u32 __het_half2_from_e4m3x2_i16(u16 codes) {
  return halfOfE4m3(codes & 0xffu) | halfOfE4m3((u32)codes >> 8) << 16;
}
