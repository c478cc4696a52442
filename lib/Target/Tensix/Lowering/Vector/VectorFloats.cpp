// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats on the vector unit in integers: IEEE 754 binary32, to nearest, ties to even,
// with subnormals. The unit's own float instructions flush those, and do not round
// products once. The steps are the textbook's (Muller et al., Handbook of Floating-Point
// Arithmetic, chapter 8): unpack, align with a sticky bit, add, normalise, round.

#include "VectorFloatParts.h"

namespace het::tensix {

/// A subnormal has the least exponent and no hidden bit.
static Unpacked unpack(VectorCode &code, Lanes a) {
  Lanes exponent = code.exponent(a);
  Lanes isSubnormal = code.isZero(exponent);
  Lanes significand = code.subtract(code.significand(a), code.shiftLeft(isSubnormal, 23));
  return {code.add(exponent, isSubnormal), significand};
}

Unpacked unpackNormalised(VectorCode &code, Lanes a) {
  Unpacked parts = unpack(code, a);
  Lanes zeros = code.leadingZeros(parts.significand);
  Lanes shift = code.add(zeros, -8);
  Lanes isZero = code.shiftRight(zeros, 5);
  Lanes exponent =
      code.subtract(code.subtract(parts.exponent, shift), code.shiftLeft(isZero, 10));
  return {exponent, code.shiftBy(parts.significand, shift)};
}

Lanes isAny(VectorCode &code, Lanes a) {
  return code.sign(code.bitOr(a, code.negate(a)));
}

Lanes atMost(VectorCode &code, Lanes a, int32_t most) {
  Lanes excess = code.subtract(code.constant(most), a);
  return code.add(a, code.bitAnd(excess, code.mask(code.sign(excess))));
}

/// Right by 0 to 31; the last bit says whether any bit that left was set.
static Lanes shiftSticky(VectorCode &code, Lanes a, Lanes bits) {
  Lanes shifted = code.shiftBy(a, code.negate(bits));
  Lanes lost = code.bitXor(code.shiftBy(shifted, bits), a);
  return code.bitOr(shifted, isAny(code, lost));
}

Lanes roundMagnitude(VectorCode &code, Lanes exponent, Lanes significand) {
  // A subnormal's exponent is 1, and its significand is shifted by the difference.
  Lanes below = code.subtract(code.constant(1), exponent);
  Lanes isNormal = code.mask(code.sign(code.add(below, -1)));
  Lanes shift = code.bitAnd(atMost(code, below, 31), code.bitNot(isNormal));
  Lanes shifted = shiftSticky(code, significand, shift);
  Lanes field = code.bitAnd(code.add(exponent, -1), isNormal);
  // Half of the last place, less one where that is even.
  Lanes odd = code.bitAnd(code.shiftRight(shifted, 7), 1);
  Lanes rounded = code.shiftRight(code.add(code.add(shifted, odd), 63), 7);
  Lanes packed = code.add(code.shiftLeft(atMost(code, field, 254), 23), rounded);
  Lanes finite = code.sign(code.subtract(packed, code.constant(infinity)));
  packed = code.select(finite, packed, code.constant(infinity));
  return code.bitAnd(packed, code.mask(isAny(code, significand)));
}

Lanes isSpecial(VectorCode &code, Lanes magnitude) {
  return code.sign(code.subtract(code.constant(infinity - 1), magnitude));
}

Product multiplySignificands(VectorCode &code, Lanes a, Lanes b) {
  const Lanes magic = code.constant(0x4B000000);
  auto piece = [&](Lanes of, unsigned number) {
    Lanes bits = code.shiftRight(of, 8 * number);
    return code.fromInteger(number == 2 ? bits : code.bitAnd(bits, 0xFF));
  };
  Lanes left[3], right[3], sums[5] = {magic, magic, magic, magic, magic};
  for (unsigned i = 0; i < 3; ++i)
    left[i] = piece(a, i), right[i] = piece(b, i);
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 3; ++j)
      sums[i + j] = code.multiplyAdd(left[i], right[j], sums[i + j]);
  Lanes columns[5];
  for (unsigned i = 0; i < 5; ++i)
    columns[i] = code.mantissa(sums[i]);
  Lanes low = code.add(columns[0], code.shiftLeft(columns[1], 8));
  Lanes high = code.add(code.shiftRight(low, 16), columns[2]);
  high = code.add(high, code.shiftLeft(columns[3], 8));
  high = code.add(high, code.shiftLeft(columns[4], 16));
  return {high, code.bitAnd(low, 0xFFFF)};
}

/// The first bit goes to bit 30.
static Lanes normaliseAndRound(VectorCode &code, Lanes exponent, Lanes significand) {
  Lanes shift = code.add(code.leadingZeros(significand), -1);
  return roundMagnitude(code, code.subtract(exponent, shift),
                        code.shiftBy(significand, shift));
}

Lanes isNaN(VectorCode &code, Lanes a) {
  return code.sign(code.subtract(code.constant(infinity), code.magnitude(a)));
}

/// Floats in the order of integers: negative ones as the complement of their magnitude.
static Lanes keyOf(VectorCode &code, Lanes a) {
  Lanes sign = code.sign(a);
  return code.add(code.bitXor(code.magnitude(a), code.mask(sign)), sign);
}

Lanes isLessOrdered(VectorCode &code, Lanes a, Lanes b) {
  return isLessSigned(code, keyOf(code, a), keyOf(code, b));
}

Lanes isEqualOrdered(VectorCode &code, Lanes a, Lanes b) {
  return isEqual(code, keyOf(code, a), keyOf(code, b));
}

Lanes addFloats(VectorCode &code, Lanes a, Lanes b) {
  // The one of the larger magnitude, and the other.
  Lanes isLess = code.sign(code.subtract(code.magnitude(a), code.magnitude(b)));
  auto ordered = code.select(isLess, {b, a}, {a, b});
  Lanes large = ordered[0], small = ordered[1];
  Lanes differs = code.sign(code.bitXor(large, small));
  Unpacked first = unpack(code, large), second = unpack(code, small);
  // First bits at 29 and below, so that there is room for the sum.
  Lanes shift = atMost(code, code.subtract(first.exponent, second.exponent), 31);
  Lanes aligned = shiftSticky(code, code.shiftLeft(second.significand, 6), shift);
  aligned = code.add(code.bitXor(aligned, code.mask(differs)), differs);
  Lanes sum = code.add(code.shiftLeft(first.significand, 6), aligned);
  Lanes rounded = normaliseAndRound(code, code.add(first.exponent, 1), sum);
  // Zero is negative if both are; infinities and NaNs stay, but for ∞ - ∞.
  Lanes isExact = code.isZero(sum);
  Lanes special = isSpecial(code, code.magnitude(large));
  Lanes bothNegative = code.bitAnd(large, small);
  Lanes sign = code.bitAnd(code.select(isExact, bothNegative, large), signBit);
  Lanes result = code.bitOr(rounded, sign);
  Lanes other = code.select(isExact, code.constant(quietNaN), large);
  return code.select(special, other, result);
}

Lanes specialProduct(VectorCode &code, Lanes a, Lanes b, Lanes isZero, Lanes sign) {
  Lanes bad = code.bitOr(code.bitOr(isNaN(code, a), isNaN(code, b)), isZero);
  return code.select(bad, code.constant(quietNaN),
                     code.bitOr(sign, code.constant(infinity)));
}

Lanes multiplyFloats(VectorCode &code, Lanes a, Lanes b) {
  Lanes sign = code.bitAnd(code.bitXor(a, b), signBit);
  Lanes special =
      code.bitOr(isSpecial(code, code.magnitude(a)), isSpecial(code, code.magnitude(b)));
  Lanes isZero =
      code.bitOr(code.isZero(code.magnitude(a)), code.isZero(code.magnitude(b)));
  Lanes other = specialProduct(code, a, b, isZero, sign);
  Unpacked first = unpackNormalised(code, a), second = unpackNormalised(code, b);
  Product product = multiplySignificands(code, first.significand, second.significand);
  // Its first bit is at 29 or 30 when it is halved.
  Lanes sticky = isAny(code, code.bitOr(product.low, code.bitAnd(product.high, 1)));
  Lanes significand = code.bitOr(code.shiftRight(product.high, 1), sticky);
  Lanes exponent = code.add(code.add(first.exponent, second.exponent), -126);
  Lanes rounded = normaliseAndRound(code, exponent, significand);
  return code.select(special, other, code.bitOr(rounded, sign));
}

Lanes floatFromUnsigned(VectorCode &code, Lanes a) {
  Lanes top = code.sign(a);
  Lanes significand = code.bitOr(code.shiftBy(a, code.negate(top)), code.bitAnd(a, top));
  return normaliseAndRound(code, code.add(top, 157), significand);
}

Lanes floatFromSigned(VectorCode &code, Lanes a) {
  Lanes sign = code.sign(a);
  Lanes magnitude = code.add(code.bitXor(a, code.mask(sign)), sign);
  return code.bitOr(floatFromUnsigned(code, magnitude), code.shiftLeft(sign, 31));
}

} // namespace het::tensix
