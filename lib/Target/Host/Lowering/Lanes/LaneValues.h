// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the values of a loop over lanes have become, and masks.

#ifndef HET_LIB_TARGET_HOST_LOWERING_LANES_LANEVALUES_H
#define HET_LIB_TARGET_HOST_LOWERING_LANES_LANEVALUES_H

#include "LanePlan.h"

namespace het::host {

class LaneValues {
protected:
  explicit LaneValues(LanePlan &plan);

  bool isVarying(llvm::Value *value) const { return plan.isVarying(value); }
  llvm::Type *vectorType(llvm::Type *type) const;
  llvm::Value *vectorOf(llvm::Value *value);
  llvm::Value *scalarOf(llvm::Value *value);
  llvm::Value *valueOf(llvm::Value *value, bool asVector);
  llvm::Value *zero(llvm::Type *type) { return llvm::Constant::getNullValue(type); }
  llvm::Value *any(llvm::Value *mask);
  llvm::Value *both(llvm::Value *mask, llvm::Value *condition);
  llvm::Value *either(llvm::Value *a, llvm::Value *b);
  llvm::Value *negate(llvm::Value *condition);
  bool isSomeLane(llvm::Value *mask) const { return known.contains(mask); }
  llvm::BasicBlock *newBlock(const llvm::Twine &name);

  LanePlan &plan;
  llvm::Loop &lanes;
  llvm::LoopInfo &loops;
  llvm::Function &function;
  const unsigned width;
  llvm::IRBuilder<> builder;
  llvm::DenseMap<llvm::Value *, llvm::Value *> vectors, scalars;
  llvm::DenseSet<llvm::Value *> known; ///< Masks that have some lane here.
  llvm::Value *mask = nullptr;         ///< Of the block that is being emitted.
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LANES_LANEVALUES_H
