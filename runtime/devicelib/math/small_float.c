/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Half precision and bfloat16, as their bits: what some machines have an instruction for
 * and others make of float or double.
 *
 * A sum is made odd when its last digit is set wherever digits were lost. It may then be
 * rounded once more, to a type with two digits less, as if it were exact (Boldo and
 * Melquiond, "Emulation of a FMA and correctly rounded sums", IEEE Trans. Computers
 * 57(4)).
 */
#include "math.h"

typedef uint16_t u16;

/* Without branches, so that lanes become vectors. */
#define ODD_SUM(name, type, bits, view, unview)                                          \
  HET_LOCAL type name(type a, type b) {                                                  \
    type sum = a + b, part = sum - a;                                                    \
    type error = (a - (sum - part)) + (b - part);                                        \
    bits word = view(sum), isEven = ~word & 1;                                           \
    bits isRounded = (bits)((error > 0) | (error < 0));                                  \
    bits step = (error > 0) == (sum > 0) ? (bits)1 : (bits) - 1;                         \
    return unview(word + (step & -(isEven & isRounded)));                                \
  }
ODD_SUM(oddSum32, float, u32, bits32, float32)
ODD_SUM(oddSum64, double, u64, bits64, float64)

/* To float, made odd. */
HET_LOCAL float odd32(double d) {
  float f = (float)d;
  u32 word = bits32(f);
  if (((double)f > d || (double)f < d) && isFinite32(f) && !(word & 1))
    word = abs64((double)f) > abs64(d) ? word - 1 : word + 1;
  return float32(word);
}

/* To bfloat16, ties to even; every NaN becomes CUDA's own. */
HET_MATH u16 __het_bfloat_from_float_rn_f32(float x) {
  u32 word = bits32(x);
  if ((word & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (u16)((word + 0x7fffu + (word >> 16 & 1)) >> 16);
}

HET_LOCAL float half32(u16 h) { return (float)__builtin_bit_cast(_Float16, h); }
HET_LOCAL double bfloat64(u16 b) { return (double)float32((u32)b << 16); }

/* a * b + c, rounded once. A product of halves is exact in float, of bfloats in double.
 */
HET_MATH u16 __het_fma_half_rn_i16(u16 a, u16 b, u16 c) {
  float sum = oddSum32(half32(a) * half32(b), half32(c));
  return __builtin_bit_cast(u16, (_Float16)sum);
}
HET_MATH u16 __het_fma_bfloat_rn_i16(u16 a, u16 b, u16 c) {
  double sum = oddSum64(bfloat64(a) * bfloat64(b), bfloat64(c));
  return __het_bfloat_from_float_rn_f32(odd32(sum));
}

/* The larger, and the lesser: -0 is below +0; a number wins over a NaN, in the nan form
   the NaN. A NaN comes out as CUDA's own. Values are in the order of these codes. */
HET_LOCAL i32 order16(u16 x) { return x & 0x8000 ? -(i32)(x & 0x7fff) - 1 : (i32)x; }
#define ORDERED(name, type, infinity, comparison)                                        \
  HET_MATH u16 __het_##name##_##type##_i16(u16 a, u16 b) {                               \
    int aIsNan = (a & 0x7fff) > (infinity), bIsNan = (b & 0x7fff) > (infinity);          \
    u16 chosen = order16(a) comparison order16(b) ? a : b;                               \
    chosen = aIsNan ? b : bIsNan ? a : chosen;                                           \
    return aIsNan & bIsNan ? 0x7fff : chosen;                                            \
  }                                                                                      \
  HET_MATH u16 __het_##name##_nan_##type##_i16(u16 a, u16 b) {                           \
    int isNan = ((a & 0x7fff) > (infinity)) | ((b & 0x7fff) > (infinity));               \
    return isNan ? 0x7fff : order16(a) comparison order16(b) ? a : b;                    \
  }
ORDERED(max, half, 0x7c00, >)
ORDERED(min, half, 0x7c00, <)
ORDERED(max, bfloat, 0x7f80, >)
ORDERED(min, bfloat, 0x7f80, <)
