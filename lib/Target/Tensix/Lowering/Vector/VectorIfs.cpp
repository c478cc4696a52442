// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If-conversion (J. R. Allen, K. Kennedy, C. Porterfield, J. Warren, "Conversion of
// control dependence to data dependence", POPL 1983) of branches that differ between
// threads: both sides are computed, and what joins is selected, by the unit's flags.

#include "VectorKernel.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace het::tensix {
namespace {

/// Whether a block may be computed for threads that do not ask for it.
bool onlyComputes(const BasicBlock *block) {
  return all_of(*block, [](const Instruction &inst) {
    if (inst.isTerminator())
      return true;
    if (isa<PHINode>(inst) || inst.mayReadOrWriteMemory() || inst.mayHaveSideEffects())
      return false;
    unsigned opcode = inst.getOpcode();
    return opcode != Instruction::SDiv && opcode != Instruction::UDiv &&
           opcode != Instruction::SRem && opcode != Instruction::URem;
  });
}

/// A side of a branch: one block that only computes and goes on to the join.
BasicBlock *joinOf(BasicBlock *side) {
  auto *branch = dyn_cast<BranchInst>(side->getTerminator());
  if (!branch || branch->isConditional() || !side->getSinglePredecessor() ||
      !onlyComputes(side))
    return nullptr;
  return branch->getSuccessor(0);
}

void moveBefore(BasicBlock *side, Instruction *place) {
  for (Instruction &inst : make_early_inc_range(*side)) {
    if (inst.isTerminator())
      continue;
    inst.dropPoisonGeneratingAnnotations();
    inst.moveBefore(place->getIterator());
  }
}

bool convert(BranchInst *branch) {
  BasicBlock *block = branch->getParent(), *sides[2], *join = nullptr;
  bool isSide[2];
  for (unsigned i = 0; i < 2; ++i) {
    sides[i] = branch->getSuccessor(i);
    BasicBlock *after = joinOf(sides[i]);
    isSide[i] = after && after != block;
  }
  if (isSide[0] && (sides[1] == joinOf(sides[0])))
    join = sides[1], isSide[1] = false;
  else if (isSide[1] && sides[0] == joinOf(sides[1]))
    join = sides[0], isSide[0] = false;
  else if (isSide[0] && isSide[1] && joinOf(sides[0]) == joinOf(sides[1]))
    join = joinOf(sides[0]);
  if (!join || join == block)
    return false;
  for (unsigned i = 0; i < 2; ++i)
    if (isSide[i])
      moveBefore(sides[i], branch);
  IRBuilder<> builder(branch);
  for (PHINode &phi : join->phis()) {
    Value *values[2];
    for (unsigned i = 0; i < 2; ++i)
      values[i] = phi.getIncomingValueForBlock(isSide[i] ? sides[i] : block);
    Value *chosen = builder.CreateSelect(branch->getCondition(), values[0], values[1]);
    if (phi.getBasicBlockIndex(block) >= 0)
      phi.setIncomingValueForBlock(block, chosen);
    else
      phi.addIncoming(chosen, block);
  }
  builder.CreateBr(join);
  branch->eraseFromParent();
  for (unsigned i = 0; i < 2; ++i)
    if (isSide[i])
      DeleteDeadBlock(sides[i]);
  MergeBlockIntoPredecessor(join);
  return true;
}

/// One branch; `all`: also those that a whole row takes alike, which may be in the way.
bool convertOne(Function &function, bool all) {
  Divergence divergence(function);
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch && branch->isConditional() &&
        (all || divergence(branch->getCondition())) && convert(branch))
      return true;
  }
  return false;
}

bool hasDivergentJoin(Function &function) {
  Divergence divergence(function);
  return any_of(function, [&](BasicBlock &block) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    return branch && branch->isConditional() && divergence(branch->getCondition()) &&
           !isa<ReturnInst>(branch->getSuccessor(0)->getTerminator()) &&
           !isa<ReturnInst>(branch->getSuccessor(1)->getTerminator());
  });
}

} // namespace

void convertIfs(Function &function) {
  for (;;) {
    if (convertOne(function, false))
      continue;
    if (!hasDivergentJoin(function) || !convertOne(function, true))
      return;
  }
}

} // namespace het::tensix
