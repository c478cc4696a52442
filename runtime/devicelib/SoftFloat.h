/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Floating point in integers, for machines that have none, or none of 64 bits. A number
 * is its bits (IEEE 754 binary16, binary32, binary64); results are rounded to nearest,
 * ties to even, subnormal numbers are kept, and which NaN comes out is not fixed. So the
 * bits are those of a machine that computes with such numbers as hetIR defines it
 * (docs/spec/hetir.md, Math).
 *
 * Plain C and C++ for any machine with integers of 64 bits: no library, no memory but
 * the stack, no division. Truth values are 0 and 1.
 */
#ifndef HET_DEVICELIB_SOFTFLOAT_H
#define HET_DEVICELIB_SOFTFLOAT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define HET_SOFT __attribute__((const))
#else
#define HET_SOFT __attribute__((const, nothrow))
#endif

/* Operations of both sizes. */
#define HET_SOFT_TYPE(suffix, word)                                                      \
  HET_SOFT word __het_soft_add_##suffix(word a, word b);                                 \
  HET_SOFT word __het_soft_sub_##suffix(word a, word b);                                 \
  HET_SOFT word __het_soft_mul_##suffix(word a, word b);                                 \
  HET_SOFT word __het_soft_div_##suffix(word a, word b);                                 \
  /* C's fmod and LLVM's frem: exact, with a's sign. */                                  \
  HET_SOFT word __het_soft_rem_##suffix(word a, word b);                                 \
  HET_SOFT word __het_soft_sqrt_##suffix(word a);                                        \
  /* a b + c, rounded once. */                                                           \
  HET_SOFT word __het_soft_fma_##suffix(word a, word b, word c);                         \
  /* Comparisons; false where one is a NaN. */                                           \
  HET_SOFT int32_t __het_soft_eq_##suffix(word a, word b);                               \
  HET_SOFT int32_t __het_soft_lt_##suffix(word a, word b);                               \
  HET_SOFT int32_t __het_soft_le_##suffix(word a, word b);                               \
  /* One is a NaN. */                                                                    \
  HET_SOFT int32_t __het_soft_uno_##suffix(word a, word b);                              \
  /* -0 is less than 0; of a NaN and a number comes the number, */                       \
  HET_SOFT word __het_soft_minnum_##suffix(word a, word b);                              \
  HET_SOFT word __het_soft_maxnum_##suffix(word a, word b);                              \
  /* or the NaN. */                                                                      \
  HET_SOFT word __het_soft_minimum_##suffix(word a, word b);                             \
  HET_SOFT word __het_soft_maximum_##suffix(word a, word b);                             \
  /* To integers of the same type: ties to even, down, up, to zero, ties away. */        \
  HET_SOFT word __het_soft_rint_##suffix(word a);                                        \
  HET_SOFT word __het_soft_floor_##suffix(word a);                                       \
  HET_SOFT word __het_soft_ceil_##suffix(word a);                                        \
  HET_SOFT word __het_soft_trunc_##suffix(word a);                                       \
  HET_SOFT word __het_soft_round_##suffix(word a);                                       \
  HET_SOFT word __het_soft_##suffix##_from_i32(int32_t a);                               \
  HET_SOFT word __het_soft_##suffix##_from_u32(uint32_t a);                              \
  HET_SOFT word __het_soft_##suffix##_from_i64(int64_t a);                               \
  HET_SOFT word __het_soft_##suffix##_from_u64(uint64_t a);                              \
  /* To zero; what is out of range gives the range's nearer end, a NaN 0. */             \
  HET_SOFT int8_t __het_soft_i8_from_##suffix(word a);                                   \
  HET_SOFT uint8_t __het_soft_u8_from_##suffix(word a);                                  \
  HET_SOFT int16_t __het_soft_i16_from_##suffix(word a);                                 \
  HET_SOFT uint16_t __het_soft_u16_from_##suffix(word a);                                \
  HET_SOFT int32_t __het_soft_i32_from_##suffix(word a);                                 \
  HET_SOFT uint32_t __het_soft_u32_from_##suffix(word a);                                \
  HET_SOFT int64_t __het_soft_i64_from_##suffix(word a);                                 \
  HET_SOFT uint64_t __het_soft_u64_from_##suffix(word a);
HET_SOFT_TYPE(f64, uint64_t)
HET_SOFT_TYPE(f32, uint32_t)
#undef HET_SOFT_TYPE

HET_SOFT uint64_t __het_soft_f64_from_f32(uint32_t a);
HET_SOFT uint64_t __het_soft_f64_from_f16(uint16_t a);
HET_SOFT uint32_t __het_soft_f32_from_f64(uint64_t a);
HET_SOFT uint32_t __het_soft_f32_from_f16(uint16_t a);
HET_SOFT uint16_t __het_soft_f16_from_f64(uint64_t a);
HET_SOFT uint16_t __het_soft_f16_from_f32(uint32_t a);

#ifdef __cplusplus
}
#endif
#endif
