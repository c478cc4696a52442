// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intel's compiler for CPUs, on machines with AVX-512, carries out complements that
// stand next to minima or maxima in vector registers even for a single number, and
// gives the instruction that makes a register of ones another target than it means
// (a mask): ~x is x then. Where a module has minima or maxima, a complement is an
// exclusive or with a number that is not known before the launch.

#include "../Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace het::spirv {

static bool hasMinima(llvm::Module &module) {
  return llvm::any_of(module, [](llvm::Function &function) {
    return llvm::any_of(llvm::instructions(function), [](llvm::Instruction &found) {
      return llvm::isa<llvm::MinMaxIntrinsic>(found);
    });
  });
}

static bool isComplement(llvm::Instruction &instruction) {
  llvm::Type *type = instruction.getType();
  return (type->isIntegerTy(32) || type->isIntegerTy(64)) &&
         llvm::PatternMatch::match(
             &instruction, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value()));
}

/// Not itself made by a complement, as of an unknown zero.
static llvm::Value *minusOne(llvm::Function &function, llvm::Type *type) {
  auto *one = llvm::cast<llvm::Instruction>(
      hideNumber(function, llvm::APInt(type->getIntegerBitWidth(), 1)));
  return llvm::IRBuilder<>(one->getNextNode()).CreateNeg(one);
}

static void hideComplements(llvm::Function &function) {
  llvm::SmallVector<llvm::Instruction *> complements;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (isComplement(instruction))
      complements.push_back(&instruction);
  llvm::DenseMap<llvm::Type *, llvm::Value *> ones;
  for (llvm::Instruction *complement : complements) {
    llvm::Type *type = complement->getType();
    llvm::Value *&word = ones[type];
    if (!word)
      word = minusOne(function, type);
    for (llvm::Use &use : complement->operands())
      if (llvm::PatternMatch::match(use.get(), llvm::PatternMatch::m_AllOnes()))
        use.set(word);
  }
}

void hideComplements(llvm::Module &module) {
  if (!hasMinima(module))
    return;
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    hideComplements(function);
}

} // namespace het::spirv
