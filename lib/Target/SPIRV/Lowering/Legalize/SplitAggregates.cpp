// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures and arrays as values. LLVM's SPIR-V back end names such a value by
// a number of 32 bits for a while and loses its way where one is merged from
// several blocks (phi), chosen (select) or frozen: it ends the process. Each of
// these is taken apart into one for every number in it, and what is put
// together again for other users is folded away where they take it apart.

#include "../Passes.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

namespace het::spirv {
namespace {

/// Calls `visit` with the indices of every number in a structure or array.
template <typename Visit>
void forEachPart(llvm::Type *type, llvm::SmallVectorImpl<unsigned> &indices,
                 const Visit &visit) {
  if (!type->isAggregateType())
    return visit(type);
  uint64_t count =
      type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned index = 0; index < count; ++index) {
    indices.push_back(index);
    forEachPart(llvm::GetElementPtrInst::getTypeAtIndex(type, index), indices, visit);
    indices.pop_back();
  }
}

/// A number of an aggregate, in front of an instruction.
llvm::Value *extract(llvm::Value *whole, llvm::ArrayRef<unsigned> indices,
                     llvm::Instruction *before) {
  return llvm::IRBuilder<>(before).CreateExtractValue(whole, indices);
}

/// The same for one number of the aggregate.
llvm::Value *splitPart(llvm::Instruction &whole, llvm::Type *type,
                       llvm::ArrayRef<unsigned> indices) {
  llvm::IRBuilder<> builder(&whole);
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&whole)) {
    llvm::PHINode *part = builder.CreatePHI(type, phi->getNumIncomingValues());
    for (auto [block, value] : llvm::zip(phi->blocks(), phi->incoming_values())) {
      // A block that comes twice must bring the same value.
      int known = part->getBasicBlockIndex(block);
      part->addIncoming(known >= 0 ? part->getIncomingValue(known)
                                   : extract(value, indices, block->getTerminator()),
                        block);
    }
    return part;
  }
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&whole))
    return builder.CreateSelect(select->getCondition(),
                                extract(select->getTrueValue(), indices, &whole),
                                extract(select->getFalseValue(), indices, &whole));
  return builder.CreateFreeze(extract(whole.getOperand(0), indices, &whole));
}

void split(llvm::Instruction &whole) {
  llvm::Instruction *place =
      &*(llvm::isa<llvm::PHINode>(whole) ? whole.getParent()->getFirstInsertionPt()
                                         : whole.getIterator());
  llvm::Value *again = llvm::PoisonValue::get(whole.getType());
  llvm::SmallVector<unsigned> indices;
  forEachPart(whole.getType(), indices, [&](llvm::Type *type) {
    again = llvm::IRBuilder<>(place).CreateInsertValue(
        again, splitPart(whole, type, indices), indices);
  });
  whole.replaceAllUsesWith(again);
  whole.eraseFromParent();
}

bool isLost(const llvm::Instruction &instruction) {
  return instruction.getType()->isAggregateType() &&
         llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(instruction);
}

} // namespace

void splitAggregates(llvm::Function &function) {
  llvm::SmallVector<llvm::WeakTrackingVH> parts;
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function)))
    if (isLost(instruction))
      split(instruction);
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::ExtractValueInst, llvm::InsertValueInst>(instruction))
      parts.push_back(&instruction);
  const llvm::SimplifyQuery query(function.getDataLayout());
  for (llvm::Value *part : parts) // a replaced one is its replacement here
    if (auto *instruction = llvm::dyn_cast_or_null<llvm::Instruction>(part))
      if (llvm::Value *value = llvm::simplifyInstruction(instruction, query)) {
        instruction->replaceAllUsesWith(value);
        instruction->eraseFromParent();
      }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(parts);
}

} // namespace het::spirv
