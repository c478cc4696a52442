// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zero divided by a number is a zero, or not a number. Intel's compiler for CPUs
// forgets the latter where the divisor never is NaN, as an integer, and a product is
// made of the quotient. So the quotient is chosen.

#include "../Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

namespace het::spirv {

void chooseQuotient(llvm::Instruction &instruction) {
  using namespace llvm::PatternMatch;
  llvm::Value *divisor;
  llvm::Constant *zero;
  llvm::Type *type = instruction.getType();
  if (!type->isFloatingPointTy() ||
      !match(&instruction, m_FDiv(m_Constant(zero), m_Value(divisor))) ||
      !match(zero, m_AnyZeroFP()))
    return;
  llvm::IRBuilder<> builder(&instruction);
  llvm::Constant *plus = llvm::ConstantFP::getZero(type);
  llvm::Constant *opposite =
      llvm::ConstantFP::getZero(type, !zero->isNegativeZeroValue());
  llvm::Value *quotient =
      builder.CreateSelect(builder.CreateFCmpOLT(divisor, plus), opposite, zero);
  instruction.replaceAllUsesWith(builder.CreateSelect(
      builder.CreateFCmpONE(divisor, plus), quotient, llvm::ConstantFP::getNaN(type)));
  instruction.eraseFromParent();
}

} // namespace het::spirv
