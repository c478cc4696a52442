// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks around a strip, how long it is, and sums of work, which are variables until
// promoteWork() makes values of them.

#include "StripBuilder.h"
#include "PromoteVariables.h"
#include "het/IR/Module.h"

using namespace mlir;

namespace het::transforms {

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Block *StripBuilder::blockLike(Block *other) {
  Block *block = new Block();
  block->insertBefore(other);
  for (BlockArgument argument : other->getArguments())
    block->addArgument(argument.getType(), argument.getLoc());
  return block;
}

void StripBuilder::redirect(ArrayRef<Block *> from, Block *oldTo, Block *newTo) {
  for (Block *block : from)
    for (auto [index, successor] : llvm::enumerate(block->getSuccessors()))
      if (successor == oldTo)
        block->getTerminator()->setSuccessor(newTo, index);
}

Block *StripBuilder::enterBy(Block *to, ArrayRef<Block *> latches) {
  SmallVector<Block *> entering;
  for (Block *from : to->getPredecessors())
    if (!llvm::is_contained(latches, from))
      entering.push_back(from);
  Block *enter = blockLike(to);
  redirect(entering, to, enter);
  builder.setInsertionPointToEnd(enter);
  return enter;
}

void StripBuilder::onEdge(Block *from, unsigned index) {
  Block *to = from->getSuccessor(index), *between = blockLike(to);
  from->getTerminator()->setSuccessor(between, index);
  builder.setInsertionPointToEnd(between);
  builder.setInsertionPoint(LLVM::BrOp::create(builder, between->getArguments(), to));
}

Block *StripBuilder::leaveBy(const PolledLoop &loop, LLVM::CondBrOp latch, unsigned stay,
                             Value condition) {
  Block *exit = latch->getSuccessor(1 - stay);
  Block *ask = blockLike(exit), *poll = new Block();
  poll->insertBefore(exit);
  latch->setSuccessor(ask, 1 - stay);
  builder.setInsertionPointToEnd(ask);
  Block *to[2] = {poll, exit};
  ValueRange values[2] = {{}, ask->getArguments()};
  auto end = LLVM::CondBrOp::create(builder, condition, to[stay], values[stay],
                                    to[1 - stay], values[1 - stay]);
  markStrip(loop, end, 1 - stay);
  return poll;
}

void StripBuilder::markStrip(const PolledLoop &loop, Operation *op, unsigned kept) {
  const int32_t number = &loop - plan.loops.begin();
  if (!plan.convergent)
    op->setAttr(ir::stripAttrName,
                builder.getDenseI32ArrayAttr({static_cast<int32_t>(kept), number}));
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

Value StripBuilder::partOfInterval(unsigned divisor) {
  Value whole = ir::PollIntervalOp::create(builder);
  if (!plan.convergent)
    divisor *= PollPlan::apart;
  return divisor == 1 ? whole : LLVM::UDivOp::create(builder, whole, constant(divisor));
}

Value StripBuilder::roundsOf(const PolledLoop &loop) {
  constexpr unsigned unit = 32;
  const bool areMany = plan.interval / loop.cost >= 2 * unit;
  Value rounds = partOfInterval(loop.cost);
  if (areMany)
    rounds =
        LLVM::AndOp::create(builder, rounds, constant(-int64_t(unit), rounds.getType()));
  return LLVM::UMaxOp::create(builder, rounds, constant(areMany ? unit : 1));
}

Value StripBuilder::lengthOf(const PolledLoop &loop) {
  return LLVM::MulOp::create(builder, roundsOf(loop), constant(loop.cost));
}

LLVM::AllocaOp StripBuilder::workOf(const PolledLoop &loop) {
  LLVM::AllocaOp &sum = work[&loop - plan.loops.begin()];
  if (sum)
    return sum;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  sum = LLVM::AllocaOp::create(builder, pointer, builder.getI32Type(), constant(1));
  return sum;
}

void StripBuilder::charge(const PolledLoop &outer, Value more, bool givesBack) {
  Value before = load(workOf(outer));
  Value sum = givesBack ? sub(before, more) : add(before, more);
  markStrip(outer, sum.getDefiningOp(), 0);
  LLVM::StoreOp::create(builder, sum, workOf(outer));
}

void StripBuilder::promoteWork() {
  llvm::erase_if(work, [](LLVM::AllocaOp sum) { return !sum; });
  promoteVariables(kernel.getBody(), work);
}

} // namespace het::transforms
