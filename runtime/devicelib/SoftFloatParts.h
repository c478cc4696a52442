/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shared by the operations of SoftFloat.h: numbers taken apart, and rounding.
 *
 * Terms: the *fraction* of a number, with its leading bit where it has one; the
 * *exponent*, biased as in the number's bits, of a subnormal number 1; a *significand*, a
 * word whose leading bit is its highest, the exponent belonging to that bit. Bits of a
 * result below a word are *sticky*: the last bit is set if any of them is.
 */
#ifndef HET_DEVICELIB_SOFTFLOATPARTS_H
#define HET_DEVICELIB_SOFTFLOATPARTS_H

#include "SoftFloat.h"

typedef int32_t i32;
typedef int64_t i64;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define LOCAL static inline __attribute__((const, nothrow, always_inline))
/* A condition hardly ever true. */
#define RARE(condition) __builtin_expect(!!(condition), 0)

#define SIGN64 ((u64)1 << 63)
#define INF64 ((u64)2047 << 52)
#define ONE64 ((u64)1 << 52) /* of the exponent; a fraction's leading bit */
#define QUIET64 ((u64)1 << 51)
#define NAN64 (INF64 | QUIET64)
#define SIGN32 0x80000000u
#define INF32 0x7f800000u
#define ONE32 0x00800000u
#define QUIET32 0x00400000u
#define NAN32 (INF32 | QUIET32)

LOCAL u64 size64(u64 a) { return a & ~SIGN64; }
LOCAL u32 size32(u32 a) { return a & ~SIGN32; }
/* As it stands in the bits: 0 of a subnormal number. */
LOCAL i32 field64(u64 a) { return (i32)(a >> 52) & 2047; }
LOCAL i32 field32(u32 a) { return (i32)(a >> 23) & 255; }
LOCAL i32 isNan64(u64 a) { return size64(a) > INF64; }
LOCAL i32 isNan32(u32 a) { return size32(a) > INF32; }

LOCAL u64 fraction64(u64 a) { return (a & (ONE64 - 1)) | (u64)(field64(a) != 0) << 52; }
LOCAL u32 fraction32(u32 a) { return (a & (ONE32 - 1)) | (u32)(field32(a) != 0) << 23; }
LOCAL i32 exponent64(u64 a) { return field64(a) + (field64(a) == 0); }
LOCAL i32 exponent32(u32 a) { return field32(a) + (field32(a) == 0); }

/* Neither 0 nor subnormal, infinite, NaN. */
LOCAL i32 isNormal64(u64 a) { return (u32)field64(a) - 1u < 2046u; }
LOCAL i32 isNormal32(u32 a) { return (u32)field32(a) - 1u < 254u; }

LOCAL u32 zeros64(u64 a) { return (u32)__builtin_clzll(a); }
LOCAL u32 zeros32(u32 a) { return (u32)__builtin_clz(a); }

/* A number but 0 with its fraction's leading bit at its place, also of a subnormal one,
   whose exponent goes below 1. */
typedef struct {
  u64 fraction;
  i32 exponent;
} Number64;
typedef struct {
  u32 fraction;
  i32 exponent;
} Number32;

LOCAL Number64 number64(u64 a) {
  Number64 n = {fraction64(a), exponent64(a)};
  if (RARE(!field64(a))) {
    u32 up = zeros64(n.fraction | 1) - 11;
    n.fraction <<= up;
    n.exponent -= (i32)up;
  }
  return n;
}
LOCAL Number32 number32(u32 a) {
  Number32 n = {fraction32(a), exponent32(a)};
  if (RARE(!field32(a))) {
    u32 up = zeros32(n.fraction | 1) - 8;
    n.fraction <<= up;
    n.exponent -= (i32)up;
  }
  return n;
}

/* Shifts right, sticky. */
LOCAL u64 sticky64(u64 a, u32 count) {
  u32 down = count < 63 ? count : 63;
  u64 kept = a >> down;
  return kept | (kept << down != a);
}
LOCAL u32 sticky32(u32 a, u32 count) {
  u32 down = count < 31 ? count : 31;
  u32 kept = a >> down;
  return kept | (kept << down != a);
}

/* The number of this sign, exponent and (sticky) significand. */
LOCAL u64 round64(u64 sign, i32 exponent, u64 significand) {
  if (RARE(exponent < 1)) {
    significand = sticky64(significand, (u32)(1 - exponent));
    exponent = 1;
  }
  /* The leading bit adds one to the exponent; so does a carry of the rounding. */
  u32 rest = (u32)significand & 2047, odd = (u32)(significand >> 11) & 1;
  u64 bits = ((u64)(u32)(exponent - 1) << 52) + (significand >> 11);
  bits += (rest + 1023 + odd) >> 11;
  return sign | (exponent > 2046 ? INF64 : bits);
}
LOCAL u32 round32(u32 sign, i32 exponent, u32 significand) {
  if (RARE(exponent < 1)) {
    significand = sticky32(significand, (u32)(1 - exponent));
    exponent = 1;
  }
  u32 rest = significand & 255, odd = significand >> 8 & 1;
  u32 bits = ((u32)(exponent - 1) << 23) + (significand >> 8);
  bits += (rest + 127 + odd) >> 8;
  return sign | (exponent > 254 ? INF32 : bits);
}

/* The upper word of a product. */
LOCAL u32 high32(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }

typedef struct {
  u64 low, high;
} Product;

LOCAL Product product64(u64 a, u64 b) {
  u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
  u64 low = a0 * b0, cross = a1 * b0 + (low >> 32), other = a0 * b1 + (u32)cross;
  Product p = {other << 32 | (u32)low, a1 * b1 + (cross >> 32) + (other >> 32)};
  return p;
}

#endif
