// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers which memory a pointer leads to where it shows: at a variable, or a kernel's
// argument, which leads to nothing that belongs to a thread or a block. Libraries ask in
// each atomic operation, and some devices cannot tell while they run.

#include "AddressSpaces.h"
#include "Optimize.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

static constexpr unsigned globalSpace = 1, sharedSpace = 3, constantSpace = 4,
                          localSpace = 5;

/// The space that an intrinsic asks about; 0 if it is none of them.
static unsigned askedSpace(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_isspacep_global:
    return globalSpace;
  case Intrinsic::nvvm_isspacep_shared:
    return sharedSpace;
  case Intrinsic::nvvm_isspacep_const:
    return constantSpace;
  case Intrinsic::nvvm_isspacep_local:
    return localSpace;
  default:
    return 0;
  }
}

/// Whether a pointer leads to a space, where that shows.
static std::optional<bool> leadsTo(const Value *pointer, unsigned space) {
  const Value *object = getUnderlyingObject(pointer, /*MaxLookup=*/0);
  if (isa<AllocaInst>(object))
    return space == localSpace;
  if (auto *variable = dyn_cast<GlobalVariable>(object);
      variable && variable->getAddressSpace() != 0)
    return space == variable->getAddressSpace();
  if (auto *argument = dyn_cast<Argument>(object);
      argument && isKernelFunction(*argument->getParent()) && !argument->hasByValAttr() &&
      space != constantSpace)
    return space == globalSpace;
  return std::nullopt;
}

PreservedAnalyses AddressSpacesPass::run(Function &function, FunctionAnalysisManager &) {
  bool isChanged = false;
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block)) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      const unsigned space = call ? askedSpace(*call) : 0;
      if (!space)
        continue;
      std::optional<bool> answer = leadsTo(call->getArgOperand(0), space);
      if (!answer)
        continue;
      call->replaceAllUsesWith(ConstantInt::getBool(call->getContext(), *answer));
      call->eraseFromParent();
      isChanged = true;
    }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
