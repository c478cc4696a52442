// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Truth values of vectors. LLVM compares vectors at once and then asks for all truth
// values as the bits of an integer, or makes such values of one; SPIR-V's have no bits,
// so each is taken by itself. LLVM selects one of two vectors by one truth value, SPIR-V
// before 1.4 by one for each element.

#include "../Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace het::spirv {

/// The number of truth values, or 0.
static unsigned truthCount(llvm::Type *type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(1) ? vector->getNumElements()
                                                            : 0;
}

static llvm::Value *gather(llvm::IRBuilder<> &builder, llvm::Value *truths,
                           llvm::Type *type) {
  llvm::Value *bits = llvm::ConstantInt::get(type, 0);
  for (unsigned index = 0; index < truthCount(truths->getType()); ++index) {
    llvm::Value *bit =
        builder.CreateZExt(builder.CreateExtractElement(truths, index), type);
    bits = builder.CreateOr(bits, builder.CreateShl(bit, index));
  }
  return bits;
}

static llvm::Value *spread(llvm::IRBuilder<> &builder, llvm::Value *bits,
                           llvm::Type *type) {
  llvm::Value *truths = llvm::PoisonValue::get(type);
  for (unsigned index = 0; index < truthCount(type); ++index) {
    llvm::Value *bit =
        builder.CreateTrunc(builder.CreateLShr(bits, index), builder.getInt1Ty());
    truths = builder.CreateInsertElement(truths, bit, index);
  }
  return truths;
}

/// Makes the scalar condition of a select of vectors a vector: SPIR-V before 1.4 selects
/// element by element.
static void spreadCondition(llvm::SelectInst &select) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(select.getType());
  if (!vector || select.getCondition()->getType()->isVectorTy())
    return;
  llvm::IRBuilder<> builder(&select);
  select.setCondition(
      builder.CreateVectorSplat(vector->getNumElements(), select.getCondition()));
}

void expandTruthVectors(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      spreadCondition(*select);
    auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    if (!cast)
      continue;
    llvm::IRBuilder<> builder(cast);
    llvm::Value *from = cast->getOperand(0);
    llvm::Value *value = nullptr;
    if (truthCount(from->getType()) && cast->getType()->isIntegerTy())
      value = gather(builder, from, cast->getType());
    else if (truthCount(cast->getType()) && from->getType()->isIntegerTy())
      value = spread(builder, from, cast->getType());
    if (!value)
      continue;
    cast->replaceAllUsesWith(value);
    cast->eraseFromParent();
  }
}

} // namespace het::spirv
