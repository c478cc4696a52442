// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the blocks of a parkable kernel begin, and how parked ones go on.

#include "FormParkable.h"
#include "ParkedState.h"
#include "het/Transforms/Recompute.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include <cstddef>

using namespace mlir;

namespace het::transforms {

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

/// How the block stands, i32.
Value ParkableKernel::readStatus() {
  ImplicitLocOpBuilder &builder = code->builder;
  Block *look = code->addBlock(), *join = code->addBlock(builder.getI32Type());
  Value before = code->field(offsetof(HetSuspendRecord, before));
  LLVM::CondBrOp::create(builder, code->isNotZero(before), look, ValueRange{}, join,
                         ValueRange{code->constant32(HET_SUSPEND_UNSTARTED)});
  builder.setInsertionPointToEnd(look);
  Value status = LLVM::LoadOp::create(builder, builder.getI8Type(),
                                      code->global(before, code->block()));
  Value wide = LLVM::ZExtOp::create(builder, builder.getI32Type(), status);
  LLVM::BrOp::create(builder, ValueRange{wide}, join);
  builder.setInsertionPointToEnd(join);
  return join->getArgument(0);
}

/// What the first thread of the grid that asks has seen of the flag is true for all
/// blocks; of a block's threads only the first one knows it then.
static Value agreeWithGrid(ParkingCode &code, Value flag) {
  ImplicitLocOpBuilder &builder = code.builder;
  Block *ask = code.addBlock(), *join = code.addBlock(builder.getI1Type());
  Value no =
      LLVM::ConstantOp::create(builder, builder.getI1Type(), builder.getBoolAttr(false));
  LLVM::CondBrOp::create(builder, code.isNotZero(code.thread()), join, ValueRange{no},
                         ask, ValueRange{});
  builder.setInsertionPointToEnd(ask);
  constexpr uint32_t begins = 1, leaves = 2;
  Value own = LLVM::SelectOp::create(builder, flag, code.constant32(leaves),
                                     code.constant32(begins));
  Value exchange = LLVM::AtomicCmpXchgOp::create(
      builder, code.count(offsetof(HetSuspendCounts, grid)), code.constant32(0), own,
      LLVM::AtomicOrdering::monotonic, LLVM::AtomicOrdering::monotonic, "device");
  Value found = LLVM::ExtractValueOp::create(builder, exchange, 0);
  Value isFirst = LLVM::ExtractValueOp::create(builder, exchange, 1);
  Value agreed = LLVM::SelectOp::create(builder, isFirst, own, found);
  Value leave = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, agreed,
                                     code.constant32(leaves));
  LLVM::BrOp::create(builder, ValueRange{leave}, join);
  builder.setInsertionPointToEnd(join);
  return join->getArgument(0);
}

/// Goes on where the flag is not set; else the block is left as it stands. With
/// `allOrNone` all blocks do the same.
void ParkableKernel::agreeToBegin(Value status, bool allOrNone) {
  ImplicitLocOpBuilder &builder = code->builder;
  Value flag = code->lookAtFlag(code->flagAddress());
  if (allOrNone)
    flag = agreeWithGrid(*code, flag);
  auto told = ir::BarrierReduceOp::create(builder, ir::BarrierReduceKind::Or, flag);
  told->setAttr(ir::alignedAttrName, builder.getUnitAttr());
  Block *leave = code->addBlock();
  Value none = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, told.getResult(),
                                    code->constant32(0));
  code->continueIf(none, leave);
  OpBuilder::InsertionGuard guard(builder);
  leaveAsItStands(leave, status);
}

void ParkableKernel::leaveAsItStands(Block *block, Value status) {
  ImplicitLocOpBuilder &builder = code->builder;
  builder.setInsertionPointToEnd(block);
  Block *end = code->addBlock();
  Value isFirst = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, code->thread(),
                                       code->constant32(0));
  code->continueIf(isFirst, end);
  Value after =
      code->global(code->field(offsetof(HetSuspendRecord, after)), code->block());
  Value more = LLVM::AddOp::create(builder, status, code->constant32(1));
  Value byte = LLVM::TruncOp::create(builder, builder.getI8Type(), more);
  LLVM::StoreOp::create(builder, byte, after);
  LLVM::AtomicRMWOp::create(
      builder, LLVM::AtomicBinOp::add, code->count(offsetof(HetSuspendCounts, left)),
      code->constant32(1), LLVM::AtomicOrdering::monotonic, "device");
  LLVM::BrOp::create(builder, end);
  builder.setInsertionPointToEnd(end);
  LLVM::ReturnOp::create(builder, ValueRange{});
}

/// The place of a block that is parked, else none.
static Value readPlace(ParkingCode &code, Value isParked) {
  ImplicitLocOpBuilder &builder = code.builder;
  Block *read = code.addBlock(), *join = code.addBlock(builder.getI32Type());
  LLVM::CondBrOp::create(builder, isParked, read, ValueRange{}, join,
                         ValueRange{code.constant32(HET_SUSPEND_NO_PLACE)});
  builder.setInsertionPointToEnd(read);
  Value address =
      code.global(code.field(offsetof(HetSuspendRecord, places)),
                  LLVM::MulOp::create(builder, code.block(), code.constant64(4)));
  Value place = LLVM::LoadOp::create(builder, builder.getI32Type(), address);
  LLVM::BrOp::create(builder, ValueRange{place}, join);
  builder.setInsertionPointToEnd(join);
  return join->getArgument(0);
}

/// Where no block has begun.
void ParkableKernel::formFreshEntry() {
  ImplicitLocOpBuilder &builder = code->builder;
  builder.setLoc(kernel.getLoc());
  builder.setInsertionPointToEnd(entry);
  code->initializeWords(code->constant32(HET_SUSPEND_NO_PLACE));
  agreeToBegin(code->constant32(HET_SUSPEND_UNSTARTED), /*allOrNone=*/false);
  LLVM::BrOp::create(builder, begin);
}

void ParkableKernel::formEntry() {
  ImplicitLocOpBuilder &builder = code->builder;
  builder.setLoc(kernel.getLoc());
  builder.setInsertionPointToEnd(entry);
  auto straight = LLVM::BrOp::create(builder, begin); // as long as it is looked at
  findWaysIn();
  copyResumed();
  straight->erase();

  Block *return_ = code->addBlock();
  builder.setInsertionPointToEnd(return_);
  LLVM::ReturnOp::create(builder, ValueRange{});
  builder.setInsertionPointToEnd(entry);
  auto stands = [&](Value status, uint32_t as) -> Value {
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, status,
                                code->constant32(as));
  };
  Value status = readStatus();
  Value no = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, status,
                                  code->constant32(HET_SUSPEND_ENDED));
  code->continueIf(no, return_);
  Value isParked = stands(status, HET_SUSPEND_SUSPENDED);
  Value place = readPlace(*code, isParked);
  code->initializeWords(place);
  agreeToBegin(status, /*allOrNone=*/false);
  resumed = code->addBlock();
  LLVM::CondBrOp::create(builder, isParked, resumed, ValueRange{}, begin, ValueRange{},
                         std::pair<int32_t, int32_t>(1, 1 << 20));
  builder.setInsertionPointToEnd(resumed);
  restore(place);
}

/// A thread takes its pc away, so that it has ended unless it parks again.
void ParkableKernel::restore(Value place) {
  ImplicitLocOpBuilder &builder = code->builder;
  ParkedState state = ParkedState::inPlace(*code, place);
  Value pc = LLVM::LoadOp::create(builder, builder.getI32Type(), state.pcAddress());
  LLVM::StoreOp::create(builder, code->constant32(endedPc), state.pcAddress());
  if (form.usesShared) {
    auto wide = [&](Value value) -> Value {
      return LLVM::ZExtOp::create(builder, builder.getI64Type(), value);
    };
    state.copyShared(wide(code->thread()), wide(code->threadCount()),
                     /*save=*/false);
    auto all = ir::BarrierOp::create(builder, 0, Value());
    all->setAttr(ir::alignedAttrName, builder.getUnitAttr());
  }
  state.copyLocals(/*save=*/false);
  jump(pc, state);
}

void ParkableKernel::jump(Value pc, const ParkedState &state) {
  ImplicitLocOpBuilder &builder = code->builder;
  Block *head = builder.getInsertionBlock(), *unknown = code->addBlock();
  SmallVector<int32_t> pcs{static_cast<int32_t>(endedPc), 0};
  SmallVector<Block *> places{ended, begin};
  for (ParkablePoint &point : points) {
    Block *load = code->addBlock();
    pcs.push_back(point.id);
    places.push_back(load);
    builder.setInsertionPointToEnd(load);
    SmallVector<Value> live;
    for (auto [argument, slot] : llvm::zip(point.block->getArguments(), point.slots))
      live.push_back(LLVM::LoadOp::create(
          builder, argument.getType(), state.slotAddress(slot),
          std::min<uint64_t>(layout.slot(slot).size, maxSlotAlignment)));
    Block *target = point.block;
    if (!waysIn.contains(target))
      target = copies.lookup(target);
    LLVM::BrOp::create(builder, live, target);
  }
  builder.setInsertionPointToEnd(unknown); // no state of this kernel
  ir::TrapOp::create(builder);
  LLVM::UnreachableOp::create(builder);
  builder.setInsertionPointToEnd(head);
  SmallVector<ValueRange> none(places.size());
  LLVM::SwitchOp::create(builder, pc, unknown, ValueRange{}, ArrayRef<int32_t>(pcs),
                         places, none);
}

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

/// Blocks that need nothing but their arguments and what can be recomputed, and whose
/// being entered leaves loops their one entry.
void ParkableKernel::findWaysIn() {
  Region &body = kernel.getBody();
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&body));
  Liveness liveness(kernel);
  Recompute recompute;
  llvm::SmallPtrSet<Block *, 16> ends{out, ended};
  llvm::SmallPtrSet<Block *, 16> atPoints;
  for (ParkablePoint &point : points) {
    ends.insert(point.save);
    atPoints.insert(point.block);
  }
  for (Block &block : body) {
    CFGLoop *loop = loops.getLoopFor(&block);
    const bool isOutermostHeader =
        loop && loop->getHeader() == &block && !loop->getParentLoop();
    const bool isWay = ends.contains(&block) || isOutermostHeader ||
                       ((!loop || !form.copies) && atPoints.contains(&block));
    if (isWay && llvm::all_of(liveness.getLiveIn(&block), [&](Value value) {
          return recompute.isRecomputable(value);
        }))
      waysIn.insert(&block);
  }
}

void ParkableKernel::copyResumed() {
  llvm::SetVector<Block *> reached;
  for (ParkablePoint &point : points)
    if (!waysIn.contains(point.block))
      reached.insert(point.block);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (Block *successor : reached[i]->getSuccessors())
      if (!waysIn.contains(successor))
        reached.insert(successor);
  IRMapping mapping;
  for (Block *block : reached) {
    Block *copy = code->addBlock(block->getArgumentTypes());
    copies[block] = copy;
    mapping.map(block, copy);
    for (auto [from, to] : llvm::zip(block->getArguments(), copy->getArguments()))
      mapping.map(from, to);
  }
  OpBuilder builder(kernel.getContext());
  for (Block *block : reached) {
    builder.setInsertionPointToEnd(copies[block]);
    for (Operation &op : *block)
      builder.clone(op, mapping);
  }
  for (Block *block : reached) // what was copied later than its use
    for (Operation &op : *copies[block])
      for (OpOperand &operand : op.getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
}

/// A recomputable value that does not reach a use any more is computed at the entry; for
/// what only resumed threads run, where these begin.
LogicalResult ParkableKernel::repairValues() {
  llvm::SmallPtrSet<Block *, 16> inCopy;
  for (auto [block, copy] : copies)
    inCopy.insert(copy);
  struct Place {
    OpBuilder builder;
    IRMapping mapping;
  };
  Place atEntry{OpBuilder(entry->getTerminator()), {}};
  Place atResume{OpBuilder::atBlockBegin(resumed ? resumed : entry), {}};
  for (Place *place : {&atEntry, &atResume}) {
    for (Value argument : entry->getArguments())
      place->mapping.map(argument, argument);
    for (auto local : entry->getOps<LLVM::AllocaOp>())
      place->mapping.map(local.getResult(), local.getResult());
  }
  Recompute recompute;
  DominanceInfo dominance(kernel);
  SmallVector<OpOperand *> lost;
  kernel.walk([&](Operation *op) {
    if (op != kernel.getOperation())
      for (OpOperand &operand : op->getOpOperands())
        if (!dominance.properlyDominates(operand.get(), op))
          lost.push_back(&operand);
  });
  for (OpOperand *operand : lost) {
    if (!recompute.isRecomputable(operand->get()))
      return operand->getOwner()->emitError(
          "internal error: a value crosses a safe point without a slot");
    Place &place = inCopy.contains(operand->getOwner()->getBlock()) ? atResume : atEntry;
    operand->set(Recompute::materialize(operand->get(), place.mapping, place.builder));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels that are not parked inside
//===----------------------------------------------------------------------===//

void ParkableKernel::runEntryOnly() {
  bool waits = false; // blocks, for each other
  SmallVector<ir::SafePointOp> ops;
  kernel.walk([&](Operation *op) {
    waits |= isa<ir::GridBarrierOp>(op);
    if (auto point = dyn_cast<ir::SafePointOp>(op)) {
      waits |= point.getReason() == ir::SafePointReason::Yield;
      ops.push_back(point);
    }
  });
  for (ir::SafePointOp op : ops) {
    op->replaceAllUsesWith(op.getLive());
    op->erase();
  }
  createEntry();
  addParameter();
  ParkingCode ofKernel(kernel, layout, shared, form);
  code = &ofKernel;
  readIntervals();
  ImplicitLocOpBuilder &builder = code->builder;
  Block *return_ = code->addBlock();
  builder.setInsertionPointToEnd(return_);
  LLVM::ReturnOp::create(builder, ValueRange{});
  builder.setInsertionPointToEnd(entry);
  Value status = readStatus();
  code->continueIf(LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, status,
                                        code->constant32(HET_SUSPEND_UNSTARTED)),
                   return_);
  agreeToBegin(status, /*allOrNone=*/waits);
  LLVM::BrOp::create(builder, begin);
  code = nullptr;
}

} // namespace het::transforms
