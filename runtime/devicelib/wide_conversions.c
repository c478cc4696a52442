/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Conversions between 128-bit integers and floating-point numbers, for targets whose
 * back ends have none. An integer is two words; the sign has been taken off.
 *
 * To floating point: the leading 64 bits with a sticky bit for the rest convert with
 * one rounding, and the power of two is exact (or overflows to infinity, as it should).
 * Back: the significand is shifted into place; a magnitude of 2^128 or more gives all
 * bits set, which the caller's bounds cut.
 */
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;

/* Words of an integer, low first: returned in registers. */
typedef struct {
  u64 low, high;
} Wide;

static double power(int exponent) {
  return __builtin_bit_cast(double, (u64)(exponent + 1023) << 52);
}

/* The bits of `low`, `high` from the leading one on, and how far they were shifted. */
static u64 leading(u64 low, u64 high, int *exponent) {
  int shift = __builtin_clzll(high);
  u64 top = shift ? high << shift | low >> (64 - shift) : high;
  u64 rest = low << shift;
  *exponent = 64 - shift;
  return top | (rest != 0);
}

double __het_double_from_wide(u64 low, u64 high) {
  if (!high)
    return (double)low;
  int exponent;
  u64 top = leading(low, high, &exponent);
  return (double)top * power(exponent);
}

float __het_float_from_wide(u64 low, u64 high) {
  if (!high)
    return (float)low;
  int exponent;
  u64 top = leading(low, high, &exponent);
  return (float)top * (float)power(exponent);
}

/* The integer part of a magnitude; 0 for a NaN. */
Wide __het_wide_from_double(double magnitude) {
  u64 bits = __builtin_bit_cast(u64, magnitude);
  int exponent = (int)(bits >> 52 & 2047) - 1075;
  u64 significand = (bits & ((u64)1 << 52) - 1) | (u64)1 << 52;
  Wide result = {0, 0};
  if (!(magnitude >= 1))
    return result;
  if (exponent >= 76) { /* 2^128 and more */
    result.low = result.high = ~(u64)0;
  } else if (exponent >= 64) {
    result.high = significand << (exponent - 64);
  } else if (exponent > 0) {
    result.low = significand << exponent;
    result.high = significand >> (64 - exponent);
  } else {
    result.low = significand >> -exponent;
  }
  return result;
}
