// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The upper half of a product of 32-bit numbers that goes on as a 64-bit number. LLVM
// takes `mul.hi` for it, and of `zext(mul.hi(a, b)) - c` ptxas 13.0 makes one instruction
// that adds minus the lower half of c to the product. It takes that addition's carry for
// the subtraction's, which has none where the lower half of c is 0: the result is then
// too small by 2^32. With `mul.wide` and a shift, which costs no instruction, ptxas
// subtracts as it should.

#include "Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace het::ptx {

/// (product >> 32) that is used with all its 64 bits.
static bool isWideUpperHalf(const Instruction &instruction) {
  return instruction.getType()->isIntegerTy(64) &&
         match(&instruction, m_LShr(m_Mul(m_Value(), m_Value()), m_SpecificInt(32))) &&
         any_of(instruction.users(),
                [](const User *user) { return !isa<TruncInst>(user); });
}

void keepWideProducts(Module &module) {
  Type *type = Type::getInt64Ty(module.getContext());
  // LLVM does not look through it; ptxas does, and drops it.
  InlineAsm *copy = InlineAsm::get(FunctionType::get(type, type, /*isVarArg=*/false),
                                   "mov.b64 $0, $1;", "=l,l", /*hasSideEffects=*/false);
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isWideUpperHalf(instruction)) {
        IRBuilder<> builder(&instruction);
        instruction.setOperand(0, builder.CreateCall(copy, instruction.getOperand(0)));
      }
}

} // namespace het::ptx
