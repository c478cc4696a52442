// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts a safe point at a kernel's entry and before each sync point, and routes
// every value that lives across one through it, as an operand and a result: after
// the pass no value crosses a safe point in any other way, but for those that can
// be recomputed (Recompute.h) and local objects, whose memory is in the frame.
//
// How: each value that lives across a safe point becomes a variable in memory for
// a moment (a store after its definition, a load before each use), a safe point
// loads its variables and stores its results, and promoteVariables makes SSA of it
// again. A variable is a slot: safe points share the number of a variable, and
// variables that are never alive together share a slot of their size.
//
// Source: docs/spec/hetir.md, Safe points.
#include "../Analysis/ObjectAddresses.h"
#include "../Analysis/ParkingObstacles.h"
#include "InsertPolls.h"
#include "LocalObjects.h"
#include "LoopPoints.h"
#include "PromoteVariables.h"
#include "VoteOnLoops.h"
#include "het/IR/Module.h"
#include "het/Transforms/Frame.h"
#include "het/Transforms/LockstepHazards.h"
#include "het/Transforms/Passes.h"
#include "het/Transforms/Recompute.h"
#include "het/Transforms/WaitingLoops.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace het::transforms {
#define GEN_PASS_DEF_INSERTSAFEPOINTS
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;
using namespace het;
using ir::SafePointReason;
using transforms::Recompute;

namespace {

/// A place that gets a safe point, and what lives there.
struct Point {
  Operation *before;
  SafePointReason reason;
  SmallVector<Value> live;
};

class Inserter {
public:
  /// With a poll interval: for kernels that can be parked.
  Inserter(LLVM::LLVMFuncOp kernel, bool teamOps, bool uniformLoops,
           unsigned pollInterval)
      : kernel(kernel), body(kernel.getBody()), teamOps(teamOps),
        uniformLoops(uniformLoops), pollInterval(pollInterval),
        parkable(pollInterval != 0) {}

  void run();
  SmallVector<Type> runBeside(unsigned firstSlot);

private:
  void removeSafePoints();
  void route(unsigned firstId);
  void collectPoints();
  void collectOtherPoints();
  void collectLoopPoints();
  void addPoint(Operation *before, SafePointReason reason) {
    points.push_back({before, reason, {}});
    places.insert(before);
    if (reason == SafePointReason::Poll)
      pollPlaces.insert(before);
  }
  bool hasPointAt(Operation *op) const { return places.contains(op); }
  bool isPoll(Operation *op) const { return pollPlaces.contains(op); }
  static bool isWaitedAt(const Point &point);
  void collectWaitingLoops();
  void collectHazards();
  void refuseParking(const Twine &reason, Operation *at = nullptr);
  void findObjects();
  void sortPoints();
  void numberValues();
  void findLiveValues();
  void assignSlots();
  void createVariables();
  void demote(Value value);
  void insert(Point &point, unsigned id);
  Type slotType(Value value);

  LLVM::LLVMFuncOp kernel;
  Region &body;
  bool teamOps, uniformLoops;
  unsigned pollInterval;
  bool parkable;
  SmallVector<Point> points;
  llvm::DenseSet<Operation *> places, pollPlaces; // of all points, of polls
  DenseMap<Value, unsigned> order;
  llvm::MapVector<Value, unsigned> slots; // live value → slot
  SmallVector<Type> slotTypes;
  unsigned firstSlot = 0; // of these, among the kernel's
  bool isBeside = false;  // the points are (LoopPoints.h)
  DenseMap<Value, LLVM::AllocaOp> variables;
  DenseMap<Value, Value> objects; // live pointer → what its slot's distance is from
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
  transforms::Polls polls = {{}, {}, parkable};
  if (parkable && pollInterval != transforms::noPolls)
    polls = transforms::insertPolls(kernel, pollInterval);
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
  if (!polls.together || llvm::any_of(points, isWaitedAt))
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
bool Inserter::isWaitedAt(const Point &point) {
  return point.reason == SafePointReason::Yield ||
         ir::syncScope(point.before) == ir::SyncScope::Grid;
}

/// Whether a compiler unrolls it, and so makes values of arrays that it goes through. A
/// parked thread that went on in its middle would keep it from that.
static bool isUnrolled(CFGLoop *loop) {
  constexpr unsigned mostRounds = 32;
  std::optional<transforms::CountedLoop> counted = transforms::findCountedLoop(loop);
  std::optional<uint64_t> rounds = counted ? counted->constantRounds() : std::nullopt;
  return rounds && *rounds <= mostRounds;
}

/// Headers and exits of loops whose every branch out is uniform over the block:
/// there all lanes of a block can go on together, an iteration at a time.
void Inserter::collectLoopPoints() {
  if (body.hasOneBlock())
    return;
  UniformityAnalysis uniformity(kernel);
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&body));
  llvm::SetVector<Block *> blocks;
  for (CFGLoop *loop : loops.getLoopsInPreorder()) {
    if (!transforms::isGoneRoundTogether(loop, uniformity) ||
        transforms::isAroundVote(loop) || (parkable && isUnrolled(loop)))
      continue;
    SmallVector<Block *> exits;
    loop->getExitBlocks(exits);
    blocks.insert(loop->getHeader());
    // An exit that threads also reach from elsewhere (those that skip the loop) is
    // no place of the loop's own.
    for (Block *exit : exits)
      if (llvm::all_of(exit->getPredecessors(),
                       [&](Block *from) { return loop->contains(from); }))
        blocks.insert(exit);
  }
  for (Block *block : blocks)
    if (!block->isEntryBlock() && !isPoll(&block->front()))
      addPoint(&block->front(), SafePointReason::Loop);
}

/// Headers of loops that wait for other threads (WaitingLoops.h).
void Inserter::collectWaitingLoops() {
  if (body.hasOneBlock())
    return;
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&body));
  for (CFGLoop *loop : loops.getLoopsInPreorder())
    if (Operation *first = &loop->getHeader()->front();
        !hasPointAt(first) && transforms::waitsForOthers(loop, dominance))
      addPoint(first, SafePointReason::Yield);
}

/// Where lanes rely on running in lockstep (LockstepHazards.h).
void Inserter::collectHazards() {
  UniformityAnalysis uniformity(kernel);
  for (Operation *op : transforms::findLockstepHazards(kernel, uniformity))
    if (!hasPointAt(op))
      addPoint(op, SafePointReason::Loop);
}

/// Points in the order of the code: the scheduler lets those behind catch up first.
void Inserter::sortPoints() {
  DenseMap<Operation *, unsigned> place;
  for (Block &block : body)
    for (Operation &op : block)
      place.try_emplace(&op, place.size());
  llvm::stable_sort(points, [&](const Point &a, const Point &b) {
    return place.lookup(a.before) < place.lookup(b.before);
  });
}

/// A fixed order of all values, so that live lists are deterministic.
void Inserter::numberValues() {
  for (Block &block : body) {
    for (Value argument : block.getArguments())
      order.try_emplace(argument, order.size());
    for (Operation &op : block)
      for (Value result : op.getResults())
        order.try_emplace(result, order.size());
  }
}

void Inserter::findLiveValues() {
  Liveness liveness(kernel);
  Recompute recompute;
  llvm::MapVector<Block *, DenseMap<Operation *, SmallVector<Point *, 1>>> pointsOf;
  for (Point &point : points)
    pointsOf[point.before->getBlock()][point.before].push_back(&point);
  for (auto &[block, pointsAt] : pointsOf) {
    llvm::SmallPtrSet<Value, 32> live;
    auto add = [&](Value value) {
      if (!recompute.isRecomputable(value))
        live.insert(value);
    };
    llvm::for_each(liveness.getLiveOut(block), add);
    for (Operation &op : llvm::reverse(*block)) {
      for (Value result : op.getResults())
        live.erase(result);
      llvm::for_each(op.getOperands(), add);
      if (auto it = pointsAt.find(&op); it != pointsAt.end())
        for (Point *point : it->second)
          point->live.assign(live.begin(), live.end());
    }
  }
  for (Point &point : points)
    llvm::sort(point.live,
               [&](Value a, Value b) { return order.lookup(a) < order.lookup(b); });
}

/// Why blocks of the kernel are not parked inside.
void Inserter::refuseParking(const Twine &reason, Operation *at) {
  parkable = false;
  if (at)
    kernel->setAttr(ir::unparkableAtAttrName, at->getLoc());
  kernel->setAttr(ir::unparkableAttrName, StringAttr::get(kernel.getContext(), reason));
}

/// Live addresses of objects are kept as distances.
void Inserter::findObjects() {
  transforms::ObjectAddresses addresses(kernel);
  for (Point &point : points)
    for (Value value : point.live) {
      if (!isa<LLVM::LLVMPointerType>(value.getType()) || objects.contains(value))
        continue;
      std::optional<Value> object = addresses.objectOf(value);
      if (!object)
        return refuseParking("an address may be that of several objects");
      objects[value] = *object;
    }
}

Type Inserter::slotType(Value value) {
  return objects.lookup(value) ? IntegerType::get(kernel.getContext(), 64)
                               : value.getType();
}

/// Gives every live value a slot: one that no value alive beside it has, of its
/// own type where there is one (so that a value stays where it was).
void Inserter::assignSlots() {
  llvm::MapVector<Value, SmallVector<unsigned>> pointsOf;
  for (auto [number, point] : llvm::enumerate(points))
    for (Value value : point.live)
      pointsOf[value].push_back(number);
  SmallVector<llvm::BitVector> takenAt(points.size()); // slots
  DenseMap<Type, SmallVector<unsigned>> slotsOf;
  for (auto &[value, livesAt] : pointsOf) {
    llvm::BitVector taken(slotTypes.size());
    for (unsigned point : livesAt)
      taken |= takenAt[point];
    SmallVector<unsigned> &ofType = slotsOf[slotType(value)];
    auto slot = llvm::find_if(ofType, [&](unsigned slot) { return !taken.test(slot); });
    if (slot == ofType.end()) {
      ofType.push_back(slotTypes.size());
      slotTypes.push_back(slotType(value));
      slot = std::prev(ofType.end());
    }
    slots[value] = *slot;
    for (unsigned point : livesAt) {
      takenAt[point].resize(slotTypes.size());
      takenAt[point].set(*slot);
    }
  }
}

/// Moves `value` to memory: a store after its definition, a load before each use.
/// The safe points are there already, each right before its sync point, so the
/// loads of a sync point's operands come behind its safe point.
void Inserter::demote(Value value) {
  OpBuilder builder(kernel.getContext());
  Location loc = value.getLoc();
  LLVM::AllocaOp variable = variables.lookup(value);
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    uses.push_back(&use);
  for (OpOperand *use : uses) {
    builder.setInsertionPoint(use->getOwner());
    use->set(LLVM::LoadOp::create(builder, loc, value.getType(), variable));
  }
  if (Operation *definition = value.getDefiningOp())
    builder.setInsertionPointAfter(definition);
  else
    builder.setInsertionPointToStart(cast<BlockArgument>(value).getOwner());
  LLVM::StoreOp::create(builder, loc, value, variable);
}

void Inserter::createVariables() {
  OpBuilder builder = OpBuilder::atBlockBegin(&body.front());
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), 1);
  for (auto &[value, slot] : slots)
    variables[value] =
        LLVM::AllocaOp::create(builder, loc, pointer, value.getType(), one);
}

void Inserter::insert(Point &point, unsigned id) {
  bool isEntry = point.reason == SafePointReason::Entry;
  Location loc = isEntry ? kernel.getLoc() : point.before->getLoc();
  ImplicitLocOpBuilder builder(loc, point.before);
  SmallVector<Value> operands, ofPoint; // the objects, or null
  SmallVector<Type> types;
  SmallVector<int32_t> numbers;
  for (Value value : point.live) {
    Value object = objects.lookup(value);
    if (object && !isa_and_nonnull<LLVM::AllocaOp>(object.getDefiningOp()) &&
        !isa<BlockArgument>(object))
      object = builder.clone(*object.getDefiningOp())->getResult(0);
    ofPoint.push_back(object);
    Value operand = LLVM::LoadOp::create(builder, value.getType(), variables[value]);
    if (object)
      operand = transforms::ObjectAddresses::encode(builder, operand, object);
    operands.push_back(operand);
    types.push_back(operand.getType());
    numbers.push_back(firstSlot + slots.lookup(value));
  }
  auto safePoint = ir::SafePointOp::create(builder, types, id, point.reason, operands);
  safePoint->setAttr(ir::slotsAttrName, builder.getDenseI32ArrayAttr(numbers));
  if (isBeside)
    safePoint->setAttr(transforms::besideAttrName, builder.getUnitAttr());
  auto store = [&](bool isDistance) {
    for (auto [result, value, object] :
         llvm::zip(safePoint->getResults(), point.live, ofPoint))
      if (isDistance == static_cast<bool>(object))
        LLVM::StoreOp::create(builder,
                              object ? transforms::ObjectAddresses::decode(
                                           builder, result, value.getType(), object)
                                     : result,
                              variables[value]);
  };
  store(false);
  // A sync operation directly follows its safe point; none takes an object's address.
  if (ir::isSyncPoint(point.before) && point.reason != SafePointReason::Loop &&
      point.reason != SafePointReason::Yield && !isEntry)
    builder.setInsertionPointAfter(point.before);
  store(true);
}

/// Routes what lives across the points through them.
void Inserter::route(unsigned firstId) {
  numberValues();
  sortPoints();
  findLiveValues();
  if (parkable)
    findObjects();
  assignSlots();
  createVariables();
  for (auto [number, point] : llvm::enumerate(points))
    insert(point, firstId + number);
  SmallVector<LLVM::AllocaOp> promotable;
  for (auto &[value, slot] : slots) {
    demote(value);
    promotable.push_back(variables.lookup(value));
  }
  transforms::promoteVariables(body, promotable);
}

/// Adds points of loops to those that are there; returns the types of their slots.
SmallVector<Type> Inserter::runBeside(unsigned slot) {
  firstSlot = slot;
  isBeside = true;
  llvm::SmallPtrSet<Operation *, 8> taken;
  unsigned firstId = 0;
  kernel.walk([&](ir::SafePointOp op) {
    firstId = std::max(firstId, static_cast<unsigned>(op.getId()) + 1);
    Operation *first = op; // what is its own may come before it
    while (first->getPrevNode() && isPure(first->getPrevNode()))
      first = first->getPrevNode();
    taken.insert(first);
  });
  collectLoopPoints();
  llvm::erase_if(points,
                 [&](const Point &point) { return taken.contains(point.before); });
  route(firstId);
  return slotTypes;
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
  collectPoints();
  route(0);
  if (!parkable)
    return;
  transforms::copyWrittenArguments(kernel);
  transforms::hoistLocals(body.front());
  const uint64_t hash = transforms::FrameLayout(kernel).hash(kernel);
  kernel->setAttr(ir::layoutAttrName,
                  Builder(kernel.getContext()).getI64IntegerAttr(hash));
}

} // namespace

namespace het::transforms {

SmallVector<Type> insertLoopPoints(LLVM::LLVMFuncOp kernel, unsigned firstSlot) {
  return Inserter(kernel, /*teamOps=*/false, /*uniformLoops=*/true, /*pollInterval=*/0)
      .runBeside(firstSlot);
}

} // namespace het::transforms

namespace {

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
