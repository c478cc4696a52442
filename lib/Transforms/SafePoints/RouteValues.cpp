// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each value that lives across a safe point becomes a variable in memory for a moment (a
// store after its definition, a load before each use), a safe point loads its variables
// and stores its results, and promoteVariables makes SSA of it again. A variable is a
// slot: safe points share the number of a variable, and variables that are never alive
// together share a slot of their size.

#include "RouteValues.h"
#include "../Analysis/ObjectAddresses.h"
#include "EncodeAddresses.h"
#include "PromoteVariables.h"
#include "het/Transforms/Recompute.h"
#include "mlir/Analysis/Liveness.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace het::transforms {

unsigned nextSafePointId(LLVM::LLVMFuncOp kernel) {
  unsigned next = 0;
  kernel.walk([&](ir::SafePointOp point) {
    next = std::max(next, static_cast<unsigned>(point.getId()) + 1);
  });
  return next;
}

ValueRouter::ValueRouter(LLVM::LLVMFuncOp kernel, ArrayRef<SafePointPlace> places)
    : kernel(kernel), body(kernel.getBody()), points(places) {
  numberValues();
  sortPoints();
  findLiveValues();
}

/// Points in the order of the code: the scheduler lets those behind catch up first.
void ValueRouter::sortPoints() {
  DenseMap<Operation *, SmallVector<SafePointPlace, 1>> pointsOf;
  for (SafePointPlace &point : points)
    pointsOf[point.before].push_back(std::move(point));
  points.clear();
  for (Block &block : body)
    for (Operation &op : block)
      if (auto found = pointsOf.find(&op); found != pointsOf.end())
        llvm::append_range(points, found->second);
}

/// A fixed order of all values, so that live lists are deterministic.
void ValueRouter::numberValues() {
  for (Block &block : body) {
    for (Value argument : block.getArguments())
      order.try_emplace(argument, order.size());
    for (Operation &op : block)
      for (Value result : op.getResults())
        order.try_emplace(result, order.size());
  }
}

void ValueRouter::findLiveValues() {
  Liveness liveness(kernel);
  Recompute recompute;
  llvm::MapVector<Block *, DenseMap<Operation *, SmallVector<SafePointPlace *, 1>>>
      pointsOf;
  for (SafePointPlace &point : points)
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
        for (SafePointPlace *point : it->second)
          point->live.assign(live.begin(), live.end());
    }
  }
  for (SafePointPlace &point : points)
    llvm::sort(point.live,
               [&](Value a, Value b) { return order.lookup(a) < order.lookup(b); });
}

bool ValueRouter::encodeAddresses() {
  ObjectAddresses addresses(kernel);
  for (const SafePointPlace &point : points)
    for (Value value : point.live) {
      if (!isa<LLVM::LLVMPointerType>(value.getType()) || objects.contains(value))
        continue;
      std::optional<Value> object = addresses.objectOf(value);
      if (!object) {
        objects.clear();
        return false;
      }
      objects[value] = *object;
    }
  return true;
}

Type ValueRouter::slotType(Value value) {
  return objects.lookup(value) ? IntegerType::get(kernel.getContext(), 64)
                               : value.getType();
}

/// Gives every live value a slot: one that no value alive beside it has, of its
/// own type where there is one (so that a value stays where it was).
void ValueRouter::assignSlots() {
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
void ValueRouter::demote(Value value) {
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

void ValueRouter::createVariables() {
  OpBuilder builder = OpBuilder::atBlockBegin(&body.front());
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), 1);
  for (auto &[value, slot] : slots)
    variables[value] =
        LLVM::AllocaOp::create(builder, loc, pointer, value.getType(), one);
}

void ValueRouter::insert(const SafePointPlace &point, unsigned id, unsigned firstSlot) {
  const bool isEntry = point.reason == ir::SafePointReason::Entry;
  ImplicitLocOpBuilder builder(isEntry ? kernel.getLoc() : point.before->getLoc(),
                               point.before);
  SmallVector<Value> operands;
  SmallVector<int32_t> numbers;
  for (Value value : point.live) {
    operands.push_back(LLVM::LoadOp::create(builder, value.getType(), variables[value]));
    numbers.push_back(firstSlot + slots.lookup(value));
  }
  auto safePoint = ir::SafePointOp::create(builder, ValueRange(operands).getTypes(), id,
                                           point.reason, operands);
  safePoint->setAttr(ir::slotsAttrName, builder.getDenseI32ArrayAttr(numbers));
  for (auto [result, value] : llvm::zip(safePoint->getResults(), point.live))
    LLVM::StoreOp::create(builder, result, variables[value]);
  inserted.push_back(safePoint);
}

void ValueRouter::route(unsigned firstId, unsigned firstSlot) {
  assignSlots();
  createVariables();
  for (auto [number, point] : llvm::enumerate(points))
    insert(point, firstId + number, firstSlot);
  SmallVector<LLVM::AllocaOp> promotable;
  for (auto &[value, slot] : slots) {
    demote(value);
    promotable.push_back(variables.lookup(value));
  }
  promoteVariables(body, promotable);
  if (objects.empty())
    return;
  for (auto [safePoint, point] : llvm::zip(inserted, points)) {
    auto ofLive = llvm::map_to_vector(point.live,
                                      [&](Value value) { return objects.lookup(value); });
    safePoint = het::transforms::encodeAddresses(safePoint, ofLive);
  }
}

} // namespace het::transforms
