// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that alloca makes. A thread's frame has local objects of constant size only,
// each once. So an object of constant size that is made in the middle of a function moves
// to its entry, where that can not be told from what the program says: unless it is made
// in a loop that may still look at those of earlier rounds.

#include "Optimize.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

/// The blocks that control may come back to.
static SmallPtrSet<const BasicBlock *, 8> blocksInLoops(Function &function) {
  SmallPtrSet<const BasicBlock *, 8> blocks;
  for (auto cycle = scc_begin(&function); !cycle.isAtEnd(); ++cycle)
    if (cycle.hasCycle())
      blocks.insert_range(*cycle);
  return blocks;
}

/// How many uses of an object are looked at: more than unrolled loops make.
static constexpr unsigned mostUses = 100000;

/// Whether nobody looks at an object once its alloca is executed again: no address of it
/// is kept in memory, and none comes to a join that the alloca does not dominate. Where
/// it dominates all of them, each has the address of the object made last.
static bool isReplacedByNext(AllocaInst &object, const DominatorTree &dominators) {
  if (capturesAnything(PointerMayBeCaptured(&object, /*ReturnCaptures=*/true,
                                            CaptureComponents::Provenance,
                                            capturesAnything, mostUses)))
    return false;
  SmallSetVector<Value *, 8> addresses;
  addresses.insert(&object);
  for (unsigned i = 0; i < addresses.size(); ++i)
    for (User *user : addresses[i]->users()) {
      auto *instruction = cast<Instruction>(user);
      if (isa<PHINode>(instruction) &&
          !dominators.properlyDominates(object.getParent(), instruction->getParent()))
        return false;
      if (instruction->getType()->isPointerTy() && !isa<LoadInst>(instruction))
        addresses.insert(instruction);
    }
  return true;
}

static void placeInEntry(Function &function) {
  SmallVector<AllocaInst *> objects;
  for (Instruction &instruction : instructions(function))
    if (auto *object = dyn_cast<AllocaInst>(&instruction);
        object && !object->isStaticAlloca() && isa<ConstantInt>(object->getArraySize()))
      objects.push_back(object);
  if (objects.empty())
    return;
  const DominatorTree dominators(function);
  const auto inLoops = blocksInLoops(function);
  BasicBlock &entry = function.getEntryBlock();
  for (AllocaInst *object : objects)
    if (!inLoops.contains(object->getParent()) || isReplacedByNext(*object, dominators))
      object->moveBefore(entry, entry.getFirstInsertionPt());
}

/// Arrays of variable size, and inlined functions that call alloca, give their objects
/// back. With none but those of the frame there is nothing to give back.
static void dropStackMarks(Function &function) {
  auto isOfFrame = [](Instruction &instruction) {
    auto *object = dyn_cast<AllocaInst>(&instruction);
    return !object || object->isStaticAlloca();
  };
  if (!all_of(instructions(function), isOfFrame))
    return;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::stackrestore)
      call->eraseFromParent();
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::stacksave && call->use_empty())
      call->eraseFromParent();
}

void het::placeLocalObjects(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    placeInEntry(function);
    dropStackMarks(function);
  }
}
