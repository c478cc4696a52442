// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether, and how, a loop over lanes that contains loops can be run for several lanes
// at a time.

#ifndef HET_LIB_TARGET_HOST_LOWERING_LANES_LANEPLAN_H
#define HET_LIB_TARGET_HOST_LOWERING_LANES_LANEPLAN_H

#include "LaneAddresses.h"
#include "LaneDivergence.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include <optional>

namespace het::host {

struct LaneAnalyses {
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dominators;
  llvm::ScalarEvolution &evolution;
  const llvm::TargetTransformInfo &machine;
};

/// What is known of a loop over lanes before it is changed.
struct LanePlan {
  llvm::Loop &lanes;
  LaneAnalyses &analyses;
  unsigned width = 0; ///< Lanes at a time.
  llvm::SmallVector<llvm::AllocaInst *> privateObjects;
  std::unique_ptr<LaneDivergence> divergence;
  std::unique_ptr<LaneAddresses> addresses;

  LanePlan(llvm::Loop &lanes, LaneAnalyses &analyses)
      : lanes(lanes), analyses(analyses) {}

  bool isVarying(const llvm::Value *value) const { return divergence->isVarying(value); }
};

/// Whether a loop's rounds are lanes of a block, which do not depend on each other.
bool isLaneLoop(const llvm::Loop &loop);

/// Whether the loop's code can be run for several lanes at a time; fills the plan in.
bool makePlan(LanePlan &plan);

/// Whether that is expected to be faster.
bool isWorthwhile(const LanePlan &plan);

/// How a lane's access reaches memory.
enum class LaneAccess { Uniform, Contiguous, Scattered };
LaneAccess findAccess(const LanePlan &plan, const llvm::Instruction &access);

/// Whether an intrinsic has a form for vectors that does the same for each element.
bool hasVectorForm(llvm::Intrinsic::ID id);

/// Replaces the loop.
void vectorizeLanes(LanePlan &plan);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LANES_LANEPLAN_H
