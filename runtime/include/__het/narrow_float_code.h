// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes of floating-point formats of 8 bits and less. Those of finite values count up
// from zero: a code is the value in units of its last digit, above those of the binades
// below.

#ifndef HET_NARROW_FLOAT_CODE_H
#define HET_NARROW_FLOAT_CODE_H

// The code of |x|, which is not NaN, as if the format had no end; at most ~0.
HET_F unsigned __het_narrow_code(double x, int digits, int bias,
                                 enum cudaRoundMode round) {
  const unsigned long long bits = HET_BIT_CAST(unsigned long long, x) & (~0ull >> 1);
  int exponent = (int)(bits >> 52) - 1023;
  if (exponent >= 32)
    return ~0u;
  exponent = exponent < 1 - bias ? 1 - bias : exponent;
  const double scale =
      HET_BIT_CAST(double, (unsigned long long)(1023 + digits - exponent) << 52);
  const double count = HET_BIT_CAST(double, bits) * scale;
  const bool isDown =
      round == cudaRoundZero || round == (x < 0 ? cudaRoundPosInf : cudaRoundMinInf);
  const double whole = round == cudaRoundNearest ? __builtin_rint(count)
                       : isDown                  ? __builtin_floor(count)
                                                 : __builtin_ceil(count);
  return ((unsigned)(exponent + bias - 1) << digits) + (unsigned)(int)whole;
}
HET_F unsigned __het_narrow_sign(double x, int place) {
  return (unsigned)(HET_BIT_CAST(unsigned long long, x) >> 63) << place;
}

// What a code stands for in a format where every code is a number.
HET_F float __het_narrow_value(unsigned code, int width, int digits, int bias) {
  const unsigned rest = code & ((1u << (width - 1)) - 1u);
  const unsigned exponent = rest >> digits, fraction = rest & ((1u << digits) - 1u);
  const unsigned sign = (code >> (width - 1) & 1u) << 31;
  float value = HET_BIT_CAST(float, (exponent - (unsigned)bias + 127u) << 23 |
                                        fraction << (23 - digits));
  if (!exponent)
    value = (float)(int)fraction *
            HET_BIT_CAST(float, (unsigned)(1 - bias - digits + 127) << 23);
  return HET_BIT_CAST(float, sign | HET_BIT_CAST(unsigned, value));
}

#endif // HET_NARROW_FLOAT_CODE_H
