/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions among floating-point numbers of 16, 32 and 64 bits. */
#include "SoftFloatParts.h"

LOCAL u32 round16(u32 sign, i32 exponent, u32 significand) {
  if (exponent < 1) {
    significand = sticky32(significand, (u32)(1 - exponent));
    exponent = 1;
  }
  u32 rest = significand & 0x1fffff, odd = significand >> 21 & 1;
  u32 bits = ((u32)(exponent - 1) << 10) + (significand >> 21);
  bits += (rest + 0xfffff + odd) >> 21;
  return sign | (exponent > 30 ? 0x7c00u : bits);
}

uint64_t __het_soft_f64_from_f32(uint32_t a) {
  u64 sign = (u64)(a & SIGN32) << 32;
  u64 bits = ((u64)size32(a) << 29) + ((u64)(1023 - 127) << 52);
  if (RARE(!isNormal32(a))) {
    if (!size32(a))
      return sign;
    if (field32(a) == 255)
      return sign | INF64 | (u64)size32(a) << 29 | (isNan32(a) ? QUIET64 : 0);
    Number32 n = number32(a);
    bits = ((u64)(u32)(n.exponent + 1023 - 127 - 1) << 52) + ((u64)n.fraction << 29);
  }
  return sign | bits;
}

uint32_t __het_soft_f32_from_f64(uint64_t a) {
  u32 sign = (u32)(a >> 32) & SIGN32;
  /* 0 and subnormal numbers are far below the least one of 32 bits, whatever the
     fraction. */
  u32 significand = (u32)(a >> 21) | SIGN32 | ((u32)a << 11 != 0);
  u32 result = round32(sign, field64(a) + 127 - 1023, significand);
  if (RARE(isNan64(a)))
    result = sign | NAN32 | ((u32)(a >> 29) & (ONE32 - 1));
  return result;
}

uint32_t __het_soft_f32_from_f16(uint16_t a) {
  u32 sign = (u32)(a >> 15) << 31, size = a & 0x7fffu;
  u32 bits = (size << 13) + ((127u - 15u) << 23);
  if (size < 0x400u) { /* 0 or subnormal: size 2^-24 */
    u32 up = zeros32(size | 1) - 8;
    bits = size ? ((127u - 24u + 23u - 1u - up) << 23) + (size << up) : 0;
  }
  if (size >= 0x7c00u)
    bits = INF32 | size << 13 | (size > 0x7c00u ? QUIET32 : 0);
  return sign | bits;
}
uint64_t __het_soft_f64_from_f16(uint16_t a) {
  return __het_soft_f64_from_f32(__het_soft_f32_from_f16(a));
}

uint16_t __het_soft_f16_from_f32(uint32_t a) {
  u32 sign = a >> 16 & 0x8000u;
  u32 result = round16(sign, field32(a) + 15 - 127, a << 8 | SIGN32);
  return (u16)(isNan32(a) ? sign | 0x7e00u | (a >> 13 & 0x3ffu) : result);
}
uint16_t __het_soft_f16_from_f64(uint64_t a) {
  u32 sign = (u32)(a >> 48) & 0x8000u;
  u32 significand = (u32)(a >> 21) | SIGN32 | ((u32)a << 11 != 0);
  u32 result = round16(sign, field64(a) + 15 - 1023, significand);
  return (u16)(isNan64(a) ? sign | 0x7e00u | ((u32)(a >> 42) & 0x3ffu) : result);
}
