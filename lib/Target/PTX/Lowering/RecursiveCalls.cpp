// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions that may call themselves. ptxas has lanes that part in a function
// meet at its end by a barrier register, which the function's calls of itself use again
// while lanes wait for it. Behind the call it takes the lanes to be together: team
// operations do not wait, and uniform registers are written once for all. So the lanes
// that make the first call together meet behind it. Those of the calls inside do not:
// nobody there works with other lanes.

#include "Passes.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace het::ptx {

/// The functions with a body that may call themselves, directly or by others.
static SmallPtrSet<Function *, 4> findRecursive(Module &module) {
  SmallPtrSet<Function *, 4> functions;
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (CallGraphNode *node : *component)
        if (Function *function = node->getFunction();
            function && !function->isDeclaration())
          functions.insert(function);
  return functions;
}

void meetAfterRecursiveCalls(Module &module) {
  SmallPtrSet<Function *, 4> recursive = findRecursive(module);
  SmallVector<CallInst *> calls;
  for (Function *function : recursive)
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == function && !call->isMustTailCall() &&
          !recursive.contains(call->getFunction()))
        calls.push_back(call);
  // 0, as x * x + x is even, and a number of the lane to ptxas: a mask that it sees to be
  // one of the whole team is one that it takes to be there already.
  Type *type = Type::getInt32Ty(module.getContext());
  InlineAsm *zero = InlineAsm::get(
      FunctionType::get(type, /*isVarArg=*/false),
      "mov.u32 $0, %tid.x; mad.lo.s32 $0, $0, $0, $0; and.b32 $0, $0, 1;", "=r",
      /*hasSideEffects=*/false);
  for (CallInst *call : calls) {
    IRBuilder<> builder(call);
    Value *lanes =
        builder.CreateOr(builder.CreateIntrinsic(Intrinsic::nvvm_activemask, {}),
                         builder.CreateCall(zero));
    builder.SetInsertPoint(call->getNextNode());
    builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {lanes});
    call->setTailCall(false);
    call->getFunction()->setConvergent();
  }
}

} // namespace het::ptx
