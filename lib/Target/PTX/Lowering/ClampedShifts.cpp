// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts that are 0, or the sign, beyond the width: to LLVM a shift and a test of its
// amount, to PTX one instruction. LLVM's own shift would not do in its place, for by an
// amount that is too large it has no value.

#include "Passes.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace het::ptx {
namespace {

constexpr unsigned wordBits = 32;
constexpr uint64_t wordMask = 0xFFFFFFFF;

/// The low 32 bits of a number: those of `base`, or of its negative, plus `offset`.
struct Word {
  Value *base;
  bool isNegative;
  APInt offset;
};

/// `value` without conversions that leave its low 32 bits alone.
Value *lowWordOf(Value *value) {
  Value *inner;
  while ((match(value, m_ZExtOrSExt(m_Value(inner))) ||
          match(value, m_Trunc(m_Value(inner))) ||
          match(value, m_And(m_Value(inner), m_SpecificInt(wordMask)))) &&
         inner->getType()->getScalarSizeInBits() >= wordBits)
    value = inner;
  return value;
}

Word wordOf(Value *value) {
  Word word{lowWordOf(value), false, APInt::getZero(wordBits)};
  const APInt *constant;
  Value *inner;
  for (;;) {
    if (match(word.base, m_Add(m_Value(inner), m_APInt(constant)))) {
      APInt low = constant->trunc(wordBits);
      word.offset += word.isNegative ? -low : low;
    } else if (match(word.base, m_Sub(m_APInt(constant), m_Value(inner)))) {
      APInt low = constant->trunc(wordBits);
      word.offset += word.isNegative ? -low : low;
      word.isNegative = !word.isNegative;
    } else {
      return word;
    }
    word.base = lowWordOf(inner);
  }
}

ConstantRange negated(const ConstantRange &range) {
  return ConstantRange(APInt::getZero(wordBits)).sub(range);
}

/// Whether a comparison says that a shift's amount is `width` or more wherever it has the
/// result `result`.
bool saysTooLarge(ICmpInst &test, bool result, Value *amount, unsigned width) {
  const APInt *constant, *mask;
  if (!match(test.getOperand(1), m_APInt(constant)))
    return false;
  Value *tested = test.getOperand(0), *masked;
  CmpPredicate predicate =
      result ? test.getCmpPredicate() : test.getInverseCmpPredicate();
  const APInt tooLarge(wordBits, wordMask & ~uint64_t(width - 1));
  if (predicate == ICmpInst::ICMP_NE && constant->isZero() &&
      match(tested, m_And(m_Value(masked), m_APInt(mask))) &&
      mask->getBitWidth() >= wordBits &&
      mask->isSubsetOf(tooLarge.zext(mask->getBitWidth())) &&
      lowWordOf(masked) == lowWordOf(amount))
    return true;
  ConstantRange range = ConstantRange::makeExactICmpRegion(predicate, *constant);
  const ConstantRange tooLargeRange(APInt(wordBits, width), APInt::getZero(wordBits));
  if (tested->getType()->getScalarSizeInBits() < wordBits)
    return match(lowWordOf(amount), m_ZExt(m_Specific(tested))) &&
           tooLargeRange.contains(range.zeroExtend(wordBits));
  if (match(tested, m_And(m_Value(), m_SpecificInt(wordMask))))
    range =
        range
            .intersectWith(ConstantRange(APInt::getZero(constant->getBitWidth()),
                                         APInt(constant->getBitWidth(), wordMask) + 1))
            .truncate(wordBits);
  else if (!tested->getType()->isIntegerTy(wordBits))
    return false;
  Word from = wordOf(tested), to = wordOf(amount);
  if (from.base != to.base)
    return false;
  range = range.subtract(from.offset);
  if (from.isNegative != to.isNegative)
    range = negated(range);
  range = range.add(to.offset);
  return tooLargeRange.contains(range);
}

/// Makes the guarded shifts of one function single instructions.
class ShiftClamper {
public:
  explicit ShiftClamper(Function &function)
      : function(function), query(function.getDataLayout()) {}
  void run();

private:
  /// How many operations may stand between a shift and the select that guards it: one
  /// in `(1 << n) - 1`.
  static constexpr unsigned largestDepth = 3;

  Value *amountOf(Value *value) const;
  bool foldSelect(SelectInst &select, bool arm);
  bool foldArm(SelectInst &select, bool arm, Value *value, unsigned depth);
  void foldMinimum(BinaryOperator &shift);
  CallInst *clamp(BinaryOperator &shift, Value *amount);

  Function &function;
  SimplifyQuery query;
  /// The amounts of logical shifts that have become PTX's.
  DenseMap<Value *, Value *> clamped;
  SmallVector<WeakTrackingVH> dead;
};

bool isWordOrWide(const Value &value) {
  return value.getType()->isIntegerTy(32) || value.getType()->isIntegerTy(64);
}

/// The amount of a shift that brings in zeros; null if it is something else.
Value *ShiftClamper::amountOf(Value *value) const {
  if (Value *amount = clamped.lookup(value))
    return amount;
  auto *shift = dyn_cast<BinaryOperator>(value);
  return shift && shift->isLogicalShift() && isWordOrWide(*shift) ? shift->getOperand(1)
                                                                  : nullptr;
}

CallInst *ShiftClamper::clamp(BinaryOperator &shift, Value *amount) {
  IRBuilder<> builder(&shift);
  Type *type = shift.getType(), *word = builder.getInt32Ty();
  const bool isWide = type->isIntegerTy(64);
  std::string text = shift.getOpcode() == Instruction::Shl    ? "shl.b"
                     : shift.getOpcode() == Instruction::LShr ? "shr.u"
                                                              : "shr.s";
  text += isWide ? "64 $0, $1, $2;" : "32 $0, $1, $2;";
  InlineAsm *code =
      InlineAsm::get(FunctionType::get(type, {type, word}, /*isVarArg=*/false), text,
                     isWide ? "=l,l,r" : "=r,r,r", /*hasSideEffects=*/false);
  // LLVM may have said of a conversion that the shift is not too large.
  Value *count = amount, *inner;
  if (match(amount, m_ZExt(m_Value(inner))) &&
      inner->getType()->getScalarSizeInBits() <= wordBits)
    count = inner;
  count = builder.CreateZExtOrTrunc(count, word);
  CallInst *call = builder.CreateCall(code, {shift.getOperand(0), count});
  call->setDoesNotAccessMemory();
  shift.replaceAllUsesWith(call);
  dead.push_back(&shift);
  if (shift.isLogicalShift()) // one that brings in the sign does not become 0
    clamped[call] = amount;
  return call;
}

/// Takes `value`, a part of the arm of a select, for its shift if the other arm is what
/// comes out of this arm for a shift that is 0.
bool ShiftClamper::foldArm(SelectInst &select, bool arm, Value *value, unsigned depth) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return false;
  Value *from = arm ? select.getTrueValue() : select.getFalseValue();
  Value *other = arm ? select.getFalseValue() : select.getTrueValue();
  Value *amount = amountOf(value);
  if (amount && saysTooLarge(*cast<ICmpInst>(select.getCondition()), !arm, amount,
                             value->getType()->getScalarSizeInBits())) {
    SmallVector<Instruction *> promising;
    Constant *zero = Constant::getNullValue(value->getType());
    if (simplifyWithOpReplaced(from, value, zero, query, /*AllowRefinement=*/false,
                               &promising) != other)
      return false;
    for (Instruction *each : promising)
      each->dropPoisonGeneratingAnnotations();
    Value *result = value;
    if (auto *shift = dyn_cast<BinaryOperator>(value))
      result = clamp(*shift, amount);
    select.replaceAllUsesWith(from == value ? result : from);
    dead.push_back(&select);
    return true;
  }
  return depth > 0 && isa<BinaryOperator, CastInst, ICmpInst>(instruction) &&
         any_of(instruction->operands(),
                [&](Use &operand) { return foldArm(select, arm, operand, depth - 1); });
}

bool ShiftClamper::foldSelect(SelectInst &select, bool arm) {
  return isa<ICmpInst>(select.getCondition()) &&
         foldArm(select, arm, arm ? select.getTrueValue() : select.getFalseValue(),
                 largestDepth);
}

/// x >> min(n, width - 1), for a signed x.
void ShiftClamper::foldMinimum(BinaryOperator &shift) {
  const unsigned last = shift.getType()->getScalarSizeInBits() - 1;
  Value *amount = lowWordOf(shift.getOperand(1)), *inner;
  if (!match(amount, m_ZExtOrSelf(m_UMin(m_Value(inner), m_SpecificInt(last)))) ||
      inner->getType()->getScalarSizeInBits() > wordBits)
    return;
  if (shift.getOpcode() == Instruction::LShr &&
      !isKnownNonNegative(shift.getOperand(0), query))
    return;
  clamp(shift, inner);
}

void ShiftClamper::run() {
  SmallVector<SelectInst *> selects;
  SmallVector<BinaryOperator *> shifts;
  for (Instruction &instruction : instructions(function)) {
    if (auto *select = dyn_cast<SelectInst>(&instruction))
      selects.push_back(select);
    else if ((instruction.getOpcode() == Instruction::AShr ||
              instruction.getOpcode() == Instruction::LShr) &&
             isWordOrWide(instruction))
      shifts.push_back(cast<BinaryOperator>(&instruction));
  }
  for (BinaryOperator *shift : shifts)
    foldMinimum(*shift);
  for (SelectInst *select : selects)
    foldSelect(*select, true) || foldSelect(*select, false);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

} // namespace

void clampShifts(Module &module) {
  for (Function &function : module)
    ShiftClamper(function).run();
}

} // namespace het::ptx
