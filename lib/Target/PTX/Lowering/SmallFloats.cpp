// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision, bfloat16 and the formats of 8 bits, which hetIR has as their bits: the
// machine's instructions, where it has those. Conversions round once, to the same bits as
// the device library's; of maxima and minima the ISA says what the library does: a number
// wins over a NaN, in the nan form the NaN, which comes out as 0x7fff, and -0 is below
// +0.
//
// Source: PTX ISA, "cvt", "Half Precision Floating Point Instructions".

#include "ConvertToPTX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace het::ptx {
namespace {

class SmallFloats {
public:
  SmallFloats(ir::MathOp op, const Machine &machine)
      : op(op), function(op.getFunction()), machine(machine), builder(op.getLoc(), op) {}

  Value convert() {
    if (op.getAccuracy() != ir::Accuracy::Exact)
      return {};
    if (Value value = convertPair())
      return value;
    if (!op.getType().isInteger(16) || !takesSameOrOne())
      return {};
    if (function.consume_back("_rn") && function.consume_front("fma_"))
      return op->getNumOperands() == 3 ? arithmetic("llvm.fma") : Value();
    function = op.getFunction();
    if (Value value = convertOrdered())
      return value;
    return convertNumber();
  }

private:
  bool isAtLeast(unsigned capability, unsigned version) const {
    return machine.capability >= capability && machine.version >= version;
  }
  /// One operand, or several 16-bit ones: a package may hold anything.
  bool takesSameOrOne() {
    return op->getNumOperands() == 1 ||
           llvm::all_of(op.getArguments().getTypes(),
                        [](Type type) { return type.isInteger(16); });
  }
  Value assembly(const Twine &text, StringRef constraints) {
    auto made = LLVM::InlineAsmOp::create(
        builder, op.getType(), op.getArguments(), text.str(), constraints,
        /*has_side_effects=*/false, /*is_align_stack=*/false, LLVM::TailCallKind::None,
        LLVM::AsmDialectAttr(), ArrayAttr());
    return made.getResult(0);
  }
  Value convertPair();
  Value convertOrdered();
  Value convertNumber();
  Value arithmetic(StringRef intrinsic);

  ir::MathOp op;
  StringRef function;
  const Machine &machine;
  ImplicitLocOpBuilder builder;
};

/// Pairs of the formats of 8 bits.
Value SmallFloats::convertPair() {
  const bool hasPairs = isAtLeast(90, 78) || isAtLeast(89, 81);
  TypeRange types = op.getArguments().getTypes();
  if (!hasPairs)
    return {};
  if (function == "half2_from_e4m3x2" && op.getType().isInteger(32) &&
      types.size() == 1 && types[0].isInteger(16))
    return assembly("cvt.rn.f16x2.e4m3x2 $0, $1;", "=r,h");
  StringRef format = function;
  if (!format.consume_back("x2_from_floats_rn") || !op.getType().isInteger(16) ||
      types.size() != 2 || !types[0].isF32() || !types[1].isF32() ||
      (format != "e4m3" && format != "e5m2"))
    return {};
  return assembly("cvt.rn.satfinite." + format + "x2.f32 $0, $2, $1;", "=h,f,f");
}

/// An operation of LLVM on the numbers: "function_half" or "function_bfloat".
Value SmallFloats::arithmetic(StringRef intrinsic) {
  const bool isHalf = function.ends_with("half"), isFused = intrinsic == "llvm.fma";
  if ((!isHalf && !function.ends_with("bfloat")) ||
      !isAtLeast(isHalf && isFused ? 53 : 80, isHalf && isFused ? 60 : 70))
    return {};
  Type type = isHalf ? Type(builder.getF16Type()) : Type(builder.getBF16Type());
  SmallVector<Value> operands;
  for (Value operand : op.getArguments())
    operands.push_back(LLVM::BitcastOp::create(builder, type, operand));
  return LLVM::BitcastOp::create(builder, op.getType(),
                                 callIntrinsic(builder, intrinsic, type, operands));
}

Value SmallFloats::convertOrdered() {
  StringRef intrinsic = llvm::StringSwitch<StringRef>(function)
                            .Cases({"max_half", "max_bfloat"}, "llvm.maximumnum")
                            .Cases({"min_half", "min_bfloat"}, "llvm.minimumnum")
                            .Cases({"max_nan_half", "max_nan_bfloat"}, "llvm.maximum")
                            .Cases({"min_nan_half", "min_nan_bfloat"}, "llvm.minimum")
                            .Default("");
  return intrinsic.empty() || op->getNumOperands() != 2 ? Value() : arithmetic(intrinsic);
}

/// "half_from_int_rz": a number, the format it had, and the rounding.
Value SmallFloats::convertNumber() {
  if (op->getNumOperands() != 1)
    return {};
  auto [to, rest] = function.split("_from_");
  auto [from, direction] = rest.split('_');
  Type type = op.getArguments()[0].getType();
  const bool isHalf = to == "half";
  StringRef mode = llvm::StringSwitch<StringRef>(direction)
                       .Case("rn", "rn")
                       .Case("rz", "rz")
                       .Case("rd", "rm")
                       .Case("ru", "rp")
                       .Default("");
  struct Source {
    StringRef name, suffix, constraint;
    bool matches;
  };
  const Source sources[] = {
      {"int", "s32", "r", type.isInteger(32)}, {"uint", "u32", "r", type.isInteger(32)},
      {"ll", "s64", "l", type.isInteger(64)},  {"ull", "u64", "l", type.isInteger(64)},
      {"float", "f32", "f", type.isF32()},     {"double", "f64", "d", type.isF64()}};
  const Source *source = llvm::find_if(
      sources, [&](const Source &known) { return known.name == from && known.matches; });
  if ((!isHalf && to != "bfloat") || mode.empty() || source == std::end(sources))
    return {};
  const bool isOfFloat = from == "float" && (mode == "rn" || mode == "rz");
  if (isHalf ? !isAtLeast(53, 60) : isOfFloat ? !isAtLeast(80, 70) : !isAtLeast(90, 78))
    return {};
  return assembly("cvt." + mode + (isHalf ? ".f16." : ".bf16.") + source->suffix +
                      " $0, $1;",
                  ("=h," + source->constraint).str());
}

} // namespace

Value convertSmallFloats(ir::MathOp op, const Machine &machine) {
  return SmallFloats(op, machine).convert();
}

} // namespace het::ptx
