// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that are a sum of the lane's number, counts of rounds, and what is the same
// for all lanes.

#ifndef HET_LIB_TARGET_HOST_LOWERING_LANES_LANEADDRESSES_H
#define HET_LIB_TARGET_HOST_LOWERING_LANES_LANEADDRESSES_H

#include "LaneDivergence.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace het::host {

/// Where the vectors' code keeps what addresses are made of.
struct AddressParts {
  llvm::Value *firstLane; ///< i64: the number of the first of the lanes.
  /// Gives the scalar that stands for a value which all lanes share.
  llvm::function_ref<llvm::Value *(llvm::Value *)> uniformValue;
  /// i64: how many rounds of a loop are complete.
  llvm::function_ref<llvm::Value *(const llvm::Loop *)> round;
};

class LaneAddresses {
public:
  LaneAddresses(llvm::Loop &lanes, const llvm::LoopInfo &loops,
                llvm::ScalarEvolution &evolution, const LaneDivergence &divergence,
                unsigned width)
      : lanes(lanes), loops(loops), evolution(evolution), divergence(divergence),
        width(width) {}

  /// How far apart the addresses of neighbouring lanes are, in bytes, for an access in
  /// `block`; nothing where that differs. On the condition that build() gives.
  std::optional<int64_t> strideOf(llvm::Value *pointer, const llvm::BasicBlock *block);

  /// Before the loop is changed: computes what is the same in all its rounds.
  void expandInvariants(llvm::Value *pointer, llvm::Instruction *before);

  /// The address of an access by the first lane; null: not to be had. `condition` is an
  /// i1, or null where the stride holds always.
  llvm::Value *build(const llvm::Instruction &access, llvm::IRBuilderBase &builder,
                     const AddressParts &parts, llvm::Value *&condition);

private:
  using Stride = std::optional<int64_t>;
  bool isSameIn(const llvm::Value *value, const llvm::BasicBlock *block) const;
  Stride strideOf(const llvm::SCEV *expression, const llvm::BasicBlock *block);
  Stride strideOfRound(const llvm::SCEVAddRecExpr *round, const llvm::BasicBlock *block);
  Stride strideOfProduct(const llvm::SCEVMulExpr *product, const llvm::BasicBlock *block);
  Stride strideOfWider(const llvm::SCEVCastExpr *cast, const llvm::BasicBlock *block);
  llvm::Value *build(const llvm::SCEV *expression);
  llvm::Value *buildRound(const llvm::SCEVAddRecExpr *round);
  llvm::Value *buildSum(const llvm::SCEVAddExpr *sum);
  llvm::Value *buildWider(const llvm::SCEVCastExpr *cast);
  llvm::Value *add(llvm::Value *a, llvm::Value *b);
  llvm::Value *resize(llvm::Value *value, llvm::Type *type);

  llvm::Loop &lanes;
  const llvm::LoopInfo &loops;
  llvm::ScalarEvolution &evolution;
  const LaneDivergence &divergence;
  const unsigned width;
  llvm::DenseMap<const llvm::SCEV *, llvm::Value *> invariants;

  // The state of build(), for one address:
  llvm::IRBuilderBase *builder = nullptr;
  const AddressParts *parts = nullptr;
  const llvm::BasicBlock *accessing = nullptr;
  llvm::Value *condition = nullptr;
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LANES_LANEADDRESSES_H
