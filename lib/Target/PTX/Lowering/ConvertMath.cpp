// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions. Arithmetic and conversions with a rounding mode are single
// instructions whose bits IEEE 754 fixes; approximations are the machine's own, put
// together as CUDA's documentation says of its intrinsics; everything else is the
// device library's.
//
// Source: CUDA C++ Programming Guide, "Intrinsic Functions"; PTX ISA, "Floating Point
// Instructions".

#include "../../Support/Lowering/TargetLowering.h"
#include "ConvertToPTX.h"
#include "het/Transforms/FlushedArithmetic.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir;

namespace het::ptx {
namespace {

class MathConverter {
public:
  MathConverter(ir::MathOp op, unsigned capability)
      : op(op), function(op.getFunction()), capability(capability),
        builder(op.getLoc(), op) {
    if (function.consume_back(ir::flushSuffix))
      flushed = ".ftz";
  }

  /// The value of the operation; null where the device library has to give it.
  Value convert() {
    if (op.getArguments().size() < leastOperands())
      return {};
    if (function == ir::flushFunction)
      return call("mul.rn.ftz.f", {operand(0), constant(1)});
    if (Value words = convertWords())
      return words;
    if (Value arithmetic = flushed.empty() ? Value() : convertFlushed())
      return arithmetic;
    if (Value rounded = convertRounded())
      return rounded;
    if (flushed.empty() &&
        op->getParentOfType<ModuleOp>()->hasAttr(ir::nativeMathAttrName))
      if (Value native = convertNativeMath(op))
        return native;
    if (!op.getType().isF32() || !operand(0).getType().isF32())
      return {};
    if (op.getAccuracy() == ir::Accuracy::Approx)
      return convertApproximate();
    if (!flushed.empty())
      return {};
    return function == "rsqrt" ? nearestInverseRoot(builder, operand(0))
                               : convertSineOrCosine();
  }

private:
  /// Of functions that are looked into here; a package may hold anything.
  size_t leastOperands() const {
    const bool isOfTwo = function == "pow" || function == "div" ||
                         function == "fdivide" || function == "div_full";
    return isOfTwo || function.starts_with("sub") ? 2 : 1;
  }
  Value operand(unsigned index) { return op.getArguments()[index]; }
  Value call(const Twine &name, ValueRange operands) {
    return callIntrinsic(builder, ("llvm.nvvm." + name).str(), op.getType(), operands);
  }
  Value convertWords();
  Value convertDot(StringRef name, StringRef signs);
  Value convertFlushed();
  Value convertRounded();
  Value convertArithmetic(StringRef name, StringRef mode);
  Value convertNumber(StringRef name, StringRef mode);
  Value convertApproximate();
  Value convertSineOrCosine();
  LLVM::CallOp callOfBoth();
  ir::MathOp otherOfBoth();
  Value constant(double value) {
    return LLVM::ConstantOp::create(builder, builder.getF32Type(),
                                    builder.getF32FloatAttr(value));
  }
  /// rcp.approx, of which LLVM has no other form that keeps subnormal numbers.
  Value reciprocal(Value value) {
    if (!flushed.empty())
      return call("rcp.approx.ftz.f", value);
    return LLVM::FDivOp::create(builder, constant(1), value, LLVM::FastmathFlags::afn);
  }
  Value product(Value a, Value b) {
    return flushed.empty() ? LLVM::FMulOp::create(builder, a, b).getResult()
                           : call("mul.rn.ftz.f", {a, b});
  }
  Value times(Value value, double factor) { return product(value, constant(factor)); }

  ir::MathOp op;
  StringRef function;
  StringRef flushed; ///< ".ftz", or nothing.
  unsigned capability;
  ImplicitLocOpBuilder builder;
};

/// "dot4_su", "dot2_hi_uu": products of parts of words, and what part is signed.
Value MathConverter::convertDot(StringRef name, StringRef signs) {
  const bool isPair = name != "dot4";
  SmallVector<Value> operands(op.getArguments());
  if (isPair)
    operands.insert(operands.begin() + 2,
                    LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                             builder.getBoolAttr(name == "dot2_hi")));
  return call((isPair ? "idp2a." : "idp4a.") + signs.take_front() + "." +
                  signs.take_back(),
              operands);
}

/// Operations on the bytes of words.
Value MathConverter::convertWords() {
  if (!op.getType().isInteger(32))
    return {};
  if (function == "permute_bytes")
    return call("prmt", op.getArguments());
  auto [name, signs] = function.rsplit('_');
  if (capability < 61 || (name != "dot4" && name != "dot2_lo" && name != "dot2_hi"))
    return {};
  return convertDot(name, signs);
}

/// "add_ftz": an operation to nearest that flushes.
Value MathConverter::convertFlushed() {
  if (op.getAccuracy() != ir::Accuracy::Exact)
    return {};
  if (function == "float")
    return call("d2f.rn.ftz", op.getArguments());
  StringRef choice = llvm::StringSwitch<StringRef>(function)
                         .Cases({"minnum", "minimumnum"}, "fmin.ftz.f")
                         .Cases({"maxnum", "maximumnum"}, "fmax.ftz.f")
                         .Case("minimum", "fmin.ftz.nan.f")
                         .Case("maximum", "fmax.ftz.nan.f")
                         .Default("");
  if (!choice.empty() && (capability >= 80 || !choice.contains("nan")))
    return call(choice, op.getArguments());
  return convertArithmetic(function, "rn");
}

/// "add_rz": an operation and its rounding mode.
Value MathConverter::convertRounded() {
  auto [name, suffix] = function.rsplit('_');
  StringRef mode = llvm::StringSwitch<StringRef>(suffix)
                       .Case("rn", "rn")
                       .Case("rz", "rz")
                       .Case("rd", "rm")
                       .Case("ru", "rp")
                       .Default("");
  if (mode.empty())
    return {};
  if (Value value = convertArithmetic(name, mode))
    return value;
  return convertNumber(name, mode);
}

Value MathConverter::convertArithmetic(StringRef name, StringRef mode) {
  Type type = op.getType();
  if (!type.isF32() && !type.isF64())
    return {};
  const std::string suffix = (flushed + (type.isF32() ? ".f" : ".d")).str();
  SmallVector<Value> operands(op.getArguments());
  if (name == "sub") {
    operands[1] = LLVM::FNegOp::create(builder, operands[1]);
    name = "add";
  }
  if (!llvm::is_contained({"add", "mul", "fma", "div", "rcp", "sqrt"}, name))
    return {};
  return call(name + "." + mode + suffix, operands);
}

/// Between numbers of different kinds: "float2int", "double_from_ll".
Value MathConverter::convertNumber(StringRef name, StringRef mode) {
  StringRef intrinsic = llvm::StringSwitch<StringRef>(name)
                            .Case("float2int", "f2i")
                            .Case("float2uint", "f2ui")
                            .Case("float2ll", "f2ll")
                            .Case("float2ull", "f2ull")
                            .Case("double2int", "d2i")
                            .Case("double2uint", "d2ui")
                            .Case("double2ll", "d2ll")
                            .Case("double2ull", "d2ull")
                            .Case("float_from_int", "i2f")
                            .Case("float_from_uint", "ui2f")
                            .Case("float_from_ll", "ll2f")
                            .Case("float_from_ull", "ull2f")
                            .Case("double_from_int", "i2d")
                            .Case("double_from_uint", "ui2d")
                            .Case("double_from_ll", "ll2d")
                            .Case("double_from_ull", "ull2d")
                            .Case("float_from_double", "d2f")
                            .Default("");
  if (intrinsic.empty())
    return {};
  const bool isOfFloat = intrinsic.starts_with("f2") || intrinsic == "d2f";
  return call(intrinsic + "." + mode + (isOfFloat ? flushed : ""), op.getArguments());
}

Value MathConverter::convertApproximate() {
  const double log2e = 1 / std::log(2.0), log2of10 = std::log2(10.0);
  Value x = operand(0);
  auto unary = [&](StringRef name, Value argument) {
    return call(name + ".approx" + flushed + ".f", argument);
  };
  auto exp2 = [&](Value argument) { return call("ex2.approx" + flushed, argument); };
  auto log2 = [&](Value argument) { return unary("lg2", argument); };
  auto divide = [&](ValueRange operands) {
    return call("div.approx" + flushed + ".f", operands);
  };
  if (function == "sin" || function == "cos")
    return unary(function, x);
  if (function == "tan")
    return divide({unary("sin", x), unary("cos", x)});
  if (function == "exp2")
    return exp2(x);
  if (function == "exp")
    return exp2(times(x, log2e));
  if (function == "exp10")
    return exp2(times(x, log2of10));
  if (function == "log2")
    return log2(x);
  if (function == "log")
    return times(log2(x), 1 / log2e);
  if (function == "log10")
    return times(log2(x), 1 / log2of10);
  if (function == "pow")
    return exp2(product(operand(1), log2(x)));
  if (function == "div" || function == "fdivide")
    return divide(op.getArguments());
  if (function == "div_full")
    return call("div.full" + flushed, op.getArguments());
  if (function == "rcp")
    return reciprocal(x);
  if (function == "sqrt" || function == "rsqrt")
    return unary(function, x);
  return {};
}

/// The call, before the operation, that gives sine and cosine of its operand; else null.
LLVM::CallOp MathConverter::callOfBoth() {
  for (Operation *user : operand(0).getUsers()) {
    auto call = dyn_cast<LLVM::CallOp>(user);
    if (call && call.getCallee() == "__het_sincos_f32" &&
        call->getBlock() == op->getBlock() && call->isBeforeInBlock(op))
      return call;
  }
  return {};
}

/// The other one of sine and cosine, of the same number and in the same block.
ir::MathOp MathConverter::otherOfBoth() {
  StringRef wanted = function == "sin" ? "cos" : "sin";
  for (Operation *user : operand(0).getUsers()) {
    auto other = dyn_cast<ir::MathOp>(user);
    if (other && other->getBlock() == op->getBlock() && other.getFunction() == wanted &&
        other.getAccuracy() == ir::Accuracy::Exact)
      return other;
  }
  return {};
}

/// Where a block wants both of a number, one function gives them, the cosine in the upper
/// half: each of two would have a branch of its own for large numbers, past which they
/// could share nothing.
Value MathConverter::convertSineOrCosine() {
  if (function != "sin" && function != "cos")
    return {};
  if (ir::MathOp other = callOfBoth() ? ir::MathOp() : otherOfBoth()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op->isBeforeInBlock(other) ? op : other);
    target::callDeviceLibrary(ir::MathOp::create(builder, builder.getI64Type(), "sincos",
                                                 ir::Accuracy::Exact, operand(0)));
  }
  LLVM::CallOp both = callOfBoth();
  if (!both)
    return {};
  Value bits = both.getResult();
  if (function == "cos")
    bits = LLVM::LShrOp::create(
        builder, bits, LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(32)));
  bits = LLVM::TruncOp::create(builder, builder.getI32Type(), bits);
  return LLVM::BitcastOp::create(builder, op.getType(), bits);
}

} // namespace

void convertMath(ir::MathOp op, const Machine &machine) {
  Value value = convertSmallFloats(op, machine);
  if (!value)
    value = MathConverter(op, machine.capability).convert();
  if (value) {
    op.replaceAllUsesWith(value);
    op.erase();
    return;
  }
  if (convertBytes(op) || !ir::flushes(op))
    return target::callDeviceLibrary(op);
  for (ir::MathOp rest : transforms::expandFlushed(op))
    convertMath(rest, machine);
}

} // namespace het::ptx
