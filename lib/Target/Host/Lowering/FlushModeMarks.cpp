// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks of flushed values in LLVM IR (FlushMode.cpp), from where they become additions to
// where they are taken away.
//
// An operation with constants that LLVM has computed is right unless its result is 2^-126
// in size: the exact one may be a little less, which IEEE 754 rounds up and the processor
// flushes. Such a constant comes to a mark and no further, for marks are not computed.

#include "FlushMode.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace het::host {

static constexpr StringLiteral zeroName = "flush.zero",
                               markName = "__het_flushed_by_mode_f32";

void defineMarks(Module &module) {
  Function *mark = module.getFunction(markName);
  if (!mark)
    return;
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", mark));
  Type *type = builder.getFloatTy();
  auto *zero =
      new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                         ConstantFP::getNegativeZero(type), zeroName);
  zero->setExternallyInitialized(true); // as far as LLVM knows
  Value *known = builder.CreateLoad(type, zero);
  builder.CreateRet(builder.CreateFAdd(mark->getArg(0), known));
  mark->setLinkage(GlobalValue::InternalLinkage);
  mark->addFnAttr(Attribute::AlwaysInline);
  mark->setDoesNotAccessMemory();
  mark->setDoesNotThrow();
  mark->setWillReturn();
}

void assumeFlushing(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

namespace {

bool isFloat(const Value *value) {
  return value->getType()->getScalarType()->isFloatTy();
}

/// An operation whose operands and result the processor flushes.
bool isArithmetic(const Instruction &instruction) {
  if (!isFloat(&instruction))
    return false;
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return true;
  case Instruction::FPTrunc:
    return instruction.getOperand(0)->getType()->getScalarType()->isDoubleTy();
  default:
    break;
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == Intrinsic::fma ||
                  call->getIntrinsicID() == Intrinsic::sqrt);
}

/// Calls a function with the elements of a constant.
bool anyElement(const Constant &constant, function_ref<bool(const Constant *)> is) {
  auto *vector = dyn_cast<FixedVectorType>(constant.getType());
  if (!vector)
    return is(&constant);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    const Constant *element = constant.getAggregateElement(i);
    if (!element || is(element))
      return true;
  }
  return false;
}

/// Whether the back end could make another value of an operation with it: 0 or 1, or what
/// is not a plain number.
bool isSpecial(const Constant &constant) {
  return anyElement(constant, [](const Constant *element) {
    auto *number = dyn_cast<ConstantFP>(element);
    return !number || number->isZero() || abs(number->getValue()).isExactlyValue(1.0);
  });
}

/// A value but for its sign.
const Value *withoutSign(const Value *value) {
  const Value *inner = value;
  while (match(value, m_FNeg(m_Value(inner))) || match(value, m_FAbs(m_Value(inner))))
    value = inner;
  return value;
}

/// Whether an operand lets the back end do without the operation: it knows it, in part.
bool isUncertain(const Value *operand) {
  operand = withoutSign(operand);
  if (auto *constant = dyn_cast<Constant>(operand))
    return isSpecial(*constant);
  if (auto *load = dyn_cast<IntrinsicInst>(operand)) // under a mask, else a constant
    return any_of(load->args(), [](const Use &use) {
      return isFloat(use) && isa<Constant>(use) && !isa<UndefValue>(use);
    });
  auto *select = dyn_cast<SelectInst>(operand);
  return select && (isa<Constant>(select->getTrueValue()) ||
                    isa<Constant>(select->getFalseValue()));
}

/// Whether the operation is certain to be carried out by the processor.
bool isCertain(const Instruction &instruction) {
  if (!isArithmetic(instruction))
    return false;
  auto operands =
      make_range(instruction.op_begin(),
                 instruction.op_begin() + (isa<CallBase>(instruction)
                                               ? cast<CallBase>(instruction).arg_size()
                                               : instruction.getNumOperands()));
  if (all_of(operands, [](const Value *operand) { return isa<Constant>(operand); }))
    return false;
  const bool isQuotient = instruction.getOpcode() == Instruction::FDiv;
  return none_of(operands, [&](const Use &operand) {
    return isUncertain(operand) &&
           !(isQuotient && operand.getOperandNo() == 0 && isa<Constant>(operand));
  });
}

class Marks {
public:
  explicit Marks(Module &module)
      : module(module), zero(module.getGlobalVariable(zeroName, true)) {}

  /// Undoes what LLVM makes of marks of negated values.
  void addNegated();
  bool areTrue();
  void remove();

private:
  bool isZero(Value *added) const;
  bool isChoiceOfZero(Value *value) const;
  Value *markedBy(Instruction &instruction);
  void addNegated(Instruction &difference);
  bool hasLeastNumber(Value *value);
  void remove(Instruction &mark);

  Module &module;
  GlobalVariable *zero;
  SmallPtrSet<Value *, 16> seen;
};

/// Whether a value is the -0.0 of marks.
bool Marks::isZero(Value *added) const {
  if (Value *element = getSplatValue(added))
    added = element;
  auto *load = dyn_cast<LoadInst>(added);
  return load && load->getPointerOperand() == zero;
}

/// The value that a mark marks; null: it is none.
Value *Marks::markedBy(Instruction &instruction) {
  if (instruction.getOpcode() != Instruction::FAdd || !isFloat(&instruction))
    return nullptr;
  for (unsigned i : {0, 1})
    if (isZero(instruction.getOperand(i)))
      return instruction.getOperand(1 - i);
  return nullptr;
}

/// Undoes what LLVM makes of a negated value's mark.
void Marks::addNegated(Instruction &difference) {
  IRBuilder<> builder(&difference);
  Value *negated = builder.CreateFNeg(difference.getOperand(1));
  difference.replaceAllUsesWith(builder.CreateFAdd(difference.getOperand(0), negated));
  difference.eraseFromParent();
}

/// Whether a value may be a constant of size 2^-126, by its bits or as a number.
bool Marks::hasLeastNumber(Value *value) {
  if (auto *constant = dyn_cast<Constant>(value))
    return anyElement(*constant, [](const Constant *element) {
      if (auto *number = dyn_cast<ConstantFP>(element))
        return number->getType()->isFloatTy() &&
               abs(number->getValue()).isSmallestNormalized();
      auto *bits = dyn_cast<ConstantInt>(element);
      return (bits && bits->getBitWidth() == 32 &&
              (bits->getZExtValue() & INT32_MAX) == 0x00800000) ||
             isa<ConstantExpr>(element);
    });
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !seen.insert(value).second)
    return false;
  if (auto *select = dyn_cast<SelectInst>(instruction))
    return hasLeastNumber(select->getTrueValue()) ||
           hasLeastNumber(select->getFalseValue());
  auto *call = dyn_cast<IntrinsicInst>(instruction);
  if (isa<PHINode, FreezeInst, BitCastInst, InsertElementInst, ExtractElementInst,
          ShuffleVectorInst>(instruction) ||
      instruction->getOpcode() == Instruction::FNeg ||
      (call && (call->getIntrinsicID() == Intrinsic::fabs ||
                call->getIntrinsicID() == Intrinsic::copysign ||
                call->getIntrinsicID() == Intrinsic::masked_load ||
                call->getIntrinsicID() == Intrinsic::masked_gather)))
    return any_of(instruction->operands(), [&](Use &use) { return hasLeastNumber(use); });
  return false;
}

/// Whether a value is chosen between the -0.0 of marks and another one: LLVM has made one
/// addition of a choice between a marked value and the plain one.
bool Marks::isChoiceOfZero(Value *value) const {
  auto *select = dyn_cast<SelectInst>(value);
  return select && (isZero(select->getTrueValue()) || isZero(select->getFalseValue()));
}

/// Whether LLVM has put nothing into marks that the processor could have flushed.
bool Marks::areTrue() {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::FAdd && isFloat(&instruction) &&
          any_of(instruction.operands(),
                 [&](Use &use) { return isChoiceOfZero(use) || hasLeastNumber(use); }))
        return false;
  return true;
}

/// Operations flush their results, and their operands.
void Marks::remove(Instruction &mark) {
  Value *marked = markedBy(mark);
  auto *source = dyn_cast<Instruction>(withoutSign(marked));
  if (source && isCertain(*source)) {
    mark.replaceAllUsesWith(marked);
  } else if (!isa<Constant>(marked) && !isUncertain(marked)) {
    mark.replaceUsesWithIf(marked, [](Use &use) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      return user && isCertain(*user);
    });
  }
  if (mark.use_empty())
    mark.eraseFromParent();
}

void Marks::addNegated() {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (instruction.getOpcode() == Instruction::FSub && isFloat(&instruction) && zero &&
          isZero(instruction.getOperand(0)))
        addNegated(instruction);
}

void Marks::remove() {
  if (!zero)
    return;
  SmallVector<Instruction *> marks;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (markedBy(instruction))
        marks.push_back(&instruction);
  for (Instruction *mark : marks)
    remove(*mark);
}

} // namespace

bool removeMarks(Module &module) {
  Marks marks(module);
  marks.addNegated();
  if (!marks.areTrue())
    return false;
  marks.remove();
  return true;
}

} // namespace het::host
