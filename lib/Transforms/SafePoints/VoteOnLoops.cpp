// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the header gets next, and what is used behind the loop, goes through the vote in
// *registers*, which are block arguments. No thread has both, so both take the same ones.
//
//   enter: goes on → again; who passes the loop by: does not go on → again
//   again: a thread that goes on → header; else → vote
//   header … latch; at a strip's end → vote; at an exit → vote, and does not go on
//   vote:  does any go on? poll : leave
//   poll:  a barrier → again
//   leave: to where the thread has left for, whose number is in a register

#include "VoteOnLoops.h"
#include "VoteLayout.h"
#include "het/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include <numeric>

namespace het::transforms {
#define GEN_PASS_DEF_VOTEONLOOPS
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;

namespace het::transforms {
namespace {

class VoteBuilder {
public:
  VoteBuilder(ImplicitLocOpBuilder &builder, LLVM::LLVMFuncOp kernel,
              const PolledLoop &loop)
      : builder(builder), kernel(kernel), loop(loop), dominance(kernel),
        layout(kernel, loop.header, loop.latches, loop.guard) {}

  LoopVote build();
  void updateCounts(PollPlan &plan) const;

private:
  Block *addBlock(Region::iterator before, bool hasRegisters);
  Block *beginEntering(Block *next);
  void hoistComputedBefore();
  void replaceUsedBehind();
  void fillEnter(Block *enter, Block *next);
  void fillAgain(Block *again);
  void fillVote(Block *poll);
  Block *gatherBefore(Block *again);
  void leaveThroughVote(const VoteLayout::Exit &exit, Block *gather);
  void fillLeave();
  Value idleValueOf(const VoteLayout::Register &of);
  Value constant(unsigned value) {
    return LLVM::ConstantOp::create(builder, builder.getI32IntegerAttr(value));
  }
  Value constant(bool value) {
    return LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                    builder.getBoolAttr(value));
  }
  /// The vote's argument.
  Value valueOf(unsigned place) { return result.vote->getArgument(1 + place); }

  ImplicitLocOpBuilder &builder;
  LLVM::LLVMFuncOp kernel;
  const PolledLoop &loop;
  DominanceInfo dominance; ///< Before anything was changed.
  VoteLayout layout;
  IRMapping mapping; ///< What is used behind the loop, to what it is there.
  LoopVote result;
};

Block *VoteBuilder::addBlock(Region::iterator before, bool hasRegisters) {
  auto *block = new Block();
  kernel.getBody().getBlocks().insert(before, block);
  if (!hasRegisters)
    return block;
  block->addArgument(builder.getI1Type(), builder.getLoc()); // whether it goes on
  for (const VoteLayout::Register &one : layout.registers)
    block->addArgument(one.type, builder.getLoc());
  return block;
}

/// A defined value, for states are the same on all devices; an address stays one of its
/// object.
Value VoteBuilder::idleValueOf(const VoteLayout::Register &of) {
  if (!of.object)
    return LLVM::ZeroOp::create(builder, of.type);
  Value object = of.object;
  if (Operation *op = object.getDefiningOp(); op && !isa<LLVM::AllocaOp>(op))
    object = builder.clone(*op)->getResult(0);
  if (object.getType() != of.type)
    object = LLVM::AddrSpaceCastOp::create(builder, of.type, object);
  return object;
}

/// A block, without an end, on all ways into the loop.
Block *VoteBuilder::beginEntering(Block *next) {
  auto *enter = new Block();
  enter->insertBefore(next);
  for (BlockArgument argument : loop.header->getArguments())
    enter->addArgument(argument.getType(), argument.getLoc());
  SmallVector<Block *> from(loop.header->getPredecessors());
  for (Block *block : from)
    if (!layout.isBefore(block))
      for (auto [index, successor] : llvm::enumerate(block->getSuccessors()))
        if (successor == loop.header)
          block->getTerminator()->setSuccessor(enter, index);
  return enter;
}

void VoteBuilder::fillEnter(Block *enter, Block *next) {
  builder.setInsertionPointToEnd(enter);
  if (loop.guard)
    builder.setInsertionPoint(loop.guard->getTerminator());
  result.idle.push_back(constant(true));
  for (const VoteLayout::Register &one : layout.registers)
    result.idle.push_back(idleValueOf(one));
  for (unsigned place : layout.ofHeader)
    result.headerArguments.push_back(1 + place);
  builder.setInsertionPointToEnd(enter);
  SmallVector<Value> first = result.idle;
  for (auto [place, value] : llvm::zip(result.headerArguments, enter->getArguments()))
    first[place] = value;
  LLVM::BrOp::create(builder, first, next);
}

/// Where those that enter and those that pass by come together. Not where the loop leads
/// back to: what is uniform and lives there would be taken to differ by the way that a
/// thread came.
Block *VoteBuilder::gatherBefore(Block *again) {
  if (!loop.guard)
    return again;
  Block *gather = addBlock(again->getIterator(), /*hasRegisters=*/true);
  builder.setInsertionPointToEnd(gather);
  LLVM::BrOp::create(builder, gather->getArguments(), again);
  return gather;
}

/// All come here together, when they enter the loop, too: so that is uniform control.
void VoteBuilder::fillAgain(Block *again) {
  builder.setInsertionPointToEnd(again);
  SmallVector<Value> ofHeader;
  for (unsigned place : result.headerArguments)
    ofHeader.push_back(again->getArgument(place));
  LLVM::CondBrOp::create(builder, again->getArgument(0), loop.header, ofHeader,
                         result.vote, again->getArguments());
}

void VoteBuilder::fillVote(Block *poll) {
  builder.setInsertionPointToEnd(result.vote);
  auto any = ir::BarrierReduceOp::create(builder, ir::BarrierReduceKind::Or,
                                         result.vote->getArgument(0));
  any->setAttr(ir::voteAttrName, builder.getUnitAttr());
  Value isAny = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, any.getResult(),
                                     constant(0u));
  LLVM::CondBrOp::create(builder, isAny, poll, ValueRange{}, result.leave, ValueRange{});
}

void VoteBuilder::leaveThroughVote(const VoteLayout::Exit &exit, Block *gather) {
  SmallVector<Value> values = result.idle;
  Operation *end = exit.from->getTerminator();
  for (auto [value, place] : layout.kept)
    if (dominance.dominates(value, end))
      values[1 + place] = value;
  for (auto [number, argument] : llvm::enumerate(layout.arguments[exit.target]))
    if (!argument.value)
      values[1 + argument.place] = exit.operand(number);
  Block *through = addBlock(result.vote->getIterator(), /*hasRegisters=*/false);
  builder.setInsertionPointToEnd(through);
  values[0] = constant(false);
  if (layout.ofTarget)
    values[1 + *layout.ofTarget] = constant(exit.target);
  LLVM::BrOp::create(builder, values, exit.isGuard ? gather : result.vote);
  SuccessorOperands operands =
      cast<BranchOpInterface>(end).getSuccessorOperands(exit.index);
  if (operands.size())
    operands.erase(0, operands.size());
  end->setSuccessor(through, exit.index);
}

/// What is recomputed anywhere is computed where all come by, not only those that enter.
void VoteBuilder::hoistComputedBefore() {
  if (!layout.before)
    return;
  Recompute recompute;
  for (Operation &op : llvm::make_early_inc_range(*layout.before))
    if (op.getNumResults() == 1 && recompute.isRecomputable(op.getResult(0)))
      op.moveBefore(loop.guard->getTerminator());
}

void VoteBuilder::replaceUsedBehind() {
  builder.setInsertionPointToEnd(result.leave);
  for (Value argument : kernel.getArguments())
    mapping.map(argument, argument);
  for (auto local : kernel.getBody().front().getOps<LLVM::AllocaOp>())
    mapping.map(local.getResult(), local.getResult());
  for (Value value : layout.computed)
    Recompute::materialize(value, mapping, builder);
  for (auto [value, place] : layout.kept)
    mapping.map(value, valueOf(place));
  auto replace = [&](Value value) {
    value.replaceUsesWithIf(mapping.lookup(value), [&](OpOperand &use) {
      Block *block = use.getOwner()->getBlock();
      return block != result.leave && !layout.isBefore(block);
    });
  };
  llvm::for_each(layout.computed, replace);
  for (auto [value, place] : layout.kept)
    replace(value);
}

void VoteBuilder::fillLeave() {
  builder.setInsertionPointToEnd(result.leave);
  SmallVector<SmallVector<Value>> values;
  for (ArrayRef<VoteLayout::Argument> arguments : layout.arguments) {
    SmallVector<Value> &ofTarget = values.emplace_back();
    for (const VoteLayout::Argument &argument : arguments)
      ofTarget.push_back(argument.value ? mapping.lookupOrDefault(argument.value)
                                        : valueOf(argument.place));
  }
  if (!layout.ofTarget) {
    LLVM::BrOp::create(builder, values.front(), layout.targets.front());
    return;
  }
  SmallVector<int32_t> numbers(layout.targets.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const SmallVector<ValueRange> others(llvm::drop_begin(values));
  LLVM::SwitchOp::create(builder, valueOf(*layout.ofTarget), layout.targets.front(),
                         values.front(), ArrayRef<int32_t>(numbers).drop_front(),
                         layout.targets.getArrayRef().drop_front(), others);
}

/// Bounds and steps of loops behind this one.
void VoteBuilder::updateCounts(PollPlan &plan) const {
  auto update = [&](Value &value) {
    if (layout.kept.contains(value) || layout.computed.contains(value))
      value = mapping.lookup(value);
  };
  for (PolledLoop &other : plan.loops)
    if (&other != &loop && other.counted) {
      update(other.counted->bound);
      update(other.counted->step);
    }
}

LoopVote VoteBuilder::build() {
  const auto behind = std::next(layout.blocks.back()->getIterator());
  Block *again = addBlock(loop.header->getIterator(), /*hasRegisters=*/true);
  result.vote = addBlock(behind, /*hasRegisters=*/true);
  Block *poll = addBlock(behind, /*hasRegisters=*/false);
  result.leave = addBlock(behind, /*hasRegisters=*/false);
  replaceUsedBehind();
  hoistComputedBefore();
  Block *gather = gatherBefore(again);
  fillEnter(beginEntering(gather), gather);
  fillAgain(again);
  fillVote(poll);
  builder.setInsertionPointToEnd(poll);
  result.place = ir::BarrierOp::create(builder, 0, Value());
  LLVM::BrOp::create(builder, result.vote->getArguments(), again);
  fillLeave();
  for (const VoteLayout::Exit &exit : layout.exits)
    leaveThroughVote(exit, gather);
  return std::move(result);
}

} // namespace

Operation *LoopVote::endStripIn(ImplicitLocOpBuilder &builder, Block *block,
                                ValueRange values) const {
  SmallVector<Value> all = idle;
  for (auto [place, value] : llvm::zip(headerArguments, values))
    all[place] = value;
  builder.setInsertionPointToEnd(block);
  LLVM::BrOp::create(builder, all, vote);
  return place;
}

bool isAroundVote(CFGLoop *loop) {
  SmallVector<Block *> exiting;
  loop->getExitingBlocks(exiting);
  return llvm::any_of(exiting, [](Block *block) {
    return llvm::any_of(*block,
                        [](Operation &op) { return op.hasAttr(ir::voteAttrName); });
  });
}

bool hasPlaceForVote(LLVM::LLVMFuncOp kernel, CFGLoop *loop, Block *guard) {
  SmallVector<Block *> latches;
  loop->getLoopLatches(latches);
  return VoteLayout(kernel, loop->getHeader(), latches, guard).isPossible();
}

LoopVote voteOn(ImplicitLocOpBuilder &builder, LLVM::LLVMFuncOp kernel,
                const PolledLoop &loop, PollPlan &plan) {
  VoteBuilder vote(builder, kernel, loop);
  LoopVote result = vote.build();
  vote.updateCounts(plan);
  return result;
}

} // namespace het::transforms

using namespace het;

namespace {

/// Votes without strips: threads leave a loop together, and come back to it no more.
void voteOnLoops(LLVM::LLVMFuncOp kernel, unsigned interval) {
  ImplicitLocOpBuilder builder(kernel.getLoc(), kernel.getContext());
  transforms::PollPlan plan = transforms::planPolls(kernel, interval);
  for (const transforms::PolledLoop &loop : plan.loops) {
    if (!loop.isVotedOn)
      continue;
    builder.setLoc(loop.header->front().getLoc());
    (void)transforms::voteOn(builder, kernel, loop, plan);
  }
}

struct VoteOnLoops : het::transforms::impl::VoteOnLoopsBase<VoteOnLoops> {
  using VoteOnLoopsBase::VoteOnLoopsBase;
  void runOnOperation() override {
    getOperation()->walk([&](LLVM::LLVMFuncOp function) {
      if (ir::isKernel(function) && !function.isExternal())
        voteOnLoops(function, pollInterval);
    });
  }
};

} // namespace
