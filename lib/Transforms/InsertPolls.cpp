// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each loop's way back takes what a round costs from a budget, and polls when that is
// used up. There are two budgets, so that the one of loops that a block goes round
// together is the same for all of its threads.

#include "InsertPolls.h"
#include "WaitingLoops.h"
#include "het/IR/Module.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/Mem2Reg.h"

using namespace mlir;

namespace het::transforms {

bool isGoneRoundTogether(CFGLoop *loop, const UniformityAnalysis &uniformity) {
  SmallVector<Block *> exiting, exits;
  loop->getExitingBlocks(exiting);
  loop->getExitBlocks(exits);
  auto isTogether = [&](Block *block) {
    return uniformity.controlLevel(block) <= ir::Level::Block;
  };
  return isTogether(loop->getHeader()) && !exits.empty() &&
         llvm::all_of(exits, isTogether) && llvm::all_of(exiting, [&](Block *block) {
           return isTogether(block) &&
                  uniformity.branchLevel(block) <= ir::Level::Block;
         });
}

namespace {

/// A loop that gets a poll.
struct PolledLoop {
  Block *header;
  SmallVector<Block *> latches;
  unsigned cost;
  bool together;
};

unsigned costOf(Operation &op) {
  if (isa<LLVM::CallOp>(op))
    return 64;
  if (isa<ir::MathOp>(op) || ir::isSyncPoint(&op))
    return 16;
  if (isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp,
          LLVM::UDivOp, LLVM::SDivOp, LLVM::URemOp, LLVM::SRemOp, LLVM::FDivOp>(op))
    return 8;
  return 1;
}

/// Of a round, without the loops inside of it.
unsigned costOf(CFGLoop *loop, CFGLoopInfo &loops) {
  unsigned cost = 0;
  for (Block *block : loop->getBlocks())
    if (loops.getLoopFor(block) == loop)
      for (Operation &op : *block)
        cost += costOf(op);
  return std::min(cost, pollInterval);
}

SmallVector<PolledLoop> findLoops(LLVM::LLVMFuncOp kernel) {
  SmallVector<PolledLoop> found;
  if (kernel.getBody().hasOneBlock())
    return found;
  UniformityAnalysis uniformity(kernel);
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&kernel.getBody()));
  for (CFGLoop *loop : loops.getLoopsInPreorder()) {
    if (waitsForOthers(loop, dominance))
      continue;
    PolledLoop polled{loop->getHeader(), {}, costOf(loop, loops),
                      isGoneRoundTogether(loop, uniformity)};
    loop->getLoopLatches(polled.latches);
    found.push_back(std::move(polled));
  }
  return found;
}

class PollBuilder {
public:
  explicit PollBuilder(LLVM::LLVMFuncOp kernel)
      : kernel(kernel), builder(kernel.getLoc(), kernel.getContext()) {}

  Operation *insert(const PolledLoop &loop);
  void finish();

private:
  LLVM::AllocaOp budgetOf(bool together);
  Value constant(unsigned value) {
    return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                    builder.getI32IntegerAttr(value));
  }

  LLVM::LLVMFuncOp kernel;
  ImplicitLocOpBuilder builder;
  LLVM::AllocaOp budgets[2];
};

LLVM::AllocaOp PollBuilder::budgetOf(bool together) {
  LLVM::AllocaOp &budget = budgets[together];
  if (budget)
    return budget;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  budget = LLVM::AllocaOp::create(builder,
                                  LLVM::LLVMPointerType::get(builder.getContext()),
                                  builder.getI32Type(), constant(1));
  LLVM::StoreOp::create(builder, constant(pollInterval), budget);
  return budget;
}

/// Makes two blocks on the loop's way back: one that counts, and the poll's.
Operation *PollBuilder::insert(const PolledLoop &loop) {
  builder.setLoc(loop.header->front().getLoc());
  Block *count = new Block(), *poll = new Block();
  count->insertBefore(loop.header);
  poll->insertBefore(loop.header);
  for (BlockArgument argument : loop.header->getArguments())
    count->addArgument(argument.getType(), argument.getLoc());
  for (Block *latch : loop.latches)
    for (auto [index, successor] : llvm::enumerate(latch->getSuccessors()))
      if (successor == loop.header)
        latch->getTerminator()->setSuccessor(count, index);

  LLVM::AllocaOp budget = budgetOf(loop.together);
  builder.setInsertionPointToEnd(count);
  Value before = LLVM::LoadOp::create(builder, builder.getI32Type(), budget);
  Value left = LLVM::SubOp::create(builder, before, constant(loop.cost));
  LLVM::StoreOp::create(builder, left, budget);
  Value isUsedUp = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::slt, left,
                                        constant(0));
  LLVM::CondBrOp::create(builder, isUsedUp, poll, ValueRange{}, loop.header,
                         count->getArguments(),
                         std::pair<int32_t, int32_t>(1, pollInterval));

  builder.setInsertionPointToEnd(poll);
  Operation *place = nullptr;
  if (loop.together)
    place = ir::BarrierOp::create(builder, 0, Value());
  auto refill = LLVM::StoreOp::create(builder, constant(pollInterval), budget);
  LLVM::BrOp::create(builder, count->getArguments(), loop.header);
  return place ? place : refill->getPrevNode();
}

void PollBuilder::finish() {
  DataLayout layout = DataLayout::closest(kernel);
  DominanceInfo dominance(kernel);
  SmallVector<PromotableAllocationOpInterface> promotable;
  for (LLVM::AllocaOp budget : budgets)
    if (budget)
      promotable.push_back(
          cast<PromotableAllocationOpInterface>(budget.getOperation()));
  (void)tryToPromoteMemorySlots(promotable, builder, layout, dominance);
}

} // namespace

SmallVector<Operation *> insertPolls(LLVM::LLVMFuncOp kernel) {
  PollBuilder polls(kernel);
  SmallVector<Operation *> places;
  for (const PolledLoop &loop : findLoops(kernel))
    places.push_back(polls.insert(loop));
  polls.finish();
  return places;
}

} // namespace het::transforms
