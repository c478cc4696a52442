// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traps in the place of host functions; apart, since it needs no Clang.

#include "HostCalls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace het;

void het::trapHostCalls(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.getFnAttribute(hostFunctionAttribute).getValueAsString() !=
        hostFunctionMark)
      continue;
    function.removeFnAttr(hostFunctionAttribute);
    function.deleteBody();
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.setDSOLocal(true);
    llvm::IRBuilder<> builder(
        llvm::BasicBlock::Create(module.getContext(), "", &function));
    builder.CreateIntrinsic(llvm::Intrinsic::trap, {});
    builder.CreateUnreachable();
  }
}
