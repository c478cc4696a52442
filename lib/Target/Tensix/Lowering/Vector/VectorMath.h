// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routines for what the vector unit has no instruction for, or none that is exact:
// integer products and comparisons, and IEEE 754 arithmetic of floats with subnormals, to
// nearest, ties to even. All in instructions that the documents define exactly: of
// integers, and multiply-adds of floats whose product and sum are integers of at most 24
// bits.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORMATH_H
#define HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORMATH_H

#include "VectorCode.h"

namespace het::tensix {

// Truths are 0 or 1.
Lanes multiplyIntegers(VectorCode &code, Lanes a, Lanes b);
Lanes shiftRightSigned(VectorCode &code, Lanes a, Lanes bits);
Lanes isLessSigned(VectorCode &code, Lanes a, Lanes b);
Lanes isLessUnsigned(VectorCode &code, Lanes a, Lanes b);
Lanes isEqual(VectorCode &code, Lanes a, Lanes b);

/// Functions of floats, by their bits. A NaN is a NaN: its payload and sign are of any
/// kind.
Lanes isNaN(VectorCode &code, Lanes a);
/// Neither may be a NaN; -0 equals 0.
Lanes isLessOrdered(VectorCode &code, Lanes a, Lanes b);
Lanes isEqualOrdered(VectorCode &code, Lanes a, Lanes b);
Lanes addFloats(VectorCode &code, Lanes a, Lanes b);
Lanes multiplyFloats(VectorCode &code, Lanes a, Lanes b);
Lanes multiplyAddFloats(VectorCode &code, Lanes a, Lanes b, Lanes c);
/// From integers.
Lanes floatFromUnsigned(VectorCode &code, Lanes a);
Lanes floatFromSigned(VectorCode &code, Lanes a);

/// By the unit's own instructions, with doubts where these may not be right.
Lanes addNatively(VectorCode &code, Lanes a, Lanes b);
Lanes multiplyNatively(VectorCode &code, Lanes a, Lanes b);
Lanes multiplyAddNatively(VectorCode &code, Lanes a, Lanes b, Lanes c);

/// Pieces of code that kernels share, as functions of the core that push them.
enum class Routine { Add, Multiply, MultiplyAdd, MultiplyIntegers, NativeMultiplyAdd };
constexpr unsigned routineCount = 5;
/// From registers 0, 1 and 2 to 0.
VectorCode makeRoutine(Routine routine);
const char *nameOf(Routine routine);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORMATH_H
