/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Converts floating-point numbers from and to integers. */
#include "SoftFloatParts.h"

uint64_t __het_soft_f64_from_u64(uint64_t a) {
  u32 up = zeros64(a | 1);
  return a ? round64(0, 1023 + 63 - (i32)up, a << up) : 0;
}
uint64_t __het_soft_f64_from_i64(int64_t a) {
  u64 size = a < 0 ? -(u64)a : (u64)a;
  return __het_soft_f64_from_u64(size) | ((u64)a & SIGN64);
}
uint64_t __het_soft_f64_from_u32(uint32_t a) {
  u32 up = zeros32(a | 1);
  u64 bits = ((u64)(1023 + 30 - up) << 52) + ((u64)(a << up) << 21);
  return a ? bits : 0;
}
uint64_t __het_soft_f64_from_i32(int32_t a) {
  u32 size = a < 0 ? -(u32)a : (u32)a;
  return __het_soft_f64_from_u32(size) | ((u64)((u32)a & SIGN32) << 32);
}

uint32_t __het_soft_f32_from_u64(uint64_t a) {
  u32 up = zeros64(a | 1);
  u64 all = a << up;
  u32 significand = (u32)(all >> 32) | ((u32)all != 0);
  return a ? round32(0, 127 + 63 - (i32)up, significand) : 0;
}
uint32_t __het_soft_f32_from_i64(int64_t a) {
  u64 size = a < 0 ? -(u64)a : (u64)a;
  return __het_soft_f32_from_u64(size) | (a < 0 ? SIGN32 : 0);
}
uint32_t __het_soft_f32_from_u32(uint32_t a) {
  u32 up = zeros32(a | 1);
  return a ? round32(0, 127 + 31 - (i32)up, a << up) : 0;
}
uint32_t __het_soft_f32_from_i32(int32_t a) {
  u32 size = a < 0 ? -(u32)a : (u32)a;
  return __het_soft_f32_from_u32(size) | ((u32)a & SIGN32);
}

/* The integer part of |a| below 2^bits, for bits of 32 and 64; else all bits set. */
LOCAL u64 part64From64(u64 a) {
  i32 down = 1023 + 63 - field64(a);
  u64 all = (a << 11) | SIGN64;
  return down < 0 ? ~(u64)0 : down > 63 ? 0 : all >> down;
}
LOCAL u64 part64From32(u32 a) {
  i32 down = 127 + 63 - field32(a);
  u64 all = (u64)(a << 8 | SIGN32) << 32;
  return down < 0 ? ~(u64)0 : down > 63 ? 0 : all >> down;
}
LOCAL u32 part32From64(u64 a) {
  i32 down = 1023 + 31 - field64(a);
  u32 all = (u32)(a >> 21) | SIGN32;
  return down < 0 ? ~0u : down > 31 ? 0 : all >> down;
}
LOCAL u32 part32From32(u32 a) {
  i32 down = 127 + 31 - field32(a);
  u32 all = a << 8 | SIGN32;
  return down < 0 ? ~0u : down > 31 ? 0 : all >> down;
}

/* The value of the type nearest to an integer `part`, which has a sign or none. */
#define SIGNED(name, type, word, part, isNan, sign, top)                             \
  type name(word a) {                                                                \
    i32 isNegative = (a & (sign)) != 0;                                              \
    u##type most = (u##type)((u##type)(top) + (u##type)isNegative);                  \
    u##type size = part(a) > most ? most : (u##type)part(a);                         \
    return isNan(a) ? 0 : (type)(isNegative ? (u##type)(0 - size) : size);           \
  }
#define UNSIGNED(name, type, word, part, isNan, sign, top)                           \
  type name(word a) {                                                                \
    i32 isNone = isNan(a) | ((a & (sign)) != 0);                                     \
    return isNone ? 0 : part(a) > (top) ? (type)(top) : (type)part(a);               \
  }
#define CONVERSIONS(suffix, word, part32, part64, isNan, sign)                       \
  SIGNED(__het_soft_i8_from_##suffix, int8_t, word, part32, isNan, sign, 0x7f)       \
  UNSIGNED(__het_soft_u8_from_##suffix, uint8_t, word, part32, isNan, sign, 0xff)    \
  SIGNED(__het_soft_i16_from_##suffix, int16_t, word, part32, isNan, sign, 0x7fff)   \
  UNSIGNED(__het_soft_u16_from_##suffix, uint16_t, word, part32, isNan, sign, 0xffff) \
  SIGNED(__het_soft_i32_from_##suffix, int32_t, word, part32, isNan, sign, 0x7fffffffu) \
  UNSIGNED(__het_soft_u32_from_##suffix, uint32_t, word, part32, isNan, sign, ~0u)   \
  SIGNED(__het_soft_i64_from_##suffix, int64_t, word, part64, isNan, sign, SIGN64 - 1) \
  UNSIGNED(__het_soft_u64_from_##suffix, uint64_t, word, part64, isNan, sign, ~(u64)0)
CONVERSIONS(f64, uint64_t, part32From64, part64From64, isNan64, SIGN64)
CONVERSIONS(f32, uint32_t, part32From32, part64From32, isNan32, SIGN32)
