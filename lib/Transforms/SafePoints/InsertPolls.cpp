// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are cut into strips, and the poll stands between strips. Inside of one a loop
// that counts is what it was, with a nearer bound; any other sums up what it does, and
// leaves the strip when that is enough. Strips begin anew when a loop is entered, so that
// lanes that enter it together come to its polls together; what they have done since the
// last poll then counts for the loop around them. Where rounds take long, of outer loops
// and those with barriers, the poll is in the loop: what strips begin with would take
// registers.

#include "InsertPolls.h"
#include "PollPlan.h"
#include "PromoteVariables.h"
#include "VoteOnLoops.h"
#include "het/IR/Module.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using LLVM::ICmpPredicate;

namespace het::transforms {
namespace {

class PollBuilder {
public:
  PollBuilder(LLVM::LLVMFuncOp kernel, unsigned interval)
      : kernel(kernel), builder(kernel.getLoc(), kernel.getContext()),
        plan(planPolls(kernel, interval)), work(plan.loops.size()) {}

  Polls insert();

private:
  void beginVote(const PolledLoop &loop);
  Operation *insert(const PolledLoop &loop);
  Block *blockLike(Block *other);
  Block *enterBy(Block *to, ArrayRef<Block *> latches);
  void onEdge(Block *from, unsigned index);
  Block *leaveBy(const PolledLoop &loop, LLVM::CondBrOp latch, unsigned stay,
                 Value condition);
  Operation *fillPoll(Block *poll, Block *strip, ValueRange values);

  static bool isStripOfRounds(const PolledLoop &loop);
  Operation *insertInside(const PolledLoop &loop);
  Operation *insertByRounds(const PolledLoop &loop);
  Value beginRounds(const PolledLoop &loop, Block *strip);
  Value nearer(const CountedLoop &counted, Value bound, Value other,
               llvm::function_ref<Value()> isFar);
  Value workBetween(const PolledLoop &loop, Value from, Value to);
  void giveBackRounds(const PolledLoop &loop, Value limit);

  Value partOfInterval(unsigned divisor);
  Value roundsOf(const PolledLoop &loop);
  Value lengthOf(const PolledLoop &loop);
  static LLVM::CondBrOp leavingLatch(const PolledLoop &loop);
  Operation *insertByWork(const PolledLoop &loop);
  Operation *pollAtLatch(const PolledLoop &loop, LLVM::CondBrOp latch, Value limit);
  Operation *pollOnTheWayBack(const PolledLoop &loop, Value limit);
  Value addRound(const PolledLoop &loop, Value limit, bool asksForEnd);
  void chargeWork(const PolledLoop &loop, Value limit, Block *from, unsigned index);
  void charge(const PolledLoop &outer, Value work, bool givesBack = false);
  void markStrip(const PolledLoop &loop, Operation *op, unsigned kept);
  LLVM::AllocaOp workOf(const PolledLoop &loop);
  void promoteWork();

  Value constant(int64_t value, Type type) {
    return LLVM::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
  }
  Value constant(unsigned value) { return constant(value, builder.getI32Type()); }
  Value add(Value a, Value b) { return LLVM::AddOp::create(builder, a, b); }
  Value sub(Value a, Value b) { return LLVM::SubOp::create(builder, a, b); }
  Value load(LLVM::AllocaOp work) {
    return LLVM::LoadOp::create(builder, builder.getI32Type(), work);
  }
  Value toI32(Value value) {
    Type type = builder.getI32Type();
    return value.getType() == type ? value : LLVM::TruncOp::create(builder, type, value);
  }
  /// A constant may stand inside of the loop.
  Value outside(Value invariant) {
    auto inside = invariant.getDefiningOp<LLVM::ConstantOp>();
    return inside ? builder.clone(*inside)->getResult(0) : invariant;
  }

  LLVM::LLVMFuncOp kernel;
  ImplicitLocOpBuilder builder;
  PollPlan plan;
  std::optional<LoopVote> vote; ///< Of the loop that is at its turn.
  /// What loops have done since they were entered; it becomes values at the end.
  SmallVector<LLVM::AllocaOp> work;
};

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// A block in front of another one, with its arguments.
Block *PollBuilder::blockLike(Block *other) {
  Block *block = new Block();
  block->insertBefore(other);
  for (BlockArgument argument : other->getArguments())
    block->addArgument(argument.getType(), argument.getLoc());
  return block;
}

static void redirect(ArrayRef<Block *> from, Block *oldTo, Block *newTo) {
  for (Block *block : from)
    for (auto [index, successor] : llvm::enumerate(block->getSuccessors()))
      if (successor == oldTo)
        block->getTerminator()->setSuccessor(newTo, index);
}

/// A block, without an end, on all ways to another one but those from `latches`.
Block *PollBuilder::enterBy(Block *to, ArrayRef<Block *> latches) {
  SmallVector<Block *> entering;
  for (Block *from : to->getPredecessors())
    if (!llvm::is_contained(latches, from))
      entering.push_back(from);
  Block *enter = blockLike(to);
  redirect(entering, to, enter);
  builder.setInsertionPointToEnd(enter);
  return enter;
}

/// Puts the builder before the end of a block on the way to a successor.
void PollBuilder::onEdge(Block *from, unsigned index) {
  Block *to = from->getSuccessor(index), *between = blockLike(to);
  from->getTerminator()->setSuccessor(between, index);
  builder.setInsertionPointToEnd(between);
  builder.setInsertionPoint(LLVM::BrOp::create(builder, between->getArguments(), to));
}

/// Lets the latch's way out lead to a block that asks whether the loop has ended, or is
/// to be polled. Returns the latter's block.
Block *PollBuilder::leaveBy(const PolledLoop &loop, LLVM::CondBrOp latch, unsigned stay,
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

/// What the poll's block does; the place of its safe point.
Operation *PollBuilder::fillPoll(Block *poll, Block *strip, ValueRange values) {
  if (vote)
    return vote->endStripIn(builder, poll, values);
  builder.setInsertionPointToEnd(poll);
  if (plan.together)
    ir::BarrierOp::create(builder, 0, Value());
  LLVM::BrOp::create(builder, values, strip);
  return &poll->front();
}

static ValueRange operandsFor(LLVM::CondBrOp branch, unsigned successor) {
  return successor == 0 ? branch.getTrueDestOperands() : branch.getFalseDestOperands();
}

//===----------------------------------------------------------------------===//
// Strips without a loop around them
//===----------------------------------------------------------------------===//

/// Leaves the loop one, which sums up its work.
///
///   enter: sum = 0 → header … latch → check → back → header
///                                     check → poll → again: sum = 0 → back
Operation *PollBuilder::insertInside(const PolledLoop &loop) {
  LLVM::AllocaOp sum = workOf(loop);
  auto beginStrip = [&](Block *strip, Block *to) {
    builder.setInsertionPointToEnd(strip);
    LLVM::StoreOp::create(builder, constant(0), sum);
    LLVM::BrOp::create(builder, strip->getArguments(), to);
  };
  Block *check = blockLike(loop.header), *poll = new Block();
  poll->insertBefore(loop.header);
  Block *again = blockLike(loop.header), *back = blockLike(loop.header);
  beginStrip(enterBy(loop.header, loop.latches), loop.header);
  redirect(loop.latches, loop.header, check);
  builder.setInsertionPointToEnd(check);
  charge(loop, constant(loop.cost));
  Value isWithin =
      LLVM::ICmpOp::create(builder, ICmpPredicate::slt, load(sum), partOfInterval(1));
  auto end =
      LLVM::CondBrOp::create(builder, isWithin, back, check->getArguments(), poll,
                             ValueRange{}, std::pair<int32_t, int32_t>(plan.interval, 1));
  markStrip(loop, end, 0);
  Operation *place = fillPoll(poll, again, check->getArguments());
  beginStrip(again, back);
  builder.setInsertionPointToEnd(back);
  LLVM::BrOp::create(builder, back->getArguments(), loop.header);
  if (loop.outer)
    for (auto [from, index] : loop.exits) {
      onEdge(from, index);
      charge(plan.loops[*loop.outer], load(sum));
    }
  return place;
}

//===----------------------------------------------------------------------===//
// Strips of rounds
//===----------------------------------------------------------------------===//

/// Rounds, of which there are at most 2^20, times the step must not be too large for the
/// counter; how many rounds of a stride have been done is not divided out.
bool PollBuilder::isStripOfRounds(const PolledLoop &loop) {
  constexpr int64_t largestStep = 1 << 10;
  if (!loop.counted || loop.hasInner)
    return false;
  const std::optional<int64_t> &step = loop.counted->constantStep;
  return step ? std::abs(*step) <= largestStep : !loop.outer;
}

Operation *PollBuilder::insertByRounds(const PolledLoop &loop) {
  CountedLoop counted = *loop.counted;
  Block *strip = enterBy(loop.header, loop.latches);
  Value limit = beginRounds(loop, strip);
  auto latch = cast<LLVM::CondBrOp>(counted.latch->getTerminator());
  builder.setInsertionPoint(latch);
  IRMapping toLimit;
  toLimit.map(counted.bound, limit);
  latch.getConditionMutable().assign(builder.clone(*counted.test, toLimit)->getResult(0));
  Block *poll = leaveBy(loop, latch, counted.stay, counted.test);
  if (counted.test->hasOneUse())
    counted.test->moveBefore(*counted.test->user_begin());
  if (loop.outer)
    giveBackRounds(loop, limit);
  return fillPoll(poll, strip, operandsFor(latch, counted.stay));
}

/// How many; where many are expected, so that a loop that a compiler has unrolled has no
/// rounds left at the end.
Value PollBuilder::roundsOf(const PolledLoop &loop) {
  constexpr unsigned unit = 32;
  const bool areMany = plan.interval / loop.cost >= 2 * unit;
  Value rounds = partOfInterval(loop.cost);
  if (areMany)
    rounds =
        LLVM::AndOp::create(builder, rounds, constant(-int64_t(unit), rounds.getType()));
  return LLVM::UMaxOp::create(builder, rounds, constant(areMany ? unit : 1));
}

/// Finds the bound of this strip: some rounds ahead, or the loop's own where that is
/// nearer. Where `first + ahead` overflows, the strip is of one round.
Value PollBuilder::beginRounds(const PolledLoop &loop, Block *strip) {
  const CountedLoop &counted = *loop.counted;
  const bool up = counted.isIncreasing();
  Type type = counted.bound.getType();
  Value bound = outside(counted.bound), first = strip->getArgument(counted.argument);
  Value size = counted.constantStep ? constant(std::abs(*counted.constantStep), type)
                                    : counted.step;
  auto move = [&](Value from, Value by) { return up ? add(from, by) : sub(from, by); };
  if (counted.testsNext)
    first = move(first, size);
  Value rounds = roundsOf(loop);
  if (type != rounds.getType())
    rounds = LLVM::ZExtOp::create(builder, type, rounds);
  Value ahead = LLVM::MulOp::create(builder, rounds, size);
  Value limit = nearer(counted, bound, move(first, ahead), [&]() -> Value {
    Value distance = up ? sub(bound, first) : sub(first, bound);
    return LLVM::ICmpOp::create(builder, ICmpPredicate::ugt, distance, ahead);
  });
  Operation *nearest = limit.getDefiningOp();
  markStrip(loop, nearest, isa<LLVM::SelectOp>(nearest) ? 2 : 0);
  if (loop.outer)
    charge(plan.loops[*loop.outer], workBetween(loop, first, limit));
  LLVM::BrOp::create(builder, strip->getArguments(), loop.header);
  return limit;
}

/// The nearer one of a loop's bound and another; `isFar` says whether the bound is
/// further where that is not in their order.
Value PollBuilder::nearer(const CountedLoop &counted, Value bound, Value other,
                          llvm::function_ref<Value()> isFar) {
  switch (counted.predicate) {
  case ICmpPredicate::slt:
  case ICmpPredicate::sle:
    return LLVM::SMinOp::create(builder, bound, other);
  case ICmpPredicate::ult:
  case ICmpPredicate::ule:
    return LLVM::UMinOp::create(builder, bound, other);
  case ICmpPredicate::sgt:
  case ICmpPredicate::sge:
    return LLVM::SMaxOp::create(builder, bound, other);
  case ICmpPredicate::ugt:
  case ICmpPredicate::uge:
    return LLVM::UMaxOp::create(builder, bound, other);
  default:
    return LLVM::SelectOp::create(builder, isFar(), other, bound);
  }
}

/// Of rounds of one strip. A loop that has one round only begins beyond its bound.
Value PollBuilder::workBetween(const PolledLoop &loop, Value from, Value to) {
  const CountedLoop &counted = *loop.counted;
  from = toI32(from);
  to = toI32(to);
  Value distance = LLVM::SMaxOp::create(
      builder, counted.isIncreasing() ? sub(to, from) : sub(from, to), constant(0));
  const unsigned size = std::abs(*counted.constantStep);
  Value rounds =
      size == 1 ? distance : LLVM::UDivOp::create(builder, distance, constant(size));
  return LLVM::MulOp::create(builder, rounds, constant(loop.cost));
}

/// What a strip that is left before its end has not done.
void PollBuilder::giveBackRounds(const PolledLoop &loop, Value limit) {
  const CountedLoop &counted = *loop.counted;
  for (auto [from, index] : loop.exits) {
    if (from == counted.latch)
      continue;
    onEdge(from, index);
    charge(plan.loops[*loop.outer],
           workBetween(loop, loop.header->getArgument(counted.argument), limit),
           /*givesBack=*/true);
  }
}

//===----------------------------------------------------------------------===//
// Strips of work
//===----------------------------------------------------------------------===//

/// Of the launch's, or of what lanes that are apart have of that; rounded down.
Value PollBuilder::partOfInterval(unsigned divisor) {
  Value whole = ir::PollIntervalOp::create(builder);
  if (!plan.together)
    divisor *= PollPlan::apart;
  return divisor == 1 ? whole : LLVM::UDivOp::create(builder, whole, constant(divisor));
}

/// Of a strip of whole rounds.
Value PollBuilder::lengthOf(const PolledLoop &loop) {
  return LLVM::MulOp::create(builder, roundsOf(loop), constant(loop.cost));
}

LLVM::AllocaOp PollBuilder::workOf(const PolledLoop &loop) {
  LLVM::AllocaOp &sum = work[&loop - plan.loops.begin()];
  if (sum)
    return sum;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  sum = LLVM::AllocaOp::create(builder, pointer, builder.getI32Type(), constant(1));
  return sum;
}

void PollBuilder::charge(const PolledLoop &outer, Value more, bool givesBack) {
  Value before = load(workOf(outer));
  Value sum = givesBack ? sub(before, more) : add(before, more);
  markStrip(outer, sum.getDefiningOp(), 0);
  LLVM::StoreOp::create(builder, sum, workOf(outer));
}

/// The only latch, if it may leave the loop.
LLVM::CondBrOp PollBuilder::leavingLatch(const PolledLoop &loop) {
  auto isLatch = [&](auto exit) { return exit.first == loop.latches.front(); };
  if (loop.latches.size() != 1 || llvm::none_of(loop.exits, isLatch))
    return {};
  return dyn_cast<LLVM::CondBrOp>(loop.latches.front()->getTerminator());
}

Operation *PollBuilder::insertByWork(const PolledLoop &loop) {
  Block *strip = enterBy(loop.header, loop.latches);
  Value limit = add(load(workOf(loop)), lengthOf(loop));
  LLVM::BrOp::create(builder, strip->getArguments(), loop.header);
  Block *enter = enterBy(strip, {});
  LLVM::StoreOp::create(builder, constant(0), workOf(loop));
  LLVM::BrOp::create(builder, enter->getArguments(), strip);
  LLVM::CondBrOp leaving = leavingLatch(loop);
  return leaving ? pollAtLatch(loop, leaving, limit) : pollOnTheWayBack(loop, limit);
}

/// Adds what a round costs; whether the strip is at its end, or is not.
Value PollBuilder::addRound(const PolledLoop &loop, Value limit, bool asksForEnd) {
  Value sum = add(load(workOf(loop)), constant(loop.cost));
  markStrip(loop, sum.getDefiningOp(), 0);
  LLVM::StoreOp::create(builder, sum, workOf(loop));
  return LLVM::ICmpOp::create(builder, asksForEnd ? ICmpPredicate::eq : ICmpPredicate::ne,
                              sum, limit);
}

/// The loop is left also at a strip's end.
Operation *PollBuilder::pollAtLatch(const PolledLoop &loop, LLVM::CondBrOp latch,
                                    Value limit) {
  const unsigned stay = latch.getTrueDest() == loop.header ? 0 : 1;
  Block *strip = limit.getParentBlock();
  Value condition = latch.getCondition(), both;
  builder.setInsertionPoint(latch);
  if (stay == 0)
    both = LLVM::AndOp::create(builder, condition, addRound(loop, limit, false));
  else
    both = LLVM::OrOp::create(builder, condition, addRound(loop, limit, true));
  markStrip(loop, both.getDefiningOp(), 0);
  latch.getConditionMutable().assign(both);
  Block *poll = leaveBy(loop, latch, stay, condition),
        *ask = latch->getSuccessor(1 - stay);
  Operation *place = fillPoll(poll, strip, operandsFor(latch, stay));
  if (loop.outer)
    for (auto [from, index] : loop.exits)
      chargeWork(loop, limit, from == latch->getBlock() ? ask : from,
                 from == latch->getBlock() ? 1 - stay : index);
  return place;
}

/// Notes what a loop without strips would have instead of an operation: an operand, or
/// the only successor.
void PollBuilder::markStrip(const PolledLoop &loop, Operation *op, unsigned kept) {
  const int32_t number = &loop - plan.loops.begin();
  if (!plan.together)
    op->setAttr(ir::stripAttrName,
                builder.getDenseI32ArrayAttr({static_cast<int32_t>(kept), number}));
}

/// Makes two blocks on the loop's way back: one that counts, and the poll's.
Operation *PollBuilder::pollOnTheWayBack(const PolledLoop &loop, Value limit) {
  Block *count = blockLike(loop.header), *poll = new Block();
  poll->insertBefore(loop.header);
  redirect(loop.latches, loop.header, count);
  builder.setInsertionPointToEnd(count);
  Value isEnd = addRound(loop, limit, /*asksForEnd=*/true);
  auto end = LLVM::CondBrOp::create(builder, isEnd, poll, ValueRange{}, loop.header,
                                    count->getArguments(),
                                    std::pair<int32_t, int32_t>(1, plan.interval));
  markStrip(loop, end, 1);
  Operation *place = fillPoll(poll, limit.getParentBlock(), count->getArguments());
  if (loop.outer)
    for (auto [from, index] : loop.exits)
      chargeWork(loop, limit, from, index);
  return place;
}

/// What a loop that is left has done since its last poll counts for the one around it.
void PollBuilder::chargeWork(const PolledLoop &loop, Value limit, Block *from,
                             unsigned index) {
  onEdge(from, index);
  Value rest = sub(limit, load(workOf(loop)));
  charge(plan.loops[*loop.outer], sub(lengthOf(loop), rest));
}

void PollBuilder::promoteWork() {
  llvm::erase_if(work, [](LLVM::AllocaOp sum) { return !sum; });
  promoteVariables(kernel.getBody(), work);
}

//===----------------------------------------------------------------------===//
// All loops
//===----------------------------------------------------------------------===//

/// How far threads came in the last strip is not the same for all: a part of one is
/// taken.
void PollBuilder::beginVote(const PolledLoop &loop) {
  vote.reset();
  if (loop.isVotedOn)
    vote = voteOn(builder, kernel, loop, plan);
  if (!loop.outerOfVote)
    return;
  constexpr unsigned quarter = 4;
  builder.setInsertionPointToStart(vote->leave);
  Value part = LLVM::UDivOp::create(builder, lengthOf(loop), constant(quarter));
  charge(plan.loops[*loop.outerOfVote], part);
}

Operation *PollBuilder::insert(const PolledLoop &loop) {
  builder.setLoc(loop.header->front().getLoc());
  beginVote(loop);
  if (loop.isInside)
    return insertInside(loop);
  return isStripOfRounds(loop) ? insertByRounds(loop) : insertByWork(loop);
}

Polls PollBuilder::insert() {
  Polls polls = {{}, {}, plan.together};
  for (const PolledLoop &loop : plan.loops) {
    polls.places.push_back(insert(loop));
    polls.headers.push_back(loop.hasInner ? nullptr : loop.header);
  }
  promoteWork();
  return polls;
}

} // namespace

Polls insertPolls(LLVM::LLVMFuncOp kernel, unsigned interval) {
  auto where = kernel->getAttrOfType<StringAttr>(ir::safePointsAttrName);
  if (where && where == ir::safePointsAtBarriers)
    return {};
  return PollBuilder(kernel, interval).insert();
}

} // namespace het::transforms
