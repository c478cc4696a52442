// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds values that differ between the threads of a row, and values of one of them.
// Control does not differ, but where guards end threads: so values differ by their
// operands alone.

#include "VectorKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace het::tensix {

bool isThreadMarker(const Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == markerNames[0];
}

/// Whether threads that differ at this block's end meet again in `join`.
static bool meetAgain(const BasicBlock *block, const BasicBlock *join,
                      const DenseSet<const Value *> &values) {
  auto *branch = dyn_cast<BranchInst>(block->getTerminator());
  return branch && branch->isConditional() && values.contains(branch->getCondition()) &&
         isPotentiallyReachable(branch->getSuccessor(0), join) &&
         isPotentiallyReachable(branch->getSuccessor(1), join);
}

/// A join of threads that came by different ways holds what differs.
static bool joinsDivergence(const PHINode &phi, const DenseSet<const Value *> &values) {
  return any_of(*phi.getFunction(), [&](const BasicBlock &block) {
    return meetAgain(&block, phi.getParent(), values);
  });
}

Divergence::Divergence(Function &function) {
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (Instruction &inst : instructions(function)) {
      if (values.contains(&inst))
        continue;
      bool differs =
          isThreadMarker(&inst) || any_of(inst.operands(), [&](const Use &operand) {
            return values.contains(operand.get());
          });
      if (auto *phi = dyn_cast<PHINode>(&inst); phi && !differs)
        differs = joinsDivergence(*phi, values);
      if (differs)
        hasChanged |= values.insert(&inst).second;
    }
  }
}

static bool isComputableIntrinsic(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
    return true;
  default:
    return false;
  }
}

bool ThreadValue::isComputable(Value *value) const {
  SmallPtrSet<Value *, 16> seen;
  return isComputable(value, seen);
}

bool ThreadValue::isComputable(Value *value, SmallPtrSetImpl<Value *> &seen) const {
  if (!divergence(value) || isThreadMarker(value) || !seen.insert(value).second)
    return true;
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !(inst->getType()->isIntegerTy() || inst->getType()->isPointerTy()))
    return false;
  if (!isa<BinaryOperator, CastInst, GetElementPtrInst, ICmpInst, SelectInst, FreezeInst>(
          inst) &&
      !isComputableIntrinsic(*inst))
    return false;
  return all_of(inst->operands(), [&](Use &operand) {
    return isa<Function>(operand.get()) || isComputable(operand.get(), seen);
  });
}

/// The stride of a product or a shift by a constant.
static std::optional<int64_t> scaled(std::optional<int64_t> stride, const Value *by,
                                     bool isShift) {
  constexpr int64_t most = int64_t(1) << 20;
  auto *constant = dyn_cast<ConstantInt>(by);
  if (!stride || !constant || constant->getValue().getSignificantBits() > 32)
    return std::nullopt;
  int64_t factor = constant->getSExtValue();
  if (isShift)
    factor = factor >= 0 && factor < 20 ? int64_t(1) << factor : most + 1;
  if (factor > most || factor < -most || *stride > most || *stride < -most)
    return std::nullopt;
  return *stride * factor;
}

static std::optional<int64_t> sum(std::optional<int64_t> a, std::optional<int64_t> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<int64_t> ThreadValue::strideOf(Value *value) const {
  Strides known;
  return strideOf(value, known);
}

std::optional<int64_t> ThreadValue::strideOf(Value *value, Strides &known) const {
  if (!divergence(value))
    return 0;
  if (isThreadMarker(value))
    return 1;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  const std::optional<int64_t> stride = findStride(value, known);
  known[value] = stride;
  return stride;
}

std::optional<int64_t> ThreadValue::findStride(Value *value, Strides &known) const {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst)
    return std::nullopt;
  auto operand = [&](unsigned number) {
    return strideOf(inst->getOperand(number), known);
  };
  switch (inst->getOpcode()) {
  case Instruction::Add:
    return sum(operand(0), operand(1));
  case Instruction::Sub:
    return sum(operand(0),
               scaled(operand(1), ConstantInt::getSigned(inst->getType(), -1), false));
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(inst)->isDisjoint() ? sum(operand(0), operand(1))
                                                          : std::nullopt;
  case Instruction::Mul:
    return scaled(operand(0), inst->getOperand(1), false);
  case Instruction::Shl:
    return scaled(operand(0), inst->getOperand(1), true);
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
    return operand(0);
  case Instruction::GetElementPtr: {
    auto *element = cast<GetElementPtrInst>(inst);
    if (element->getNumIndices() != 1)
      return std::nullopt;
    const DataLayout &layout = inst->getModule()->getDataLayout();
    int64_t bytes = layout.getTypeAllocSize(element->getSourceElementType());
    return sum(operand(0),
               scaled(operand(1),
                      ConstantInt::get(Type::getInt64Ty(inst->getContext()), bytes),
                      false));
  }
  default:
    return std::nullopt;
  }
}

Value *ThreadValue::compute(IRBuilder<> &builder, Value *value, Value *number) const {
  DenseMap<Value *, Value *> made;
  auto of = [&](auto &self, Value *wanted) -> Value * {
    if (!divergence(wanted))
      return wanted;
    if (isThreadMarker(wanted))
      return builder.CreateAdd(bounds.first, number);
    if (Value *known = made.lookup(wanted))
      return known;
    auto *inst = cast<Instruction>(wanted);
    SmallVector<Value *, 4> operands;
    for (Use &operand : inst->operands())
      operands.push_back(self(self, operand.get()));
    Instruction *copy = inst->clone();
    for (unsigned i = 0; i < operands.size(); ++i)
      copy->setOperand(i, operands[i]);
    copy->dropPoisonGeneratingAnnotations();
    copy->dropUnknownNonDebugMetadata();
    builder.Insert(copy);
    return made[wanted] = copy;
  };
  return of(of, value);
}

void ThreadValue::findExtensions(Value *value, SmallPtrSetImpl<Value *> &seen,
                                 SmallVectorImpl<Instruction *> &found) const {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !divergence(value) || isThreadMarker(value) || !seen.insert(value).second)
    return;
  if (isa<SExtInst, ZExtInst>(inst))
    found.push_back(inst);
  for (Use &operand : inst->operands())
    findExtensions(operand.get(), seen, found);
}

Value *ThreadValue::isEven(IRBuilder<> &builder, Value *value, Value *last) const {
  SmallPtrSet<Value *, 16> seen;
  SmallVector<Instruction *> extensions;
  findExtensions(value, seen, extensions);
  Value *result = builder.getTrue();
  for (Instruction *extension : extensions) {
    std::optional<int64_t> stride = strideOf(extension);
    if (!stride)
      return builder.getFalse();
    Value *gap = builder.CreateSub(compute(builder, extension, last),
                                   compute(builder, extension, builder.getInt32(0)));
    Value *expected = builder.CreateMul(
        builder.CreateZExt(last, gap->getType()),
        ConstantInt::getSigned(cast<IntegerType>(gap->getType()), *stride));
    result = builder.CreateAnd(result, builder.CreateICmpEQ(gap, expected));
  }
  return result;
}

} // namespace het::tensix
