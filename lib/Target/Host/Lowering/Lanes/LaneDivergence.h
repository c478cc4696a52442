// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values and loops of a loop over lanes differ between lanes that are at the same
// place in the same round of the loops inside.

#ifndef HET_LIB_TARGET_HOST_LOWERING_LANES_LANEDIVERGENCE_H
#define HET_LIB_TARGET_HOST_LOWERING_LANES_LANEDIVERGENCE_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace het::host {

/// Whether each way on from `block` comes to `next` in the same round of `loop`.
bool isAlwaysBefore(const llvm::BasicBlock *block, const llvm::BasicBlock *next,
                    const llvm::Loop &loop);

/// What lanes choose a block's successor by; null: there is one.
llvm::Value *conditionOf(const llvm::BasicBlock &block);

/// Whether an instruction has an effect, or a result, of each lane's own: an atomic, a
/// volatile access, or a call that is no function of its arguments.
bool isPerLane(const llvm::Instruction &instruction);

class LaneDivergence {
public:
  /// `privateObjects`: those of which each lane has its own.
  LaneDivergence(llvm::Loop &lanes, llvm::LoopInfo &loops,
                 llvm::DominatorTree &dominators,
                 llvm::ArrayRef<llvm::AllocaInst *> privateObjects);

  bool isVarying(const llvm::Value *value) const { return varying.contains(value); }
  /// Whether lanes that are in a loop together may leave it in different rounds or by
  /// different ways.
  bool isDivergent(const llvm::Loop &loop) const;

private:
  bool becomesVarying(const llvm::Instruction &instruction) const;
  bool phiVaries(const llvm::PHINode &phi) const;
  bool leavesApart(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const;
  bool joinsApart(llvm::BasicBlock *block) const;
  bool branchesApart(const llvm::BasicBlock *block) const;
  bool canReach(const llvm::Loop &loop, const llvm::BasicBlock *from,
                const llvm::BasicBlock *to) const;
  bool isReachedByAll(const llvm::Loop &loop, llvm::BasicBlock *exiting) const;

  llvm::Loop &lanes;
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dominators;
  llvm::DenseSet<const llvm::Value *> varying;
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LANES_LANEDIVERGENCE_H
