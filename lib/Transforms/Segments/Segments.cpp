// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cutting a kernel at its safe points, and the code of one lane between them.

#include "Segments.h"
#include "../SafePoints/LocalObjects.h"
#include "SegmentOrigins.h"
#include "het/IR/Matrix.h"
#include "het/Transforms/Recompute.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace het::transforms {

SegmentedKernel::SegmentedKernel(LLVM::LLVMFuncOp kernel)
    : kernel(kernel), parkable(kernel->hasAttr(ir::layoutAttrName)) {
  hoistLocals(kernel.getBody().front());
  hoistRecomputable(kernel);
  SmallVector<ir::SafePointOp> ops;
  kernel.walk([&](ir::SafePointOp op) { ops.push_back(op); });
  llvm::sort(ops, [](auto a, auto b) { return a.getId() < b.getId(); });
  points.resize(ops.size());
  OpBuilder builder(kernel.getContext());
  // Backwards, so that an operation is moved but once: ids are in the order of the code.
  for (unsigned number = ops.size(); number-- > 0;) {
    ir::SafePointOp op = ops[number];
    Operation *sync = op.getSyncPoint();
    Block *before = op->getBlock();
    Block *block = before->splitBlock(op);
    builder.setInsertionPointToEnd(before);
    LLVM::BrOp::create(builder, op.getLoc(), block);
    Block *start = block->splitBlock((sync ? sync : op)->getNextNode());
    builder.setInsertionPointToEnd(block);
    LLVM::BrOp::create(builder, op.getLoc(), start);
    SegmentPoint point{number, op.getId(), op, sync, block, start, {}};
    for (int32_t slot :
         op->getAttrOfType<DenseI32ArrayAttr>(ir::slotsAttrName).asArrayRef())
      point.slots.push_back(slot);
    pointOf[block] = number;
    points[number] = std::move(point);
  }
}

const SegmentPoint *SegmentedKernel::pointIn(Block *block) const {
  auto it = pointOf.find(block);
  return it == pointOf.end() ? nullptr : &points[it->second];
}

static void visit(const SegmentedKernel &segments, Block *start,
                  SmallVectorImpl<Block *> &postOrder) {
  llvm::SmallPtrSet<Block *, 16> seen{start};
  SmallVector<std::pair<Block *, unsigned>> stack{{start, 0}};
  while (!stack.empty()) {
    auto &[block, successor] = stack.back();
    if (successor == block->getNumSuccessors()) {
      postOrder.push_back(block);
      stack.pop_back();
      continue;
    }
    Block *next = block->getSuccessor(successor++);
    if (!segments.pointIn(next) && seen.insert(next).second)
      stack.push_back({next, 0});
  }
}

SmallVector<Block *> SegmentedKernel::blocksFrom(Block *start) const {
  SmallVector<Block *> order;
  visit(*this, start, order);
  std::reverse(order.begin(), order.end());
  return order;
}

Value constant32(ImplicitLocOpBuilder &builder, int64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

Value constant64(ImplicitLocOpBuilder &builder, int64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

static Value positionOf(ImplicitLocOpBuilder &builder, Operation *op,
                        const LaneContext &context) {
  if (auto thread = dyn_cast<ir::ThreadIdOp>(op))
    return context.position[static_cast<unsigned>(thread.getDimension())];
  Value lane = LLVM::TruncOp::create(builder, builder.getI32Type(), context.lane);
  if (isa<ir::LaneIdOp>(op))
    return LLVM::AndOp::create(builder, lane, constant32(builder, 31));
  return LLVM::LShrOp::create(builder, lane, constant32(builder, 5));
}

static bool isLanePosition(Operation *op) {
  return isa<ir::ThreadIdOp, ir::LaneIdOp, ir::TeamIdOp>(op);
}

void replacePositions(ArrayRef<Block *> blocks, const LaneContext &context) {
  for (Block *block : blocks)
    for (Operation &op : llvm::make_early_inc_range(*block))
      if (isLanePosition(&op)) {
        ImplicitLocOpBuilder builder(op.getLoc(), &op);
        op.replaceAllUsesWith(ValueRange{positionOf(builder, &op, context)});
        op.erase();
      }
}

namespace {

/// Emits the code of one lane for one segment.
class LaneEmitter {
public:
  LaneEmitter(const SegmentedKernel &segments, const SegmentPoint &point,
              IRMapping mapping, Block *head, const LaneContext &context)
      : segments(segments), point(point), mapping(std::move(mapping)), context(context),
        blocks(segments.blocksFrom(point.start)), inside(blocks.begin(), blocks.end()),
        origins(point.start, inside), region(*head->getParent()),
        builder(point.op.getLoc(), point.op->getContext()) {
    builder.setInsertionPointToEnd(head);
  }

  LogicalResult emit();
  LogicalResult emitArrival();

private:
  llvm::BitVector findNeeded() const;
  void loadLiveValues();
  void loadSlots(const llvm::BitVector &needed);
  LogicalResult provide(Value value);
  LogicalResult provideOperands();
  Block *exitTo(const SegmentPoint &target);
  void emitExit(const SegmentPoint &target);
  bool isUnchanged(const SegmentPoint &target, unsigned index) const;
  bool isStored(const SegmentPoint &target, unsigned index) const {
    return !context.uniform[target.id].test(index) && !isUnchanged(target, index);
  }
  void cloneBlock(Block *block);
  void emitEnd(Location loc);
  void markIndependent(Operation *op);

  const SegmentedKernel &segments;
  const SegmentPoint &point;
  IRMapping mapping;
  const LaneContext &context;
  SmallVector<Block *> blocks;           ///< the segment's
  llvm::SmallPtrSet<Block *, 16> inside; ///< the same
  SegmentOrigins origins;
  Region &region;
  ImplicitLocOpBuilder builder;
  llvm::MapVector<Block *, Block *> exits; // a point's block → its exit block
  SmallVector<Block *> emitted;
};

/// Notes which of a point's values are among some operands.
static void noteResults(const SegmentPoint &point, ValueRange operands,
                        llvm::BitVector &results) {
  for (Value operand : operands)
    if (operand.getDefiningOp() == point.op.getOperation())
      results.set(cast<OpResult>(operand).getResultNumber());
}

/// The values of the point that the segment computes with or stores; the others stay in
/// their slots, however many live through it.
llvm::BitVector LaneEmitter::findNeeded() const {
  llvm::BitVector needed(point.op->getNumResults());
  for (Block *block : blocks) {
    for (Operation &op : *block)
      noteResults(point, op.getOperands(), needed);
    for (Block *successor : block->getSuccessors()) {
      const SegmentPoint *target = segments.pointIn(successor);
      if (!target)
        continue;
      for (auto [index, value] : llvm::enumerate(target->op.getLive()))
        if (isStored(*target, index))
          noteResults(point, value, needed);
      if (!target->sync)
        continue;
      llvm::BitVector exchanged(target->op->getNumResults());
      noteResults(*target, target->sync->getOperands(), exchanged);
      for (unsigned index : exchanged.set_bits())
        noteResults(point, target->op.getLive()[index], needed);
    }
  }
  return needed;
}

void LaneEmitter::loadSlots(const llvm::BitVector &needed) {
  for (unsigned index : needed.set_bits()) {
    Value result = point.op->getResult(index);
    if (context.uniform[point.id].test(index))
      continue;
    Value address = context.frame->slotOfLane(builder, point.slots[index], context.lane);
    auto load = LLVM::LoadOp::create(builder, result.getType(), address);
    markIndependent(load);
    mapping.map(result, load);
  }
}

void LaneEmitter::loadLiveValues() {
  loadSlots(findNeeded());
  if (!point.sync || point.sync->getNumResults() == 0 ||
      mapping.contains(point.sync->getResult(0)))
    return;
  ExchangeSlots slots = exchangeSlots(*context.layout, point.sync);
  for (auto [result, slot] : llvm::zip(point.sync->getResults(), slots.results)) {
    if (result.use_empty())
      continue;
    Value address = context.frame->slotOfLane(builder, slot, context.lane);
    auto load = LLVM::LoadOp::create(builder, result.getType(), address);
    markIndependent(load);
    mapping.map(result, load);
  }
}

/// Makes a value that the segment does not define available in its head.
LogicalResult LaneEmitter::provide(Value value) {
  if (mapping.contains(value))
    return success();
  Operation *op = value.getDefiningOp();
  if (!op)
    return emitError(value.getLoc()) << "internal error: a block argument "
                                        "crosses a safe point without a slot";
  if (isa<LLVM::AllocaOp>(op)) {
    mapping.map(value, context.frame->local(builder, op, context.lane));
    return success();
  }
  if (isLanePosition(op)) {
    mapping.map(value, positionOf(builder, op, context));
    return success();
  }
  if (!isPure(op))
    return op->emitError("internal error: a value crosses a safe point without "
                         "a slot");
  for (Value operand : op->getOperands())
    if (failed(provide(operand)))
      return failure();
  builder.clone(*op, mapping);
  return success();
}

LogicalResult LaneEmitter::provideOperands() {
  auto isOutside = [&](Value value) { return !inside.contains(value.getParentBlock()); };
  auto provideAll = [&](ValueRange values) {
    for (Value value : values)
      if (isOutside(value) && failed(provide(value)))
        return failure();
    return success();
  };
  for (Block *block : blocks) {
    for (Operation &op : *block)
      if (!isa<LLVM::AllocaOp>(op) && failed(provideAll(op.getOperands())))
        return failure();
    for (Block *successor : block->getSuccessors())
      if (const SegmentPoint *target = segments.pointIn(successor)) {
        for (auto [index, value] : llvm::enumerate(target->op.getLive()))
          if (isStored(*target, index) && failed(provideAll(value)))
            return failure();
        if (!target->sync)
          continue;
        // An operand may be the safe point's own result; its value is then the
        // operand that became it.
        for (Value operand : target->sync->getOperands())
          if (operand.getDefiningOp() != target->op.getOperation() &&
              isOutside(operand) && failed(provide(operand)))
            return failure();
      }
  }
  return success();
}

/// The loads and stores of one lane do not depend on those of another between two
/// sync points; only atomics order lanes.
void LaneEmitter::markIndependent(Operation *op) {
  auto access = dyn_cast<LLVM::AccessGroupOpInterface>(op);
  if (!access || !context.accessGroup)
    return;
  if (auto load = dyn_cast<LLVM::LoadOp>(op);
      load &&
      (load.getVolatile_() || load.getOrdering() != LLVM::AtomicOrdering::not_atomic))
    return;
  if (auto store = dyn_cast<LLVM::StoreOp>(op);
      store &&
      (store.getVolatile_() || store.getOrdering() != LLVM::AtomicOrdering::not_atomic))
    return;
  if (!isa<LLVM::LoadOp, LLVM::StoreOp>(op))
    return;
  access.setAccessGroups(ArrayAttr::get(op->getContext(), {context.accessGroup}));
}

/// The block that stores what lives at `target` and leaves.
Block *LaneEmitter::exitTo(const SegmentPoint &target) {
  Block *&exit = exits[target.block];
  if (exit)
    return exit;
  exit = new Block();
  region.push_back(exit);
  return exit;
}

void LaneEmitter::emitEnd(Location loc) {
  context.leave(builder, endedPc);
  LLVM::BrOp::create(builder, context.next);
}

void LaneEmitter::cloneBlock(Block *block) {
  builder.setInsertionPointToEnd(mapping.lookup(block));
  for (Operation &op : *block) {
    builder.setLoc(op.getLoc());
    if (isa<LLVM::AllocaOp>(op) && block->isEntryBlock()) {
      if (!mapping.contains(op.getResult(0)))
        mapping.map(op.getResult(0), context.frame->local(builder, &op, context.lane));
      continue;
    }
    if (isa<LLVM::ReturnOp>(op)) {
      emitEnd(op.getLoc());
      continue;
    }
    // An object in the frame has no lifetime that LLVM could know.
    if (isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op))
      continue;
    for (Block *successor : op.getSuccessors())
      if (const SegmentPoint *target = segments.pointIn(successor))
        mapping.map(successor, exitTo(*target));
    markIndependent(builder.clone(op, mapping));
  }
}

/// Whether a live value of `target` lies in its slot already, unchanged since this
/// segment began.
bool LaneEmitter::isUnchanged(const SegmentPoint &target, unsigned index) const {
  auto result = dyn_cast<OpResult>(origins.originOf(target.op.getLive()[index]));
  if (!result || result.getOwner() != point.op.getOperation())
    return false;
  const unsigned number = result.getResultNumber();
  return point.slots[number] == target.slots[index] &&
         !context.uniform[point.id].test(number);
}

void LaneEmitter::emitExit(const SegmentPoint &target) {
  builder.setLoc(target.op.getLoc());
  auto store = [&](Value value, unsigned slot) {
    Value address = context.frame->slotOfLane(builder, slot, context.lane);
    markIndependent(LLVM::StoreOp::create(builder, value, address));
  };
  IRMapping arrived = mapping; // the point's results are its operands here
  for (auto [index, value] : llvm::enumerate(target.op.getLive())) {
    if (Value live = mapping.lookupOrNull(value))
      arrived.map(target.op->getResult(index), live);
    if (isStored(target, index))
      store(mapping.lookup(value), target.slots[index]);
  }
  if (target.sync) {
    ExchangeSlots slots = exchangeSlots(*context.layout, target.sync);
    for (auto [operand, slot] : llvm::zip(target.sync->getOperands(), slots.operands))
      if (context.constantsInSlots || !matchPattern(operand, m_Constant()) ||
          ir::syncScope(target.sync) != ir::SyncScope::Team ||
          ir::isMatrixOperation(target.sync))
        store(arrived.lookup(operand), slot);
  }
  context.leave(builder, target.pc);
  LLVM::BrOp::create(builder, context.next);
}

LogicalResult LaneEmitter::emit() {
  Block *head = builder.getInsertionBlock();
  loadLiveValues();
  if (failed(provideOperands()))
    return failure();
  for (Block *block : blocks) {
    Block *copy = new Block();
    region.push_back(copy);
    emitted.push_back(copy);
    mapping.map(block, copy);
    for (BlockArgument argument : block->getArguments())
      mapping.map(argument, copy->addArgument(argument.getType(), argument.getLoc()));
  }
  builder.setInsertionPointToEnd(head);
  LLVM::BrOp::create(builder, mapping.lookup(point.start));
  for (Block *block : blocks)
    cloneBlock(block);
  for (auto &[block, exit] : exits) {
    builder.setInsertionPointToEnd(exit);
    emitExit(*segments.pointIn(block));
    emitted.push_back(exit);
  }
  replacePositions(emitted, context);
  return success();
}

LogicalResult LaneEmitter::emitArrival() {
  llvm::BitVector needed(point.op->getNumResults());
  noteResults(point, point.sync->getOperands(), needed);
  loadSlots(needed);
  ExchangeSlots slots = exchangeSlots(*context.layout, point.sync);
  for (auto [operand, slot] : llvm::zip(point.sync->getOperands(), slots.operands)) {
    if (failed(provide(operand)))
      return failure();
    Value address = context.frame->slotOfLane(builder, slot, context.lane);
    LLVM::StoreOp::create(builder, mapping.lookup(operand), address);
  }
  LLVM::BrOp::create(builder, context.next);
  emitted.push_back(builder.getInsertionBlock());
  replacePositions(emitted, context);
  return success();
}

} // namespace

LogicalResult emitArrival(const SegmentedKernel &segments, const SegmentPoint &point,
                          IRMapping mapping, Block *head, const LaneContext &context) {
  return LaneEmitter(segments, point, std::move(mapping), head, context).emitArrival();
}

LogicalResult emitLane(const SegmentedKernel &segments, const SegmentPoint &point,
                       IRMapping mapping, Block *head, const LaneContext &context) {
  return LaneEmitter(segments, point, std::move(mapping), head, context).emit();
}

LLVM::LLVMFuncOp createSegmentFunction(SegmentedKernel &segments, const Twine &name,
                                       Type result, TypeRange extraArguments) {
  LLVM::LLVMFuncOp kernel = segments.kernel;
  OpBuilder builder(kernel);
  SmallVector<Type> arguments(kernel.getFunctionType().getParams());
  llvm::append_range(arguments, extraArguments);
  auto type = LLVM::LLVMFunctionType::get(result, arguments);
  auto function =
      LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), (kernel.getName() + name).str(),
                               type, LLVM::Linkage::Internal);
  function.addEntryBlock(builder);
  return function;
}

} // namespace het::transforms
