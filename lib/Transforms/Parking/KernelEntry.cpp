// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry of a kernel: how its block stands, and the way to where that leads.

#include "KernelEntry.h"
#include "ParkedState.h"
#include "ResumedCopy.h"
#include <cstddef>

using namespace mlir;

namespace het::transforms {

KernelEntry::KernelEntry(ParkableKernel &kernel)
    : kernel(kernel), code(kernel.code), builder(code.builder) {}

/// A block that returns.
Block *KernelEntry::addReturn() {
  Block *block = code.addBlock();
  builder.setInsertionPointToEnd(block);
  LLVM::ReturnOp::create(builder, ValueRange{});
  return block;
}

/// How the block stands, i32.
Value KernelEntry::readStatus() {
  Block *look = code.addBlock(), *join = code.addBlock(builder.getI32Type());
  Value before = code.field(offsetof(HetSuspendRecord, before));
  LLVM::CondBrOp::create(builder, code.isNotZero(before), look, ValueRange{}, join,
                         ValueRange{code.constant32(HET_SUSPEND_UNSTARTED)});
  builder.setInsertionPointToEnd(look);
  Value status = LLVM::LoadOp::create(builder, builder.getI8Type(),
                                      code.global(before, code.block()));
  Value wide = LLVM::ZExtOp::create(builder, builder.getI32Type(), status);
  LLVM::BrOp::create(builder, ValueRange{wide}, join);
  builder.setInsertionPointToEnd(join);
  return join->getArgument(0);
}

/// The flag as the first thread of the grid that asks has seen it, so that all blocks
/// decide alike, i1. Only the first thread of a block gets it; the others get false.
Value KernelEntry::agreeWithGrid(Value flag) {
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
void KernelEntry::agreeToBegin(Value status, bool allOrNone) {
  Value flag = code.lookAtFlag(code.flagAddress());
  if (allOrNone)
    flag = agreeWithGrid(flag);
  auto told = ir::BarrierReduceOp::create(builder, ir::BarrierReduceKind::Or, flag);
  told->setAttr(ir::alignedAttrName, builder.getUnitAttr());
  Block *leave = code.addBlock();
  Value none = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, told.getResult(),
                                    code.constant32(0));
  code.continueIf(none, leave);
  OpBuilder::InsertionGuard guard(builder);
  leaveAsItStands(leave, status);
}

void KernelEntry::leaveAsItStands(Block *block, Value status) {
  builder.setInsertionPointToEnd(block);
  Block *end = code.addBlock();
  Value isFirst = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, code.thread(),
                                       code.constant32(0));
  code.continueIf(isFirst, end);
  Value after = code.global(code.field(offsetof(HetSuspendRecord, after)), code.block());
  Value more = LLVM::AddOp::create(builder, status, code.constant32(1));
  Value byte = LLVM::TruncOp::create(builder, builder.getI8Type(), more);
  LLVM::StoreOp::create(builder, byte, after);
  LLVM::AtomicRMWOp::create(
      builder, LLVM::AtomicBinOp::add, code.count(offsetof(HetSuspendCounts, left)),
      code.constant32(1), LLVM::AtomicOrdering::monotonic, "device");
  LLVM::BrOp::create(builder, end);
  builder.setInsertionPointToEnd(end);
  LLVM::ReturnOp::create(builder, ValueRange{});
}

/// The place of a block that is parked, else none.
Value KernelEntry::readPlace(Value isParked) {
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

void KernelEntry::emitFresh() {
  builder.setLoc(kernel.function.getLoc());
  builder.setInsertionPointToEnd(kernel.entry);
  code.initializeWords(code.constant32(HET_SUSPEND_NO_PLACE));
  agreeToBegin(code.constant32(HET_SUSPEND_UNSTARTED), /*allOrNone=*/false);
  LLVM::BrOp::create(builder, kernel.begin);
}

Block *KernelEntry::emitResuming(const ResumedCopy &copy) {
  builder.setLoc(kernel.function.getLoc());
  Block *returning = addReturn();
  builder.setInsertionPointToEnd(kernel.entry);
  auto stands = [&](Value status, uint32_t as) -> Value {
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, status,
                                code.constant32(as));
  };
  Value status = readStatus();
  Value no = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, status,
                                  code.constant32(HET_SUSPEND_ENDED));
  code.continueIf(no, returning);
  Value isParked = stands(status, HET_SUSPEND_SUSPENDED);
  Value place = readPlace(isParked);
  code.initializeWords(place);
  agreeToBegin(status, /*allOrNone=*/false);
  Block *resumed = code.addBlock();
  LLVM::CondBrOp::create(builder, isParked, resumed, ValueRange{}, kernel.begin,
                         ValueRange{}, std::pair<int32_t, int32_t>(1, 1 << 20));
  builder.setInsertionPointToEnd(resumed);
  restore(place, copy);
  return resumed;
}

/// A thread takes its pc away, so that it has ended unless it parks again.
void KernelEntry::restore(Value place, const ResumedCopy &copy) {
  ParkedState state = ParkedState::inPlace(code, place);
  Value pc = LLVM::LoadOp::create(builder, builder.getI32Type(), state.pcAddress());
  LLVM::StoreOp::create(builder, code.constant32(endedPc), state.pcAddress());
  if (kernel.form.usesShared) {
    auto wide = [&](Value value) -> Value {
      return LLVM::ZExtOp::create(builder, builder.getI64Type(), value);
    };
    state.copyShared(wide(code.thread()), wide(code.threadCount()),
                     /*save=*/false);
    auto all = ir::BarrierOp::create(builder, 0, Value());
    all->setAttr(ir::alignedAttrName, builder.getUnitAttr());
  }
  state.copyLocals(/*save=*/false);
  jump(pc, state, copy);
}

void KernelEntry::jump(Value pc, const ParkedState &state, const ResumedCopy &copy) {
  Block *head = builder.getInsertionBlock(), *unknown = code.addBlock();
  SmallVector<int32_t> pcs{static_cast<int32_t>(endedPc), 0};
  SmallVector<Block *> places{kernel.ended, kernel.begin};
  for (const ParkablePoint &point : kernel.points) {
    Block *load = code.addBlock();
    pcs.push_back(point.id);
    places.push_back(load);
    builder.setInsertionPointToEnd(load);
    SmallVector<Value> live;
    for (auto [argument, slot] : llvm::zip(point.block->getArguments(), point.slots))
      live.push_back(LLVM::LoadOp::create(
          builder, argument.getType(), state.slotAddress(slot),
          std::min<uint64_t>(kernel.layout.slot(slot).size, maxSlotAlignment)));
    LLVM::BrOp::create(builder, live, copy.wayIn(point));
  }
  builder.setInsertionPointToEnd(unknown); // no state of this kernel
  ir::TrapOp::create(builder);
  LLVM::UnreachableOp::create(builder);
  builder.setInsertionPointToEnd(head);
  SmallVector<ValueRange> none(places.size());
  LLVM::SwitchOp::create(builder, pc, unknown, ValueRange{}, ArrayRef<int32_t>(pcs),
                         places, none);
}

void KernelEntry::emitUnparkable(bool allOrNone) {
  Block *returning = addReturn();
  builder.setInsertionPointToEnd(kernel.entry);
  Value status = readStatus();
  code.continueIf(LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, status,
                                       code.constant32(HET_SUSPEND_UNSTARTED)),
                  returning);
  agreeToBegin(status, allOrNone);
  LLVM::BrOp::create(builder, kernel.begin);
}

} // namespace het::transforms
