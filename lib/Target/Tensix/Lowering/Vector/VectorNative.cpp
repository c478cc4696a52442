// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats by the vector unit's own instructions. By the documents (SFPMAD.md, SFPADD.md,
// SFPMUL.md) a sum and a product are rounded to nearest, ties to even, but: subnormals
// are taken for zero and not made, zero is never negative, and of a multiply-add the
// product is cut somewhere below a float's bits. A result whose exponent is in a window
// is IEEE 754's nevertheless; all else is a doubt, and the caller computes again in
// integers.
//
// The window is fields of 31 to 254, 2^-96 and more. A product there is no subnormal, and
// none of its factors was, or it would be 0. A sum there that had a subnormal term is
// rounded to the other term, for the former is below half of a last place. A zero as a
// result is a doubt, for it may have to be negative.

#include "VectorMath.h"

namespace het::tensix {
namespace {

constexpr unsigned windowBits = 5; ///< A field below 31, or 255, is 2^5 or less, plus 1.

/// Negative where the exponent is not in the window.
Lanes outside(VectorCode &code, Lanes twice) {
  Lanes next = code.add(twice, code.constant(1u << 24));
  return code.add(code.shiftRight(next, 24 + windowBits), -1);
}

Lanes checked(VectorCode &code, Lanes result) {
  code.doubt(outside(code, code.shiftLeft(result, 1)));
  return result;
}

/// The product of -1 and a float is one, so this is a sum.
Lanes subtract(VectorCode &code, Lanes a, Lanes b) {
  return code.multiplyAdd(b, code.constant(0xBF800000), a);
}

struct Sum {
  Lanes high, low;
};

/// The sum and its error (D. E. Knuth, The Art of Computer Programming 2, 4.2.2).
Sum addExactly(VectorCode &code, Lanes a, Lanes b) {
  Lanes sum = code.nativeAdd(a, b);
  Lanes partA = subtract(code, sum, b);
  Lanes partB = subtract(code, sum, partA);
  Lanes errorA = subtract(code, a, partA), errorB = subtract(code, b, partB);
  return {sum, code.nativeAdd(errorA, errorB)};
}

/// Halves of 12 bits each (T. J. Dekker, "A floating-point technique for extending the
/// available precision", Numerische Mathematik 18, 1971), of two numbers in turns.
void split(VectorCode &code, Lanes (&whole)[2], Sum (&halves)[2]) {
  Lanes factor = code.constant(0x45800800); // 2^12 + 1
  Lanes large[2], rest[2];
  for (unsigned i = 0; i < 2; ++i)
    large[i] = code.nativeMultiply(whole[i], factor);
  for (unsigned i = 0; i < 2; ++i)
    rest[i] = subtract(code, large[i], whole[i]);
  for (unsigned i = 0; i < 2; ++i)
    halves[i].high = subtract(code, large[i], rest[i]);
  for (unsigned i = 0; i < 2; ++i)
    halves[i].low = subtract(code, whole[i], halves[i].high);
}

/// Rounded to odd: where there is an error and the last bit is 0, the neighbour towards
/// the error.
Lanes roundToOdd(VectorCode &code, Sum sum) {
  Lanes differs = code.sign(code.bitXor(sum.high, sum.low));
  Lanes step = code.subtract(code.constant(1), code.shiftLeft(differs, 1));
  Lanes isInexact = code.sign(code.bitOr(sum.low, code.negate(sum.low)));
  Lanes isEven = code.bitAnd(code.bitNot(sum.high), isInexact);
  return code.add(sum.high, code.bitAnd(step, code.mask(isEven)));
}

} // namespace

/// A doubt where it is neither zero nor in the window.
static void checkOperand(VectorCode &code, Lanes a) {
  Lanes twice = code.shiftLeft(a, 1);
  Lanes notZero = code.bitOr(twice, code.negate(twice));
  code.doubt(code.bitAnd(outside(code, twice), notZero));
}

Lanes addNatively(VectorCode &code, Lanes a, Lanes b) {
  return checked(code, code.nativeAdd(a, b));
}

Lanes multiplyNatively(VectorCode &code, Lanes a, Lanes b) {
  return checked(code, code.nativeMultiply(a, b));
}

/// By S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded sums: proved
/// algorithms using rounding to odd", IEEE Transactions on Computers 57, 2008. All is a
/// multiple of the last places of the product and the addend, which are 2^-126 and more,
/// so that no part is subnormal.
Lanes multiplyAddNatively(VectorCode &code, Lanes a, Lanes b, Lanes c) {
  // Fields of the factors in [64, 192), their sum 174 and more.
  Lanes fieldA = code.add(code.exponent(a), -64);
  Lanes fieldB = code.add(code.exponent(b), -64);
  code.doubt(code.negate(code.shiftRight(code.bitOr(fieldA, fieldB), 7)));
  code.doubt(code.add(code.add(fieldA, fieldB), -46));
  checkOperand(code, c);
  Lanes whole[2] = {a, b};
  Sum parts[2];
  split(code, whole, parts);
  Lanes product = code.nativeMultiply(a, b);
  Lanes negative = code.bitXor(product, code.constant(0x80000000));
  Lanes error = code.multiplyAdd(parts[0].high, parts[1].high, negative);
  error = code.multiplyAdd(parts[0].high, parts[1].low, error);
  error = code.multiplyAdd(parts[0].low, parts[1].high, error);
  error = code.multiplyAdd(parts[0].low, parts[1].low, error);
  Sum first = addExactly(code, c, error);
  Sum second = addExactly(code, product, first.high);
  Lanes rest = roundToOdd(code, addExactly(code, second.low, first.low));
  return checked(code, code.nativeAdd(second.high, rest));
}

} // namespace het::tensix
