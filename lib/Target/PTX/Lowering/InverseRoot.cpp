// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1/sqrt(x) of float, rounded to nearest as the device library's is: the machine's
// approximation, whose relative error is at most 2^-22.9 (PTX ISA, rsqrt), and a step
// from there with the exact residual. From every float within 2^-22.63 of the root the
// step leads to the nearest one; that was tried for all 2^24 numbers of two neighbouring
// exponents, and other exponents only scale.

#include "ConvertToPTX.h"

using namespace mlir;

namespace het::ptx {

Value nearestInverseRoot(ImplicitLocOpBuilder &builder, Value x) {
  Type type = builder.getF32Type();
  auto constant = [&](float value) -> Value {
    return LLVM::ConstantOp::create(builder, type, builder.getF32FloatAttr(value));
  };
  auto product = [&](Value a, Value b) -> Value {
    return LLVM::FMulOp::create(builder, a, b);
  };
  auto fma = [&](Value a, Value b, Value c) -> Value {
    return LLVM::FMAOp::create(builder, a, b, c);
  };
  auto negative = [&](Value a) -> Value { return LLVM::FNegOp::create(builder, a); };
  Value y = callIntrinsic(builder, "llvm.nvvm.rsqrt.approx.f", type, x);
  // e = 1 - x y^2, of x y as two floats.
  Value root = product(x, y), low = fma(x, y, negative(root));
  Value e = fma(negative(low), y, fma(negative(root), y, constant(1)));
  // y (1 + e/2 + 3/8 e^2)
  Value nearest =
      fma(product(y, constant(0.5f)), fma(product(e, constant(0.75f)), e, e), y);
  // Zeros, infinities and NaN have no residual: their root is the machine's.
  Value isOrdinary = LLVM::FCmpOp::create(builder, LLVM::FCmpPredicate::olt,
                                          LLVM::FAbsOp::create(builder, e), constant(1));
  return LLVM::SelectOp::create(builder, isOrdinary, nearest, y);
}

} // namespace het::ptx
