// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of atomic operations that read, change and write: LLVM's NVPTX back end (22)
// emits them as relaxed ones whatever their order is, but for compare and swap. Fences
// give it (PTX ISA, Memory Consistency Model, Release and Acquire Patterns).

#include "Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace het::ptx {

static void order(AtomicRMWInst &atomic) {
  const AtomicOrdering ordering = atomic.getOrdering();
  const bool isStrongest = ordering == AtomicOrdering::SequentiallyConsistent;
  IRBuilder<> builder(&atomic);
  if (isReleaseOrStronger(ordering))
    builder.CreateFence(isStrongest ? ordering : AtomicOrdering::Release,
                        atomic.getSyncScopeID());
  if (isAcquireOrStronger(ordering)) {
    builder.SetInsertPoint(atomic.getNextNode());
    builder.CreateFence(AtomicOrdering::Acquire, atomic.getSyncScopeID());
  }
  atomic.setOrdering(AtomicOrdering::Monotonic);
}

void orderAtomics(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
        order(*atomic);
}

} // namespace het::ptx
