// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the values of a loop over lanes have become: a scalar where all lanes have the
// same, else a vector. Masks are combined so that a lane outside of a mask adds nothing,
// whatever it has computed.

#include "LaneVectorizer.h"

using namespace llvm;

namespace het::host {

Type *LaneVectorizer::vectorType(Type *type) const {
  return FixedVectorType::get(type, width);
}

Value *LaneVectorizer::scalarOf(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !lanes.contains(instruction))
    return value;
  return scalars.lookup(value);
}

Value *LaneVectorizer::vectorOf(Value *value) {
  if (Value *vector = vectors.lookup(value))
    return vector;
  return builder.CreateVectorSplat(width, scalarOf(value));
}

Value *LaneVectorizer::valueOf(Value *value, bool asVector) {
  return asVector ? vectorOf(value) : scalarOf(value);
}

Value *LaneVectorizer::incomingOf(PHINode &phi, const BasicBlock *from) {
  if (Value *value = brought.lookup({&phi, from}))
    return value;
  return valueOf(phi.getIncomingValueForBlock(from), isVarying(&phi));
}

/// An i1: whether a mask has any lane.
Value *LaneVectorizer::any(Value *lanesOfMask) {
  Value *bits = builder.CreateBitCast(lanesOfMask, builder.getIntNTy(width));
  return builder.CreateICmpNE(bits, zero(bits->getType()));
}

/// The lanes of `lanesOfMask` for which a condition holds, which is one for all lanes or
/// a vector.
Value *LaneVectorizer::both(Value *lanesOfMask, Value *condition) {
  if (condition->getType()->isVectorTy())
    return builder.CreateLogicalAnd(lanesOfMask, condition);
  return builder.CreateSelect(condition, lanesOfMask, zero(lanesOfMask->getType()));
}

Value *LaneVectorizer::either(Value *a, Value *b) {
  return a ? builder.CreateOr(a, b) : b;
}

Value *LaneVectorizer::negate(Value *condition) { return builder.CreateNot(condition); }

} // namespace het::host
