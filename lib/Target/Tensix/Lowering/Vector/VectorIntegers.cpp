// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers on the vector unit: it adds, shifts and counts zeros, and multiplies floats.

#include "VectorMath.h"

namespace het::tensix {

/// 11 bits of an integer, or the last 10, as a float.
static Lanes piece(VectorCode &code, Lanes a, unsigned number) {
  Lanes bits = code.shiftRight(a, 11 * number);
  return code.fromInteger(number == 2 ? bits : code.bitAnd(bits, 0x7FFu));
}

/// The sums are below 2^23, for that of the last column has factors of 10 bits: with 2^23
/// added, a float's mantissa holds them.
Lanes multiplyIntegers(VectorCode &code, Lanes a, Lanes b) {
  Lanes left[3], right[3], sums[3];
  for (unsigned i = 0; i < 3; ++i) {
    left[i] = piece(code, a, i);
    right[i] = piece(code, b, i);
    sums[i] = code.constant(0x4B000000);
  }
  // No column is added to twice in turn, but at the end.
  constexpr unsigned order[][2] = {{0, 2}, {0, 1}, {1, 1}, {1, 0}, {2, 0}, {0, 0}};
  for (auto [i, j] : order)
    sums[i + j] = code.multiplyAdd(left[i], right[j], sums[i + j]);
  Lanes upper =
      code.add(code.shiftLeft(code.mantissa(sums[2]), 11), code.mantissa(sums[1]));
  return code.add(code.shiftLeft(upper, 11), code.mantissa(sums[0]));
}

/// In the sign's copies' stead the complement is shifted, so that zeros come in.
Lanes shiftRightSigned(VectorCode &code, Lanes a, Lanes bits) {
  Lanes flip = code.mask(code.sign(a));
  Lanes shifted = code.shiftBy(code.bitXor(a, flip), code.negate(bits));
  return code.bitXor(shifted, flip);
}

/// The sign of a - b, but for overflows, where it is a's.
Lanes isLessSigned(VectorCode &code, Lanes a, Lanes b) {
  Lanes difference = code.subtract(a, b);
  Lanes overflow = code.bitAnd(code.bitXor(a, b), code.bitXor(difference, a));
  return code.sign(code.bitXor(difference, overflow));
}

Lanes isLessUnsigned(VectorCode &code, Lanes a, Lanes b) {
  Lanes top = code.constant(0x80000000);
  return isLessSigned(code, code.bitXor(a, top), code.bitXor(b, top));
}

Lanes isEqual(VectorCode &code, Lanes a, Lanes b) {
  return code.isZero(code.bitXor(a, b));
}

} // namespace het::tensix
