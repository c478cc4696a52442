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
#include "../Analysis/ObjectAddresses.h"
#include "het/Transforms/Recompute.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;

namespace het::transforms {
namespace {

/// A value that a thread keeps until the vote's end.
struct Register {
  Type type;
  Value object;          ///< Of an address (ObjectAddresses.h), or null.
  bool isBehind = false; ///< Something that is used behind the loop has it.
};

/// Where a loop is left, or passed by.
struct Exit {
  Block *from;
  unsigned index;  ///< Of the successor.
  unsigned target; ///< Its number.
  bool isGuard = false;
};

/// What an argument of a block behind the loop gets.
struct Argument {
  Value value;        ///< From all exits; null: each has another one.
  unsigned place = 0; ///< Of the register, if there is no value.
};

/// What a vote is made of; says nothing more once the kernel has changed.
class VoteLayout {
public:
  VoteLayout(LLVM::LLVMFuncOp kernel, Block *header, ArrayRef<Block *> latches,
             Block *guard);

  /// Whether each address has one object, on all ways, and the loop is left at all.
  bool isPossible() const { return hasObjects && !targets.empty(); }

  /// Whether a block's code is not behind the vote: it is in the loop, or threads that
  /// come from there do not go on from it.
  bool isBefore(Block *block) const { return inside.contains(block) || isTrap(block); }

  SmallVector<Block *> blocks; ///< The loop's, in the order of the code.
  SmallVector<Exit> exits;
  llvm::SetVector<Block *> targets;
  SmallVector<SmallVector<Argument>> arguments; ///< Of the targets.
  SmallVector<Register> registers;
  SmallVector<unsigned> ofHeader;        ///< The registers of its arguments.
  llvm::MapVector<Value, unsigned> kept; ///< Used behind the loop; the registers.
  llvm::SetVector<Value> computed;       ///< Likewise, and computed again there.
  Block *before = nullptr;               ///< Where a guard leads to the loop by.
  std::optional<unsigned> ofTarget;      ///< That of its number, if there are several.

private:
  void findBlocks(Block *header, ArrayRef<Block *> latches);
  bool isTrap(Block *block) const;
  void findExits();
  void addExit(Block *from, unsigned index, bool isGuard);
  void findGuard(Block *guard, Block *header);
  void findUsedBehind();
  void findArguments();
  void keep(Value value);
  unsigned addRegister(Type type, Value object, bool isBehind);
  unsigned addRegisterFor(ValueRange values, bool isBehind);

  LLVM::LLVMFuncOp kernel;
  ObjectAddresses addresses;
  Recompute recompute;
  llvm::SmallPtrSet<Block *, 16> inside;
  bool hasObjects = true;
};

VoteLayout::VoteLayout(LLVM::LLVMFuncOp kernel, Block *header, ArrayRef<Block *> latches,
                       Block *guard)
    : kernel(kernel), addresses(kernel) {
  findBlocks(header, latches);
  findExits();
  if (guard && !targets.empty())
    findGuard(guard, header);
  for (Value argument : header->getArguments())
    ofHeader.push_back(addRegisterFor(argument, /*isBehind=*/false));
  findUsedBehind();
  findArguments();
  if (targets.size() > 1)
    ofTarget =
        addRegister(IntegerType::get(kernel.getContext(), 32), {}, /*isBehind=*/true);
}

void VoteLayout::findBlocks(Block *header, ArrayRef<Block *> latches) {
  inside.insert(header);
  SmallVector<Block *> stack(latches);
  while (!stack.empty())
    if (Block *block = stack.pop_back_val(); inside.insert(block).second)
      llvm::append_range(stack, block->getPredecessors());
  for (Block &block : kernel.getBody())
    if (inside.contains(&block))
      blocks.push_back(&block);
}

/// Whether only threads of the loop come to a block, and none goes on.
bool VoteLayout::isTrap(Block *block) const {
  return isa<LLVM::UnreachableOp>(block->getTerminator()) &&
         llvm::all_of(block->getPredecessors(),
                      [&](Block *from) { return inside.contains(from); });
}

void VoteLayout::findExits() {
  for (Block *block : blocks)
    for (auto [index, target] : llvm::enumerate(block->getSuccessors()))
      if (!isBefore(target))
        addExit(block, index, /*isGuard=*/false);
}

void VoteLayout::addExit(Block *from, unsigned index, bool isGuard) {
  Block *target = from->getSuccessor(index);
  targets.insert(target);
  const unsigned number = llvm::find(targets, target) - targets.begin();
  exits.push_back({from, index, number, isGuard});
}

void VoteLayout::findGuard(Block *guard, Block *header) {
  for (unsigned index = 0; index < 2; ++index)
    if (Block *next = guard->getSuccessor(1 - index);
        next == header || llvm::is_contained(header->getPredecessors(), next)) {
      before = next == header ? nullptr : next;
      return addExit(guard, index, /*isGuard=*/true);
    }
  llvm_unreachable("a guard does not lead to its loop");
}

unsigned VoteLayout::addRegister(Type type, Value object, bool isBehind) {
  if (isBehind && !object)
    for (auto [number, one] : llvm::enumerate(registers))
      if (one.type == type && !one.object && !one.isBehind) {
        one.isBehind = true;
        return number;
      }
  registers.push_back({type, object, isBehind});
  return registers.size() - 1;
}

/// One for all these values, of which a thread has one.
unsigned VoteLayout::addRegisterFor(ValueRange values, bool isBehind) {
  const Type type = values.front().getType();
  Value object;
  if (isa<LLVM::LLVMPointerType>(type))
    for (auto [index, value] : llvm::enumerate(values)) {
      std::optional<Value> found = addresses.objectOf(value);
      const bool isSame =
          found && (index == 0 || *found == object ||
                    (*found && object && ObjectAddresses::areSame(*found, object)));
      hasObjects &= isSame;
      object = found.value_or(Value());
    }
  return addRegister(type, object, isBehind);
}

void VoteLayout::keep(Value value) {
  if (recompute.isRecomputable(value))
    computed.insert(value);
  else if (!kept.contains(value))
    kept[value] = addRegisterFor(value, /*isBehind=*/true);
}

void VoteLayout::findUsedBehind() {
  auto keepIfUsed = [&](Value value) {
    if (llvm::any_of(value.getUsers(),
                     [&](Operation *user) { return !isBefore(user->getBlock()); }))
      keep(value);
  };
  for (Block *block : blocks) {
    llvm::for_each(block->getArguments(), keepIfUsed);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), keepIfUsed);
  }
}

Value operandOf(const Exit &exit, unsigned argument) {
  auto branch = cast<BranchOpInterface>(exit.from->getTerminator());
  return branch.getSuccessorOperands(exit.index)[argument];
}

void VoteLayout::findArguments() {
  for (auto [number, target] : llvm::enumerate(targets)) {
    SmallVector<Argument> &ofTarget = arguments.emplace_back();
    for (unsigned place = 0; place < target->getNumArguments(); ++place) {
      llvm::SetVector<Value> values;
      for (const Exit &exit : exits)
        if (exit.target == number)
          values.insert(operandOf(exit, place));
      if (values.size() > 1) {
        ofTarget.push_back({{}, addRegisterFor(values.getArrayRef(), /*isBehind=*/true)});
        continue;
      }
      Value value = values.front();
      ofTarget.push_back({value});
      if (inside.contains(value.getParentBlock()))
        keep(value);
    }
  }
}

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
  void leaveThroughVote(const Exit &exit, Block *gather);
  void fillLeave();
  Value idleValueOf(const Register &of);
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
  for (const Register &one : layout.registers)
    block->addArgument(one.type, builder.getLoc());
  return block;
}

/// A defined value, for states are the same on all devices; an address stays one of its
/// object.
Value VoteBuilder::idleValueOf(const Register &of) {
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
  for (const Register &one : layout.registers)
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

void VoteBuilder::leaveThroughVote(const Exit &exit, Block *gather) {
  SmallVector<Value> values = result.idle;
  Operation *end = exit.from->getTerminator();
  for (auto [value, place] : layout.kept)
    if (dominance.dominates(value, end))
      values[1 + place] = value;
  for (auto [number, argument] : llvm::enumerate(layout.arguments[exit.target]))
    if (!argument.value)
      values[1 + argument.place] = operandOf(exit, number);
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
  for (ArrayRef<Argument> arguments : layout.arguments) {
    SmallVector<Value> &ofTarget = values.emplace_back();
    for (const Argument &argument : arguments)
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
  for (const Exit &exit : layout.exits)
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
