/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What matrices consist of, and how products are added up: shared by matrix.c, which
 * multiplies for a whole team, and matrix_lanes.c, where each lane does.
 *
 * Source: PTX ISA, "Warp-level matrix instructions"; docs/spec/hetir-ops.md.
 */
#ifndef HET_DEVICELIB_MATRIX_H
#define HET_DEVICELIB_MATRIX_H

#include "teams.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef uint16_t u16;
typedef int32_t i32;
/* What is in memory may be of any type. */
typedef uint8_t __attribute__((may_alias)) Byte;
typedef u16 __attribute__((may_alias)) Half;
typedef u32 __attribute__((may_alias)) Pair;

/* What an operation is told beside its shape (lib/Transforms/Segments/MatrixSlots.h). */
enum {
  A_IS_OTHER = 1, /* signed integers, or e5m2 */
  B_IS_OTHER = 2,
  SATURATES = 4,
  C_IS_HALF = 8,
  D_IS_HALF = 16,
  IS_AND = 32
};

#define NAMES(...) __VA_ARGS__
#define NOT_INLINE __attribute__((noinline))

HET_INLINE float floatOfBits(u32 bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

HET_INLINE u32 bitsOfFloat(float value) {
  u32 bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}

HET_INLINE float floatOfHalf(u32 bits) {
  u16 low = (u16)bits;
  _Float16 value;
  __builtin_memcpy(&value, &low, sizeof(value));
  return (float)value;
}

HET_INLINE u32 bitsOfHalf(float value) {
  _Float16 half = (_Float16)value;
  u16 bits;
  __builtin_memcpy(&bits, &half, sizeof(bits));
  return value != value ? 0x7FFFu : bits;
}

//===----------------------------------------------------------------------===//
// Elements: element i of a register
//===----------------------------------------------------------------------===//

HET_INLINE float e4m3(u32 byte) {
  u32 magnitude = byte & 0x7Fu, sign = (byte & 0x80u) << 24;
  u32 normal = (magnitude << 20) + (120u << 23);
  u32 small = bitsOfFloat((float)(i32)magnitude * 0x1p-9f);
  u32 bits = magnitude < 8 ? small : normal;
  return floatOfBits((magnitude == 0x7Fu ? 0x7FC00000u : bits) | sign);
}

HET_INLINE float element_f16(u32 word, u32 i, u32 other) {
  (void)other;
  return floatOfHalf(word >> 16 * i);
}
HET_INLINE float element_bf16(u32 word, u32 i, u32 other) {
  (void)other;
  return floatOfBits(i ? word & 0xFFFF0000u : word << 16);
}
HET_INLINE float element_tf32(u32 word, u32 i, u32 other) {
  (void)i, (void)other;
  return floatOfBits(word & 0xFFFFE000u);
}
HET_INLINE float element_f8(u32 word, u32 i, u32 isE5m2) {
  u32 byte = word >> 8 * i & 0xFFu;
  return isE5m2 ? floatOfHalf(byte << 8) : e4m3(byte);
}
HET_INLINE double element_f64(u64 word, u32 i, u32 other) {
  (void)i, (void)other;
  double value;
  __builtin_memcpy(&value, &word, sizeof(value));
  return value;
}
HET_INLINE i32 element_i8(u32 word, u32 i, u32 isSigned) {
  u32 sign = isSigned ? 0x80u : 0;
  return (i32)(((word >> 8 * i & 0xFFu) ^ sign) - sign);
}
HET_INLINE i32 element_i4(u32 word, u32 i, u32 isSigned) {
  u32 sign = isSigned ? 0x8u : 0;
  return (i32)(((word >> 4 * i & 0xFu) ^ sign) - sign);
}
/* A row or column of bits goes by words. */
HET_INLINE i32 element_b1(u32 word, u32 i, u32 other) {
  (void)i, (void)other;
  return (i32)word;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

HET_INLINE float add_float(float a, float b, float sum, u32 flags) {
  (void)flags;
  return __builtin_fmaf(a, b, sum);
}
HET_INLINE double add_double(double a, double b, double sum, u32 flags) {
  (void)flags;
  return __builtin_fma(a, b, sum);
}
HET_INLINE i32 add_i32(i32 a, i32 b, i32 sum, u32 flags) {
  (void)flags;
  return sum + a * b;
}
HET_INLINE i32 add_bits(i32 a, i32 b, i32 sum, u32 flags) {
  return sum + __builtin_popcount((u32)(flags & IS_AND ? a & b : a ^ b));
}

/* Where element e of C or D lies in a lane: its register. */
#define SUM_ROW(e, g) ((g) + 8 * ((e) >> 1))
#define SUM_COLUMN(e, t) (2 * (t) + ((e) & 1))

HET_INLINE float begin_float(const u32 *c, u64 stride, u32 e, u32 flags) {
  return flags & C_IS_HALF ? floatOfHalf(c[stride * (e >> 1)] >> 16 * (e & 1))
                           : floatOfBits(c[stride * e]);
}
HET_INLINE double begin_double(const u64 *c, u64 stride, u32 e, u32 flags) {
  return element_f64(c[stride * e], 0, flags);
}
/* Integers are added up from 0, without overflow; C comes in the end. */
HET_INLINE i32 begin_i32(const u32 *c, u64 stride, u32 e, u32 flags) {
  (void)c, (void)stride, (void)e, (void)flags;
  return 0;
}
#define begin_bits begin_i32

/* Two elements of a row, which are neighbours. */
HET_INLINE void end_float(u32 *d, const u32 *c, u64 stride, u32 e, u32 flags, float low,
                          float high) {
  (void)c;
  if (flags & D_IS_HALF) {
    d[stride * (e >> 1)] = bitsOfHalf(low) | bitsOfHalf(high) << 16;
    return;
  }
  d[stride * e] = low != low ? 0x7FFFFFFFu : bitsOfFloat(low);
  d[stride * (e + 1)] = high != high ? 0x7FFFFFFFu : bitsOfFloat(high);
}
HET_INLINE u64 bitsOfDouble(double value) {
  u64 bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return value != value ? 0x7FF8000000000000u : bits;
}
HET_INLINE void end_double(u64 *d, const u64 *c, u64 stride, u32 e, u32 flags, double low,
                           double high) {
  (void)c, (void)flags;
  d[stride * e] = bitsOfDouble(low);
  d[stride * (e + 1)] = bitsOfDouble(high);
}
HET_INLINE u32 addInteger(u32 c, i32 sum, u32 flags) {
  int64_t exact = (int64_t)(i32)c + sum;
  if (flags & SATURATES)
    exact = exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? INT32_MIN : exact;
  return (u32)exact;
}
HET_INLINE void end_i32(u32 *d, const u32 *c, u64 stride, u32 e, u32 flags, i32 low,
                        i32 high) {
  d[stride * e] = addInteger(c[stride * e], low, flags);
  d[stride * (e + 1)] = addInteger(c[stride * (e + 1)], high, flags);
}
#define end_bits end_i32

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/* Of each kind of elements: a register, what an element becomes, how it is added, and how
   many of these a register holds. */
#define WORD_f16 u32
#define WORD_bf16 u32
#define WORD_tf32 u32
#define WORD_f8 u32
#define WORD_f64 u64
#define WORD_i8 u32
#define WORD_i4 u32
#define WORD_b1 u32
#define VALUE_f16 float
#define VALUE_bf16 float
#define VALUE_tf32 float
#define VALUE_f8 float
#define VALUE_f64 double
#define VALUE_i8 i32
#define VALUE_i4 i32
#define VALUE_b1 i32
#define KIND_f16 float
#define KIND_bf16 float
#define KIND_tf32 float
#define KIND_f8 float
#define KIND_f64 double
#define KIND_i8 i32
#define KIND_i4 i32
#define KIND_b1 bits
#define PER_REGISTER_f16 2
#define PER_REGISTER_bf16 2
#define PER_REGISTER_tf32 1
#define PER_REGISTER_f8 4
#define PER_REGISTER_f64 1
#define PER_REGISTER_i8 4
#define PER_REGISTER_i4 8
#define PER_REGISTER_b1 1
/* Columns of A: a word of bits counts as one. */
#define DEPTH_f16(k) (k)
#define DEPTH_bf16(k) (k)
#define DEPTH_tf32(k) (k)
#define DEPTH_f8(k) (k)
#define DEPTH_f64(k) (k)
#define DEPTH_i8(k) (k)
#define DEPTH_i4(k) (k)
#define DEPTH_b1(k) ((k) / 32)

#define PASTE(a, b) PASTED(a, b)
#define PASTED(a, b) a##b

enum { IS_TRANSPOSED = 8 }; /* beside the count of matrices */

#endif
