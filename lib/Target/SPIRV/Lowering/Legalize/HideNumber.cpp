// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number that no compiler knows before the launch: that number and the offset of the
// work-items' positions, which is zero in every launch.

#include "../Passes.h"
#include "llvm/IR/IRBuilder.h"

namespace het::spirv {

llvm::Value *hideNumber(llvm::Function &function, const llvm::APInt &number) {
  llvm::IRBuilder<> builder(&function.getEntryBlock(),
                            function.getEntryBlock().getFirstInsertionPt());
  llvm::FunctionCallee offset = function.getParent()->getOrInsertFunction(
      "_Z17get_global_offsetj", builder.getInt64Ty(), builder.getInt32Ty());
  llvm::CallInst *zero = builder.CreateCall(offset, builder.getInt32(0));
  zero->setDoesNotAccessMemory();
  llvm::Value *word = builder.CreateTrunc(zero, builder.getIntNTy(number.getBitWidth()));
  return number.isZero() ? word : builder.CreateXor(word, number);
}

} // namespace het::spirv
