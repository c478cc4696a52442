/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Floating point as LLVM calls it on a machine that has none, by the device library's
 * (runtime/devicelib/SoftFloat.h). Numbers come in integer registers (ilp32).
 */
#include "Core.h"
#include "SoftFloat.h"

#define TYPE(word, mode, suffix, f)                                                    \
  word __add##mode##3(word a, word b) { return __het_soft_add_##suffix(a, b); }        \
  word __sub##mode##3(word a, word b) { return __het_soft_sub_##suffix(a, b); }        \
  word __mul##mode##3(word a, word b) { return __het_soft_mul_##suffix(a, b); }        \
  word __div##mode##3(word a, word b) { return __het_soft_div_##suffix(a, b); }        \
  word fmod##f(word a, word b) { return __het_soft_rem_##suffix(a, b); }               \
  word sqrt##f(word a) { return __het_soft_sqrt_##suffix(a); }                         \
  word fma##f(word a, word b, word c) { return __het_soft_fma_##suffix(a, b, c); }     \
  int32_t __eq##mode##2(word a, word b) { return !__het_soft_eq_##suffix(a, b); }      \
  int32_t __ne##mode##2(word a, word b) { return !__het_soft_eq_##suffix(a, b); }      \
  /* With a NaN these give 1, */                                                       \
  int32_t __lt##mode##2(word a, word b) {                                              \
    return __het_soft_lt_##suffix(a, b) ? -1 : !__het_soft_eq_##suffix(a, b);          \
  }                                                                                    \
  int32_t __le##mode##2(word a, word b) { return __lt##mode##2(a, b); }                \
  /* and these -1. */                                                                  \
  int32_t __gt##mode##2(word a, word b) { return -__lt##mode##2(b, a); }               \
  int32_t __ge##mode##2(word a, word b) { return -__lt##mode##2(b, a); }               \
  int32_t __unord##mode##2(word a, word b) { return __het_soft_uno_##suffix(a, b); }   \
  int32_t __fix##mode##si(word a) { return __het_soft_i32_from_##suffix(a); }          \
  int64_t __fix##mode##di(word a) { return __het_soft_i64_from_##suffix(a); }          \
  uint32_t __fixuns##mode##si(word a) { return __het_soft_u32_from_##suffix(a); }      \
  uint64_t __fixuns##mode##di(word a) { return __het_soft_u64_from_##suffix(a); }      \
  word __floatsi##mode(int32_t a) { return __het_soft_##suffix##_from_i32(a); }        \
  word __floatdi##mode(int64_t a) { return __het_soft_##suffix##_from_i64(a); }        \
  word __floatunsi##mode(uint32_t a) { return __het_soft_##suffix##_from_u32(a); }     \
  word __floatundi##mode(uint64_t a) { return __het_soft_##suffix##_from_u64(a); }     \
  word rint##f(word a) { return __het_soft_rint_##suffix(a); }                         \
  word nearbyint##f(word a) { return __het_soft_rint_##suffix(a); }                    \
  word roundeven##f(word a) { return __het_soft_rint_##suffix(a); }                    \
  word floor##f(word a) { return __het_soft_floor_##suffix(a); }                       \
  word ceil##f(word a) { return __het_soft_ceil_##suffix(a); }                         \
  word trunc##f(word a) { return __het_soft_trunc_##suffix(a); }                       \
  word round##f(word a) { return __het_soft_round_##suffix(a); }                       \
  int64_t llrint##f(word a) { return __fix##mode##di(rint##f(a)); }                    \
  int64_t llround##f(word a) { return __fix##mode##di(round##f(a)); }                  \
  word fmin##f(word a, word b) { return __het_soft_minnum_##suffix(a, b); }            \
  word fmax##f(word a, word b) { return __het_soft_maxnum_##suffix(a, b); }            \
  word fminimum_num##f(word a, word b) { return __het_soft_minnum_##suffix(a, b); }    \
  word fmaximum_num##f(word a, word b) { return __het_soft_maxnum_##suffix(a, b); }    \
  word fminimum##f(word a, word b) { return __het_soft_minimum_##suffix(a, b); }       \
  word fmaximum##f(word a, word b) { return __het_soft_maximum_##suffix(a, b); }

TYPE(u32, sf, f32, f)
TYPE(u64, df, f64, )

u64 __extendsfdf2(u32 a) { return __het_soft_f64_from_f32(a); }
u32 __truncdfsf2(u64 a) { return __het_soft_f32_from_f64(a); }
u32 __extendhfsf2(u32 a) { return __het_soft_f32_from_f16((uint16_t)a); }
u64 __extendhfdf2(u32 a) { return __het_soft_f64_from_f16((uint16_t)a); }
u32 __truncsfhf2(u32 a) { return __het_soft_f16_from_f32(a); }
u32 __truncdfhf2(u64 a) { return __het_soft_f16_from_f64(a); }

/* To bfloat16, the upper half of a float: to nearest, ties to even; a NaN stays one. */
u32 __truncsfbf2(u32 a) {
  if ((a & 0x7FFFFFFFu) > 0x7F800000u)
    return a >> 16 | 0x40u;
  return (a + 0x7FFFu + (a >> 16 & 1u)) >> 16;
}

/* By a float rounded to odd, which the second rounding can not mistake for a tie. */
u32 __truncdfbf2(u64 a) {
  u32 single = __het_soft_f32_from_f64(a);
  u64 back = __het_soft_f64_from_f32(single);
  u64 magnitude = a & ~((u64)1 << 63), other = back & ~((u64)1 << 63);
  if (magnitude > (u64)0x7FF << 52)
    return __truncsfbf2(single | 0x400000u);
  if (other != magnitude && !(single & 1u))
    single += other > magnitude ? -1u : 1u;
  return __truncsfbf2(single);
}
