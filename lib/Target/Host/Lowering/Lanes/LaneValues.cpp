// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the values of a loop over lanes have become: a scalar where all lanes have the
// same, else a vector. Masks are combined so that a lane outside of a mask adds nothing,
// whatever it has computed.

#include "LaneValues.h"

using namespace llvm;

namespace het::host {

LaneValues::LaneValues(LanePlan &plan)
    : plan(plan), lanes(plan.lanes), loops(plan.analyses.loops),
      function(*lanes.getHeader()->getParent()), width(plan.width),
      builder(function.getContext()) {}

BasicBlock *LaneValues::newBlock(const Twine &name) {
  return BasicBlock::Create(function.getContext(), "lanes." + name, &function,
                            lanes.getHeader());
}

Type *LaneValues::vectorType(Type *type) const {
  return FixedVectorType::get(type, width);
}

Value *LaneValues::scalarOf(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !lanes.contains(instruction))
    return value;
  return scalars.lookup(value);
}

Value *LaneValues::vectorOf(Value *value) {
  if (Value *vector = vectors.lookup(value))
    return vector;
  return builder.CreateVectorSplat(width, scalarOf(value));
}

Value *LaneValues::valueOf(Value *value, bool asVector) {
  return asVector ? vectorOf(value) : scalarOf(value);
}

/// An i1: whether a mask has any lane.
Value *LaneValues::any(Value *lanesOfMask) {
  Value *bits = builder.CreateBitCast(lanesOfMask, builder.getIntNTy(width));
  return builder.CreateICmpNE(bits, zero(bits->getType()));
}

/// The lanes of `lanesOfMask` for which a condition holds, which is one for all lanes or
/// a vector.
Value *LaneValues::both(Value *lanesOfMask, Value *condition) {
  if (condition->getType()->isVectorTy())
    return builder.CreateLogicalAnd(lanesOfMask, condition);
  // Where no lane is left the condition may be of values that nobody has computed.
  return builder.CreateSelect(builder.CreateFreeze(condition), lanesOfMask,
                              zero(lanesOfMask->getType()));
}

Value *LaneValues::either(Value *a, Value *b) { return a ? builder.CreateOr(a, b) : b; }

Value *LaneValues::negate(Value *condition) { return builder.CreateNot(condition); }

} // namespace het::host
