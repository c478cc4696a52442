// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the places of safe points: a kernel's entry, sync points, and in a parkable
// kernel polls and loops; ValueRouter inserts them there.
//
// Source: docs/spec/hetir.md, Safe points.

#include "../Analysis/ParkingObstacles.h"
#include "CountRounds.h"
#include "InsertLoopPoints.h"
#include "LocalObjects.h"
#include "RouteValues.h"
#include "StripMineLoops.h"
#include "het/Transforms/Frame.h"
#include "het/Transforms/LockstepHazards.h"
#include "het/Transforms/Passes.h"
#include "het/Transforms/UniformityAnalysis.h"
#include "het/Transforms/WaitingLoops.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/RegionUtils.h"

namespace het::transforms {
#define GEN_PASS_DEF_INSERTSAFEPOINTS
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;
using namespace het;
using ir::SafePointReason;
using transforms::SafePointPlace;

namespace {

class Inserter {
public:
  /// With a poll interval: for kernels that can be parked.
  Inserter(LLVM::LLVMFuncOp kernel, bool teamOps, bool uniformLoops,
           unsigned pollInterval)
      : kernel(kernel), body(kernel.getBody()), teamOps(teamOps),
        uniformLoops(uniformLoops), pollInterval(pollInterval),
        parkable(pollInterval != 0) {}

  void run();

private:
  void removeSafePoints();
  void collectPoints();
  void collectOtherPoints();
  void collectLoopPoints();
  void addPoint(Operation *before, SafePointReason reason) {
    points.push_back({before, reason});
    places.insert(before);
    if (reason == SafePointReason::Poll)
      pollPlaces.insert(before);
  }
  bool hasPointAt(Operation *op) const { return places.contains(op); }
  bool isPoll(Operation *op) const { return pollPlaces.contains(op); }
  static bool isWaitedAt(const SafePointPlace &point);
  void collectWaitingLoops();
  void markHazards();
  void collectHazards();
  void refuseParking(const Twine &reason, Operation *at = nullptr);
  void route();

  LLVM::LLVMFuncOp kernel;
  Region &body;
  bool teamOps, uniformLoops;
  unsigned pollInterval;
  bool parkable;
  SmallVector<SafePointPlace> points;
  llvm::DenseSet<Operation *> places, pollPlaces; // of all points, of polls
};

/// Safe points of an earlier run: their results are their operands.
void Inserter::removeSafePoints() {
  SmallVector<ir::SafePointOp> old;
  body.walk([&](ir::SafePointOp op) { old.push_back(op); });
  for (ir::SafePointOp op : old) {
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  }
}

/// Blocks that have begun and end soon are not parked inside: then the points are those
/// that the machine needs.
void Inserter::collectPoints() {
  transforms::Polls polls;
  if (parkable)
    polls = transforms::stripMineLoops(kernel, pollInterval);
  for (Operation *place : polls.places)
    addPoint(place, SafePointReason::Poll);
  const bool wanted[] = {teamOps, uniformLoops};
  teamOps |= parkable;
  uniformLoops |= parkable;
  collectOtherPoints();
  // A strip that a block may be parked in has to end where it goes on.
  SmallVector<unsigned> kept;
  for (auto [number, header] : llvm::enumerate(polls.headers))
    if (header && hasPointAt(&header->front()))
      kept.push_back(number);
  transforms::keepStrips(kernel, kept);
  if (!polls.convergent || llvm::any_of(points, isWaitedAt))
    return;
  kernel->setAttr(ir::parksAtPollsAttrName, UnitAttr::get(kernel.getContext()));
  if (!polls.places.empty())
    return;
  parkable = false;
  std::tie(teamOps, uniformLoops) = std::pair(wanted[0], wanted[1]);
  points.clear();
  places.clear();
  pollPlaces.clear();
  collectOtherPoints();
}

void Inserter::collectOtherPoints() {
  addPoint(&body.front().front(), SafePointReason::Entry);
  // A loop's safe point comes before that of a barrier its header begins with: a
  // sync point directly follows its own.
  if (uniformLoops)
    collectLoopPoints();
  if (teamOps) {
    collectWaitingLoops();
    collectHazards();
  }
  for (Block &block : body)
    for (Operation &op : block) {
      ir::SyncScope scope = ir::syncScope(&op);
      if (isa<ir::BarrierOp>(op) && isPoll(&op))
        continue;
      if (scope == ir::SyncScope::Block || scope == ir::SyncScope::Grid)
        addPoint(&op, SafePointReason::Barrier);
      else if (teamOps && scope == ir::SyncScope::Team)
        addPoint(&op, SafePointReason::Team);
    }
}

/// Whether a block may stay there for long, or has to be parked for another to be.
bool Inserter::isWaitedAt(const SafePointPlace &point) {
  return point.reason == SafePointReason::Yield ||
         ir::syncScope(point.before) == ir::SyncScope::Grid;
}

void Inserter::collectLoopPoints() {
  for (Operation *place : transforms::findLoopPlaces(kernel, /*skipUnrolled=*/parkable))
    if (!isPoll(place))
      addPoint(place, SafePointReason::Loop);
}

/// Places in loops that wait for other threads (WaitingLoops.h).
void Inserter::collectWaitingLoops() {
  if (body.hasOneBlock())
    return;
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&body));
  for (CFGLoop *loop : loops.getLoopsInPreorder())
    if (transforms::findWait(loop, dominance) == transforms::LoopWait::Always)
      if (Operation *place = transforms::placeOfWait(loop, dominance); !hasPointAt(place))
        addPoint(place, SafePointReason::Yield);
  for (Operation *place : transforms::findCountedPlaces(kernel))
    addPoint(place, SafePointReason::Yield);
}

/// Marks where a team is to be stopped until the points have been collected.
constexpr llvm::StringLiteral stopAttrName = "hetir.stop";

/// Marks where lanes rely on running in lockstep (LockstepHazards.h). This is found out
/// before loops are cut into strips, of which each lane has its own.
void Inserter::markHazards() {
  UniformityAnalysis uniformity(kernel);
  OpBuilder builder(kernel.getContext());
  for (Operation *op : transforms::findLockstepHazards(kernel, uniformity)) {
    if (op->hasTrait<OpTrait::IsTerminator>()) { // may be replaced
      builder.setInsertionPoint(op);
      op = LLVM::UndefOp::create(builder, op->getLoc(), builder.getI1Type());
    }
    op->setAttr(stopAttrName, builder.getUnitAttr());
  }
}

void Inserter::collectHazards() {
  for (Block &block : body)
    for (Operation &op : block)
      if (op.hasAttr(stopAttrName) && !hasPointAt(&op))
        addPoint(&op, SafePointReason::Loop);
}

/// Why blocks of the kernel are not parked inside.
void Inserter::refuseParking(const Twine &reason, Operation *at) {
  parkable = false;
  if (at)
    kernel->setAttr(ir::unparkableAtAttrName, at->getLoc());
  kernel->setAttr(ir::unparkableAttrName, StringAttr::get(kernel.getContext(), reason));
}

void Inserter::route() {
  transforms::ValueRouter router(kernel, points);
  if (parkable && !router.encodeAddresses())
    refuseParking("an address may be that of several objects");
  router.route(/*firstId=*/0, /*firstSlot=*/0);
}

void Inserter::run() {
  IRRewriter rewriter(kernel.getContext());
  (void)eraseUnreachableBlocks(rewriter, body);
  removeSafePoints();
  kernel->removeAttr(ir::unparkableAttrName);
  kernel->removeAttr(ir::unparkableAtAttrName);
  kernel->removeAttr(ir::parksAtPollsAttrName);
  kernel->removeAttr(ir::layoutAttrName);
  if (parkable)
    if (auto obstacle = transforms::findParkingObstacle(kernel))
      refuseParking(obstacle->reason, obstacle->at);
  if (teamOps || parkable) {
    markHazards();
    transforms::countRounds(kernel);
  }
  collectPoints();
  body.walk([](Operation *op) { op->removeAttr(stopAttrName); });
  route();
  if (!parkable)
    return;
  transforms::copyWrittenArguments(kernel);
  transforms::hoistLocals(body.front());
  const uint64_t hash = transforms::FrameLayout(kernel).hash(kernel);
  kernel->setAttr(ir::layoutAttrName,
                  Builder(kernel.getContext()).getI64IntegerAttr(hash));
}

struct InsertSafePoints : het::transforms::impl::InsertSafePointsBase<InsertSafePoints> {
  using InsertSafePointsBase::InsertSafePointsBase;
  void runOnOperation() override {
    getOperation()->walk([&](LLVM::LLVMFuncOp function) {
      if (ir::isKernel(function) && !function.isExternal())
        Inserter(function, teamOps, uniformLoops, parkable ? pollInterval : 0).run();
    });
  }
};

} // namespace
