// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies what resumed threads run, and mends the values of the kernel then.

#include "ResumedCopy.h"
#include "het/Transforms/Recompute.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace het::transforms {

ResumedCopy::ResumedCopy(ParkableKernel &kernel) : kernel(kernel) {
  ImplicitLocOpBuilder &builder = kernel.code.builder;
  builder.setLoc(kernel.function.getLoc());
  builder.setInsertionPointToEnd(kernel.entry);
  auto straight = LLVM::BrOp::create(builder, kernel.begin); // as long as it is looked at
  findWaysIn();
  copyReached();
  straight->erase();
}

Block *ResumedCopy::wayIn(const ParkablePoint &point) const {
  return waysIn.contains(point.block) ? point.block : copies.lookup(point.block);
}

/// Blocks that need nothing but their arguments and what can be recomputed, and whose
/// being entered leaves loops their one entry.
void ResumedCopy::findWaysIn() {
  Region &body = kernel.function.getBody();
  DominanceInfo dominance(kernel.function);
  CFGLoopInfo loops(dominance.getDomTree(&body));
  Liveness liveness(kernel.function);
  Recompute recompute;
  llvm::SmallPtrSet<Block *, 16> ends{kernel.out, kernel.ended};
  llvm::SmallPtrSet<Block *, 16> atPoints;
  for (ParkablePoint &point : kernel.points) {
    ends.insert(point.save);
    atPoints.insert(point.block);
  }
  for (Block &block : body) {
    CFGLoop *loop = loops.getLoopFor(&block);
    const bool isOutermostHeader =
        loop && loop->getHeader() == &block && !loop->getParentLoop();
    const bool isWay = ends.contains(&block) || isOutermostHeader ||
                       ((!loop || !kernel.form.copies) && atPoints.contains(&block));
    if (isWay && llvm::all_of(liveness.getLiveIn(&block), [&](Value value) {
          return recompute.isRecomputable(value);
        }))
      waysIn.insert(&block);
  }
}

void ResumedCopy::copyReached() {
  llvm::SetVector<Block *> reached;
  for (ParkablePoint &point : kernel.points)
    if (!waysIn.contains(point.block))
      reached.insert(point.block);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (Block *successor : reached[i]->getSuccessors())
      if (!waysIn.contains(successor))
        reached.insert(successor);
  IRMapping mapping;
  for (Block *block : reached) {
    Block *copy = kernel.code.addBlock(block->getArgumentTypes());
    copies[block] = copy;
    mapping.map(block, copy);
    for (auto [from, to] : llvm::zip(block->getArguments(), copy->getArguments()))
      mapping.map(from, to);
  }
  OpBuilder builder(kernel.function.getContext());
  for (Block *block : reached) {
    builder.setInsertionPointToEnd(copies[block]);
    for (Operation &op : *block)
      builder.clone(op, mapping);
  }
  for (Block *block : reached) // what was copied later than its use
    for (Operation &op : *copies[block])
      for (OpOperand &operand : op.getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
}

/// At the entry; for what only resumed threads run, where these begin.
LogicalResult ResumedCopy::repairValues(Block *resumed) {
  llvm::SmallPtrSet<Block *, 16> inCopy;
  for (auto [block, copy] : copies)
    inCopy.insert(copy);
  struct Place {
    OpBuilder builder;
    IRMapping mapping;
  };
  Place atEntry{OpBuilder(kernel.entry->getTerminator()), {}};
  Place atResume{OpBuilder::atBlockBegin(resumed), {}};
  for (Place *place : {&atEntry, &atResume}) {
    for (Value argument : kernel.entry->getArguments())
      place->mapping.map(argument, argument);
    for (auto local : kernel.entry->getOps<LLVM::AllocaOp>())
      place->mapping.map(local.getResult(), local.getResult());
  }
  Recompute recompute;
  DominanceInfo dominance(kernel.function);
  SmallVector<OpOperand *> lost;
  kernel.function.walk([&](Operation *op) {
    if (op != kernel.function.getOperation())
      for (OpOperand &operand : op->getOpOperands())
        if (!dominance.properlyDominates(operand.get(), op))
          lost.push_back(&operand);
  });
  for (OpOperand *operand : lost) {
    if (!recompute.isRecomputable(operand->get()))
      return operand->getOwner()->emitError(
          "internal error: a value crosses a safe point without a slot");
    Place &place = inCopy.contains(operand->getOwner()->getBlock()) ? atResume : atEntry;
    operand->set(Recompute::materialize(operand->get(), place.mapping, place.builder));
  }
  return success();
}

} // namespace het::transforms
