// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block's threads come to every point together, and what decides on the way there can
// be computed once for all of them.

#include "ChainAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace het::transforms {

/// Computable once a block: uniform results, nothing written.
bool ChainAnalysis::isScalar(Operation &op) const {
  if (op.getNumResults() == 0 || isa<LLVM::AllocaOp>(op))
    return false;
  for (Value result : op.getResults())
    if (!isUniform(result))
      return false;
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return isMemoryEffectFree(&op) || (load && !load.getVolatile_());
}

void ChainAnalysis::markUniformLiveValues() {
  for (const SegmentPoint &point : segments.points) {
    llvm::BitVector bits(point.op.getLive().size());
    for (auto [index, value] : llvm::enumerate(point.op.getLive()))
      if (isUniform(value))
        bits.set(index);
    uniform.push_back(bits);
  }
}

/// Behind a divergent branch: the one block in which the lanes that go on are
/// together again; null where all end. Not valid: there are several.
Block *ChainAnalysis::joinOf(Block *block, bool &valid) const {
  Block *join = nullptr;
  llvm::SmallPtrSet<Block *, 8> seen;
  SmallVector<Block *> stack;
  auto push = [&](Block *from) {
    for (Block *next : from->getSuccessors())
      if (!uniformity.isEndingEdge(from, next) && seen.insert(next).second)
        stack.push_back(next);
  };
  push(block);
  while (!stack.empty()) {
    Block *next = stack.pop_back_val();
    bool together = uniformity.controlLevel(next) <= ir::Level::Block;
    if (!together && segments.pointIn(next)) {
      valid = false;
    } else if (!together) {
      push(next);
    } else {
      valid &= !join || join == next;
      join = next;
    }
  }
  return join;
}

/// The only way that lanes take from a branch other than to their end.
std::optional<unsigned> ChainAnalysis::onlyWayOn(Block *block) const {
  std::optional<unsigned> found;
  for (auto [index, next] : llvm::enumerate(block->getSuccessors())) {
    if (uniformity.isEndingEdge(block, next))
      continue;
    if (found)
      return std::nullopt;
    found = index;
  }
  return found;
}

bool ChainAnalysis::goesOnApart(Block *block) const {
  if (block->getNumSuccessors() != 1)
    return uniformity.branchLevel(block) > ir::Level::Block;
  Block *next = block->getSuccessor(0);
  return uniformity.controlLevel(next) > ir::Level::Block && !segments.pointIn(next);
}

bool ChainAnalysis::branchesAreUniform(const SegmentPoint &point) const {
  for (Block *block : segments.blocksFrom(point.start)) {
    if (uniformity.controlLevel(block) > ir::Level::Block)
      continue;
    if (!goesOnApart(block)) {
      for (Block *successor : block->getSuccessors())
        if (uniformity.controlLevel(successor) > ir::Level::Block &&
            !uniformity.isEndingEdge(block, successor))
          return false;
      continue;
    }
    bool valid = true;
    Block *join = joinOf(block, valid);
    if (!valid)
      return false;
    std::optional<unsigned> way = onlyWayOn(block);
    const bool isNext = way && block->getSuccessor(*way) == join;
    if (join && !isNext && !segments.pointIn(join))
      for (BlockArgument argument : join->getArguments())
        if (isUniform(argument))
          return false;
  }
  return true;
}

/// Whether a block's threads can only pass it together, if they come to it together.
static bool meetsWholeBlock(Operation *sync) {
  if (auto barrier = dyn_cast<ir::BarrierOp>(sync))
    return !barrier.getCount();
  return !isa<ir::NamedBarrierOp, ir::BarrierArriveOp>(sync);
}

/// Every uniform value that the control between points needs can be computed
/// there, and nobody waits for other blocks: a block in this form gives way to none.
bool ChainAnalysis::isChainable() {
  markUniformLiveValues();
  for (const SegmentPoint &point : segments.points) {
    if (point.op.getReason() == ir::SafePointReason::Yield)
      return false;
    if (point.sync && !meetsWholeBlock(point.sync))
      return false;
    if (uniformity.controlLevel(point.block) > ir::Level::Block ||
        uniformity.controlLevel(point.start) > ir::Level::Block)
      return false;
    if (!branchesAreUniform(point))
      return false;
    for (Block *block : segments.blocksFrom(point.start))
      for (Operation &op : *block)
        for (Value result : op.getResults())
          if (isUniform(result) && !isScalar(op) && !isa<LLVM::AllocaOp>(op))
            return false;
    if (point.sync && !isa<ir::BarrierReduceOp>(point.sync))
      for (Value result : point.sync->getResults())
        if (isUniform(result))
          return false;
  }
  return true;
}

/// Whether some lanes may end in this segment while others go on to a point, or all
/// may where the block's control does not follow them.
bool ChainAnalysis::mayEndEarly(const SegmentPoint &point) const {
  bool ends = false, leaves = false, endsApart = uniformity.hasDivergentReturn();
  for (Block *block : segments.blocksFrom(point.start)) {
    bool isReturn = isa<LLVM::ReturnOp>(block->getTerminator());
    ends |= isReturn;
    bool apart = uniformity.controlLevel(block) > ir::Level::Block;
    endsApart |= apart && isReturn;
    for (Block *successor : block->getSuccessors()) {
      leaves |= segments.pointIn(successor) != nullptr;
      endsApart |= apart && uniformity.isEndingEdge(block, successor);
    }
  }
  return ends && leaves && endsApart;
}

} // namespace het::transforms
