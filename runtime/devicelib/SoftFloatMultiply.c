/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Multiplies numbers, rounding once to nearest, ties to even. */
#include "SoftFloatParts.h"

/* Where a factor is 0, infinite or NaN; else 0. */
LOCAL u64 special64(u64 a, u64 b, u64 sign) {
  u64 x = size64(a), y = size64(b);
  u64 large = x > y ? x : y, small = x > y ? y : x;
  if (large > INF64 || (large == INF64 && !small))
    return NAN64;
  return large == INF64 ? sign | INF64 : sign;
}
LOCAL u32 special32(u32 a, u32 b, u32 sign) {
  u32 x = size32(a), y = size32(b);
  u32 large = x > y ? x : y, small = x > y ? y : x;
  if (large > INF32 || (large == INF32 && !small))
    return NAN32;
  return large == INF32 ? sign | INF32 : sign;
}

uint64_t __het_soft_mul_f64(uint64_t a, uint64_t b) {
  u64 sign = (a ^ b) & SIGN64;
  if (RARE(!isNormal64(a) | !isNormal64(b)))
    if (field64(a) == 2047 || field64(b) == 2047 || !size64(a) || !size64(b))
      return special64(a, b, sign);
  Number64 x = number64(a), y = number64(b);
  Product p = product64(x.fraction << 11, y.fraction << 11);
  u64 significand = p.high | (p.low != 0);
  u32 up = (u32)(significand >> 63) ^ 1;
  return round64(sign, x.exponent + y.exponent - 1022 - (i32)up, significand << up);
}

uint32_t __het_soft_mul_f32(uint32_t a, uint32_t b) {
  u32 sign = (a ^ b) & SIGN32;
  if (RARE(!isNormal32(a) | !isNormal32(b)))
    if (field32(a) == 255 || field32(b) == 255 || !size32(a) || !size32(b))
      return special32(a, b, sign);
  Number32 x = number32(a), y = number32(b);
  u64 p = (u64)(x.fraction << 8) * (y.fraction << 8);
  u32 significand = (u32)(p >> 32) | ((u32)p != 0);
  u32 up = significand >> 31 ^ 1;
  return round32(sign, x.exponent + y.exponent - 126 - (i32)up, significand << up);
}
