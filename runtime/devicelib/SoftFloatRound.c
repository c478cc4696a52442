/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * To integers of the same type. The bits below the integer's last one are cut off the
 * number's; what is added before carries into the exponent where it should. Below 1 the
 * result is 0 or 1.
 */
#include "SoftFloatParts.h"

#define ROUNDINGS(suffix, word, size, field, isNan, sign, quiet, one, bias, digits)  \
  /* The bits below the integer's last one, of a number from 1 up to 2^digits. */    \
  LOCAL word below_##suffix(word a) {                                                \
    return ((word)1 << (u32)(bias + digits - field(a))) - 1;                         \
  }                                                                                  \
  LOCAL i32 isWhole_##suffix(word a) { return field(a) >= bias + digits; }           \
  LOCAL word same_##suffix(word a) { return isNan(a) ? a | (quiet) : a; }            \
  word __het_soft_trunc_##suffix(word a) {                                           \
    if (isWhole_##suffix(a))                                                         \
      return same_##suffix(a);                                                       \
    return field(a) < bias ? a & (sign) : a & ~below_##suffix(a);                    \
  }                                                                                  \
  /* Away from zero where `isAway` and there is something to cut. */                 \
  LOCAL word directed_##suffix(word a, i32 isAway) {                                 \
    if (isWhole_##suffix(a))                                                         \
      return same_##suffix(a);                                                       \
    if (field(a) < bias)                                                             \
      return (a & (sign)) | (isAway && size(a) ? (one) : 0);                         \
    word below = below_##suffix(a);                                                  \
    return (a + (isAway ? below : 0)) & ~below;                                      \
  }                                                                                  \
  word __het_soft_floor_##suffix(word a) {                                           \
    return directed_##suffix(a, (a & (sign)) != 0);                                  \
  }                                                                                  \
  word __het_soft_ceil_##suffix(word a) {                                            \
    return directed_##suffix(a, (a & (sign)) == 0);                                  \
  }                                                                                  \
  word __het_soft_round_##suffix(word a) {                                           \
    if (isWhole_##suffix(a))                                                         \
      return same_##suffix(a);                                                       \
    if (field(a) < bias)                                                             \
      return (a & (sign)) | (field(a) == bias - 1 ? (one) : 0);                      \
    word below = below_##suffix(a);                                                  \
    return (a + (below >> 1) + 1) & ~below;                                          \
  }                                                                                  \
  word __het_soft_rint_##suffix(word a) {                                            \
    const word half = (one) - ((word)1 << digits);                                   \
    if (isWhole_##suffix(a))                                                         \
      return same_##suffix(a);                                                       \
    if (field(a) < bias)                                                             \
      return (a & (sign)) | (size(a) > half ? (one) : 0);                            \
    word below = below_##suffix(a);                                                  \
    word odd = (a & (below + 1)) != 0;                                               \
    return (a + (below >> 1) + odd) & ~below;                                        \
  }
ROUNDINGS(f64, uint64_t, size64, field64, isNan64, SIGN64, QUIET64, (u64)1023 << 52, 1023, 52)
ROUNDINGS(f32, uint32_t, size32, field32, isNan32, SIGN32, QUIET32, 127u << 23, 127, 23)
