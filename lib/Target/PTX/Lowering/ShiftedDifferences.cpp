// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and differences of 64-bit numbers x << n and x >> (64 - n). ptxas 13.0 makes a
// rotation of them and looks neither at the signs nor at the kind of the shift to the
// right, which is right only for x << n plus the logical x >> (64 - n). It does not see
// a rotation where x << n is a multiplication.

#include "Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace het::ptx {

/// x and 2^n, or -2^n: x << n, and what code generation makes -(x << n) of.
static bool isPowerOfTwoTimes(Value *value, Value *&x, APInt &factor) {
  const APInt *constant;
  if (match(value, m_Mul(m_Value(x), m_APInt(constant))) &&
      constant->isNegatedPowerOf2()) {
    factor = *constant;
    return true;
  }
  bool negated = match(value, m_Neg(m_Value(value)));
  if (!match(value, m_Shl(m_Value(x), m_APInt(constant))) || constant->uge(64))
    return false;
  negated ^= match(x, m_Neg(m_Value(x)));
  factor = APInt::getOneBitSet(64, constant->getZExtValue());
  if (negated)
    factor.negate();
  return true;
}

/// Which operand of the sum or difference is to be a multiplication; -1 if none.
static int operandToMultiply(const BinaryOperator &sum, Value *&x, APInt &factor) {
  const unsigned opcode = sum.getOpcode();
  const bool adds = opcode == Instruction::Add, subtracts = opcode == Instruction::Sub;
  // Code generation makes a difference of a disjoint `or` with -(x << n).
  if (!sum.getType()->isIntegerTy(64) ||
      (!adds && !subtracts && opcode != Instruction::Or))
    return -1;
  for (int index : {0, 1}) {
    if (!isPowerOfTwoTimes(sum.getOperand(index), x, factor))
      continue;
    Value *other = sum.getOperand(1 - index);
    const uint64_t rest = 64 - factor.countr_zero();
    const bool logical = match(other, m_LShr(m_Specific(x), m_SpecificInt(rest)));
    if (!logical && !match(other, m_AShr(m_Specific(x), m_SpecificInt(rest))))
      continue;
    if (subtracts || factor.isNegative() || (adds && !logical))
      return index;
  }
  return -1;
}

void keepShiftedDifferences(Module &module) {
  Type *type = Type::getInt64Ty(module.getContext());
  // LLVM would make a shift of its own multiplication.
  InlineAsm *multiply =
      InlineAsm::get(FunctionType::get(type, {type, type}, /*isVarArg=*/false),
                     "mul.lo.s64 $0, $1, $2;", "=l,l,n", /*hasSideEffects=*/false);
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *sum = dyn_cast<BinaryOperator>(&instruction);
      Value *x;
      APInt factor;
      const int index = sum ? operandToMultiply(*sum, x, factor) : -1;
      if (index < 0)
        continue;
      IRBuilder<> builder(sum);
      sum->setOperand(index,
                      builder.CreateCall(multiply, {x, ConstantInt::get(type, factor)}));
    }
}

} // namespace het::ptx
