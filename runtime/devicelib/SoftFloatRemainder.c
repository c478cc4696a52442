/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remainders, by long division: a bit of the quotient a step. */
#include "SoftFloatParts.h"

#define REMAINDER(suffix, word, Number, number, size, isNan, sign, inf, quietNan, one, digits) \
  word __het_soft_rem_##suffix(word a, word b) {                                     \
    if (isNan(a) | isNan(b) | (size(a) == (inf)) | !size(b))                         \
      return quietNan;                                                               \
    if (size(a) < size(b))                                                           \
      return a;                                                                      \
    Number x = number(a), y = number(b);                                             \
    word rest = x.fraction;                                                          \
    for (i32 left = x.exponent - y.exponent; left > 0; --left) {                     \
      rest -= rest >= y.fraction ? y.fraction : 0;                                   \
      rest <<= 1;                                                                    \
    }                                                                                \
    rest -= rest >= y.fraction ? y.fraction : 0;                                     \
    /* Up to its leading bit's place, but not below the exponent 1. */               \
    i32 exponent = y.exponent;                                                       \
    if (exponent < 1) {                                                              \
      rest >>= 1 - exponent; /* exact: b has no digits there */                      \
      exponent = 1;                                                                  \
    }                                                                                \
    for (; exponent > 1 && rest < (one) && rest; --exponent)                         \
      rest <<= 1;                                                                    \
    rest = rest < (one) ? rest : ((word)(u32)(exponent - 1) << digits) + rest;       \
    return (a & (sign)) | rest;                                                      \
  }
REMAINDER(f64, uint64_t, Number64, number64, size64, isNan64, SIGN64, INF64, NAN64, ONE64, 52)
REMAINDER(f32, uint32_t, Number32, number32, size32, isNan32, SIGN32, INF32, NAN32, ONE32, 23)
