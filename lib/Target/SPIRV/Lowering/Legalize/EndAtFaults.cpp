// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a thread that fails an assertion or traps. SPIR-V cannot leave a kernel
// from inside a function it calls, so such a function returns early, and its callers
// do so too where they find that the launch has a fault. Only kernels in which nobody
// waits for a thread that has ended come here (ChooseForm.cpp).

#include "../Convert/ConvertToSPIRV.h"
#include "../Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace het::spirv {
namespace {

void addReturn(llvm::IRBuilder<> &builder, llvm::Function &function) {
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(llvm::Constant::getNullValue(function.getReturnType()));
}

/// The function returns at the call.
void endAt(llvm::CallInst &call) {
  llvm::Function &function = *call.getFunction();
  llvm::BasicBlock *block = call.getParent();
  llvm::SplitBlock(block, &call);
  block->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(block);
  addReturn(builder, function);
}

/// The function returns behind the call if the launch, its first argument, has a fault.
void endBehind(llvm::CallInst &call) {
  llvm::Function &function = *call.getFunction();
  llvm::Module &module = *function.getParent();
  llvm::Argument *launch = function.getArg(0);
  llvm::Type *i32 = llvm::Type::getInt32Ty(module.getContext());
  auto hasFault =
      module.getOrInsertFunction("__het_spirv_has_fault", i32, launch->getType());
  llvm::BasicBlock *block = call.getParent();
  llvm::BasicBlock *rest = llvm::SplitBlock(block, call.getNextNode());
  block->getTerminator()->eraseFromParent();
  auto *leave = llvm::BasicBlock::Create(module.getContext(), "leave", &function);
  llvm::IRBuilder<> builder(block);
  llvm::Value *fault = builder.CreateCall(hasFault, launch);
  builder.CreateCondBr(builder.CreateIsNotNull(fault), leave, rest);
  builder.SetInsertPoint(leave);
  addReturn(builder, function);
}

llvm::SmallVector<llvm::CallInst *> callsOf(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
      calls.push_back(call);
  return calls;
}

} // namespace

void endAtFaults(llvm::Module &module) {
  llvm::Function *end = module.getFunction(endThreadName);
  if (!end)
    return;
  llvm::SetVector<llvm::Function *> ending;
  for (llvm::CallInst *call : callsOf(*end)) {
    ending.insert(call->getFunction());
    endAt(*call);
  }
  for (llvm::CallInst *call : callsOf(*end)) { // unreachable now
    call->eraseFromParent();
  }
  end->eraseFromParent();
  for (size_t i = 0; i < ending.size(); ++i) {
    ending[i]->removeFnAttr(llvm::Attribute::NoReturn);
    for (llvm::CallInst *call : callsOf(*ending[i])) {
      call->removeFnAttr(llvm::Attribute::NoReturn);
      ending.insert(call->getFunction());
      endBehind(*call);
    }
  }
}

} // namespace het::spirv
