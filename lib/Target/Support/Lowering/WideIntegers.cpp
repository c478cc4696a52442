// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on integers of 128 bits that a GPU's back end does not have: divisions
// become loops, conversions to and from floating point calls of the device library
// (runtime/devicelib/wide_conversions.c).

#include "TargetLowering.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/IntegerDivision.h"

using namespace llvm;

namespace het::target {
namespace {

constexpr unsigned wideBits = 128;

bool isWide(const Type *type) { return type->isIntegerTy(wideBits); }

/// Replaces one conversion by calls.
class Converter {
public:
  explicit Converter(Instruction &instruction)
      : instruction(instruction), builder(&instruction),
        wide(builder.getIntNTy(wideBits)) {}

  void replace(Value *value) {
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
  }
  Value *toFloat(bool isSigned);
  Value *toInteger(bool isSigned);

private:
  Value *word(Value *value, unsigned shift) {
    return builder.CreateTrunc(builder.CreateLShr(value, shift), builder.getInt64Ty());
  }
  Value *constant(const APInt &value) { return ConstantInt::get(wide, value); }

  Instruction &instruction;
  IRBuilder<> builder;
  Type *wide;
};

Value *Converter::toFloat(bool isSigned) {
  Value *value = instruction.getOperand(0);
  Value *negative = builder.CreateICmpSLT(value, ConstantInt::get(wide, 0));
  if (isSigned)
    value = builder.CreateSelect(negative, builder.CreateNeg(value), value);
  Type *type = instruction.getType();
  Type *called = type->isFloatTy() ? type : builder.getDoubleTy();
  FunctionCallee function = instruction.getModule()->getOrInsertFunction(
      type->isFloatTy() ? "__het_float_from_wide" : "__het_double_from_wide",
      FunctionType::get(called, {builder.getInt64Ty(), builder.getInt64Ty()}, false));
  Value *result = builder.CreateCall(function, {word(value, 0), word(value, 64)});
  if (isSigned)
    result = builder.CreateSelect(negative, builder.CreateFNeg(result), result);
  return called == type ? result : builder.CreateFPCast(result, type);
}

/// Out of range: the nearest integer, and 0 for a NaN.
Value *Converter::toInteger(bool isSigned) {
  Value *value = builder.CreateFPExt(instruction.getOperand(0), builder.getDoubleTy());
  Value *negative =
      builder.CreateFCmpOLT(value, ConstantFP::get(builder.getDoubleTy(), 0));
  Value *magnitude = builder.CreateSelect(negative, builder.CreateFNeg(value), value);
  Type *words = StructType::get(builder.getInt64Ty(), builder.getInt64Ty());
  FunctionCallee function = instruction.getModule()->getOrInsertFunction(
      "__het_wide_from_double", FunctionType::get(words, {builder.getDoubleTy()}, false));
  Value *pair = builder.CreateCall(function, {magnitude});
  Value *low = builder.CreateZExt(builder.CreateExtractValue(pair, 0), wide);
  Value *high = builder.CreateZExt(builder.CreateExtractValue(pair, 1), wide);
  Value *integer = builder.CreateOr(low, builder.CreateShl(high, 64));
  if (!isSigned)
    return builder.CreateSelect(negative, ConstantInt::get(wide, 0), integer);
  APInt largest = APInt::getSignedMaxValue(wideBits);
  Value *above = builder.CreateICmpUGT(integer, constant(largest));
  Value *positive = builder.CreateSelect(above, constant(largest), integer);
  Value *opposite = builder.CreateSelect(
      above, constant(APInt::getSignedMinValue(wideBits)), builder.CreateNeg(integer));
  return builder.CreateSelect(negative, opposite, positive);
}

void legalize(Instruction &instruction) {
  Converter converter(instruction);
  if (isa<SIToFPInst, UIToFPInst>(instruction))
    return converter.replace(converter.toFloat(isa<SIToFPInst>(instruction)));
  if (isa<FPToSIInst, FPToUIInst>(instruction))
    return converter.replace(converter.toInteger(isa<FPToSIInst>(instruction)));
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return converter.replace(
        converter.toInteger(call->getIntrinsicID() == Intrinsic::fptosi_sat));
  auto *division = cast<BinaryOperator>(&instruction);
  unsigned opcode = division->getOpcode();
  if (opcode == Instruction::UDiv || opcode == Instruction::SDiv)
    expandDivision(division);
  else
    expandRemainder(division);
}

bool needsLegalizing(const Instruction &instruction) {
  if (isa<SIToFPInst, UIToFPInst>(instruction))
    return isWide(instruction.getOperand(0)->getType());
  bool converts = isa<FPToSIInst, FPToUIInst>(instruction);
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    converts = call->getIntrinsicID() == Intrinsic::fptosi_sat ||
               call->getIntrinsicID() == Intrinsic::fptoui_sat;
  return (converts || instruction.isIntDivRem()) && isWide(instruction.getType());
}

} // namespace

void legalizeWideIntegers(Module &module) {
  SmallVector<Instruction *> found;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (needsLegalizing(instruction))
        found.push_back(&instruction);
  for (Instruction *instruction : found)
    legalize(*instruction);
}

} // namespace het::target
