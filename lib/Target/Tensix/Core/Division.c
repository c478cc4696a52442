/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Division of 64 bits on a machine that divides 32, as LLVM calls it: Knuth's algorithm D
 * with halves of words (The Art of Computer Programming, volume 2, 4.3.1).
 */
#include "Core.h"

typedef int64_t i64;

static u32 leadingZeros(u32 word) {
  u32 count = 0;
  for (u32 width = 16; width; width /= 2)
    if (word < (u32)1 << (32 - width)) {
      word <<= width;
      count += width;
    }
  return count;
}

/* (high, low) / divisor, where high < divisor and divisor's highest bit is set. */
static u32 divideNormal(u32 high, u32 low, u32 divisor, u32 *rest) {
  u32 upper = divisor >> 16, lower = divisor & 0xFFFFu, quotient = 0;
  for (u32 half = 0; half < 2; ++half) {
    u32 next = half ? low & 0xFFFFu : low >> 16;
    u32 digit = high / upper, left = high % upper;
    while (digit > 0xFFFFu || digit * lower > (left << 16 | next)) {
      --digit;
      left += upper;
      if (left > 0xFFFFu)
        break;
    }
    high = (high << 16 | next) - digit * divisor;
    quotient = quotient << 16 | digit;
  }
  *rest = high;
  return quotient;
}

/* (high, low) / divisor, where high < divisor. */
static u32 divideWord(u32 high, u32 low, u32 divisor, u32 *rest) {
  u32 shift = leadingZeros(divisor);
  if (shift) {
    high = high << shift | low >> (32 - shift);
    low <<= shift;
  }
  u32 quotient = divideNormal(high, low, divisor << shift, rest);
  *rest >>= shift;
  return quotient;
}

static u64 divide(u64 dividend, u64 divisor, u64 *rest) {
  u32 high = (u32)(dividend >> 32), low = (u32)dividend, left;
  if (!(u32)(divisor >> 32)) {
    u32 word = (u32)divisor;
    u32 upper = high / word;
    u32 lower = divideWord(high % word, low, word, &left);
    *rest = left;
    return (u64)upper << 32 | lower;
  }
  if (dividend < divisor) {
    *rest = dividend;
    return 0;
  }
  /* The quotient has 32 bits: an estimate by the divisor's upper word, which is never too
     small and at most 2 too large once one bit of the dividend is kept back. */
  u32 shift = leadingZeros((u32)(divisor >> 32));
  u32 upper = (u32)((divisor << shift) >> 32);
  u64 halved = dividend >> 1;
  u32 quotient =
      divideNormal((u32)(halved >> 32), (u32)halved, upper, &left) >> (31 - shift);
  if (quotient)
    --quotient;
  u64 remains = dividend - quotient * divisor;
  while (remains >= divisor) {
    remains -= divisor;
    ++quotient;
  }
  *rest = remains;
  return quotient;
}

u64 __udivdi3(u64 dividend, u64 divisor) {
  u64 rest;
  return divide(dividend, divisor, &rest);
}

u64 __umoddi3(u64 dividend, u64 divisor) {
  u64 rest;
  divide(dividend, divisor, &rest);
  return rest;
}

static u64 magnitude(i64 number) { return number < 0 ? -(u64)number : (u64)number; }

i64 __divdi3(i64 dividend, i64 divisor) {
  u64 rest, quotient = divide(magnitude(dividend), magnitude(divisor), &rest);
  return (i64)((dividend ^ divisor) < 0 ? -quotient : quotient);
}

i64 __moddi3(i64 dividend, i64 divisor) {
  u64 rest;
  divide(magnitude(dividend), magnitude(divisor), &rest);
  return (i64)(dividend < 0 ? -rest : rest);
}
