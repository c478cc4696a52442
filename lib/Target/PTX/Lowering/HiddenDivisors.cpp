// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of up to 32 bits by what LLVM may see to be zero, or -1, on some way. There
// they are undefined to LLVM, which would conclude that no thread comes to them; the
// machine computes what hetIR asks for (docs/spec/hetir.md, Integers). So the divisor
// goes through an empty piece of assembly, until it is a constant that can do no harm.

#include "Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace het::ptx {
namespace {

constexpr StringLiteral hidingText = "// divisor";

bool isHarmful(const Constant &divisor) {
  return !isa<ConstantInt>(divisor) || divisor.isNullValue() || divisor.isAllOnesValue();
}

/// Whether LLVM may see what makes a division undefined: a literal zero or -1 on one of
/// the ways that lead to its divisor.
bool seemsUndefined(Value *divisor) {
  SmallPtrSet<Value *, 8> seen;
  SmallVector<Value *> left{divisor};
  while (!left.empty()) {
    Value *value = left.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto *constant = dyn_cast<Constant>(value)) {
      if (isHarmful(*constant))
        return true;
    } else if (auto *argument = dyn_cast<Argument>(value)) {
      if (argument->getParent()->hasLocalLinkage())
        return true; // it may be inlined
    } else if (auto *call = dyn_cast<CallBase>(value)) {
      const Function *callee = call->getCalledFunction();
      if (!callee || !callee->isDeclaration())
        return true; // likewise
    } else if (isa<BinaryOperator>(value)) {
      for (Value *operand : cast<Instruction>(value)->operands())
        if (!isa<Constant>(operand))
          left.push_back(operand);
    } else if (isa<PHINode, SelectInst, CastInst, FreezeInst>(value)) {
      auto operands = cast<Instruction>(value)->operand_values();
      left.append(operands.begin() + isa<SelectInst>(value), operands.end());
    }
  }
  return false;
}

/// The divisor, of which LLVM knows nothing.
Value *hidden(BinaryOperator &division) {
  IRBuilder<> builder(&division);
  Type *word = builder.getInt32Ty();
  InlineAsm *code = InlineAsm::get(FunctionType::get(word, {word}, /*isVarArg=*/false),
                                   hidingText, "=r,0", /*hasSideEffects=*/false);
  const bool isSigned = division.getOpcode() == Instruction::SDiv ||
                        division.getOpcode() == Instruction::SRem;
  Value *divisor = builder.CreateIntCast(division.getOperand(1), word, isSigned);
  CallInst *call = builder.CreateCall(code, divisor);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return builder.CreateTrunc(call, division.getType());
}

/// The call that hides a divisor, or null.
CallInst *asHidingCall(Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return code && code->getAsmString() == hidingText ? call : nullptr;
}

class ShowConstantDivisors : public PassInfoMixin<ShowConstantDivisors> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      CallInst *call = asHidingCall(instruction);
      auto *divisor = call ? dyn_cast<Constant>(call->getArgOperand(0)) : nullptr;
      if (!divisor || isHarmful(*divisor))
        continue;
      call->replaceAllUsesWith(divisor);
      call->eraseFromParent();
      changed = true;
    }
    if (!changed)
      return PreservedAnalyses::all();
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    return kept;
  }
};

} // namespace

void hideDivisors(Module &module) {
  for (Function &function : module) {
    SmallVector<BinaryOperator *> divisions;
    for (Instruction &instruction : instructions(function))
      if (instruction.isIntDivRem() && instruction.getType()->isIntegerTy() &&
          instruction.getType()->getIntegerBitWidth() <= 32 &&
          seemsUndefined(instruction.getOperand(1)))
        divisions.push_back(cast<BinaryOperator>(&instruction));
    for (BinaryOperator *division : divisions)
      division->setOperand(1, hidden(*division));
  }
}

void showConstantDivisors(PassBuilder &builder) {
  builder.registerPeepholeEPCallback([](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(ShowConstantDivisors());
  });
}

} // namespace het::ptx
