// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer division as hetIR defines it (docs/spec/hetir.md, Integers): by zero it gives
// all bits set, and of the smallest number by -1 the smallest number, remainder 0. For
// LLVM both are undefined, and x86 traps. So each division whose operands are not known
// to be harmless divides by 1 instead and selects its result, without a branch.

#include "TargetLowering.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/KnownBits.h"

namespace het::target {
namespace {

class Division {
public:
  explicit Division(llvm::BinaryOperator &division)
      : division(division), builder(&division), opcode(division.getOpcode()),
        dividend(division.getOperand(0)), divisor(division.getOperand(1)),
        query(division.getDataLayout(), &division) {}

  void define();

private:
  using Binary = llvm::BinaryOperator;
  bool isQuotient() const { return opcode == Binary::UDiv || opcode == Binary::SDiv; }
  bool isSigned() const { return opcode == Binary::SDiv || opcode == Binary::SRem; }
  bool mayOverflow() const;
  llvm::Constant *constant(uint64_t value) const {
    return llvm::ConstantInt::get(division.getType(), value);
  }

  llvm::BinaryOperator &division;
  llvm::IRBuilder<> builder;
  Binary::BinaryOps opcode;
  llvm::Value *dividend, *divisor;
  llvm::SimplifyQuery query;
};

/// Whether the dividend can be the smallest number and the divisor -1.
bool Division::mayOverflow() const {
  return isSigned() && llvm::computeKnownBits(divisor, query).Zero.isZero() &&
         llvm::ComputeNumSignBits(dividend, query.DL, query.AC, query.CxtI) == 1;
}

void Division::define() {
  bool mayBeZero = !llvm::isKnownNonZero(divisor, query), overflows = mayOverflow();
  if (!mayBeZero && !overflows)
    return;
  // All uses of an undefined divisor are to see one value.
  if (!llvm::isGuaranteedNotToBeUndefOrPoison(divisor, nullptr, &division))
    divisor = builder.CreateFreeze(divisor);
  llvm::Constant *ones = llvm::ConstantInt::getAllOnesValue(division.getType());
  llvm::Value *isZero = mayBeZero ? builder.CreateICmpEQ(divisor, constant(0)) : nullptr;
  llvm::Value *isMinusOne = overflows ? builder.CreateICmpEQ(divisor, ones) : nullptr;
  llvm::Value *isSpecial = !isMinusOne ? isZero
                           : !isZero   ? isMinusOne
                                       : builder.CreateOr(isZero, isMinusOne);
  division.setOperand(1, builder.CreateSelect(isSpecial, constant(1), divisor));
  builder.SetInsertPoint(division.getNextNode());
  llvm::SmallVector<llvm::Use *> uses;
  for (llvm::Use &use : division.uses())
    uses.push_back(&use);
  llvm::Value *result = &division;
  if (isMinusOne && isQuotient()) // the remainder of a division by 1 is right
    result = builder.CreateSelect(isMinusOne, builder.CreateNeg(dividend), result);
  if (isZero)
    result = builder.CreateSelect(isZero, ones, result);
  for (llvm::Use *use : uses)
    use->set(result);
}

} // namespace

void defineDivisions(llvm::Module &module, unsigned atLeastBits) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::BinaryOperator *> divisions;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.isIntDivRem() &&
          (instruction.getType()->isVectorTy() ||
           instruction.getType()->getIntegerBitWidth() >= atLeastBits))
        divisions.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
    for (llvm::BinaryOperator *division : divisions)
      Division(*division).define();
  }
}

} // namespace het::target
