// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intel's compiler for CPUs runs the work-items of a group one after the other
// up to a barrier, and keeps for each what it needs behind it. It takes the
// negation of a floating-point number for one that is the same in all of them,
// and so what follows from nothing else: behind the barrier all have the last
// one's. Where there are barriers, the bit of the sign is turned over instead,
// by a number that is not known before the launch: an exclusive or with a
// constant would become a negation again.

#include "../Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace het::spirv {

static bool hasBarriers(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.getName().contains("__spirv_ControlBarrier") && !function.use_empty();
  });
}

static void negateAsBits(llvm::UnaryOperator &negation, llvm::Value *sign) {
  llvm::IRBuilder<> builder(&negation);
  llvm::Type *type = negation.getType();
  llvm::Type *words = type->getWithNewType(sign->getType());
  if (auto *vector = llvm::dyn_cast<llvm::VectorType>(words))
    sign = builder.CreateVectorSplat(vector->getElementCount(), sign);
  llvm::Value *bits = builder.CreateBitCast(negation.getOperand(0), words);
  negation.replaceAllUsesWith(builder.CreateBitCast(builder.CreateXor(bits, sign), type));
  negation.eraseFromParent();
}

static void negateAsBits(llvm::Function &function) {
  llvm::SmallVector<llvm::UnaryOperator *> negations;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *negation = llvm::dyn_cast<llvm::UnaryOperator>(&instruction);
        negation && negation->getOpcode() == llvm::Instruction::FNeg)
      negations.push_back(negation);
  llvm::DenseMap<unsigned, llvm::Value *> signs;
  for (llvm::UnaryOperator *negation : negations) {
    unsigned bits = negation->getType()->getScalarSizeInBits();
    llvm::Value *&sign = signs[bits];
    if (!sign)
      sign = hideNumber(function, llvm::APInt::getSignMask(bits));
    negateAsBits(*negation, sign);
  }
}

void negateAsBits(llvm::Module &module) {
  if (!hasBarriers(module))
    return;
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    negateAsBits(function);
}

} // namespace het::spirv
