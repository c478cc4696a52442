// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a pointer leads to an object of the work-item's own. OpenCL has a question for
// that, but compilers for CPUs, where all memory is one, say yes to any pointer. So it is
// compared with all local objects that there are: those of the function that asks, once
// it has been inlined into all those whose objects it may have been given.

#include "../../../Support/Lowering/KernelLowering.h"
#include "../Convert/ConvertToSPIRV.h"
#include "../Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace het::spirv {
namespace {

using Functions = llvm::SmallSetVector<llvm::Function *, 8>;

/// An object, and a value of its bytes.
struct Object {
  llvm::Value *address, *bytes;
};

bool isByValue(const llvm::Argument &argument) { return argument.hasByValAttr(); }

bool hasObjects(llvm::Function &function) {
  return llvm::any_of(function.args(), isByValue) ||
         llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &inst) {
           return llvm::isa<llvm::AllocaInst>(inst);
         });
}

Functions callersOf(llvm::Function &function) {
  Functions callers;
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
        call && call->getCalledOperand() == &function)
      callers.insert(call->getFunction());
  return callers;
}

/// Whether objects of those that call it, or call one that does, may reach a function.
bool isGivenObjects(llvm::Function &function) {
  Functions callers = callersOf(function);
  for (unsigned i = 0; i < callers.size(); ++i) {
    if (hasObjects(*callers[i]))
      return true;
    for (llvm::Function *next : callersOf(*callers[i]))
      callers.insert(next);
  }
  return false;
}

/// False: a call can not be inlined.
bool inlineEverywhere(llvm::Function &function) {
  while (!function.use_empty()) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(function.user_back());
    llvm::InlineFunctionInfo info;
    if (!call || !llvm::InlineFunction(*call, info).isSuccess())
      return false;
  }
  function.eraseFromParent();
  return true;
}

/// The objects that there may be when a call asks. None: that cannot be said.
std::optional<llvm::SmallVector<Object>> objectsFor(llvm::CallInst &call) {
  llvm::Function &function = *call.getFunction();
  const llvm::DataLayout &layout = function.getDataLayout();
  const llvm::DominatorTree dominance(function);
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<Object> objects;
  for (llvm::Argument &argument : function.args())
    if (isByValue(argument))
      objects.push_back({&argument, builder.getInt64(layout.getTypeAllocSize(
                                        argument.getParamByValType()))});
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!object)
      continue;
    if (!object->isStaticAlloca())
      return std::nullopt;
    if (!dominance.dominates(object, &call)) // it is made later
      continue;
    objects.push_back(
        {object, builder.getInt64(object->getAllocationSize(layout)->getFixedValue())});
  }
  return objects;
}

void answer(llvm::CallInst &call, llvm::ArrayRef<Object> objects) {
  llvm::IRBuilder<> builder(&call);
  llvm::Type *number = builder.getInt64Ty();
  llvm::Value *address = builder.CreatePtrToInt(call.getArgOperand(0), number);
  llvm::Value *any = builder.getFalse();
  for (const Object &object : objects) {
    llvm::Value *place =
        builder.CreateSub(address, builder.CreatePtrToInt(object.address, number));
    any = builder.CreateOr(any, builder.CreateICmpULT(place, object.bytes));
  }
  call.replaceAllUsesWith(any);
  call.eraseFromParent();
}

llvm::Error refuse(const llvm::Function &function, llvm::StringRef why) {
  return llvm::createStringError("SPIR-V can not tell whether a pointer leads to local "
                                 "memory in '" +
                                 target::sourceName(function) + "': " + why);
}

} // namespace

llvm::Error compareWithObjects(llvm::Module &module) {
  llvm::Function *question = module.getFunction(isOwnObjectName);
  if (!question)
    return llvm::Error::success();
  while (!question->use_empty()) {
    auto *call = llvm::cast<llvm::CallInst>(question->user_back());
    llvm::Function &function = *call->getFunction();
    if (isGivenObjects(function)) {
      if (!inlineEverywhere(function))
        return refuse(function, "it can not be inlined");
      continue;
    }
    auto objects = objectsFor(*call);
    if (!objects)
      return refuse(function, "a local object is not made where it begins");
    answer(*call, *objects);
  }
  question->eraseFromParent();
  return llvm::Error::success();
}

} // namespace het::spirv
