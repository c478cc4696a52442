// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of float arithmetic on the vector unit (VectorFloats.cpp, VectorMultiplyAdd.cpp).

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORFLOATPARTS_H
#define HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORFLOATPARTS_H

#include "VectorMath.h"

namespace het::tensix {

constexpr uint32_t infinity = 0x7F800000, signBit = 0x80000000, quietNaN = 0x7FC00000;

/// A value is significand * 2^(exponent - 150).
struct Unpacked {
  Lanes exponent, significand;
};

/// With the significand's first bit at 23; zero has an exponent below all others.
Unpacked unpackNormalised(VectorCode &code, Lanes a);

/// The 48 bits of the product of two significands: its upper 32 and lower 16 bits.
struct Product {
  Lanes high, low;
};

Product multiplySignificands(VectorCode &code, Lanes a, Lanes b);

/// A float without its sign, whose significand begins at bit 30, or is 0; what is below
/// bit 7 is rounded.
Lanes roundMagnitude(VectorCode &code, Lanes exponent, Lanes significand);

/// 1 where a magnitude is an infinity's or a NaN's.
Lanes isSpecial(VectorCode &code, Lanes magnitude);
/// The product where a factor is one of those: NaN of a NaN and of 0 * ∞.
Lanes specialProduct(VectorCode &code, Lanes a, Lanes b, Lanes isZero, Lanes sign);
/// 1 where any bit is set.
Lanes isAny(VectorCode &code, Lanes a);
/// The lesser of a number and a constant of 12 bits.
Lanes atMost(VectorCode &code, Lanes a, int32_t most);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORFLOATPARTS_H
