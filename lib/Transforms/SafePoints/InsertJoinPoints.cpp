// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows for each block the points from which it is reached without another point
// between. Blocks with too many get a point of their own: behind it there is but this
// one.

#include "InsertJoinPoints.h"
#include "InsertLoopPoints.h"
#include "RouteValues.h"
#include "het/Transforms/Passes.h"
#include "het/Transforms/UniformityAnalysis.h"
#include "llvm/ADT/PostOrderIterator.h"

namespace het::transforms {
#define GEN_PASS_DEF_INSERTJOINPOINTS
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;

namespace het::transforms {
namespace {

/// Copies of a block that are few enough, and operations in all copies that are.
constexpr size_t fewCopies = 8, fewOperations = 10000;

class Joins {
public:
  explicit Joins(LLVM::LLVMFuncOp kernel) : order(&kernel.getBody()), uniformity(kernel) {
    for (Block *block : order)
      for (auto point : block->getOps<ir::SafePointOp>()) {
        lastPoint[block] = point;
        areTogether &= isTogether(block);
      }
  }

  SmallVector<Operation *> find();

private:
  using Points = SmallVector<Operation *, 8>; ///< sorted; a chosen block is its first one

  bool isTogether(Block *block) const {
    return uniformity.controlLevel(block) <= ir::Level::Block;
  }
  bool mayBeChosen(Block *block) const {
    return !block->isEntryBlock() && (isTogether(block) || !areTogether);
  }
  Points pointsBefore(Block *block) const;
  bool update(bool chooses);
  size_t countCopied() const;

  llvm::ReversePostOrderTraversal<Region *> order;
  UniformityAnalysis uniformity;
  bool areTogether = true; ///< all points are where a block's threads are together
  DenseMap<Block *, Operation *> lastPoint;
  DenseMap<Block *, Points> reachedBy;
  llvm::SmallPtrSet<Block *, 16> chosen;
};

/// The points from which ways lead to the block's beginning.
Joins::Points Joins::pointsBefore(Block *block) const {
  Points points;
  for (Block *from : block->getPredecessors()) {
    if (Operation *last = lastPoint.lookup(from))
      points.push_back(last);
    else if (chosen.contains(from))
      points.push_back(&from->front());
    else if (auto found = reachedBy.find(from); found != reachedBy.end())
      llvm::append_range(points, found->second);
  }
  llvm::sort(points);
  points.erase(llvm::unique(points), points.end());
  return points;
}

/// Goes through all blocks once; whether anything has become different.
bool Joins::update(bool chooses) {
  bool changed = false;
  for (Block *block : order) {
    Points points = pointsBefore(block);
    if (chooses && points.size() > fewCopies && mayBeChosen(block))
      changed |= chosen.insert(block).second;
    Points &known = reachedBy[block];
    changed |= known != points;
    known = std::move(points);
  }
  return changed;
}

size_t Joins::countCopied() const {
  size_t count = 0;
  for (const auto &[block, points] : reachedBy)
    count += points.size() * block->getOperations().size();
  return count;
}

SmallVector<Operation *> Joins::find() {
  // What goes round in loops of loops needs some more rounds.
  constexpr unsigned maxRounds = 16;
  for (unsigned round = 0; countCopied() <= fewOperations; ++round)
    if (!update(/*chooses=*/false) || round == maxRounds)
      return {};
  reachedBy.clear();
  for (unsigned round = 0; update(/*chooses=*/true) && round < maxRounds;)
    ++round;
  SmallVector<Operation *> places;
  for (Block *block : order)
    if (chosen.contains(block))
      places.push_back(&block->front());
  return places;
}

} // namespace

SmallVector<Operation *> findJoinPlaces(LLVM::LLVMFuncOp kernel) {
  if (kernel.getBody().hasOneBlock())
    return {};
  return Joins(kernel).find();
}

SmallVector<Type> insertJoinPoints(LLVM::LLVMFuncOp kernel, unsigned firstSlot) {
  return insertAdditionalPoints(kernel, findJoinPlaces(kernel), firstSlot);
}

} // namespace het::transforms

using namespace het;

namespace {

struct InsertJoinPoints : het::transforms::impl::InsertJoinPointsBase<InsertJoinPoints> {
  void runOnOperation() override {
    getOperation()->walk([](LLVM::LLVMFuncOp function) {
      if (ir::isKernel(function) && !function.isExternal())
        (void)het::transforms::insertJoinPoints(function,
                                                het::transforms::nextSlot(function));
    });
  }
};

} // namespace
