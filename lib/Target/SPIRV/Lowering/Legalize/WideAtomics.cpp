// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics of 128 bits, by calls of DeviceCode.c: under one lock for the device.

#include "../../../Support/Lowering/IRPieces.h"
#include "../Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace het::spirv {
namespace {

using Update = llvm::AtomicRMWInst;
using Exchange = llvm::AtomicCmpXchgInst;

/// Puts calls in the place of one atomic instruction. Every function that came from
/// hetIR has the launch first.
class WideAtomic {
public:
  explicit WideAtomic(llvm::Instruction &instruction)
      : instruction(instruction), builder(&instruction), wide(builder.getIntNTy(128)) {}

  void expand();

private:
  /// `expected` is null where the exchange is unconditional. Gives what was there, and
  /// in `exchanges` whether it was exchanged (i32).
  llvm::Value *exchange(llvm::Value *place, llvm::Value *expected, llvm::Value *desired,
                        llvm::Value *&exchanges);
  llvm::Value *word(llvm::Value *value, unsigned shift) {
    return builder.CreateTrunc(builder.CreateLShr(value, shift), builder.getInt64Ty());
  }
  llvm::Value *integer(llvm::Value *value) {
    return builder.CreateBitOrPointerCast(value, wide);
  }
  void replace(llvm::Value *value) {
    if (value)
      instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
  }
  void expandUpdate(Update &update);
  void expandExchange(Exchange &exchange);

  llvm::Instruction &instruction;
  llvm::IRBuilder<> builder;
  llvm::Type *wide;
};

llvm::Value *WideAtomic::exchange(llvm::Value *place, llvm::Value *expected,
                                  llvm::Value *desired, llvm::Value *&exchanges) {
  llvm::Function &function = *instruction.getFunction();
  llvm::Type *i64 = builder.getInt64Ty(), *i32 = builder.getInt32Ty();
  llvm::Type *generic = builder.getPtrTy(ir::genericSpace);
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::IRBuilder<> beginning(&entry, entry.begin());
  llvm::Value *found = beginning.CreateAlloca(llvm::ArrayType::get(i64, 2));
  llvm::Value *low = word(desired, 0), *high = word(desired, 64);
  llvm::Value *zero = builder.getInt64(0);
  llvm::Argument *launch = function.getArg(0);
  auto callee = function.getParent()->getOrInsertFunction(
      "__het_spirv_exchange_wide", i32, launch->getType(), generic, i32, i64, i64, i64,
      i64, generic);
  exchanges = builder.CreateCall(
      callee, {launch, builder.CreateAddrSpaceCast(place, generic),
               builder.getInt32(expected ? 0 : 1), expected ? word(expected, 0) : zero,
               expected ? word(expected, 64) : zero, low, high, found});
  llvm::Value *lower = builder.CreateLoad(i64, found);
  llvm::Value *upper = builder.CreateLoad(i64, builder.CreateConstGEP1_64(i64, found, 1));
  return builder.CreateOr(builder.CreateZExt(lower, wide),
                          builder.CreateShl(builder.CreateZExt(upper, wide), 64));
}

/// CUDA has no others of this width; ExpandAtomics.cpp refuses them.
void WideAtomic::expandUpdate(Update &update) {
  llvm::Value *exchanges;
  llvm::Value *before = exchange(update.getPointerOperand(), nullptr,
                                 integer(update.getValOperand()), exchanges);
  replace(builder.CreateBitOrPointerCast(before, update.getType()));
}

void WideAtomic::expandExchange(Exchange &op) {
  llvm::Value *exchanges;
  llvm::Value *before = exchange(op.getPointerOperand(), integer(op.getCompareOperand()),
                                 integer(op.getNewValOperand()), exchanges);
  llvm::Value *found =
      builder.CreateBitOrPointerCast(before, op.getCompareOperand()->getType());
  replace(target::createPair(builder, op.getType(), found,
                             builder.CreateIsNotNull(exchanges)));
}

void WideAtomic::expand() {
  llvm::Value *exchanges;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    // Nothing is exchanged for nothing.
    llvm::Value *zero = llvm::ConstantInt::get(wide, 0);
    llvm::Value *value = exchange(load->getPointerOperand(), zero, zero, exchanges);
    replace(builder.CreateBitOrPointerCast(value, load->getType()));
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    exchange(store->getPointerOperand(), nullptr, integer(store->getValueOperand()),
             exchanges);
    replace(nullptr);
  } else if (auto *update = llvm::dyn_cast<Update>(&instruction)) {
    expandUpdate(*update);
  } else {
    expandExchange(llvm::cast<Exchange>(instruction));
  }
}

bool isWide(const llvm::Instruction &instruction) {
  if (!instruction.isAtomic())
    return false;
  const llvm::Type *type = instruction.getType();
  if (auto *exchange = llvm::dyn_cast<Exchange>(&instruction))
    type = exchange->getCompareOperand()->getType();
  else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    type = store->getValueOperand()->getType();
  else if (auto *update = llvm::dyn_cast<Update>(&instruction);
           update && update->getOperation() != Update::Xchg)
    return false;
  return type->getPrimitiveSizeInBits() == 128;
}

} // namespace

void expandWideAtomics(llvm::Module &module) {
  llvm::SmallVector<llvm::Instruction *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (isWide(instruction))
        found.push_back(&instruction);
  for (llvm::Instruction *instruction : found)
    WideAtomic(*instruction).expand();
}

} // namespace het::spirv
