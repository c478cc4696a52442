// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A least fixed point: everything is the same for all lanes until something that it
// depends on is not. Lanes that enter a loop together go round it together, so values of
// one round are compared.

#include "LaneDivergence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace het::host {

Value *conditionOf(const BasicBlock &block) {
  const Instruction *terminator = block.getTerminator();
  if (auto *branch = dyn_cast<BranchInst>(terminator))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  if (auto *choice = dyn_cast<SwitchInst>(terminator))
    return choice->getCondition();
  return nullptr;
}

bool isAlwaysBefore(const BasicBlock *block, const BasicBlock *next, const Loop &loop) {
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const BasicBlock *> open{block};
  while (!open.empty())
    for (const BasicBlock *other : successors(open.pop_back_val())) {
      if (other == next || !seen.insert(other).second)
        continue;
      if (other == loop.getHeader() || !loop.contains(other))
        return false;
      open.push_back(other);
    }
  return true;
}

bool isPerLane(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return !load->isSimple();
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return !store->isSimple();
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return !call->doesNotAccessMemory() || !call->willReturn() || !call->doesNotThrow();
  return instruction.mayReadOrWriteMemory();
}

LaneDivergence::LaneDivergence(Loop &lanes, LoopInfo &loops, DominatorTree &dominators,
                               ArrayRef<AllocaInst *> privateObjects)
    : lanes(lanes), loops(loops), dominators(dominators) {
  varying.insert_range(privateObjects);
  for (PHINode &phi : lanes.getHeader()->phis())
    varying.insert(&phi);
  LoopBlocksRPO order(&lanes);
  order.perform(&loops);
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block)
        if (!varying.contains(&instruction) && becomesVarying(instruction))
          changed |= varying.insert(&instruction).second;
  }
}

bool LaneDivergence::becomesVarying(const Instruction &instruction) const {
  if (isa<AllocaInst>(instruction) || isPerLane(instruction))
    return true;
  if (auto *phi = dyn_cast<PHINode>(&instruction))
    return phiVaries(*phi);
  return any_of(instruction.operands(),
                [&](const Use &operand) { return varying.contains(operand.get()); });
}

bool LaneDivergence::branchesApart(const BasicBlock *block) const {
  const Value *condition = conditionOf(*block);
  return condition && varying.contains(condition);
}

/// Whether lanes may be in different rounds when they leave a block for another one.
bool LaneDivergence::leavesApart(const BasicBlock *from, const BasicBlock *to) const {
  for (Loop *left = loops.getLoopFor(from); left && left != &lanes && !left->contains(to);
       left = left->getParentLoop())
    if (isDivergent(*left))
      return true;
  return false;
}

/// Whether lanes come to a block by different ways. Its ways are those from its nearest
/// dominator; exits of one loop are different ways for lanes that take them in different
/// rounds.
bool LaneDivergence::joinsApart(BasicBlock *block) const {
  BasicBlock *fork = dominators.getNode(block)->getIDom()->getBlock();
  SmallPtrSet<BasicBlock *, 16> seen{fork};
  SmallVector<BasicBlock *> open(predecessors(block));
  while (!open.empty()) {
    BasicBlock *next = open.pop_back_val();
    if (branchesApart(next) || leavesApart(next, block))
      return true;
    if (seen.insert(next).second)
      append_range(open, predecessors(next));
  }
  return branchesApart(fork) || leavesApart(fork, block);
}

bool LaneDivergence::phiVaries(const PHINode &phi) const {
  auto *block = const_cast<BasicBlock *>(phi.getParent());
  for (const Use &incoming : phi.incoming_values()) {
    if (varying.contains(incoming.get()))
      return true;
    auto *source = dyn_cast<Instruction>(incoming.get());
    if (!source || !lanes.contains(source))
      continue;
    for (Loop *left = loops.getLoopFor(source->getParent()); !left->contains(block);
         left = left->getParentLoop())
      if (isDivergent(*left))
        return true;
  }
  return !loops.isLoopHeader(block) && phi.getNumIncomingValues() > 1 &&
         joinsApart(block);
}

/// Whether a way leads from a block to another one in the same round of a loop.
bool LaneDivergence::canReach(const Loop &loop, const BasicBlock *from,
                              const BasicBlock *to) const {
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const BasicBlock *> open{from};
  while (!open.empty())
    for (const BasicBlock *next : successors(open.pop_back_val())) {
      if (next == to)
        return true;
      if (next != loop.getHeader() && loop.contains(next) && seen.insert(next).second)
        open.push_back(next);
    }
  return false;
}

/// Whether all lanes that begin a round come to an exiting block in it.
bool LaneDivergence::isReachedByAll(const Loop &loop, BasicBlock *exiting) const {
  return none_of(loop.blocks(), [&](const BasicBlock *block) {
    return block != exiting && branchesApart(block) && canReach(loop, block, exiting) &&
           !isAlwaysBefore(block, exiting, loop);
  });
}

bool LaneDivergence::isDivergent(const Loop &loop) const {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [&](BasicBlock *block) {
    return branchesApart(block) || !isReachedByAll(loop, block);
  });
}

} // namespace het::host
