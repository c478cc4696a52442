// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are cut into strips, and the poll stands between strips. Inside of one a loop
// that counts is what it was, with a nearer bound; any other sums up what it does, and
// leaves the strip when that is enough. Strips begin anew when a loop is entered, so that
// lanes that enter it together come to its polls together; what they have done since the
// last poll then counts for the loop around them. Where rounds take long, of outer loops
// and those with barriers, the poll is in the loop: what strips begin with would take
// registers.

#include "StripMineLoops.h"
#include "RouteValues.h"
#include "StripBuilder.h"
#include "VoteOnLoops.h"
#include "het/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace het::transforms {
#define GEN_PASS_DEF_STRIPMINELOOPS
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;
using LLVM::ICmpPredicate;

namespace het::transforms {
namespace {

class StripMiner : StripBuilder {
public:
  StripMiner(LLVM::LLVMFuncOp kernel, unsigned interval)
      : StripBuilder(kernel, planPolls(kernel, interval)) {}

  Polls insert();

private:
  void beginVote(const PolledLoop &loop);
  Operation *insert(const PolledLoop &loop);
  Operation *fillPoll(Block *poll, Block *strip, ValueRange values);

  static bool isStripOfRounds(const PolledLoop &loop);
  Operation *insertInside(const PolledLoop &loop);
  Operation *insertByRounds(const PolledLoop &loop);
  Value beginRounds(const PolledLoop &loop, Block *strip);
  Value nearer(const CountedLoop &counted, Value bound, Value other,
               llvm::function_ref<Value()> isFar);
  Value workBetween(const PolledLoop &loop, Value from, Value to);
  void giveBackRounds(const PolledLoop &loop, Value limit);

  static LLVM::CondBrOp leavingLatch(const PolledLoop &loop);
  Operation *insertByWork(const PolledLoop &loop);
  Operation *pollAtLatch(const PolledLoop &loop, LLVM::CondBrOp latch, Value limit);
  Operation *pollOnTheWayBack(const PolledLoop &loop, Value limit);
  Value addRound(const PolledLoop &loop, Value limit, bool asksForEnd);
  void chargeWork(const PolledLoop &loop, Value limit, Block *from, unsigned index);

  std::optional<LoopVote> vote; ///< The vote of the loop that is being cut.
};

/// What the poll's block does; the place of its safe point.
Operation *StripMiner::fillPoll(Block *poll, Block *strip, ValueRange values) {
  if (vote)
    return vote->endStripIn(builder, poll, values);
  builder.setInsertionPointToEnd(poll);
  if (plan.convergent)
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
Operation *StripMiner::insertInside(const PolledLoop &loop) {
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
bool StripMiner::isStripOfRounds(const PolledLoop &loop) {
  constexpr int64_t largestStep = 1 << 10;
  if (!loop.counted || loop.hasInner)
    return false;
  const std::optional<int64_t> &step = loop.counted->constantStep;
  return step ? std::abs(*step) <= largestStep : !loop.outer;
}

Operation *StripMiner::insertByRounds(const PolledLoop &loop) {
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

/// Finds the bound of this strip: some rounds ahead, or the loop's own where that is
/// nearer. Where `first + ahead` overflows, the strip is of one round.
Value StripMiner::beginRounds(const PolledLoop &loop, Block *strip) {
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
Value StripMiner::nearer(const CountedLoop &counted, Value bound, Value other,
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

/// Work of the rounds of one strip. A loop that has one round only begins beyond its
/// bound.
Value StripMiner::workBetween(const PolledLoop &loop, Value from, Value to) {
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
void StripMiner::giveBackRounds(const PolledLoop &loop, Value limit) {
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

/// The only latch, if it may leave the loop.
LLVM::CondBrOp StripMiner::leavingLatch(const PolledLoop &loop) {
  auto isLatch = [&](auto exit) { return exit.first == loop.latches.front(); };
  if (loop.latches.size() != 1 || llvm::none_of(loop.exits, isLatch))
    return {};
  return dyn_cast<LLVM::CondBrOp>(loop.latches.front()->getTerminator());
}

Operation *StripMiner::insertByWork(const PolledLoop &loop) {
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
Value StripMiner::addRound(const PolledLoop &loop, Value limit, bool asksForEnd) {
  Value sum = add(load(workOf(loop)), constant(loop.cost));
  markStrip(loop, sum.getDefiningOp(), 0);
  LLVM::StoreOp::create(builder, sum, workOf(loop));
  return LLVM::ICmpOp::create(builder, asksForEnd ? ICmpPredicate::eq : ICmpPredicate::ne,
                              sum, limit);
}

/// The loop is left also at a strip's end.
Operation *StripMiner::pollAtLatch(const PolledLoop &loop, LLVM::CondBrOp latch,
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

/// Makes two blocks on the loop's way back: one that counts, and the poll's.
Operation *StripMiner::pollOnTheWayBack(const PolledLoop &loop, Value limit) {
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
void StripMiner::chargeWork(const PolledLoop &loop, Value limit, Block *from,
                            unsigned index) {
  onEdge(from, index);
  Value rest = sub(limit, load(workOf(loop)));
  charge(plan.loops[*loop.outer], sub(lengthOf(loop), rest));
}

//===----------------------------------------------------------------------===//
// All loops
//===----------------------------------------------------------------------===//

/// How far threads came in the last strip is not the same for all: a part of one is
/// taken.
void StripMiner::beginVote(const PolledLoop &loop) {
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

Operation *StripMiner::insert(const PolledLoop &loop) {
  builder.setLoc(loop.header->front().getLoc());
  beginVote(loop);
  if (loop.isInside)
    return insertInside(loop);
  return isStripOfRounds(loop) ? insertByRounds(loop) : insertByWork(loop);
}

Polls StripMiner::insert() {
  Polls polls = {{}, {}, plan.convergent};
  for (const PolledLoop &loop : plan.loops) {
    polls.places.push_back(insert(loop));
    polls.headers.push_back(loop.hasInner ? nullptr : loop.header);
  }
  promoteWork();
  return polls;
}

} // namespace

Polls stripMineLoops(LLVM::LLVMFuncOp kernel, unsigned interval) {
  return StripMiner(kernel, interval).insert();
}

} // namespace het::transforms

using namespace het;

namespace {

/// Polls get safe points, which carry nothing: what lives there is InsertSafePoints'
/// part.
void markPolls(LLVM::LLVMFuncOp kernel, const transforms::Polls &polls) {
  unsigned id = transforms::nextSafePointId(kernel);
  for (Operation *place : polls.places) {
    OpBuilder builder(place);
    ir::SafePointOp::create(builder, place->getLoc(), TypeRange(), id++,
                            ir::SafePointReason::Poll, ValueRange());
  }
}

struct StripMineLoops : het::transforms::impl::StripMineLoopsBase<StripMineLoops> {
  using StripMineLoopsBase::StripMineLoopsBase;
  void runOnOperation() override {
    getOperation()->walk([&](LLVM::LLVMFuncOp function) {
      if (ir::isKernel(function) && !function.isExternal())
        markPolls(function, het::transforms::stripMineLoops(function, pollInterval));
    });
  }
};

} // namespace
