// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of numbers to integers that saturate. `cvt` does so by itself, where the
// back end compares and selects after it. Source: PTX ISA, "cvt": a NaN gives 0 from
// float to 32 bits, and elsewhere the value with the highest bit set alone.

#include "Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace het::ptx {

static Intrinsic::ID instructionFor(bool isSigned, bool isDouble, unsigned bits) {
  if (bits == 32 && isDouble)
    return isSigned ? Intrinsic::nvvm_d2i_rz : Intrinsic::nvvm_d2ui_rz;
  if (bits == 32)
    return isSigned ? Intrinsic::nvvm_f2i_rz : Intrinsic::nvvm_f2ui_rz;
  if (bits != 64)
    return Intrinsic::not_intrinsic;
  if (isDouble)
    return isSigned ? Intrinsic::nvvm_d2ll_rz : Intrinsic::nvvm_d2ull_rz;
  return isSigned ? Intrinsic::nvvm_f2ll_rz : Intrinsic::nvvm_f2ull_rz;
}

/// Null where no instruction does it.
static Value *convert(IntrinsicInst &conversion) {
  Value *number = conversion.getArgOperand(0);
  Type *from = number->getType();
  if (!conversion.getType()->isIntegerTy() || (!from->isFloatTy() && !from->isDoubleTy()))
    return nullptr;
  const unsigned bits = conversion.getType()->getIntegerBitWidth();
  const Intrinsic::ID instruction = instructionFor(
      conversion.getIntrinsicID() == Intrinsic::fptosi_sat, from->isDoubleTy(), bits);
  if (instruction == Intrinsic::not_intrinsic)
    return nullptr;
  IRBuilder<> builder(&conversion);
  Value *integer = builder.CreateIntrinsic(instruction, {number});
  if (bits == 32 && from->isFloatTy())
    return integer;
  return builder.CreateSelect(builder.CreateFCmpUNO(number, number),
                              ConstantInt::get(integer->getType(), 0), integer);
}

void convertSaturating(Module &module) {
  for (Function &declaration : module)
    if (declaration.getIntrinsicID() == Intrinsic::fptosi_sat ||
        declaration.getIntrinsicID() == Intrinsic::fptoui_sat)
      for (User *user : make_early_inc_range(declaration.users())) {
        auto &conversion = *cast<IntrinsicInst>(user);
        if (Value *integer = convert(conversion)) {
          conversion.replaceAllUsesWith(integer);
          conversion.eraseFromParent();
        }
      }
}

} // namespace het::ptx
