// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines what a machine that runs lanes one after another must see in the kernel itself,
// since it stops lanes only there: sync points, loops that wait for other threads, and
// accesses to volatile memory, by which lanes in lockstep exchange values.

#include "Optimize.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

namespace {

using Functions = SmallSetVector<Function *, 16>;

/// Whether an instruction itself may be a sync point.
bool maySynchronise(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || !call->isConvergent())
    return false;
  const Function *callee = call->getCalledFunction();
  return !callee ? call->isInlineAsm() : callee->isDeclaration();
}

/// Whether an instruction looks at memory that other threads write, or makes others do
/// so.
bool looksAtOthers(const Instruction &instruction) {
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    switch (call->getIntrinsicID()) {
    case Intrinsic::nvvm_membar_cta:
    case Intrinsic::nvvm_membar_gl:
    case Intrinsic::nvvm_membar_sys:
      return true;
    default:
      return false;
    }
  return instruction.isAtomic() || instruction.isVolatile();
}

/// Whether lanes may exchange values by it: a volatile access to what is no local object.
bool isVolatileAccess(const Instruction &instruction) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  return pointer && instruction.isVolatile() &&
         !isa<AllocaInst>(getUnderlyingObject(pointer));
}

Function *calledBy(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && !callee->isDeclaration() ? callee : nullptr;
}

void addCallers(Functions &functions) {
  for (unsigned i = 0; i < functions.size(); ++i)
    for (User *user : functions[i]->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == functions[i])
        functions.insert(call->getFunction());
}

/// Functions that look at others' memory, or call one that does.
Functions findLooking(Module &module) {
  Functions looking;
  for (Function &function : module)
    if (any_of(instructions(function), looksAtOthers))
      looking.insert(&function);
  addCallers(looking);
  return looking;
}

/// Adds a function that may wait for other threads in a loop, with all by which it looks
/// at memory there.
void addWaiting(Function &function, const Functions &looking, Functions &found) {
  Functions called;
  for (auto cycle = scc_begin(&function); !cycle.isAtEnd(); ++cycle) {
    if (!cycle.hasCycle())
      continue;
    for (const BasicBlock *block : *cycle)
      for (const Instruction &instruction : *block) {
        Function *callee = calledBy(instruction);
        if (looksAtOthers(instruction))
          found.insert(&function);
        else if (callee && looking.contains(callee))
          called.insert(callee);
      }
  }
  if (!called.empty())
    found.insert(&function);
  for (unsigned i = 0; i < called.size(); ++i)
    for (const Instruction &instruction : instructions(*called[i]))
      if (Function *callee = calledBy(instruction); callee && looking.contains(callee))
        called.insert(callee);
  found.insert_range(called);
}

} // namespace

bool het::inlineWhatSynchronises(Module &module) {
  const Functions looking = findLooking(module);
  Functions found;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (any_of(instructions(function), [](const Instruction &instruction) {
          return maySynchronise(instruction) || isVolatileAccess(instruction);
        }))
      found.insert(&function);
    if (looking.contains(&function))
      addWaiting(function, looking, found);
  }
  addCallers(found);
  bool isNew = false;
  for (Function *function : found) {
    if (isKernelFunction(*function))
      continue;
    isNew |= !function->hasFnAttribute(Attribute::AlwaysInline);
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::AlwaysInline);
  }
  return isNew;
}
