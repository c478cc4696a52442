// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is one thread of its core, so nobody tears what it does to the core's own
// memory. Other memory is changed between a lock of its line and the release
// (Core/Locks.c), by accesses that pass the cache by.

#include "../../Support/Lowering/IRPieces.h"
#include "Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace het::tensix {
namespace {

class Expansion {
public:
  explicit Expansion(llvm::Instruction &instruction)
      : instruction(instruction), builder(&instruction) {}

  void expand(llvm::AtomicRMWInst &update);
  void expand(llvm::AtomicCmpXchgInst &exchange);
  void expand(llvm::LoadInst &load);
  void expand(llvm::StoreInst &store);
  void expand(llvm::FenceInst &fence);

private:
  void call(llvm::StringRef name, llvm::ArrayRef<llvm::Value *> operands) {
    llvm::SmallVector<llvm::Type *> types;
    for (llvm::Value *operand : operands)
      types.push_back(operand->getType());
    builder.CreateCall(
        instruction.getModule()->getOrInsertFunction(
            name, llvm::FunctionType::get(builder.getVoidTy(), types, false)),
        operands);
  }
  void fence() { call("het_core_fence", {}); }
  llvm::Value *flat(llvm::Value *pointer) {
    return builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  }
  llvm::Value *read(llvm::Value *pointer, llvm::Type *type, llvm::Align alignment) {
    return builder.CreateAlignedLoad(type, pointer, alignment, /*isVolatile=*/true);
  }
  void write(llvm::Value *value, llvm::Value *old, llvm::Value *pointer,
             llvm::Align alignment);

  llvm::Instruction &instruction;
  llvm::IRBuilder<> builder;
};

/// Only what is another value: a core that waits for a lock must not write back what it
/// found, over what a plain store of the lock's holder puts there.
void Expansion::write(llvm::Value *value, llvm::Value *old, llvm::Value *pointer,
                      llvm::Align alignment) {
  auto number = [&](llvm::Value *given) -> llvm::Value * {
    llvm::Type *type = given->getType();
    if (type->isPointerTy())
      return flat(given);
    return builder.CreateBitCast(
        given, builder.getIntNTy(type->getPrimitiveSizeInBits().getFixedValue()));
  };
  llvm::Value *differs = builder.CreateICmpNE(number(value), number(old));
  llvm::Instruction *end =
      llvm::SplitBlockAndInsertIfThen(differs, &instruction, /*Unreachable=*/false);
  llvm::IRBuilder<>(end).CreateAlignedStore(value, pointer, alignment,
                                            /*isVolatile=*/true);
  builder.SetInsertPoint(&instruction);
}

void Expansion::expand(llvm::AtomicRMWInst &update) {
  llvm::Value *pointer = update.getPointerOperand();
  llvm::AtomicOrdering ordering = update.getOrdering();
  if (llvm::isReleaseOrStronger(ordering))
    fence();
  llvm::Value *address = flat(pointer);
  call("het_core_lock", address);
  llvm::Value *old = read(pointer, update.getType(), update.getAlign());
  write(llvm::buildAtomicRMWValue(update.getOperation(), builder, old,
                                  update.getValOperand()),
        old, pointer, update.getAlign());
  call("het_core_unlock", address);
  if (llvm::isAcquireOrStronger(ordering))
    fence();
  update.replaceAllUsesWith(old);
  update.eraseFromParent();
}

void Expansion::expand(llvm::AtomicCmpXchgInst &exchange) {
  llvm::Value *pointer = exchange.getPointerOperand();
  llvm::AtomicOrdering ordering = exchange.getSuccessOrdering();
  if (llvm::isReleaseOrStronger(ordering))
    fence();
  llvm::Value *address = flat(pointer);
  call("het_core_lock", address);
  llvm::Type *type = exchange.getCompareOperand()->getType();
  llvm::Value *old = read(pointer, type, exchange.getAlign());
  llvm::Value *isEqual = builder.CreateICmpEQ(old, exchange.getCompareOperand());
  write(builder.CreateSelect(isEqual, exchange.getNewValOperand(), old), old, pointer,
        exchange.getAlign());
  call("het_core_unlock", address);
  if (llvm::isAcquireOrStronger(exchange.getMergedOrdering()))
    fence();
  exchange.replaceAllUsesWith(
      target::createPair(builder, exchange.getType(), old, isEqual));
  exchange.eraseFromParent();
}

void Expansion::expand(llvm::LoadInst &load) {
  llvm::AtomicOrdering ordering = load.getOrdering();
  if (ordering == llvm::AtomicOrdering::SequentiallyConsistent)
    fence();
  load.setAtomic(llvm::AtomicOrdering::NotAtomic);
  load.setVolatile(true);
  builder.SetInsertPoint(load.getNextNode());
  if (llvm::isAcquireOrStronger(ordering))
    fence();
}

/// Between the read and the write of no other core's atomic.
void Expansion::expand(llvm::StoreInst &store) {
  llvm::AtomicOrdering ordering = store.getOrdering();
  if (llvm::isReleaseOrStronger(ordering))
    fence();
  llvm::Value *address = flat(store.getPointerOperand());
  call("het_core_lock", address);
  store.setAtomic(llvm::AtomicOrdering::NotAtomic);
  store.setVolatile(true);
  builder.SetInsertPoint(store.getNextNode());
  call("het_core_unlock", address);
  if (ordering == llvm::AtomicOrdering::SequentiallyConsistent)
    fence();
}

void Expansion::expand(llvm::FenceInst &instruction) {
  const llvm::SyncScope::ID scope = instruction.getSyncScopeID();
  if (scope == instruction.getContext().getOrInsertSyncScopeID(systemScopeName))
    call("het_core_system_fence", {});
  else if (scope != llvm::SyncScope::SingleThread)
    fence();
  instruction.eraseFromParent();
}

bool isNearAccess(const llvm::Value *pointer) { return isNear(pointer->getType()); }

void expand(llvm::Instruction &instruction) {
  Expansion expansion(instruction);
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    if (isNearAccess(update->getPointerOperand()))
      llvm::lowerAtomicRMWInst(update);
    else
      expansion.expand(*update);
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    if (isNearAccess(exchange->getPointerOperand()))
      llvm::lowerAtomicCmpXchgInst(exchange);
    else
      expansion.expand(*exchange);
  } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (load->isAtomic() && !isNearAccess(load->getPointerOperand()))
      expansion.expand(*load);
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    bool isOrdered = store->isAtomic() || store->isVolatile();
    if (isOrdered && !isNearAccess(store->getPointerOperand()))
      expansion.expand(*store);
  } else if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    expansion.expand(*fence);
  }
}

} // namespace

void expandAtomics(llvm::Module &module) {
  llvm::SmallVector<llvm::Instruction *> instructions;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.isAtomic() || instruction.isVolatile())
        instructions.push_back(&instruction);
  for (llvm::Instruction *instruction : instructions)
    expand(*instruction);
}

} // namespace het::tensix
