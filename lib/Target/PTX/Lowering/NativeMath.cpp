// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --het-math=native: functions that the special-function unit gives within the errors
// that CUDA documents for them (CUDA C++ Programming Guide, "Mathematical Functions"),
// over all arguments. All floats were tried on a device (docs/results/nvidia.md). The
// unit's logarithm, sine, cosine and tanh have too large an error near their zeros or at
// large arguments, so functions that would need them stay the device library's.
//
// "ftz" below where no operand and no result that matters is subnormal. What a formula
// does not serve (roots of 0, of subnormal and infinite numbers) takes the library's
// function, behind a branch hardly ever taken.

#include "../../Support/Lowering/TargetLowering.h"
#include "ConvertToPTX.h"
#include "llvm/ADT/StringSwitch.h"
#include <limits>

using namespace mlir;

namespace het::ptx {
namespace {

class NativeMath {
public:
  NativeMath(ir::MathOp op) : op(op), type(op.getType()), builder(op.getLoc(), op) {}

  /// Null where the device library's function is as good as it gets.
  Value convert() {
    if (op.getAccuracy() != ir::Accuracy::Exact || op.getArguments().size() != 1 ||
        op.getArguments()[0].getType() != type)
      return {};
    using Function = Value (NativeMath::*)(Value);
    Function function = nullptr;
    if (type.isF32())
      function = llvm::StringSwitch<Function>(op.getFunction())
                     .Case("exp2", &NativeMath::exp2)
                     .Case("exp", &NativeMath::exp)
                     .Case("exp10", &NativeMath::exp10)
                     .Case("tanh", &NativeMath::tanh)
                     .Case("cbrt", &NativeMath::cbrt)
                     .Case("rsqrt", &NativeMath::rsqrt)
                     .Default(nullptr);
    else if (type.isF64() && op.getFunction() == "rsqrt")
      function = &NativeMath::rsqrtOfDouble;
    return function ? (this->*function)(op.getArguments()[0]) : Value();
  }

private:
  Value constant(double value) {
    return LLVM::ConstantOp::create(builder, type, builder.getFloatAttr(type, value));
  }
  Value call(StringRef name, ValueRange operands) {
    return callIntrinsic(builder, ("llvm.nvvm." + name).str(), type, operands);
  }
  Value add(Value a, Value b) { return LLVM::FAddOp::create(builder, a, b); }
  Value sub(Value a, Value b) { return LLVM::FSubOp::create(builder, a, b); }
  Value mul(Value a, Value b) { return LLVM::FMulOp::create(builder, a, b); }
  Value fma(Value a, Value b, Value c) { return LLVM::FMAOp::create(builder, a, b, c); }
  Value negate(Value a) { return LLVM::FNegOp::create(builder, a); }
  Value absolute(Value a) { return LLVM::FAbsOp::create(builder, a); }
  Value isLess(Value a, double b) {
    return LLVM::FCmpOp::create(builder, LLVM::FCmpPredicate::olt, a, constant(b));
  }
  Value select(Value condition, Value a, Value b) {
    return LLVM::SelectOp::create(builder, condition, a, b);
  }

  /// The unit's own: it takes and gives subnormal numbers.
  Value exp2(Value x) { return call("ex2.approx", x); }
  Value rsqrt(Value x) { return call("rsqrt.approx.f", x); }
  Value exp(Value x) { return exponential(x, 1.4426950408889634074, 87.6, 88.3); }
  Value exp10(Value x) { return exponential(x, 3.3219280948873623479, 38.0, 38.3); }
  Value exponential(Value x, double logarithm, double low, double high);
  Value tanh(Value x);
  Value cbrt(Value x);
  Value rsqrtOfDouble(Value x);
  /// The formula's value where the condition holds, else the library's function's.
  Value libraryUnless(Value condition, llvm::function_ref<Value()> formula);

  ir::MathOp op;
  Type type;
  ImplicitLocOpBuilder builder;
};

/// b^x = 2^(x log2(b) - n) 2^n, with n as near as a normal 2^n allows: what x has beyond
/// that is left in the fraction, whose power then over- or underflows as it must, and
/// the one rounding of a subnormal result is the last multiplication's.
Value NativeMath::exponential(Value x, double logarithm, double low, double high) {
  const double first = static_cast<float>(logarithm);
  // Adding it leaves n + 127, the exponent of 2^n, in the last bits of a float.
  const double shifter = 0x1.8p23 + 127;
  Value bounded = LLVM::MaxNumOp::create(builder, x, constant(-low));
  bounded = LLVM::MinNumOp::create(builder, bounded, constant(high));
  Value shifted = fma(bounded, constant(first), constant(shifter));
  Value n = sub(shifted, constant(shifter));
  Value fraction = fma(x, constant(first), negate(n));
  fraction = fma(x, constant(logarithm - first), fraction);
  Type i32 = builder.getI32Type();
  Value bits = LLVM::BitcastOp::create(builder, i32, shifted);
  bits = LLVM::ShlOp::create(builder, bits, constantI32(builder, 23));
  return mul(call("ex2.approx.ftz", fraction),
             LLVM::BitcastOp::create(builder, type, bits));
}

/// 1 - 2 / (e^2x + 1); below 0.55, where that cancels, x + x^3 p(x^2), with p found by
/// interpolation at Chebyshev's points (relative error 2^-27.9).
Value NativeMath::tanh(Value x) {
  Value a = absolute(x);
  Value e = call("ex2.approx.ftz", mul(a, constant(2 * 1.4426950408889634074)));
  Value inverse = call("rcp.approx.ftz.f", add(e, constant(1)));
  Value large = fma(inverse, constant(-2), constant(1));
  Value square = mul(x, x);
  Value p = constant(-0x1.b1353866cde6fp-8);
  for (double coefficient : {0x1.5d220ddccb0a9p-6, -0x1.b9a04438a9143p-5,
                             0x1.110fea519bc48p-3, -0x1.55555471a392ep-2})
    p = fma(p, square, constant(coefficient));
  Value small = fma(mul(p, square), a, a);
  return LLVM::CopySignOp::create(builder, select(isLess(a, 0.55), small, large), x);
}

/// 2^(log2(x) / 3), and a step of Newton's.
Value NativeMath::cbrt(Value x) {
  Value a = absolute(x);
  const double infinity = std::numeric_limits<double>::infinity();
  Value isNormal = LLVM::AndOp::create(
      builder,
      LLVM::FCmpOp::create(builder, LLVM::FCmpPredicate::oge, a, constant(0x1p-126)),
      isLess(a, infinity));
  return libraryUnless(isNormal, [&] {
    Value root =
        call("ex2.approx.ftz", mul(call("lg2.approx.ftz.f", a), constant(1 / 3.0)));
    Value square = mul(root, root);
    Value rest = fma(negate(square), root, a);
    Value step = mul(mul(rest, call("rcp.approx.ftz.f", square)), constant(1 / 3.0));
    return Value(LLVM::CopySignOp::create(builder, add(root, step), x));
  });
}

/// The unit's value, whose 21 bits have an exact square, and a step of the third order.
Value NativeMath::rsqrtOfDouble(Value x) {
  // The upper bits of a normal positive number are at least 2^20 and below infinity's.
  Type i64 = builder.getI64Type();
  Value bits = LLVM::BitcastOp::create(builder, i64, x);
  Value shift = LLVM::ConstantOp::create(builder, i64, builder.getI64IntegerAttr(32));
  Value upper = LLVM::TruncOp::create(builder, builder.getI32Type(),
                                      LLVM::LShrOp::create(builder, bits, shift));
  upper = LLVM::SubOp::create(builder, upper, constantI32(builder, 0x00100000));
  Value isNormal = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, upper,
                                        constantI32(builder, 0x7fe00000));
  return libraryUnless(isNormal, [&] {
    Value y = call("rsqrt.approx.ftz.d", x);
    Value error = fma(negate(x), mul(y, y), constant(1));
    Value factor = fma(error, constant(0.375), constant(0.5));
    return fma(mul(y, error), factor, y);
  });
}

Value NativeMath::libraryUnless(Value condition, llvm::function_ref<Value()> formula) {
  Block *before = op->getBlock();
  Block *after = before->splitBlock(std::next(op->getIterator()));
  Value result = after->addArgument(type, op.getLoc());
  Block *fast = builder.createBlock(after), *slow = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, condition, fast, ValueRange(), slow, ValueRange(),
                         std::pair<uint32_t, uint32_t>(1u << 20, 1));
  builder.setInsertionPointToEnd(fast);
  LLVM::BrOp::create(builder, formula(), after);
  // A copy for the library: the operation itself is the caller's to replace.
  builder.setInsertionPointToEnd(slow);
  auto copy = cast<ir::MathOp>(builder.clone(*op));
  auto branch = LLVM::BrOp::create(builder, copy.getResult(), after);
  target::callDeviceLibrary(copy);
  builder.setInsertionPointAfter(branch);
  return result;
}

} // namespace

Value convertNativeMath(ir::MathOp op) { return NativeMath(op).convert(); }

} // namespace het::ptx
