/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Conversions between numbers and integers with a rounding mode. To an integer they are
 * named as CUDA's (float2int_rz), from one by both types (float_from_ll_rz; the last part
 * of the name is the operand's width). A number outside of the integer's
 * range gives the nearest integer of the range. A NaN gives 0, or, where the number is
 * a double or the integer has 64 bits, the integer whose only bit is the highest one: so
 * PTX ISA, "cvt".
 */
#include "math.h"

#define TO_INTEGER(name, type, integer, round, nan)                                  \
  HET_MATH integer name(type x) {                                                    \
    const integer top = (integer) - 1 > 0 ? (integer) - 1                            \
                                          : (integer)(((u64)1 << (sizeof(integer) * 8 - 1)) - 1); \
    const integer bottom = (integer) - 1 > 0 ? 0 : (integer)(-top - 1);              \
    const type limit = (type)((integer) - 1 > 0 ? 2.0 : 1.0) *                       \
                       (type)((u64)1 << (sizeof(integer) * 8 - 1));                  \
    type y = round(x);                                                               \
    if (x != x)                                                                      \
      return (integer)(nan);                                                         \
    return y >= limit ? top : y <= (type)bottom ? bottom : (integer)y;               \
  }
#define TO_INTEGERS(from, suffix, type, rn, rz, ru, rd, nan32)                       \
  TO_KIND(from##2int, suffix, type, i32, rn, rz, ru, rd, nan32)                      \
  TO_KIND(from##2uint, suffix, type, u32, rn, rz, ru, rd, nan32)                     \
  TO_KIND(from##2ll, suffix, type, i64, rn, rz, ru, rd, (u64)1 << 63)                \
  TO_KIND(from##2ull, suffix, type, u64, rn, rz, ru, rd, (u64)1 << 63)
#define TO_KIND(name, suffix, type, integer, rn, rz, ru, rd, nan)                    \
  TO_INTEGER(__het_##name##_rn_##suffix, type, integer, rn, nan)                     \
  TO_INTEGER(__het_##name##_rz_##suffix, type, integer, rz, nan)                     \
  TO_INTEGER(__het_##name##_ru_##suffix, type, integer, ru, nan)                     \
  TO_INTEGER(__het_##name##_rd_##suffix, type, integer, rd, nan)

TO_INTEGERS(float, f32, float, rint32, trunc32, ceil32, floor32, 0)
TO_INTEGERS(double, f64, double, rint64, trunc64, ceil64, floor64, (u32)1 << 31)

/*
 * From an integer: round to nearest, compare with the integer, step. `back` is the
 * nearest number as an integer again; a number at the type's upper end is above any.
 */
#define FROM_INTEGER(name, integer, type, bits, view, unview, limit)                 \
  HET_MATH type name##_rn_##bits(integer x) { return (type)x; }                      \
  HET_MATH type name##_rz_##bits(integer x) {                                        \
    type y = (type)x;                                                                \
    int above = y >= limit || (integer)y > x, below = y < limit && (integer)y < x;   \
    return x > 0 && above ? unview(view(y) - 1) : x < 0 && below ? unview(view(y) - 1) : y; \
  }                                                                                  \
  HET_MATH type name##_ru_##bits(integer x) {                                        \
    type y = (type)x;                                                                \
    int below = y < limit && (integer)y < x;                                         \
    return below ? unview(x < 0 ? view(y) - 1 : view(y) + 1) : y;                    \
  }                                                                                  \
  HET_MATH type name##_rd_##bits(integer x) {                                        \
    type y = (type)x;                                                                \
    int above = y >= limit || (integer)y > x;                                        \
    return above ? unview(x < 0 ? view(y) + 1 : view(y) - 1) : y;                    \
  }

FROM_INTEGER(__het_float_from_int, i32, float, i32, bits32, float32, 0x1p31f)
FROM_INTEGER(__het_float_from_uint, u32, float, i32, bits32, float32, 0x1p32f)
FROM_INTEGER(__het_float_from_ll, i64, float, i64, bits32, float32, 0x1p63f)
FROM_INTEGER(__het_float_from_ull, u64, float, i64, bits32, float32, 0x1p64f)
/* 32 bits are exact in double; they have the modes for the sake of one rule of names. */
FROM_INTEGER(__het_double_from_int, i32, double, i32, bits64, float64, 0x1p31)
FROM_INTEGER(__het_double_from_uint, u32, double, i32, bits64, float64, 0x1p32)
FROM_INTEGER(__het_double_from_ll, i64, double, i64, bits64, float64, 0x1p63)
FROM_INTEGER(__het_double_from_ull, u64, double, i64, bits64, float64, 0x1p64)

/* C's names for some of them: ties to even (rint) or away from zero (round). */
HET_LOCAL float away32(float x) {
  float t = trunc32(x);
  return abs32(x - t) >= 0.5f ? t + sign32(1.0f, x) : t;
}
HET_LOCAL double away64(double x) {
  double t = trunc64(x);
  return abs64(x - t) >= 0.5 ? t + sign64(1.0, x) : t;
}
TO_INTEGER(__het_lrint_f32, float, i64, rint32, (u64)1 << 63)
TO_INTEGER(__het_lrint_f64, double, i64, rint64, (u64)1 << 63)
TO_INTEGER(__het_llrint_f32, float, i64, rint32, (u64)1 << 63)
TO_INTEGER(__het_llrint_f64, double, i64, rint64, (u64)1 << 63)
TO_INTEGER(__het_lround_f32, float, i64, away32, (u64)1 << 63)
TO_INTEGER(__het_lround_f64, double, i64, away64, (u64)1 << 63)
TO_INTEGER(__het_llround_f32, float, i64, away32, (u64)1 << 63)
TO_INTEGER(__het_llround_f64, double, i64, away64, (u64)1 << 63)
