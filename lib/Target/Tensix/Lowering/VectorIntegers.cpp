// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers on the vector unit: it adds, shifts and counts zeros, and multiplies floats.

#include "VectorMath.h"

namespace het::tensix {

/// 8 bits of an integer, as a float.
static Lanes piece(VectorCode &code, Lanes a, unsigned number) {
  Lanes bits = code.shiftRight(a, 8 * number);
  return code.fromInteger(number == 3 ? bits : code.bitAnd(bits, 0xFF));
}

/// The sums are of up to four products below 2^16: with 2^23 added, a float's mantissa
/// holds them.
Lanes multiplyIntegers(VectorCode &code, Lanes a, Lanes b) {
  const Lanes magic = code.constant(0x4B000000);
  Lanes left[4], right[4];
  for (unsigned i = 0; i < 4; ++i)
    left[i] = piece(code, a, i), right[i] = piece(code, b, i);
  Lanes product;
  for (unsigned column = 4; column-- > 0;) {
    Lanes sum = magic;
    for (unsigned i = 0; i <= column; ++i)
      sum = code.multiplyAdd(left[i], right[column - i], sum);
    Lanes bits = code.mantissa(sum);
    product = column == 3 ? bits : code.add(code.shiftLeft(product, 8), bits);
  }
  return product;
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
