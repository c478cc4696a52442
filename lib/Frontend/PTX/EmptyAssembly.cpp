// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asm statements without text. They do nothing but stand in the optimiser's way, so they
// are kept until it is done:
//
//   asm volatile("" : "+r"(x));                          x stays, but nobody knows it
//   while (*flag == 0) asm volatile("" ::: "memory");    the flag is read each time
//
// The targets' optimisers come later. For them, accesses that a loop repeats at one
// place, with a statement between that is said to touch memory, become volatile.

#include "InlineAssembly.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

static const InlineAsm *emptyAssembly(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  const auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return assembly && StringRef(assembly->getAsmString()).trim().empty() ? assembly
                                                                        : nullptr;
}

static bool touchesMemory(const InlineAsm &assembly) {
  return assembly.hasSideEffects() &&
         StringRef(assembly.getConstraintString()).contains("~{memory}");
}

/// Makes what each round of a loop does to the same place stay in it.
static void keepAccesses(const Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        if (!load->isAtomic() && loop.isLoopInvariant(load->getPointerOperand()))
          load->setVolatile(true);
      } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
        if (!store->isAtomic() && loop.isLoopInvariant(store->getPointerOperand()))
          store->setVolatile(true);
      }
    }
}

static void keepAccessesOfLoops(Function &function, ArrayRef<CallInst *> statements) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  SmallPtrSet<const Loop *, 4> done;
  for (const CallInst *statement : statements)
    if (touchesMemory(*cast<InlineAsm>(statement->getCalledOperand())))
      for (const Loop *loop = loops.getLoopFor(statement->getParent());
           loop && done.insert(loop).second; loop = loop->getParentLoop())
        keepAccesses(*loop);
}

/// What a statement's outputs are: the inputs that they share a register with, and null
/// where there is none.
static SmallVector<Value *> outputsOf(const CallInst &call) {
  SmallVector<Value *> outputs;
  SmallVector<unsigned> places;
  unsigned argument = 0;
  for (const InlineAsm::ConstraintInfo &constraint :
       cast<InlineAsm>(call.getCalledOperand())->ParseConstraints()) {
    places.push_back(outputs.size());
    if (constraint.Type == InlineAsm::isOutput && !constraint.isIndirect) {
      outputs.push_back(nullptr);
      continue;
    }
    if (argument == call.arg_size())
      break;
    Value *value = call.getArgOperand(argument++);
    unsigned tied = 0;
    if (constraint.Type == InlineAsm::isInput && !constraint.Codes.empty() &&
        !StringRef(constraint.Codes.front()).getAsInteger(10, tied))
      outputs[places[tied]] = value;
  }
  return outputs;
}

/// An output's value. One that shares no register has a value that nobody knows.
static Value *outputAs(IRBuilder<> &b, Value *value, Type *type) {
  if (!value)
    return Constant::getNullValue(type);
  if (value->getType() == type)
    return value;
  return b.CreateBitOrPointerCast(value, type);
}

static void remove(CallInst &call) {
  const SmallVector<Value *> outputs = outputsOf(call);
  IRBuilder<> b(&call);
  if (auto *types = dyn_cast<StructType>(call.getType())) {
    for (User *user : make_early_inc_range(call.users()))
      if (auto *part = dyn_cast<ExtractValueInst>(user)) {
        part->replaceAllUsesWith(
            outputAs(b, outputs[part->getIndices().front()], part->getType()));
        part->eraseFromParent();
      }
    Value *all = PoisonValue::get(types);
    for (unsigned i = 0; i < types->getNumElements() && !call.use_empty(); ++i)
      all =
          b.CreateInsertValue(all, outputAs(b, outputs[i], types->getElementType(i)), i);
    call.replaceAllUsesWith(all);
  } else if (!call.getType()->isVoidTy()) {
    call.replaceAllUsesWith(outputAs(b, outputs.front(), call.getType()));
  }
  call.eraseFromParent();
}

void het::removeEmptyAssembly(Module &module) {
  for (Function &function : module) {
    SmallVector<CallInst *> statements;
    for (Instruction &instruction : instructions(function))
      if (emptyAssembly(instruction))
        statements.push_back(cast<CallInst>(&instruction));
    if (statements.empty())
      continue;
    keepAccessesOfLoops(function, statements);
    for (CallInst *statement : statements)
      remove(*statement);
  }
}
