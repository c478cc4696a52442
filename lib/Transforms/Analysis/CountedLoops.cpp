// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the one form of a counted loop that Clang's loop passes leave: rotated, with a
// test of the counter, or of its next value, at the latch.

#include "CountedLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APInt.h"

using namespace mlir;
using LLVM::ICmpPredicate;

namespace het::transforms {

static_assert(int(ICmpPredicate::sge) == int(arith::CmpIPredicate::sge) &&
              int(ICmpPredicate::uge) == int(arith::CmpIPredicate::uge));

static ICmpPredicate inverse(ICmpPredicate predicate) {
  return static_cast<ICmpPredicate>(
      arith::invertPredicate(static_cast<arith::CmpIPredicate>(predicate)));
}

/// The predicate for the operands in the other order.
static ICmpPredicate swapped(ICmpPredicate predicate) {
  switch (predicate) {
  case ICmpPredicate::slt:
    return ICmpPredicate::sgt;
  case ICmpPredicate::sle:
    return ICmpPredicate::sge;
  case ICmpPredicate::sgt:
    return ICmpPredicate::slt;
  case ICmpPredicate::sge:
    return ICmpPredicate::sle;
  case ICmpPredicate::ult:
    return ICmpPredicate::ugt;
  case ICmpPredicate::ule:
    return ICmpPredicate::uge;
  case ICmpPredicate::ugt:
    return ICmpPredicate::ult;
  case ICmpPredicate::uge:
    return ICmpPredicate::ule;
  default:
    return predicate;
  }
}

static std::optional<llvm::APInt> constantOf(Value value) {
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  return std::nullopt;
}

bool CountedLoop::isIncreasing() const {
  switch (predicate) {
  case ICmpPredicate::slt:
  case ICmpPredicate::sle:
  case ICmpPredicate::ult:
  case ICmpPredicate::ule:
    return true;
  case ICmpPredicate::ne:
    return *constantStep > 0;
  default:
    return false;
  }
}

namespace {

class Finder {
public:
  explicit Finder(CFGLoop *loop) : loop(loop) {}

  std::optional<CountedLoop> find() {
    found.header = loop->getHeader();
    found.latch = loop->getLoopLatch();
    auto branch = found.latch ? dyn_cast<LLVM::CondBrOp>(found.latch->getTerminator())
                              : LLVM::CondBrOp();
    if (!branch || branch.getTrueDest() == branch.getFalseDest())
      return std::nullopt;
    found.stay = branch.getTrueDest() == found.header ? 0 : 1;
    if (loop->contains(branch->getSuccessor(1 - found.stay)))
      return std::nullopt;
    found.test = branch.getCondition().getDefiningOp<LLVM::ICmpOp>();
    if (!found.test || !isa<IntegerType>(found.test.getLhs().getType()) ||
        !llvm::is_contained({32u, 64u},
                            found.test.getLhs().getType().getIntOrFloatBitWidth()))
      return std::nullopt;
    ICmpPredicate predicate = found.test.getPredicate();
    found.predicate = found.stay == 0 ? predicate : inverse(predicate);
    if (counts(found.test.getLhs(), found.test.getRhs()))
      return found;
    found.predicate = swapped(found.predicate);
    if (counts(found.test.getRhs(), found.test.getLhs()))
      return found;
    return std::nullopt;
  }

private:
  bool isInvariant(Value value) const {
    return constantOf(value) || !loop->contains(value.getParentBlock());
  }

  /// Fills in what is compared, if it is a counter and its bound.
  bool counts(Value counted, Value bound) {
    if (!isInvariant(bound))
      return false;
    found.counted = counted;
    found.bound = bound;
    auto argument = dyn_cast<BlockArgument>(counted);
    found.testsNext = !argument;
    if (argument)
      return argument.getOwner() == found.header && isCounter(argument.getArgNumber());
    for (auto [index, value] : llvm::enumerate(nextValues()))
      if (value == counted && isCounter(index))
        return true;
    return false;
  }

  OperandRange nextValues() const {
    auto branch = cast<BranchOpInterface>(found.latch->getTerminator());
    return branch.getSuccessorOperands(found.stay).getForwardedOperands();
  }

  bool isCounter(unsigned index) {
    Value argument = found.header->getArgument(index), next = nextValues()[index];
    found.argument = index;
    found.constantStep.reset();
    if (auto add = next.getDefiningOp<LLVM::AddOp>()) {
      found.step = add.getLhs() == argument ? add.getRhs() : add.getLhs();
      if (add.getLhs() != argument && add.getRhs() != argument)
        return false;
      if (auto constant = constantOf(found.step))
        found.constantStep = constant->getSExtValue();
    } else if (auto sub = next.getDefiningOp<LLVM::SubOp>()) {
      found.step = sub.getRhs();
      auto constant = constantOf(found.step);
      if (sub.getLhs() != argument || !constant || constant->isMinSignedValue())
        return false;
      found.constantStep = -constant->getSExtValue();
    } else {
      return false;
    }
    return isInvariant(found.step) && leadsToBound();
  }

  /// Whether rounds lead from any value that is not beyond the bound to the bound.
  bool leadsToBound() const {
    if (found.predicate == ICmpPredicate::eq || found.constantStep == 0)
      return false;
    if (found.predicate == ICmpPredicate::ne)
      return found.constantStep.has_value();
    if (!found.constantStep)
      return found.isIncreasing(); // by a stride, which is hardly negative
    return (*found.constantStep > 0) == found.isIncreasing();
  }

  CFGLoop *loop;
  CountedLoop found = {};
};

using Reader = llvm::function_ref<std::optional<llvm::APInt>(Value)>;

/// How numbers are compared: as the loop's test does it. A test for equality takes
/// either.
enum class Order { Signed, Unsigned, Either };

template <class Signed, class Unsigned> bool isOneOf(Operation *op, Order order) {
  return (order != Order::Unsigned && isa<Signed>(op)) ||
         (order != Order::Signed && isa<Unsigned>(op));
}

/// A constant that a value does not fall below.
std::optional<llvm::APInt> lowerBound(Value value, Order order) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOneOf<LLVM::SMaxOp, LLVM::UMaxOp>(op, order))
    return constantOf(value);
  auto first = constantOf(op->getOperand(0));
  return first ? first : constantOf(op->getOperand(1));
}

/// A constant that a value does not exceed. `depth` bounds the walk through operands.
std::optional<llvm::APInt> upperBound(Value value, Order order, unsigned depth = 4) {
  Operation *op = value.getDefiningOp();
  // Of numbers that are not negative both orders are the same.
  if (order == Order::Unsigned && isa_and_nonnull<LLVM::SMaxOp>(op))
    if (auto least = lowerBound(value, Order::Signed); least && !least->isNegative())
      order = Order::Signed;
  const bool isLess = op && isOneOf<LLVM::SMinOp, LLVM::UMinOp>(op, order);
  const bool isMore = op && order != Order::Unsigned && isa<LLVM::SMaxOp>(op);
  if (depth == 0 || (!isLess && !isMore))
    return constantOf(value);
  auto first = upperBound(op->getOperand(0), order, depth - 1);
  auto second = upperBound(op->getOperand(1), order, depth - 1);
  if (isLess)
    return first ? first : second;
  if (!first || !second)
    return std::nullopt;
  return llvm::APIntOps::smax(*first, *second);
}

/// What `read` finds of the values that the counter has when the loop is entered, if it
/// is the same of all.
std::optional<llvm::APInt> entryOf(const CountedLoop &loop, Reader read) {
  std::optional<llvm::APInt> entry;
  for (auto it = loop.header->pred_begin(), e = loop.header->pred_end(); it != e; ++it) {
    if (*it == loop.latch)
      continue;
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      return std::nullopt;
    auto operands = branch.getSuccessorOperands(it.getSuccessorIndex());
    auto value = operands.isOperandProduced(loop.argument)
                     ? std::nullopt
                     : read(operands[loop.argument]);
    if (!value || (entry && *entry != *value))
      return std::nullopt;
    entry = value;
  }
  return entry;
}

} // namespace

std::optional<CountedLoop> findCountedLoop(CFGLoop *loop) { return Finder(loop).find(); }

std::optional<uint64_t> CountedLoop::constantRounds() const {
  auto entry = entryOf(*this, constantOf), end = constantOf(bound);
  if (!entry || !end)
    return std::nullopt;
  return roundsBetween(*entry, *end);
}

/// LLVM makes tests for equality of others, of loops that are entered only where they
/// have a round to do. A loop that is written with one, and has a bound below its
/// counter, has more rounds than this says, and is suspended late.
std::optional<uint64_t> CountedLoop::maxRounds() const {
  const bool isSigned =
      predicate == ICmpPredicate::slt || predicate == ICmpPredicate::sle ||
      predicate == ICmpPredicate::sgt || predicate == ICmpPredicate::sge;
  const Order order = predicate == ICmpPredicate::ne ? Order::Either
                      : isSigned                     ? Order::Signed
                                                     : Order::Unsigned;
  auto above = [&](Value value) { return upperBound(value, order); };
  auto below = [&](Value value) { return lowerBound(value, order); };
  auto entry = isIncreasing() ? entryOf(*this, below) : entryOf(*this, above);
  auto end = isIncreasing() ? above(bound) : below(bound);
  if (!entry || !end)
    return std::nullopt;
  return roundsBetween(*entry, *end);
}

std::optional<uint64_t> CountedLoop::roundsBetween(const llvm::APInt &entry,
                                                   const llvm::APInt &end) const {
  if (!constantStep)
    return std::nullopt;
  const llvm::APInt change(entry.getBitWidth(), *constantStep, /*isSigned=*/true);
  const llvm::APInt first = testsNext ? entry + change : entry;
  const bool isSigned =
      predicate == ICmpPredicate::slt || predicate == ICmpPredicate::sle ||
      predicate == ICmpPredicate::sgt || predicate == ICmpPredicate::sge;
  const llvm::APInt &low = isIncreasing() ? first : end,
                    &high = isIncreasing() ? end : first;
  if (predicate != ICmpPredicate::ne && (isSigned ? low.sgt(high) : low.ugt(high)))
    return 1; // beyond it at once
  const llvm::APInt distance = high - low, size = change.abs();
  const bool reaches = predicate == ICmpPredicate::sle ||
                       predicate == ICmpPredicate::ule ||
                       predicate == ICmpPredicate::sge || predicate == ICmpPredicate::uge;
  const llvm::APInt rest = distance.urem(size);
  if (predicate == ICmpPredicate::ne && !rest.isZero())
    return std::nullopt;
  const uint64_t whole = distance.udiv(size).getLimitedValue(UINT32_MAX);
  return whole + (reaches || !rest.isZero() ? 1 : 0) + 1;
}

} // namespace het::transforms
