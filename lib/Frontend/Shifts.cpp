// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines shifts by the width or more as GPUs do: the result is 0, and of a signed number
// its sign. In C++ they are undefined, but programs count on `~0u >> (32 - n)` for n = 0.
// The amount is the low 32 bits, an unsigned number, as in PTX.

#include "Shifts.h"
#include "Optimize.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace het;
using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr unsigned amountBits = 32;

Value *het::createShift(IRBuilder<> &builder, Instruction::BinaryOps opcode, Value *value,
                        Value *amount) {
  Type *type = value->getType(), *word = type->getWithNewBitWidth(amountBits);
  const unsigned width = type->getScalarSizeInBits();
  Value *narrow;
  if (match(amount, m_ZExt(m_Value(narrow))) && narrow->getType() == word)
    amount = narrow;
  amount = builder.CreateZExtOrTrunc(amount, word);
  if (opcode == Instruction::AShr) {
    amount = builder.CreateBinaryIntrinsic(Intrinsic::umin, amount,
                                           ConstantInt::get(word, width - 1));
    return builder.CreateAShr(value, builder.CreateZExt(amount, type));
  }
  Value *isBelow = builder.CreateICmpULT(amount, ConstantInt::get(word, width));
  Value *shifted = builder.CreateBinOp(opcode, value, builder.CreateZExt(amount, type));
  return builder.CreateSelect(isBelow, shifted, Constant::getNullValue(type));
}

/// Whether an amount is known to be less than a shift's width.
static bool isBelowWidth(Value *amount, const Instruction &user) {
  const unsigned width = amount->getType()->getScalarSizeInBits();
  return computeKnownBits(amount, SimplifyQuery(user.getDataLayout(), &user))
      .getMaxValue()
      .ult(width);
}

static bool isShift(const Instruction &instruction) {
  return instruction.isShift() &&
         instruction.getType()->getScalarSizeInBits() >= amountBits;
}

/// Whether `rest` is the width less `amount`.
static bool isRest(Value *rest, Value *amount, unsigned width) {
  Value *wideRest, *wideAmount;
  if (match(rest, m_ZExt(m_Value(wideRest))) &&
      match(amount, m_ZExt(m_Value(wideAmount)))) {
    rest = wideRest;
    amount = wideAmount;
  }
  return match(rest, m_Sub(m_SpecificInt(width), m_Specific(amount)));
}

/// x << n | y >> (width - n) as a funnel shift, which gives the same for all n below the
/// width, or null. nvcc makes one of a rotation of 32 bits whatever n is.
static Value *funnelShiftOf(BinaryOperator &sum) {
  Value *x, *y, *left, *right;
  auto leftShift = m_Shl(m_Value(x), m_Value(left));
  auto rightShift = m_LShr(m_Value(y), m_Value(right));
  if (!match(&sum, m_c_Or(leftShift, rightShift)) &&
      !match(&sum, m_c_Xor(leftShift, rightShift)) &&
      !match(&sum, m_c_Add(leftShift, rightShift)))
    return nullptr;
  const unsigned width = sum.getType()->getScalarSizeInBits();
  const bool isLeft = isRest(right, left, width);
  if (!isLeft && !isRest(left, right, width))
    return nullptr;
  Value *amount = isLeft ? left : right;
  const bool wraps = x == y && width == amountBits;
  if (!wraps && !isBelowWidth(amount, sum))
    return nullptr;
  return IRBuilder<>(&sum).CreateIntrinsic(isLeft ? Intrinsic::fshl : Intrinsic::fshr,
                                           {sum.getType()}, {x, y, amount});
}

static void keepFunnelShifts(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    auto *sum = dyn_cast<BinaryOperator>(&instruction);
    if (sum && sum->getType()->getScalarSizeInBits() >= amountBits)
      if (Value *shifted = funnelShiftOf(*sum))
        sum->replaceAllUsesWith(shifted);
  }
}

void het::defineShifts(Module &module) {
  for (Function &function : module) {
    keepFunnelShifts(function);
    SmallVector<BinaryOperator *> shifts;
    for (Instruction &instruction : instructions(function))
      if (isShift(instruction) && !isBelowWidth(instruction.getOperand(1), instruction))
        shifts.push_back(cast<BinaryOperator>(&instruction));
    for (BinaryOperator *shift : shifts) {
      IRBuilder<> builder(shift);
      shift->replaceAllUsesWith(createShift(builder, shift->getOpcode(),
                                            shift->getOperand(0), shift->getOperand(1)));
      shift->eraseFromParent();
    }
  }
}
