// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of 32 bits in 64-bit addresses. LLVM extends those without a sign that it knows
// not to be negative, and by their sign those that it does not know so: `in[at]` and
// `in[at + 32]` of one loop get two pointers. Extended by the sign, which is the same
// number, they share one.

#include "Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace het::ptx {

/// Sums and what is shifted; not products, of which the machine has such of two numbers
/// that are extended alike.
static bool isAddress(const User *user) {
  return isa<GetElementPtrInst>(user) || match(user, m_Add(m_Value(), m_Value())) ||
         match(user, m_Shl(m_Value(), m_ConstantInt()));
}

void extendIndicesBySign(Module &module) {
  SmallVector<ZExtInst *> extended;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *zext = dyn_cast<ZExtInst>(&instruction);
          zext && zext->hasNonNeg() && zext->getType()->isIntegerTy(64) &&
          zext->getOperand(0)->getType()->isIntegerTy(32) &&
          all_of(zext->users(), isAddress))
        extended.push_back(zext);
  for (ZExtInst *zext : extended) {
    auto *sext =
        new SExtInst(zext->getOperand(0), zext->getType(), "", zext->getIterator());
    sext->setDebugLoc(zext->getDebugLoc());
    sext->takeName(zext);
    zext->replaceAllUsesWith(sext);
    zext->eraseFromParent();
  }
}

} // namespace het::ptx
