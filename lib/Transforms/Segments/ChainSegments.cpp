// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a kernel whose every safe point is reached by a block's threads
// together: segments chained by plain control flow.
//
// Each segment becomes a function that runs it for all lanes in a loop nest over
// the block; the innermost loop is the block's x, so that lanes are neighbours in
// memory and LLVM can vectorise it. Between segments runs the kernel's own control
// flow, once a block: the branches between two points whose conditions are uniform,
// with the uniform values they need. Uniform values are ordinary SSA values there
// and arguments of the segments' functions; only what differs from lane to lane is
// in slots.

#include "../SafePoints/InsertLoopPoints.h"
#include "ChainAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace het::transforms {
namespace {

class Chain : ChainAnalysis {
public:
  Chain(SegmentedKernel &segments, FrameLayout layout)
      : ChainAnalysis(segments), layout(std::move(layout)),
        builder(kernel.getLoc(), kernel.getContext()) {}

  using ChainAnalysis::isChainable;
  LogicalResult build();

private:
  using Uniforms = SmallVector<Value>;

  LogicalResult buildEntry(Block *entry);
  LogicalResult addResume();
  void addEntry(const SegmentPoint &point, uint32_t pc, Block *target);
  void buildPark(const SegmentPoint &point);
  bool parksAt(const SegmentPoint &point) const;
  void parkIfAsked(const SegmentPoint &point);
  LogicalResult buildPoint(const SegmentPoint &point);
  void provideRecomputable(const SegmentPoint &point, IRMapping &mapping);
  SmallVector<Block *> blocksToPoints(const SegmentPoint &point);
  void buildControl(const SegmentPoint &point, IRMapping mapping);
  void buildTerminator(Block *block, IRMapping &mapping);
  void buildJoin(Block *block, IRMapping &mapping);
  void buildSwitch(LLVM::SwitchOp choice, IRMapping &mapping);
  Block *edgeTo(Block *target, IRMapping &mapping);
  SmallVector<Value> edgeOperands(BranchOpInterface branch, unsigned successor,
                                  IRMapping &mapping);
  void leaveTo(const SegmentPoint &target, IRMapping &mapping);
  SmallVector<Value> scalarOperands(Block *target, ValueRange operands,
                                    IRMapping &mapping);
  void returnPc(uint32_t pc);

  FrameLayout layout;
  ImplicitLocOpBuilder builder;
  bool keepsPcs = false; // some lanes may end while others go on

  LLVM::LLVMFuncOp run;
  std::optional<FrameAccess> frame; // in `run`
  SmallVector<Block *> pointBlocks; // in `run`, by the point's id
  SmallVector<Block *> parkBlocks;  // likewise, with the same arguments; or none
  SmallVector<std::pair<uint32_t, Block *>> entries; // pcs to go on with
};

/// The pc of a block that waits at this point, a barrier of the grid or of a cluster.
static uint32_t waitingPc(const SegmentPoint &point) {
  return point.id | (ir::usesCluster(point.sync) ? clusterBit : 0);
}

void Chain::returnPc(uint32_t pc) {
  LLVM::ReturnOp::create(builder,
                         ValueRange{constant32(builder, static_cast<int32_t>(pc))});
}

/// Goes on to `target` with its uniform live values; at a barrier of the grid or of the
/// cluster the block leaves them in its frame and waits.
void Chain::leaveTo(const SegmentPoint &target, IRMapping &mapping) {
  SmallVector<Value> values;
  for (unsigned index : uniform[target.id].set_bits())
    values.push_back(mapping.lookup(target.op.getLive()[index]));
  if (!isa_and_nonnull<ir::GridBarrierOp>(target.sync)) {
    LLVM::BrOp::create(builder, values, pointBlocks[target.id]);
    return;
  }
  for (auto [index, value] : llvm::zip(uniform[target.id].set_bits(), values))
    LLVM::StoreOp::create(builder, value,
                          frame->slotOfBlock(builder, target.slots[index]));
  returnPc(waitingPc(target));
}

SmallVector<Value> Chain::scalarOperands(Block *target, ValueRange operands,
                                         IRMapping &mapping) {
  SmallVector<Value> values;
  if (!mapping.contains(target))
    return values;
  for (auto [argument, operand] : llvm::zip(target->getArguments(), operands))
    if (isUniform(argument))
      values.push_back(mapping.lookup(operand));
  return values;
}

/// The block that an edge goes to. One into a point is a block that leaves; one to where
/// all threads only end, a block that ends.
Block *Chain::edgeTo(Block *target, IRMapping &mapping) {
  const SegmentPoint *point = segments.pointIn(target);
  if (!point && mapping.contains(target))
    return mapping.lookup(target);
  OpBuilder::InsertionGuard guard(builder);
  Block *exit = new Block();
  run.getBody().push_back(exit);
  builder.setInsertionPointToEnd(exit);
  if (point)
    leaveTo(*point, mapping);
  else
    returnPc(endedPc);
  return exit;
}

SmallVector<Value> Chain::edgeOperands(BranchOpInterface branch, unsigned successor,
                                       IRMapping &mapping) {
  return scalarOperands(branch->getSuccessor(successor),
                        branch.getSuccessorOperands(successor).getForwardedOperands(),
                        mapping);
}

/// Goes on from a branch that threads take apart to where they meet again, if they do
/// before they end.
void Chain::buildJoin(Block *block, IRMapping &mapping) {
  bool valid = true;
  Block *join = joinOf(block, valid);
  auto branch = cast<BranchOpInterface>(block->getTerminator());
  std::optional<unsigned> way = onlyWayOn(block);
  if (way && branch->getSuccessor(*way) == join)
    LLVM::BrOp::create(builder, edgeOperands(branch, *way, mapping),
                       edgeTo(join, mapping));
  else if (join)
    LLVM::BrOp::create(builder, ValueRange{}, edgeTo(join, mapping));
  else
    returnPc(endedPc);
}

void Chain::buildSwitch(LLVM::SwitchOp choice, IRMapping &mapping) {
  SmallVector<Block *> targets;
  SmallVector<SmallVector<Value>> operands;
  SmallVector<ValueRange> ranges;
  for (unsigned i = 1, e = choice->getNumSuccessors(); i < e; ++i) {
    targets.push_back(edgeTo(choice->getSuccessor(i), mapping));
    operands.push_back(edgeOperands(choice, i, mapping));
  }
  for (auto &list : operands)
    ranges.push_back(list);
  auto first = edgeOperands(choice, 0, mapping);
  LLVM::SwitchOp::create(builder, mapping.lookup(choice.getValue()),
                         edgeTo(choice.getDefaultDestination(), mapping), first,
                         choice.getCaseValuesAttr(), targets, ranges);
}

void Chain::buildTerminator(Block *block, IRMapping &mapping) {
  Operation *terminator = block->getTerminator();
  if (isa<LLVM::ReturnOp, LLVM::UnreachableOp>(terminator))
    return returnPc(endedPc);
  if (goesOnApart(block))
    return buildJoin(block, mapping);
  if (auto choice = dyn_cast<LLVM::SwitchOp>(terminator);
      choice && choice->getNumSuccessors() > 1)
    return buildSwitch(choice, mapping);
  auto branch = cast<BranchOpInterface>(terminator);
  if (terminator->getNumSuccessors() == 1) {
    LLVM::BrOp::create(builder, edgeOperands(branch, 0, mapping),
                       edgeTo(terminator->getSuccessor(0), mapping));
    return;
  }
  auto cond = cast<LLVM::CondBrOp>(terminator);
  LLVM::CondBrOp::create(
      builder, mapping.lookup(cond.getCondition()), edgeTo(cond.getTrueDest(), mapping),
      edgeOperands(branch, 0, mapping), edgeTo(cond.getFalseDest(), mapping),
      edgeOperands(branch, 1, mapping));
}

/// The blocks of a segment from which a point can be reached. In the others threads
/// only end, each in its own time: a block's control has nothing to follow there.
SmallVector<Block *> Chain::blocksToPoints(const SegmentPoint &point) {
  SmallVector<Block *> blocks = segments.blocksFrom(point.start);
  llvm::SmallPtrSet<Block *, 16> leading;
  for (bool changed = true; changed;) {
    changed = false;
    for (Block *block : llvm::reverse(blocks))
      if (llvm::any_of(block->getSuccessors(), [&](Block *next) {
            return segments.pointIn(next) || leading.contains(next);
          }))
        changed |= leading.insert(block).second;
  }
  llvm::erase_if(blocks, [&](Block *block) { return !leading.contains(block); });
  return blocks;
}

/// The control flow of a segment, once a block: its uniform branches and what they
/// need.
void Chain::buildControl(const SegmentPoint &point, IRMapping mapping) {
  SmallVector<Block *> blocks;
  for (Block *block : blocksToPoints(point))
    if (uniformity.controlLevel(block) <= ir::Level::Block)
      blocks.push_back(block);
  if (!llvm::is_contained(blocks, point.start))
    return returnPc(endedPc);
  for (Block *block : blocks) {
    Block *copy = new Block();
    run.getBody().push_back(copy);
    mapping.map(block, copy);
    for (BlockArgument argument : block->getArguments())
      if (isUniform(argument))
        mapping.map(argument, copy->addArgument(argument.getType(), argument.getLoc()));
  }
  LLVM::BrOp::create(builder, mapping.lookup(point.start));
  for (Block *block : blocks) {
    builder.setInsertionPointToEnd(mapping.lookup(block));
    for (Operation &op : *block) {
      builder.setLoc(op.getLoc());
      if (isScalar(op))
        builder.clone(op, mapping);
    }
    buildTerminator(block, mapping);
  }
}

/// Computes again what the control of a segment takes from before it.
void Chain::provideRecomputable(const SegmentPoint &point, IRMapping &mapping) {
  SmallVector<Block *> blocks = segments.blocksFrom(point.start);
  llvm::SmallPtrSet<Block *, 16> inside(blocks.begin(), blocks.end());
  std::function<void(Value)> provide = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (mapping.contains(value) || !op || inside.contains(op->getBlock()) ||
        !isScalar(*op))
      return;
    llvm::for_each(op->getOperands(), provide);
    builder.clone(*op, mapping);
  };
  for (Block *block : blocks) {
    for (Operation &op : *block)
      llvm::for_each(op.getOperands(), provide);
    for (Block *successor : block->getSuccessors())
      if (const SegmentPoint *target = segments.pointIn(successor))
        llvm::for_each(target->op.getLive(), provide);
  }
}

LogicalResult Chain::buildPoint(const SegmentPoint &point) {
  LLVM::LLVMFuncOp function = buildLaneLoops(segments, point, layout, uniform, keepsPcs);
  if (!function)
    return failure();
  builder.setLoc(point.op.getLoc());
  Block *block = pointBlocks[point.id];
  builder.setInsertionPointToEnd(block);
  IRMapping mapping;
  ValueRange arguments = run.getArguments().drop_front();
  mapping.map(kernel.getArguments(), arguments);
  SmallVector<Value> operands(arguments);
  for (auto [index, argument] :
       llvm::zip(uniform[point.id].set_bits(), block->getArguments())) {
    mapping.map(point.op->getResult(index), argument);
    operands.push_back(argument);
  }
  parkIfAsked(point);
  Value pcs = keepsPcs ? frame->pcs(builder) : Value();
  if (auto reduce = dyn_cast_or_null<ir::BarrierReduceOp>(point.sync)) {
    Value value =
        emitBarrierReduction(builder, reduce, exchangeSlots(layout, reduce), *frame, pcs);
    mapping.map(reduce->getResult(0), value);
    operands.push_back(value);
  } else if (point.sync && ir::syncScope(point.sync) == ir::SyncScope::Team) {
    emitTeamOperation(builder, point.sync, exchangeSlots(layout, point.sync), *frame, pcs,
                      nullptr, nullptr, /*useConstants=*/true);
  }
  LLVM::CallOp::create(builder, function, operands);
  if (keepsPcs && mayEndEarly(point)) {
    Value anyAlive = callRuntime(builder, "__het_any_alive", builder.getI32Type(),
                                 {frame->pcs(builder), frame->threads()});
    Value none = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, anyAlive,
                                      constant32(builder, 0));
    Block *ended = new Block(), *alive = new Block();
    run.getBody().push_back(ended);
    run.getBody().push_back(alive);
    LLVM::CondBrOp::create(builder, none, ended, ValueRange{}, alive, ValueRange{});
    builder.setInsertionPointToEnd(ended);
    returnPc(endedPc);
    builder.setInsertionPointToEnd(alive);
  }
  provideRecomputable(point, mapping);
  buildControl(point, mapping);
  return success();
}

/// The block of a point where the block parks.
void Chain::buildPark(const SegmentPoint &point) {
  Block *block = parkBlocks[point.id];
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> operands(run.getArguments().drop_front());
  llvm::append_range(operands, block->getArguments());
  LLVM::CallOp::create(builder,
                       buildParking(segments, point, layout, uniform[point.id], keepsPcs),
                       operands);
  returnPc(parkedPc);
}

bool Chain::parksAt(const SegmentPoint &point) const {
  return !parkBlocks.empty() && point.id != 0 && !point.op->hasAttr(additionalAttrName) &&
         (point.op.getReason() == ir::SafePointReason::Poll ||
          !segments.kernel->hasAttr(ir::parksAtPollsAttrName));
}

/// At the head of a point's block. A grid barrier that is passed is passed by all
/// blocks.
void Chain::parkIfAsked(const SegmentPoint &point) {
  if (!parksAt(point) || isa_and_nonnull<ir::GridBarrierOp>(point.sync))
    return;
  Value isAsked =
      LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne,
                           ir::ParkingOp::create(builder), constant32(builder, 0));
  auto *proceed = new Block();
  run.getBody().push_back(proceed);
  LLVM::CondBrOp::create(builder, isAsked, parkBlocks[point.id],
                         pointBlocks[point.id]->getArguments(), proceed, ValueRange{},
                         std::pair<int32_t, int32_t>(1, 1000));
  builder.setInsertionPointToEnd(proceed);
}

/// Goes on to `target` with the uniform values that the block has left in its frame.
void Chain::addEntry(const SegmentPoint &point, uint32_t pc, Block *target) {
  auto *entry = new Block();
  run.getBody().push_back(entry);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(entry);
  SmallVector<Value> live;
  for (unsigned index : uniform[point.id].set_bits())
    live.push_back(LLVM::LoadOp::create(builder, point.op.getLive()[index].getType(),
                                        frame->slotOfBlock(builder, point.slots[index])));
  LLVM::BrOp::create(builder, live, target);
  entries.push_back({pc, entry});
}

/// Where a suspended block goes on. Before the grid barrier it waits again.
LogicalResult Chain::addResume() {
  SmallVector<ResumePoint> points;
  for (const SegmentPoint &point : segments.points) {
    if (!parksAt(point))
      continue;
    Block *target = pointBlocks[point.id];
    if (isa_and_nonnull<ir::GridBarrierOp>(point.sync)) {
      target = new Block();
      run.getBody().push_back(target);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(target);
      for (unsigned index : uniform[point.id].set_bits()) {
        Value value =
            target->addArgument(point.op.getLive()[index].getType(), point.op.getLoc());
        LLVM::StoreOp::create(builder, value,
                              frame->slotOfBlock(builder, point.slots[index]));
      }
      returnPc(waitingPc(point));
    }
    points.push_back({&point, uniform[point.id], target});
  }
  Block *resume = buildResume(segments, run, layout, *frame, points, keepsPcs);
  if (!resume)
    return failure();
  entries.push_back({parkedPc, resume});
  return success();
}

/// Where to begin: at the entry, at the barrier of the grid or of the cluster that the
/// block has waited at, or where it was suspended.
LogicalResult Chain::buildEntry(Block *entry) {
  builder.setInsertionPointToEnd(entry);
  frame.emplace(layout, builder);
  for (const SegmentPoint &point : segments.points) {
    if (!isa_and_nonnull<ir::GridBarrierOp>(point.sync))
      continue;
    addEntry(point, waitingPc(point), pointBlocks[point.id]);
    if (!parkBlocks.empty())
      addEntry(point, waitingPc(point) | stayBit, parkBlocks[point.id]);
  }
  if (!parkBlocks.empty() && failed(addResume()))
    return failure();
  Block *begin = new Block();
  run.getBody().push_back(begin);
  SmallVector<APInt> values;
  SmallVector<Block *> targets;
  for (auto [pc, target] : entries) {
    values.push_back(APInt(32, pc));
    targets.push_back(target);
  }
  SmallVector<ValueRange> none(targets.size());
  if (targets.empty())
    LLVM::BrOp::create(builder, begin);
  else
    LLVM::SwitchOp::create(builder, run.getArgument(0), begin, ValueRange{}, values,
                           targets, none);
  builder.setInsertionPointToEnd(begin);
  if (keepsPcs) {
    Value bytes = LLVM::MulOp::create(builder, frame->threads(), constant64(builder, 4));
    Value zero = LLVM::ConstantOp::create(builder, builder.getI8Type(),
                                          builder.getI8IntegerAttr(0));
    LLVM::MemsetOp::create(builder, frame->pcs(builder), zero, bytes, false);
  }
  LLVM::BrOp::create(builder, pointBlocks[0]);
  return success();
}

LogicalResult Chain::build() {
  for (const SegmentPoint &point : segments.points) {
    keepsPcs |= mayEndEarly(point);
    if (point.sync)
      (void)exchangeSlots(layout, point.sync);
  }
  builder.setInsertionPoint(kernel);
  SmallVector<Type> arguments{builder.getI32Type()};
  llvm::append_range(arguments, kernel.getFunctionType().getParams());
  run = LLVM::LLVMFuncOp::create(
      builder, (kernel.getName() + ".run").str(),
      LLVM::LLVMFunctionType::get(builder.getI32Type(), arguments));
  Block *entry = run.addEntryBlock(builder);
  auto addBlocks = [&](SmallVector<Block *> &blocks) {
    for (const SegmentPoint &point : segments.points) {
      Block *block = blocks.emplace_back(new Block());
      run.getBody().push_back(block);
      for (unsigned index : uniform[point.id].set_bits())
        block->addArgument(point.op.getLive()[index].getType(), point.op.getLoc());
    }
  };
  addBlocks(pointBlocks);
  if (segments.isParkable())
    addBlocks(parkBlocks);
  if (failed(buildEntry(entry)))
    return failure();
  for (const SegmentPoint &point : segments.points)
    if (parksAt(point))
      buildPark(point);
    else if (segments.isParkable())
      parkBlocks[point.id]->erase();
  for (const SegmentPoint &point : segments.points)
    if (failed(buildPoint(point)))
      return failure();
  finishKernel(segments, run, layout);
  return success();
}

} // namespace

std::optional<LogicalResult> chainSegments(SegmentedKernel &segments,
                                           FrameLayout layout) {
  Chain chain(segments, std::move(layout));
  if (!chain.isChainable())
    return std::nullopt;
  return chain.build();
}

} // namespace het::transforms
