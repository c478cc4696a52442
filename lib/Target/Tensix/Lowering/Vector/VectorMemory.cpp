// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of threads of a row (Core/Vector.c): at once where their words lie behind each
// other, otherwise word by word.

#include "VectorEmit.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace het::tensix {
namespace {

CallInst *callCore(IRBuilder<> &builder, StringRef name, Type *result,
                   ArrayRef<Value *> operands) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(
      module.getOrInsertFunction(name, FunctionType::get(result, types, false)),
      operands);
}

/// Word `number` of what begins at an address of the core.
Value *wordAt(IRBuilder<> &builder, Value *address, Value *number) {
  Value *base = builder.CreateIntToPtr(
      address, PointerType::get(builder.getContext(), ir::localSpace));
  return builder.CreateGEP(builder.getInt32Ty(), base, number);
}

} // namespace

VectorEmission::Ways VectorEmission::chooseWay(Value *pointer, Align alignment,
                                               Instruction *at, Value *count) {
  constexpr int64_t wordBytes = 4;
  if (threads.strideOf(pointer) != wordBytes || alignment < Align(wordBytes))
    return {nullptr, at};
  IRBuilder<> builder(at);
  Value *last = builder.CreateSub(count, builder.getInt32(1));
  Value *isEven = threads.isEven(builder, pointer, last);
  if (match(isEven, PatternMatch::m_One()))
    return {at, nullptr};
  Instruction *atOnce, *byWords;
  SplitBlockAndInsertIfThenElse(isEven, at->getIterator(), &atOnce, &byWords);
  return {atOnce, byWords};
}

void VectorEmission::transfer(StringRef name, Value *pointer, Value *count, unsigned slot,
                              Instruction *at) {
  IRBuilder<> builder(at);
  Value *first = threads.compute(builder, pointer, builder.getInt32(0));
  callCore(builder, name, builder.getVoidTy(),
           {builder.CreatePtrToInt(first, builder.getInt64Ty()), count,
            builder.getInt32(slot)});
}

void VectorEmission::emitLoad(LoadInst *load) {
  std::optional<unsigned> slot = giveSlot(load);
  if (!slot)
    return;
  done.insert(load);
  Value *pointer = load->getPointerOperand();
  IRBuilder<> builder(load);
  Value *count = builder.CreateLoad(builder.getInt32Ty(), bounds.count);
  Ways ways = chooseWay(pointer, load->getAlign(), load, count);
  if (ways.atOnce)
    transfer("het_vector_load", pointer, count, *slot, ways.atOnce);
  if (!ways.byWords)
    return;
  builder.SetInsertPoint(ways.byWords);
  Value *stage = callCore(builder, "het_vector_stage", builder.getInt32Ty(), {});
  auto [body, number] =
      SplitBlockAndInsertSimpleForLoop(count, ways.byWords->getIterator());
  builder.SetInsertPoint(body);
  Value *word = builder.CreateAlignedLoad(
      builder.getInt32Ty(), threads.compute(builder, pointer, number), load->getAlign());
  builder.CreateStore(word, wordAt(builder, stage, number));
  builder.SetInsertPoint(ways.byWords);
  callCore(builder, "het_vector_fill", builder.getVoidTy(),
           {count, builder.getInt32(*slot)});
}

/// All floats are computed by then (canDoubt).
void VectorEmission::returnIfDoubtful(Instruction *at) {
  IRBuilder<> builder(at);
  Value *doubt = callCore(builder, "het_vector_doubt", builder.getInt32Ty(), {});
  Value *isThere = builder.CreateICmpSLT(doubt, builder.getInt32(0));
  Instruction *end = SplitBlockAndInsertIfThen(isThere, at->getIterator(), true);
  ReturnInst::Create(at->getContext(), builder.getInt32(doubtful), end->getIterator());
  end->eraseFromParent();
}

void VectorEmission::emitStore(StoreInst *store) {
  Value *value = store->getValueOperand(), *pointer = store->getPointerOperand();
  done.insert(store);
  const bool isNew = !slots.contains(value);
  std::optional<unsigned> slot = giveSlot(value);
  if (!slot)
    return;
  kept = value;
  if (isNew)
    piece.code.store(*slot, lanesOf(value));
  push(store);
  if (floats == Floats::Native)
    returnIfDoubtful(store);
  IRBuilder<> builder(store);
  Value *count = builder.CreateLoad(builder.getInt32Ty(), bounds.count);
  Ways ways = chooseWay(pointer, store->getAlign(), store, count);
  if (ways.atOnce)
    transfer("het_vector_store", pointer, count, *slot, ways.atOnce);
  if (ways.byWords) {
    builder.SetInsertPoint(ways.byWords);
    Value *from = callCore(builder, "het_vector_drain", builder.getInt32Ty(),
                           {count, builder.getInt32(*slot)});
    auto [body, number] =
        SplitBlockAndInsertSimpleForLoop(count, ways.byWords->getIterator());
    builder.SetInsertPoint(body);
    Value *word = builder.CreateLoad(builder.getInt32Ty(), wordAt(builder, from, number));
    builder.CreateAlignedStore(word, threads.compute(builder, pointer, number),
                               store->getAlign());
    builder.SetInsertPoint(ways.byWords);
    callCore(builder, "het_core_fence", builder.getVoidTy(), {});
  }
  kept = nullptr;
  // Made for this store alone: the next one may come by another way.
  if (!divergence(value) || isThreadMarker(value)) {
    freeSlots.push_back(slots.lookup(value));
    slots.erase(value);
  }
  release();
}

} // namespace het::tensix
