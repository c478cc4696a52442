/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Quotients: digits of 29 bits, each the remainder times a reciprocal of 32 bits that is
 * never too large (Newton's method), so that a digit is never too large either. What it
 * is too small the next one makes up; the remainder stays exact, modulo 2^64.
 */
#include "SoftFloatParts.h"

/*
 * 2^63 / b, for b with its highest bit set: at most that, and less by no more than 3
 * (tried for all b). b stands for b / 2^32, the result for r / 2^31.
 */
LOCAL u32 reciprocal(u32 b) {
  /* 48/17 - 32/17 b, within 1/17 of it. */
  u32 r = 0x69696969u - high32(b, 0xf0f0f0f0u);
  /* r (2 - b r); the complement is 2 - b r rounded down. */
  r = (u32)((u64)r * ~high32(b, r) >> 31);
  r = (u32)((u64)r * ~high32(b, r) >> 31);
  return (u32)((u64)r * ~high32(b, r) >> 31);
}

/* Where one is 0, infinite or NaN. */
LOCAL u64 special64(u64 a, u64 b, u64 sign) {
  u64 x = size64(a), y = size64(b);
  if (x > INF64 || y > INF64 || (x == y && (!x || x == INF64)))
    return NAN64;
  return x == INF64 || !y ? sign | INF64 : sign;
}
LOCAL u32 special32(u32 a, u32 b, u32 sign) {
  u32 x = size32(a), y = size32(b);
  if (x > INF32 || y > INF32 || (x == y && (!x || x == INF32)))
    return NAN32;
  return x == INF32 || !y ? sign | INF32 : sign;
}

uint64_t __het_soft_div_f64(uint64_t a, uint64_t b) {
  u64 sign = (a ^ b) & SIGN64;
  if (RARE(!isNormal64(a) | !isNormal64(b)))
    if (field64(a) == 2047 || field64(b) == 2047 || !size64(a) || !size64(b))
      return special64(a, b, sign);
  Number64 x = number64(a), y = number64(b);
  u64 divisor = y.fraction, rest = x.fraction;
  /* 2^84 / divisor, by its upper 32 bits: 2 less is not too much. */
  u32 r = reciprocal((u32)(divisor >> 21)) - 2;
  u64 first = (rest >> 24) * r >> 31;
  rest = (rest << 29) - first * divisor;
  u64 second = (rest >> 24) * r >> 31;
  rest = (rest << 29) - second * divisor;
  u64 third = (rest >> 26) * r >> 58;
  rest -= third * divisor;
  u64 quotient = (first << 29) + second + third;
  u32 more = rest >= divisor;
  rest -= more ? divisor : 0;
  quotient += more; /* floor(2^58 x / y) */
  u64 significand = quotient << 5 | (rest != 0);
  u32 up = (u32)(significand >> 63) ^ 1;
  return round64(sign, x.exponent - y.exponent + 1023 - (i32)up, significand << up);
}

uint32_t __het_soft_div_f32(uint32_t a, uint32_t b) {
  u32 sign = (a ^ b) & SIGN32;
  if (RARE(!isNormal32(a) | !isNormal32(b)))
    if (field32(a) == 255 || field32(b) == 255 || !size32(a) || !size32(b))
      return special32(a, b, sign);
  Number32 x = number32(a), y = number32(b);
  u32 divisor = y.fraction;
  u32 quotient = (u32)((u64)x.fraction * reciprocal(divisor << 8) >> 27);
  u32 rest = (x.fraction << 28) - quotient * divisor;
  u32 more = rest >= divisor;
  rest -= more ? divisor : 0;
  quotient += more; /* floor(2^28 x / y) */
  u32 significand = quotient << 3 | (rest != 0);
  u32 up = significand >> 31 ^ 1;
  return round32(sign, x.exponent - y.exponent + 127 - (i32)up, significand << up);
}
