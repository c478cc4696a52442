// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on shared memory that the machine has no instruction for: those on 64
// bits but exchange, and on floating-point numbers. ptxas makes a loop around a compare
// and swap of them; but where one ends the body of an outer loop, ptxas 13.0 counts that
// loop's rounds in a uniform register before the lanes have met again after the inner
// one, so lanes that leave it at different times count a round twice. With the inner loop
// in PTX they meet.

#include "Passes.h"
#include "het/IR/Module.h"
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace het::ptx {

static bool hasNoInstruction(const AtomicRMWInst &atomic) {
  if (atomic.getPointerAddressSpace() != ir::sharedSpace)
    return false;
  return atomic.isFloatingPointOperation() ||
         (atomic.getType()->getPrimitiveSizeInBits() == 64 &&
          atomic.getOperation() != AtomicRMWInst::Xchg);
}

/// As LLVM's own, which is not in a header.
static void createCompareExchange(IRBuilderBase &builder, Value *address, Value *loaded,
                                  Value *wanted, Align alignment, AtomicOrdering order,
                                  SyncScope::ID scope, Value *&success, Value *&found,
                                  Instruction *from) {
  Type *type = wanted->getType();
  Type *integer = builder.getIntNTy(type->getPrimitiveSizeInBits());
  auto *exchange = builder.CreateAtomicCmpXchg(
      address, builder.CreateBitCast(loaded, integer),
      builder.CreateBitCast(wanted, integer), alignment, order,
      AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
  exchange->setVolatile(cast<AtomicRMWInst>(from)->isVolatile());
  success = builder.CreateExtractValue(exchange, 1);
  found = builder.CreateBitCast(builder.CreateExtractValue(exchange, 0), type);
}

void expandSharedAtomics(Module &module) {
  SmallVector<AtomicRMWInst *> atomics;
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
            atomic && hasNoInstruction(*atomic))
          atomics.push_back(atomic);
  for (AtomicRMWInst *atomic : atomics)
    expandAtomicRMWToCmpXchg(atomic, createCompareExchange);
}

} // namespace het::ptx
