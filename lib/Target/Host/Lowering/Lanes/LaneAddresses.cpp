// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar evolution writes a lane's address as a polynomial in the lane's number and the
// numbers of complete rounds. That is exact, modulo the type's size, for each lane that
// executes the access. So the first lane's address follows from it even where this lane
// does not execute the access. A sum that is widened later could overflow between two of
// the lanes; then the stride does not hold, which is tested where the access is.

#include "LaneAddresses.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace het::host {

std::optional<int64_t> LaneAddresses::strideOf(Value *pointer, const BasicBlock *block) {
  if (!evolution.isSCEVable(pointer->getType()))
    return std::nullopt;
  return strideOf(evolution.getSCEV(pointer), block);
}

/// Whether a value of the loop is the same for all lanes in a block. Behind a loop that
/// lanes leave apart it is not the same any more, though the expression names the value
/// in the loop.
bool LaneAddresses::isSameIn(const Value *value, const BasicBlock *block) const {
  auto *instruction = dyn_cast<Instruction>(value);
  return !divergence.isVarying(value) &&
         (!instruction || !lanes.contains(instruction) ||
          loops.getLoopFor(instruction->getParent())->contains(block));
}

LaneAddresses::Stride LaneAddresses::strideOf(const SCEV *expression,
                                              const BasicBlock *block) {
  if (evolution.isLoopInvariant(expression, &lanes))
    return 0;
  if (auto *unknown = dyn_cast<SCEVUnknown>(expression))
    return isSameIn(unknown->getValue(), block) ? Stride(0) : Stride();
  if (auto *round = dyn_cast<SCEVAddRecExpr>(expression))
    return strideOfRound(round, block);
  if (auto *product = dyn_cast<SCEVMulExpr>(expression))
    return strideOfProduct(product, block);
  if (auto *sum = dyn_cast<SCEVAddExpr>(expression)) {
    int64_t total = 0;
    for (const SCEV *operand : sum->operands()) {
      Stride stride = strideOf(operand, block);
      if (!stride || AddOverflow(total, *stride, total))
        return std::nullopt;
    }
    return total;
  }
  if (isa<SCEVTruncateExpr>(expression))
    return strideOf(cast<SCEVCastExpr>(expression)->getOperand(), block);
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(expression))
    return strideOfWider(cast<SCEVCastExpr>(expression), block);
  return std::nullopt;
}

/// The stride of a value that grows by the same amount in each round of a loop.
LaneAddresses::Stride LaneAddresses::strideOfRound(const SCEVAddRecExpr *round,
                                                   const BasicBlock *block) {
  if (!round->isAffine())
    return std::nullopt;
  const SCEV *step = round->getStepRecurrence(evolution);
  if (round->getLoop() == &lanes) {
    auto *constant = dyn_cast<SCEVConstant>(step);
    if (!constant || constant->getAPInt().getSignificantBits() > 32)
      return std::nullopt;
    return constant->getAPInt().getSExtValue();
  }
  if (!round->getLoop()->contains(block) || strideOf(step, block) != 0)
    return std::nullopt;
  return strideOf(round->getStart(), block);
}

LaneAddresses::Stride LaneAddresses::strideOfProduct(const SCEVMulExpr *product,
                                                     const BasicBlock *block) {
  int64_t stride = 0, factor = 1;
  bool isConstant = true;
  for (const SCEV *operand : product->operands()) {
    Stride own = strideOf(operand, block);
    if (!own || (*own != 0 && stride != 0))
      return std::nullopt;
    auto *constant = dyn_cast<SCEVConstant>(operand);
    if (*own != 0)
      stride = *own;
    else if (constant && constant->getAPInt().getSignificantBits() <= 32)
      factor *= constant->getAPInt().getSExtValue();
    else
      isConstant = false;
  }
  if (stride == 0)
    return 0;
  if (!isConstant || MulOverflow(stride, factor, stride))
    return std::nullopt;
  return stride;
}

LaneAddresses::Stride LaneAddresses::strideOfWider(const SCEVCastExpr *cast,
                                                   const BasicBlock *block) {
  Stride stride = strideOf(cast->getOperand(), block);
  if (!stride || *stride == 0)
    return stride;
  const unsigned bits = cast->getOperand()->getType()->getScalarSizeInBits();
  // The distance from the first lane to the last one must be less than half of the range.
  if (bits < 16 || bits > 64 ||
      std::abs(*stride) > (int64_t(1) << (std::min(bits, 40u) - 8)) / width ||
      (isa<SCEVZeroExtendExpr>(cast) && *stride < 0))
    return std::nullopt;
  return stride;
}

/// Expands the largest parts of an address that are the same in all rounds of the loop.
void LaneAddresses::expandInvariants(Value *pointer, Instruction *before) {
  SCEVExpander expander(evolution, "lanes", /*PreserveLCSSA=*/false);
  SmallVector<const SCEV *> open{evolution.getSCEV(pointer)};
  while (!open.empty()) {
    const SCEV *next = open.pop_back_val();
    if (invariants.contains(next) || isa<SCEVConstant>(next))
      continue;
    if (!evolution.isLoopInvariant(next, &lanes)) {
      append_range(open, next->operands());
      continue;
    }
    if (expander.isSafeToExpandAt(next, before))
      invariants[next] = expander.expandCodeFor(next, next->getType(), before);
  }
}

Value *LaneAddresses::build(const Instruction &access, IRBuilderBase &at,
                            const AddressParts &from, Value *&holds) {
  builder = &at;
  parts = &from;
  accessing = access.getParent();
  condition = nullptr;
  Value *address =
      build(evolution.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&access))));
  holds = condition;
  return address;
}

Value *LaneAddresses::resize(Value *value, Type *type) {
  return builder->CreateSExtOrTrunc(value, type);
}

Value *LaneAddresses::add(Value *a, Value *b) {
  if (b->getType()->isPointerTy())
    std::swap(a, b);
  if (a->getType()->isPointerTy())
    return builder->CreatePtrAdd(a, b);
  return builder->CreateAdd(a, b);
}

/// Null where a part is not to be had.
Value *LaneAddresses::build(const SCEV *expression) {
  if (auto *constant = dyn_cast<SCEVConstant>(expression))
    return constant->getValue();
  if (evolution.isLoopInvariant(expression, &lanes))
    return invariants.lookup(expression);
  if (auto *unknown = dyn_cast<SCEVUnknown>(expression))
    return parts->uniformValue(unknown->getValue());
  if (auto *round = dyn_cast<SCEVAddRecExpr>(expression))
    return buildRound(round);
  if (auto *sum = dyn_cast<SCEVAddExpr>(expression))
    return buildSum(sum);
  if (auto *product = dyn_cast<SCEVMulExpr>(expression)) {
    Value *result = nullptr;
    for (const SCEV *operand : product->operands()) {
      Value *factor = build(operand);
      if (!factor)
        return nullptr;
      result = result ? builder->CreateMul(result, factor) : factor;
    }
    return result;
  }
  if (auto *truncation = dyn_cast<SCEVTruncateExpr>(expression)) {
    Value *operand = build(truncation->getOperand());
    return operand ? builder->CreateTrunc(operand, truncation->getType()) : nullptr;
  }
  return buildWider(cast<SCEVCastExpr>(expression));
}

Value *LaneAddresses::buildRound(const SCEVAddRecExpr *round) {
  const bool isOfLanes = round->getLoop() == &lanes;
  Value *start = build(round->getStart());
  Value *step = build(round->getStepRecurrence(evolution));
  Value *count = isOfLanes ? parts->firstLane : parts->round(round->getLoop());
  if (!start || !step || !count)
    return nullptr;
  return add(start, builder->CreateMul(step, resize(count, step->getType())));
}

Value *LaneAddresses::buildSum(const SCEVAddExpr *sum) {
  Value *result = nullptr;
  for (const SCEV *operand : sum->operands()) {
    Value *part = build(operand);
    if (!part)
      return nullptr;
    result = result ? add(result, part) : part;
  }
  return result;
}

/// A value made wider. Its stride holds if the first lane's value and the last one's do
/// not lie on two sides of an overflow.
Value *LaneAddresses::buildWider(const SCEVCastExpr *cast) {
  Value *operand = build(cast->getOperand());
  if (!operand)
    return nullptr;
  const bool isSigned = isa<SCEVSignExtendExpr>(cast);
  Stride stride = strideOf(cast->getOperand(), accessing);
  if (!stride)
    return nullptr;
  if (*stride != 0) {
    Value *distance = ConstantInt::getSigned(operand->getType(), *stride * (width - 1));
    Value *sum = builder->CreateBinaryIntrinsic(isSigned ? Intrinsic::sadd_with_overflow
                                                         : Intrinsic::uadd_with_overflow,
                                                operand, distance);
    Value *holds = builder->CreateNot(builder->CreateExtractValue(sum, 1));
    condition = condition ? builder->CreateAnd(condition, holds) : holds;
  }
  return isSigned ? builder->CreateSExt(operand, cast->getType())
                  : builder->CreateZExt(operand, cast->getType());
}

} // namespace het::host
