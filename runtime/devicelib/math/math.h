/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shared by the mathematical functions: types, views of a number's bits, and the
 * operations that every device rounds correctly. A function of the library is pure
 * (HET_MATH), uses fused multiply-adds only where it says so (fmaf32, fmaf64), and calls
 * nothing outside the library.
 *
 * Terms: ULP, the distance of the two floating-point numbers around an exact result;
 * "hi + lo", an unevaluated sum that carries twice the precision.
 */
#ifndef HET_DEVICELIB_MATH_H
#define HET_DEVICELIB_MATH_H

#include <stdint.h>

typedef int32_t i32;
typedef int64_t i64;
typedef uint32_t u32;
typedef uint64_t u64;

/* A function that targets call, and one that only this library calls. */
#define HET_MATH __attribute__((const, nothrow))
#define HET_LOCAL static inline __attribute__((const, nothrow, always_inline))

#define INF32 __builtin_inff()
#define NAN32 __builtin_nanf("")
#define INF64 __builtin_inf()
#define NAN64 __builtin_nan("")
#define MAX32 0x1.fffffep127f
#define MAX64 0x1.fffffffffffffp1023

/* A condition hardly ever true. */
#define RARE(condition) __builtin_expect_with_probability(!!(condition), 0, 0.999)

HET_LOCAL u32 bits32(float x) { return __builtin_bit_cast(u32, x); }
HET_LOCAL float float32(u32 b) { return __builtin_bit_cast(float, b); }
HET_LOCAL u64 bits64(double x) { return __builtin_bit_cast(u64, x); }
HET_LOCAL double float64(u64 b) { return __builtin_bit_cast(double, b); }

HET_LOCAL float fma32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HET_LOCAL double fma64(double a, double b, double c) { return __builtin_fma(a, b, c); }
HET_LOCAL float abs32(float x) { return __builtin_fabsf(x); }
HET_LOCAL double abs64(double x) { return __builtin_fabs(x); }
HET_LOCAL float sqrt32(float x) { return __builtin_sqrtf(x); }
HET_LOCAL double sqrt64(double x) { return __builtin_sqrt(x); }
HET_LOCAL float rint32(float x) { return __builtin_rintf(x); }
HET_LOCAL double rint64(double x) { return __builtin_rint(x); }
HET_LOCAL float trunc32(float x) { return __builtin_truncf(x); }
HET_LOCAL double trunc64(double x) { return __builtin_trunc(x); }
HET_LOCAL float floor32(float x) { return __builtin_floorf(x); }
HET_LOCAL double floor64(double x) { return __builtin_floor(x); }
HET_LOCAL float ceil32(float x) { return __builtin_ceilf(x); }
HET_LOCAL double ceil64(double x) { return __builtin_ceil(x); }
/* The larger number; the other one where one is a NaN. */
HET_LOCAL float larger32(float a, float b) { return __builtin_fmaxf(a, b); }
HET_LOCAL float sign32(float x, float s) { return __builtin_copysignf(x, s); }
HET_LOCAL double sign64(double x, double s) { return __builtin_copysign(x, s); }

HET_LOCAL int isNan32(float x) { return x != x; }
HET_LOCAL int isNan64(double x) { return x != x; }
HET_LOCAL int isInf32(float x) { return abs32(x) == INF32; }
HET_LOCAL int isInf64(double x) { return abs64(x) == INF64; }
HET_LOCAL int isFinite32(float x) { return abs32(x) < INF32; }
HET_LOCAL int isFinite64(double x) { return abs64(x) < INF64; }

/*
 * |x| < limit, by their upper halves as if they were float: no comparison of double is
 * spent on a rare case. The limit's lower half is zero.
 */
HET_LOCAL int isBelow64(double x, double limit) {
  return abs32(float32((u32)(bits64(x) >> 32))) < float32((u32)(bits64(limit) >> 32));
}

/* 2^n, for n of the normal range: [-126, 127] and [-1022, 1023]. */
HET_LOCAL float power2f32(i32 n) { return float32((u32)(n + 127) << 23); }
HET_LOCAL double power2f64(i32 n) { return float64((u64)(n + 1023) << 52); }

/* x * 2^n rounded once, for |n| <= 252 and <= 2044, and x near 1. */
HET_LOCAL float scale32(float x, i32 n) {
  i32 half = n >> 1;
  return x * power2f32(half) * power2f32(n - half);
}
HET_LOCAL double scale64(double x, i32 n) {
  i32 half = n >> 1;
  return x * power2f64(half) * power2f64(n - half);
}

#endif
