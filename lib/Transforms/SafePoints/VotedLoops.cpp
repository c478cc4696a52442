// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of a loop that is voted on stays there until the last one has left. So nobody
// may wait for what it does behind the loop: not in the loop, nor before it, where a
// thread may be that has not yet come. There may be a lock that is released behind the
// loop, or a team operation there that is another's partner. Whatever comes before a
// barrier of the whole block lies behind all of them.

#include "VotedLoops.h"
#include "../Analysis/SharedLoads.h"
#include "VoteOnLoops.h"
#include "het/Transforms/Recompute.h"

using namespace mlir;

namespace het::transforms {

static bool isCall(Operation &op) {
  return isa<LLVM::CallOp, LLVM::InvokeOp, LLVM::InlineAsmOp>(op);
}

/// Whether a thread may learn by the operation what another one has just done.
static bool mayTellOfOthers(Operation &op) {
  if (ir::isSyncPoint(&op) || isCall(op))
    return true;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getVolatile_() || load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  if (isa<LLVM::AtomicRMWOp>(op))
    return !op.use_empty();
  return isa<LLVM::AtomicCmpXchgOp, LLVM::FenceOp, ir::FenceOp, ir::SleepOp>(op);
}

/// The block's threads that go on come to the header together, or none does.
bool VotedLoops::isEnteredTogether(CFGLoop *loop) const {
  Block *header = loop->getHeader();
  return llvm::all_of(header->getPredecessors(), [&](Block *from) {
    if (loop->contains(from))
      return true;
    return uniformity.controlLevel(from) <= ir::Level::Block &&
           (uniformity.branchLevel(from) <= ir::Level::Block ||
            llvm::all_of(from->getSuccessors(), [&](Block *to) {
              return to == header || uniformity.isEndingEdge(from, to);
            }));
  });
}

/// Whether what a block computes can be computed again behind it, but for what it gives
/// to the next one.
static bool hasOnlyRecomputable(Block *block) {
  Recompute recompute;
  auto isLocal = [&](Value value) {
    return recompute.isRecomputable(value) ||
           llvm::all_of(value.getUsers(),
                        [&](Operation *user) { return user->getBlock() == block; });
  };
  return llvm::all_of(block->getArguments(), isLocal) &&
         llvm::all_of(*block, [&](Operation &op) {
           return llvm::all_of(op.getResults(), isLocal);
         });
}

Block *VotedLoops::guardOf(CFGLoop *loop) const {
  Block *enter = loop->getLoopPredecessor(), *guard = enter;
  if (enter && enter->getNumSuccessors() == 1 && hasOnlyRecomputable(enter))
    guard = enter->getUniquePredecessor();
  if (!guard || !isa<LLVM::CondBrOp>(guard->getTerminator()) ||
      uniformity.controlLevel(guard) > ir::Level::Block ||
      uniformity.branchLevel(guard) <= ir::Level::Block ||
      guard->getSuccessor(0) == guard->getSuccessor(1) ||
      llvm::any_of(guard->getSuccessors(),
                   [&](Block *to) { return uniformity.isEndingEdge(guard, to); }))
    return nullptr;
  return guard;
}

/// Whether threads come by that have left for the kernel's end while others go on.
bool VotedLoops::isReachedByEnding(Block *header) {
  return llvm::any_of(kernel.getBody(), [&](Block &from) {
    return uniformity.branchLevel(&from) > ir::Level::Block &&
           llvm::any_of(from.getSuccessors(), [&](Block *to) {
             return uniformity.isEndingEdge(&from, to) && to->isReachable(header);
           });
  });
}

/// Team operations that all lanes of a team come to have the same partners for all, each
/// time.
bool VotedLoops::mayWait(Operation &op) const {
  const ir::Level limit =
      ir::syncScope(&op) == ir::SyncScope::Team ? ir::Level::Team : ir::Level::Block;
  return isCall(op) ||
         (ir::isSyncPoint(&op) && uniformity.controlLevel(op.getBlock()) > limit);
}

/// Whether a thread may wait for others between the barrier before and the loop.
bool VotedLoops::mayWaitBefore(CFGLoop *loop, bool inLoopsOnly) const {
  llvm::SmallPtrSet<Block *, 16> seen;
  SmallVector<Block *> stack;
  auto pushFrom = [&](Block *to) {
    for (Block *from : to->getPredecessors())
      if (seen.insert(from).second)
        stack.push_back(from);
  };
  pushFrom(loop->getHeader());
  while (!stack.empty()) {
    Block *block = stack.pop_back_val();
    bool isMet = false;
    for (Operation &op : llvm::reverse(*block)) {
      if (!inLoopsOnly && mayWait(op))
        return true;
      if ((isMet = ir::isWholeBarrier(&op)))
        break;
    }
    if (isMet)
      continue;
    if (waiting.contains(block))
      return true;
    pushFrom(block);
  }
  return false;
}

/// Whether a thread at a poll of the loop may be waited for in it, or before it.
bool VotedLoops::mayBeHeldUp(CFGLoop *loop) {
  for (Block *block : loop->getBlocks())
    if (waiting.contains(block) || llvm::any_of(*block, mayTellOfOthers))
      return true;
  return isReachedByEnding(loop->getHeader()) ||
         mayWaitBefore(loop, /*inLoopsOnly=*/false);
}

bool VotedLoops::canBeVotedOn(CFGLoop *loop) {
  Block *guard = guardOf(loop);
  return (guard || isEnteredTogether(loop)) && !mayBeHeldUp(loop) &&
         hasPlaceForVote(kernel, loop, guard);
}

/// Behind it there may be no loop either, for that could be polled.
bool VotedLoops::isLeftToEnd(CFGLoop *loop) {
  llvm::SmallPtrSet<Block *, 16> seen;
  SmallVector<Block *> stack;
  auto push = [&](Block *block) {
    for (Block *next : block->getSuccessors())
      if (!loop->contains(next) && seen.insert(next).second)
        stack.push_back(next);
  };
  for (Block *block : loop->getBlocks())
    push(block);
  Block *guard = guardOf(loop);
  if (guard) // those that pass it by
    for (Block *next : guard->getSuccessors())
      if (!next->isReachable(loop->getHeader()) && seen.insert(next).second)
        stack.push_back(next);
  while (!stack.empty()) {
    Block *block = stack.pop_back_val();
    if (loops.getLoopFor(block) || llvm::any_of(*block, [&](Operation &op) {
          return ir::isSyncPoint(&op) || isCall(op);
        }))
      return false;
    push(block);
  }
  return (guard || isEnteredTogether(loop)) && !mayBeHeldUp(loop);
}

} // namespace het::transforms
