// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fused multiply-adds of halves and bfloat16, which most processors lack. LLVM's back end
// goes through double for halves, by a function of libgcc for each, and through float for
// bfloat16, which rounds twice. The device library's functions round once, and become
// vectors.

#include "Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;

namespace het::host {

static void callLibrary(IntrinsicInst &fma) {
  IRBuilder<> builder(&fma);
  Type *bits = builder.getInt16Ty();
  StringRef name =
      fma.getType()->isHalfTy() ? "__het_fma_half_rn_i16" : "__het_fma_bfloat_rn_i16";
  FunctionCallee function =
      fma.getModule()->getOrInsertFunction(name, bits, bits, bits, bits);
  SmallVector<Value *> operands;
  for (Value *operand : fma.args())
    operands.push_back(builder.CreateBitCast(operand, bits));
  Value *result = builder.CreateCall(function, operands);
  fma.replaceAllUsesWith(builder.CreateBitCast(result, fma.getType()));
  fma.eraseFromParent();
}

void lowerSmallFloatProducts(Module &module, const TargetMachine &machine) {
  const bool hasHalves = machine.getMCSubtargetInfo()->checkFeatures("+avx512fp16");
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != Intrinsic::fma)
        continue;
      Type *type = call->getType();
      if (type->isBFloatTy() || (type->isHalfTy() && !hasHalves))
        callLibrary(*call);
    }
}

} // namespace het::host
