// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions and square roots that need not be rounded correctly: those of the source
// under -prec-div=false and -prec-sqrt=false, and __fdividef. While LLVM optimises they
// are instructions with flags: `afn`, and `arcp` besides where the quotient by a divisor
// above 2^126 may be 0. hetIR has functions in their place, and no flags.

#include "LibraryCalls.h"
#include "Optimize.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace het;
using namespace llvm;
using namespace llvm::PatternMatch;

static bool isSquareRoot(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::sqrt;
}

void het::relaxPrecision(Module &module, const CompileOptions &options) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (!instruction.getType()->isFloatTy())
        continue;
      const bool isDivision = instruction.getOpcode() == Instruction::FDiv;
      if (isDivision && !options.preciseDivision) {
        instruction.setHasApproxFunc(true);
        instruction.setHasAllowReciprocal(options.fastMath);
      } else if (isSquareRoot(instruction) && !options.preciseSqrt) {
        instruction.setHasApproxFunc(true);
      }
    }
}

/// The function of hetIR, whose operands are appended, that an instruction stands for.
static StringRef functionOf(Instruction &instruction,
                            SmallVectorImpl<Value *> &operands) {
  if (isSquareRoot(instruction)) {
    operands.push_back(instruction.getOperand(0));
    return "sqrt";
  }
  Value *dividend = instruction.getOperand(0), *divisor = instruction.getOperand(1);
  if (match(dividend, m_SpecificFP(1.0))) {
    operands.push_back(divisor);
    return "rcp";
  }
  operands.append({dividend, divisor});
  return instruction.hasAllowReciprocal() ? "div" : "div_full";
}

void het::expandApproximations(Module &module) {
  SmallVector<Instruction *> found;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (instruction.getType()->isFloatTy() &&
          (instruction.getOpcode() == Instruction::FDiv || isSquareRoot(instruction)) &&
          instruction.hasApproxFunc())
        found.push_back(&instruction);
  for (Instruction *instruction : found) {
    IRBuilder<> builder(instruction);
    SmallVector<Value *, 2> operands;
    StringRef function = functionOf(*instruction, operands);
    instruction->replaceAllUsesWith(createMathCall(builder, function,
                                                   /*approximate=*/true, operands,
                                                   instruction->getType()));
    instruction->eraseFromParent();
  }
}
