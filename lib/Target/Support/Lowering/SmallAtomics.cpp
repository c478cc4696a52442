// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions of small floats as loops. A sum is made in float and rounded once
// more, as the headers' operators do it; LLVM's own expansion would leave the bits of a
// bfloat16's NaN, and how it is rounded, to the back end.

#include "SmallAtomics.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace het::target {
namespace {

using Update = AtomicRMWInst;

class Expansion {
public:
  explicit Expansion(Update &update)
      : update(update), builder(&update), type(update.getType()),
        bits(builder.getIntNTy(type->getPrimitiveSizeInBits().getFixedValue())) {}

  void expand() {
    BasicBlock *head = update.getParent(), *end = SplitBlock(head, &update);
    BasicBlock *loop =
        BasicBlock::Create(builder.getContext(), "sum", head->getParent(), end);
    head->getTerminator()->setSuccessor(0, loop);
    builder.SetInsertPoint(head->getTerminator());
    LoadInst *first = builder.CreateAlignedLoad(bits, update.getPointerOperand(),
                                                update.getAlign(), update.isVolatile());
    first->setAtomic(AtomicOrdering::Monotonic, update.getSyncScopeID());
    builder.SetInsertPoint(loop);
    PHINode *old = builder.CreatePHI(bits, 2);
    Value *swap = exchange(old);
    old->addIncoming(first, head);
    old->addIncoming(builder.CreateExtractValue(swap, 0), loop);
    builder.CreateCondBr(builder.CreateExtractValue(swap, 1), end, loop);
    builder.SetInsertPoint(&update);
    update.replaceAllUsesWith(builder.CreateBitCast(old, type));
    update.eraseFromParent();
  }

private:
  Value *exchange(Value *old) {
    Value *next = sum(old, builder.CreateBitCast(update.getValOperand(), bits));
    const AtomicOrdering order = update.getOrdering();
    auto *swap = builder.CreateAtomicCmpXchg(
        update.getPointerOperand(), old, next, update.getAlign(), order,
        AtomicCmpXchgInst::getStrongestFailureOrdering(order), update.getSyncScopeID());
    swap->setVolatile(update.isVolatile());
    return swap;
  }

  /// The sum of two values or pairs, all as their bits: not every target has vectors of
  /// halves, and few have bfloat16.
  Value *sum(Value *a, Value *b) {
    Type *part = builder.getInt16Ty();
    if (bits == part)
      return round(builder.CreateFAdd(widen(a), widen(b)));
    auto sumAt = [&](uint64_t place) {
      Value *x = builder.CreateTrunc(builder.CreateLShr(a, place), part);
      Value *y = builder.CreateTrunc(builder.CreateLShr(b, place), part);
      Value *rounded = round(builder.CreateFAdd(widen(x), widen(y)));
      return builder.CreateShl(builder.CreateZExt(rounded, bits), place);
    };
    Value *low = sumAt(0);
    return builder.CreateOr(low, sumAt(16));
  }
  bool isHalf() const { return type->getScalarType()->isHalfTy(); }
  Value *widen(Value *part) {
    if (isHalf())
      return builder.CreateFPExt(builder.CreateBitCast(part, builder.getHalfTy()),
                                 builder.getFloatTy());
    Value *word = builder.CreateShl(builder.CreateZExt(part, builder.getInt32Ty()), 16);
    return builder.CreateBitCast(word, builder.getFloatTy());
  }
  Value *round(Value *wide) {
    Type *part = builder.getInt16Ty();
    if (isHalf())
      return builder.CreateBitCast(builder.CreateFPTrunc(wide, builder.getHalfTy()),
                                   part);
    FunctionCallee encode = update.getModule()->getOrInsertFunction(
        "__het_bfloat_from_float_rn_f32", part, builder.getFloatTy());
    return builder.CreateCall(encode, wide);
  }

  Update &update;
  IRBuilder<> builder;
  Type *type, *bits;
};

} // namespace

bool isSmallAddition(const Instruction &instruction) {
  auto *update = dyn_cast<Update>(&instruction);
  if (!update || update->getOperation() != Update::FAdd)
    return false;
  Type *type = update->getType(), *scalar = type->getScalarType();
  auto *vector = dyn_cast<FixedVectorType>(type);
  return (scalar->isHalfTy() || scalar->isBFloatTy()) &&
         (!type->isVectorTy() || (vector && vector->getNumElements() == 2));
}

void expandSmallAdditions(Module &module, function_ref<bool(Type *)> isNative) {
  SmallVector<Update *> updates;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isSmallAddition(instruction) && !isNative(instruction.getType()))
        updates.push_back(cast<Update>(&instruction));
  for (Update *update : updates)
    Expansion(*update).expand();
}

} // namespace het::target
