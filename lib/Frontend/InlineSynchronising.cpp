// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines what a machine that runs lanes one after another must see in the kernel itself,
// since it stops lanes only there: sync points, loops that wait for other threads, and
// accesses by which lanes in lockstep exchange values: those to volatile memory, and
// small functions' to shared memory that they are given.

#include "Optimize.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

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

/// Whether a pointer leads to shared memory, by its object or a parameter that does.
bool isShared(const Value *pointer, const SmallPtrSetImpl<const Argument *> &arguments) {
  const Value *object = getUnderlyingObject(pointer);
  if (auto *argument = dyn_cast<Argument>(object))
    return arguments.contains(argument);
  auto *variable = dyn_cast<GlobalVariable>(object);
  return variable && variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// Adds the parameters of a function's callees by which it passes such a pointer.
void addSharedArguments(const Function &function,
                        SmallPtrSetImpl<const Argument *> &arguments) {
  for (const Instruction &instruction : instructions(function))
    if (Function *callee = calledBy(instruction))
      for (const Argument &argument : callee->args())
        if (argument.getType()->isPointerTy() &&
            isShared(cast<CallBase>(instruction).getArgOperand(argument.getArgNo()),
                     arguments))
          arguments.insert(&argument);
}

/// Adds functions in which lanes may exchange values: they store and load by a parameter
/// that leads to shared memory. Those that do it on purpose are small.
void addExchanging(Module &module, Functions &found) {
  static constexpr unsigned maxSize = 100; // instructions
  SmallPtrSet<const Argument *, 16> arguments;
  for (size_t before = 1; before != arguments.size();) {
    before = arguments.size();
    for (const Function &function : module)
      addSharedArguments(function, arguments);
  }
  for (Function &function : module) {
    bool stores = false, loads = false;
    for (const Instruction &instruction : instructions(function))
      if (const Value *pointer = getLoadStorePointerOperand(&instruction);
          pointer && isShared(pointer, arguments))
        (isa<StoreInst>(instruction) ? stores : loads) = true;
    if (stores && loads && !isKernelFunction(function) &&
        function.getInstructionCount() <= maxSize)
      found.insert(&function);
  }
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
  addExchanging(module, found);
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
