// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fused multiply-add on the vector unit, rounded once: the product's 48 bits and the
// addend in a frame of 62 bits, of which each word holds 31, so that a carry is a sign.

#include "VectorFloatParts.h"

namespace het::tensix {
namespace {

constexpr uint32_t wordBits = 0x7FFFFFFF;

struct Wide {
  Lanes high, low;
};

/// Right by any number of bits that is not negative; the last bit is sticky.
Wide shiftSticky(VectorCode &code, Wide a, Lanes bits) {
  Lanes zero = code.constant(0);
  Lanes most = atMost(code, bits, 61);
  Lanes isFar = code.sign(code.subtract(code.constant(30), most));
  Lanes rest = code.subtract(most, code.bitAnd(code.mask(isFar), 31));
  auto [high, low, gone] = [&] {
    auto moved = code.select(isFar, {zero, a.high, a.low}, {a.high, a.low, zero});
    return std::tuple(moved[0], moved[1], moved[2]);
  }();
  Lanes right = code.negate(rest);
  Lanes shifted = code.shiftBy(low, right);
  Lanes lost = code.bitXor(code.shiftBy(shifted, rest), low);
  Lanes carried =
      code.bitAnd(code.shiftBy(high, code.subtract(code.constant(31), rest)), wordBits);
  Lanes sticky = isAny(code, code.bitOr(lost, gone));
  return {code.shiftBy(high, right), code.bitOr(code.bitOr(shifted, carried), sticky)};
}

/// Negated where `truth` is 1.
Wide negateWhere(VectorCode &code, Wide a, Lanes truth) {
  Lanes flip = code.mask(truth);
  Lanes low = code.add(code.bitAnd(code.bitXor(a.low, flip), wordBits), truth);
  return {code.add(code.bitXor(a.high, flip), code.sign(low)),
          code.bitAnd(low, wordBits)};
}

Wide add(VectorCode &code, Wide a, Wide b) {
  Lanes low = code.add(a.low, b.low);
  return {code.add(code.add(a.high, b.high), code.sign(low)), code.bitAnd(low, wordBits)};
}

/// Rounds a frame that is worth its number times 2^scale.
Lanes roundFrame(VectorCode &code, Wide frame, Lanes scale) {
  Lanes isShort = code.isZero(frame.high);
  auto moved =
      code.select(isShort, {frame.low, code.constant(0)}, {frame.high, frame.low});
  Lanes high = moved[0], low = moved[1];
  Lanes base = code.subtract(code.add(scale, 188), code.bitAnd(code.mask(isShort), 31));
  Lanes shift = code.add(code.leadingZeros(high), -1);
  Lanes below = code.shiftBy(low, code.add(shift, -31));
  Lanes lost = code.bitAnd(code.shiftBy(low, shift), wordBits);
  Lanes significand =
      code.bitOr(code.bitOr(code.shiftBy(high, shift), below), isAny(code, lost));
  return roundMagnitude(code, code.subtract(base, shift), significand);
}

/// The result where an operand is an infinity or a NaN.
Lanes specialResult(VectorCode &code, Lanes a, Lanes b, Lanes c, Lanes sign) {
  Lanes isZero =
      code.bitOr(code.isZero(code.magnitude(a)), code.isZero(code.magnitude(b)));
  Lanes inProduct =
      code.bitOr(isSpecial(code, code.magnitude(a)), isSpecial(code, code.magnitude(b)));
  Lanes product = specialProduct(code, a, b, isZero, sign);
  Lanes conflict = code.bitAnd(code.bitAnd(inProduct, isSpecial(code, code.magnitude(c))),
                               code.sign(code.bitXor(sign, c)));
  Lanes bad = code.bitOr(isNaN(code, c), conflict);
  return code.select(bad, code.constant(quietNaN), code.select(inProduct, product, c));
}

} // namespace

Lanes multiplyAddFloats(VectorCode &code, Lanes a, Lanes b, Lanes c) {
  Lanes signOfProduct = code.bitAnd(code.bitXor(a, b), signBit);
  Unpacked first = unpackNormalised(code, a), second = unpackNormalised(code, b);
  Lanes productScale = code.add(code.add(first.exponent, second.exponent), -312);
  Product bits = multiplySignificands(code, first.significand, second.significand);
  Wide product = {code.shiftRight(bits.high, 3),
                  code.bitOr(code.shiftLeft(code.bitAnd(bits.high, 7), 28),
                             code.shiftLeft(bits.low, 12))};
  Unpacked third = unpackNormalised(code, c);
  Lanes addendScale = code.add(third.exponent, -186);
  Wide addend = {code.shiftLeft(third.significand, 5), code.constant(0)};
  // The one of the lesser scale is shifted to the other one's.
  Lanes gap = code.subtract(productScale, addendScale);
  Lanes isLess = code.sign(gap);
  auto ordered = code.select(isLess, {addend.high, addend.low, product.high, product.low},
                             {product.high, product.low, addend.high, addend.low});
  auto chosen = code.select(isLess, {addendScale, c, code.negate(gap)},
                            {productScale, signOfProduct, gap});
  Wide small = shiftSticky(code, {ordered[2], ordered[3]}, chosen[2]);
  Lanes differs = code.sign(code.bitXor(signOfProduct, c));
  Wide sum = add(code, {ordered[0], ordered[1]}, negateWhere(code, small, differs));
  Lanes isNegative = code.sign(sum.high);
  sum = negateWhere(code, sum, isNegative);
  Lanes rounded = roundFrame(code, sum, chosen[0]);
  // Zero is negative if both are.
  Lanes isExact = code.isZero(code.bitOr(sum.high, sum.low));
  Lanes sign = code.bitXor(chosen[1], code.shiftLeft(isNegative, 31));
  sign = code.select(isExact, code.bitAnd(signOfProduct, c), sign);
  Lanes result = code.bitOr(rounded, code.bitAnd(sign, signBit));
  Lanes special = code.bitOr(
      code.bitOr(isSpecial(code, code.magnitude(a)), isSpecial(code, code.magnitude(b))),
      isSpecial(code, code.magnitude(c)));
  return code.select(special, specialResult(code, a, b, c, signOfProduct), result);
}

VectorCode makeRoutine(Routine routine) {
  VectorCode code;
  Lanes a = code.argument(0), b = code.argument(1);
  switch (routine) {
  case Routine::Add:
    code.finish(addFloats(code, a, b));
    break;
  case Routine::Multiply:
    code.finish(multiplyFloats(code, a, b));
    break;
  case Routine::MultiplyAdd:
    code.finish(multiplyAddFloats(code, a, b, code.argument(2)));
    break;
  case Routine::MultiplyIntegers:
    code.finish(multiplyIntegers(code, a, b));
    break;
  case Routine::NativeMultiplyAdd:
    code.finish(multiplyAddNatively(code, a, b, code.argument(2)));
    break;
  }
  return code;
}

const char *nameOf(Routine routine) {
  constexpr const char *names[] = {"add", "multiply", "multiply_add", "multiply_integers",
                                   "native_multiply_add"};
  return names[static_cast<unsigned>(routine)];
}

} // namespace het::tensix
