// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A floating-point number that is made an integer and a floating-point number again
// is never -0. Intel's compiler for CPUs, on machines with AVX-512, rounds it towards
// zero instead, and -0.5 becomes -0. The integer goes through an exclusive or with a
// zero that is not known before the launch.

#include "../Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace het::spirv {

/// Whether an integer is chosen among some of which one was a floating-point number:
/// compilers convert each of them before they choose.
static bool wasFloat(llvm::Value *integer) {
  llvm::SmallPtrSet<llvm::Value *, 8> seen;
  llvm::SmallVector<llvm::Value *> left = {integer};
  while (!left.empty()) {
    llvm::Value *value = left.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (llvm::isa<llvm::FPToSIInst>(value) || llvm::isa<llvm::FPToUIInst>(value))
      return true;
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value))
      left.append({select->getTrueValue(), select->getFalseValue()});
    else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
      left.append(phi->incoming_values().begin(), phi->incoming_values().end());
  }
  return false;
}

void hideTruncations(llvm::Function &function) {
  llvm::SmallVector<llvm::Instruction *> conversions;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if ((llvm::isa<llvm::SIToFPInst>(instruction) ||
         llvm::isa<llvm::UIToFPInst>(instruction)) &&
        instruction.getOperand(0)->getType()->isIntegerTy(32) &&
        wasFloat(instruction.getOperand(0)))
      conversions.push_back(&instruction);
  if (conversions.empty())
    return;
  llvm::Value *zero = hideNumber(function, llvm::APInt::getZero(32));
  for (llvm::Instruction *conversion : conversions)
    conversion->setOperand(
        0, llvm::IRBuilder<>(conversion).CreateXor(conversion->getOperand(0), zero));
}

} // namespace het::spirv
