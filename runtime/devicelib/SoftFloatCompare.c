/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compares numbers, and chooses the smaller or the greater of two. */
#include "SoftFloatParts.h"

/* In the order of numbers, where -0 is less than 0. */
LOCAL i64 ordered64(u64 a) { return (i64)(a ^ ((u64)((i64)a >> 63) >> 1)); }
LOCAL i32 ordered32(u32 a) { return (i32)(a ^ ((u32)((i32)a >> 31) >> 1)); }

#define COMPARISONS(suffix, word, size, isNan, ordered)                              \
  int32_t __het_soft_uno_##suffix(word a, word b) { return isNan(a) | isNan(b); }    \
  int32_t __het_soft_eq_##suffix(word a, word b) {                                   \
    return ((a == b) | !(size(a) | size(b))) & !(isNan(a) | isNan(b));               \
  }                                                                                  \
  int32_t __het_soft_lt_##suffix(word a, word b) {                                   \
    i32 areZeros = !(size(a) | size(b));                                             \
    return (ordered(a) < ordered(b)) & !(areZeros | isNan(a) | isNan(b));            \
  }                                                                                  \
  int32_t __het_soft_le_##suffix(word a, word b) {                                   \
    i32 areZeros = !(size(a) | size(b));                                             \
    return ((ordered(a) <= ordered(b)) | areZeros) & !(isNan(a) | isNan(b));         \
  }                                                                                  \
  word __het_soft_minnum_##suffix(word a, word b) {                                  \
    word least = ordered(a) < ordered(b) ? a : b;                                    \
    return isNan(a) ? b : isNan(b) ? a : least;                                      \
  }                                                                                  \
  word __het_soft_maxnum_##suffix(word a, word b) {                                  \
    word most = ordered(a) < ordered(b) ? b : a;                                     \
    return isNan(a) ? b : isNan(b) ? a : most;                                       \
  }                                                                                  \
  word __het_soft_minimum_##suffix(word a, word b) {                                 \
    word least = ordered(a) < ordered(b) ? a : b;                                    \
    return isNan(a) ? a : isNan(b) ? b : least;                                      \
  }                                                                                  \
  word __het_soft_maximum_##suffix(word a, word b) {                                 \
    word most = ordered(a) < ordered(b) ? b : a;                                     \
    return isNan(a) ? a : isNan(b) ? b : most;                                       \
  }
COMPARISONS(f64, uint64_t, size64, isNan64, ordered64)
COMPARISONS(f32, uint32_t, size32, isNan32, ordered32)
