// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers which memory a pointer leads to where it shows: at a variable, or a kernel's
// argument, which leads to nothing that belongs to a thread or a block. Libraries ask in
// each atomic operation, and some devices cannot tell while they run. Loads of matrices
// are told where they are of shared memory, for which there are instructions.

#include "AddressSpaces.h"
#include "MatrixCalls.h"
#include "Optimize.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
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

/// Whether an object lies in a space, where that shows.
static std::optional<bool> liesIn(const Value *object, unsigned space) {
  if (isa<AllocaInst>(object))
    return space == localSpace;
  if (const unsigned own = object->getType()->getPointerAddressSpace(); own != 0)
    return space == own;
  if (auto *argument = dyn_cast<Argument>(object);
      argument && isKernelFunction(*argument->getParent()) && !argument->hasByValAttr() &&
      space != constantSpace)
    return space == globalSpace;
  return std::nullopt;
}

/// Whether a pointer leads to a space, where that shows: of all objects that it may lead
/// to the same.
static std::optional<bool> leadsTo(const Value *pointer, unsigned space) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  std::optional<bool> answer;
  for (const Value *object : objects) {
    std::optional<bool> one = liesIn(object, space);
    if (!one || (answer && *answer != *one))
      return std::nullopt;
    answer = one;
  }
  return answer;
}

/// Answers a question.
static bool answer(IntrinsicInst &call) {
  const unsigned space = askedSpace(call);
  std::optional<bool> found =
      space ? leadsTo(call.getArgOperand(0), space) : std::nullopt;
  if (!found)
    return false;
  call.replaceAllUsesWith(ConstantInt::getBool(call.getContext(), *found));
  call.eraseFromParent();
  return true;
}

/// Calls the function that loads matrices from shared memory, where they are there.
static bool chooseRows(CallInst &call) {
  Function *callee = call.getCalledFunction();
  if (!callee || !callee->getName().starts_with(matrixRowsPrefix) ||
      callee->getName().starts_with(sharedRowsPrefix) ||
      leadsTo(call.getArgOperand(0), sharedSpace) != true)
    return false;
  auto *pointer = PointerType::get(call.getContext(), sharedSpace);
  auto *type = FunctionType::get(call.getType(),
                                 {pointer, call.getArgOperand(1)->getType()}, false);
  const std::string name =
      (sharedRowsPrefix + callee->getName().drop_front(matrixRowsPrefix.size())).str();
  FunctionCallee made =
      call.getModule()->getOrInsertFunction(name, type, callee->getAttributes());
  call.setArgOperand(
      0, IRBuilder<>(&call).CreateAddrSpaceCast(call.getArgOperand(0), pointer));
  call.setCalledFunction(made);
  return true;
}

PreservedAnalyses AddressSpacesPass::run(Function &function, FunctionAnalysisManager &) {
  bool isChanged = false;
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (auto *question = dyn_cast<IntrinsicInst>(&instruction))
        isChanged |= answer(*question);
      else if (auto *call = dyn_cast<CallInst>(&instruction))
        isChanged |= chooseRows(*call);
    }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
