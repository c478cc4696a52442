// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The saves of the points, and the ends of threads.

#include "KernelExit.h"
#include "ParkedState.h"
#include "het/IR/Module.h"
#include <cstddef>

using namespace mlir;

namespace het::transforms {

KernelExit::KernelExit(ParkableKernel &kernel)
    : kernel(kernel), code(kernel.code), builder(code.builder), form(kernel.form) {}

/// Local objects, then how a thread goes that parks: together all copy shared memory,
/// alone the last of the block does.
void KernelExit::emitOut() {
  builder.setLoc(kernel.function.getLoc());
  Block *out = kernel.out = code.addBlock(builder.getI64Type());
  builder.setInsertionPointToEnd(out);
  waitForCopies();
  ParkedState state(code, out->getArgument(0));
  state.copyLocals(/*save=*/true);
  Value after = code.global(code.field(offsetof(HetSuspendRecord, after)), code.block());
  Value parked = LLVM::ConstantOp::create(
      builder, builder.getI8Type(), builder.getI8IntegerAttr(HET_SUSPEND_SUSPENDED + 1));
  LLVM::StoreOp::create(builder, parked, after);
  if (form.perThread) {
    if (form.countsBarriers)
      LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::umin,
                                code.word(ParkingCode::ParkedAt), code.barriersBefore(),
                                LLVM::AtomicOrdering::acq_rel, "block");
    if (form.marksLanes) {
      Value lane =
          LLVM::ShlOp::create(builder, code.constant32(1), ir::LaneIdOp::create(builder));
      LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::_or,
                                code.word(ParkingCode::Lanes), lane,
                                LLVM::AtomicOrdering::acq_rel, "block");
    }
    leavePerThread(code.constant32(1 << 16));
    return;
  }
  if (form.usesShared) {
    Value yes =
        LLVM::ConstantOp::create(builder, builder.getI1Type(), builder.getBoolAttr(true));
    Value step = ir::BarrierReduceOp::create(builder, ir::BarrierReduceKind::Count, yes);
    Value rank = code.add(ParkingCode::Rank, code.constant32(1));
    auto wide = [&](Value value) -> Value {
      return LLVM::ZExtOp::create(builder, builder.getI64Type(), value);
    };
    state.copyShared(wide(rank), wide(step), /*save=*/true);
  }
  LLVM::ReturnOp::create(builder, ValueRange{});
}

/// Shared memory is saved with what is being copied to it.
void KernelExit::waitForCopies() {
  const bool copies = kernel.function->getParentOfType<ModuleOp>()
                          .walk([](LLVM::StoreOp store) {
                            return store->hasAttr(ir::copyAttrName)
                                       ? WalkResult::interrupt()
                                       : WalkResult::advance();
                          })
                          .wasInterrupted();
  if (copies && form.usesShared)
    ir::CopyWaitOp::create(builder, IntegerAttr());
}

/// Counts the thread among those that are gone; the last one, if any of them is parked,
/// saves shared memory.
void KernelExit::leavePerThread(Value one) {
  if (form.countsEnded) {
    Block *leave = code.addBlock();
    Value before = code.add(ParkingCode::Gone, one);
    Value gone = LLVM::AddOp::create(builder, before, one);
    Value parked = LLVM::LShrOp::create(builder, gone, code.constant32(16));
    Value ended = LLVM::AndOp::create(builder, gone, code.constant32(0xFFFF));
    Value sum = LLVM::AddOp::create(builder, parked, ended);
    Value isLast =
        LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, sum, code.threadCount());
    code.continueIf(isLast, leave);
    code.continueIf(code.isNotZero(parked), leave);
    ParkedState state = ParkedState::inPlace(code, code.read(ParkingCode::Place));
    state.copyShared(code.constant64(0), code.constant64(1), /*save=*/true);
    LLVM::BrOp::create(builder, leave);
    builder.setInsertionPointToEnd(leave);
  }
  if (form.perThread) // others learn of it by a barrier
    ir::FenceOp::create(builder, ir::FenceScope::Block);
  LLVM::ReturnOp::create(builder, ValueRange{});
}

void KernelExit::emitSave(ParkablePoint &point) {
  builder.setInsertionPointToEnd(point.save);
  ParkedState state = ParkedState::takePlace(code);
  LLVM::StoreOp::create(builder, code.constant32(point.id), state.pcAddress());
  for (auto [argument, slot] : llvm::zip(point.save->getArguments(), point.slots))
    LLVM::StoreOp::create(
        builder, argument, state.slotAddress(slot),
        std::min<uint64_t>(kernel.layout.slot(slot).size, maxSlotAlignment));
  LLVM::BrOp::create(builder, ValueRange{state.address}, kernel.out);
}

/// Threads that end count themselves.
void KernelExit::emitReturns() {
  SmallVector<LLVM::ReturnOp> returns(kernel.function.getBody().getOps<LLVM::ReturnOp>());
  kernel.ended = code.addBlock();
  builder.setInsertionPointToEnd(kernel.ended);
  if (!form.countsEnded) {
    LLVM::ReturnOp::create(builder, ValueRange{});
    return;
  }
  waitForCopies();
  leavePerThread(code.constant32(1));
  for (LLVM::ReturnOp op : returns) {
    OpBuilder atReturn(op);
    LLVM::BrOp::create(atReturn, op.getLoc(), kernel.ended);
    op->erase();
  }
}

void KernelExit::emitSaves() {
  auto &points = kernel.points;
  if (llvm::any_of(points, [](ParkablePoint &point) { return point.save; }))
    emitOut();
  for (ParkablePoint &point : points)
    if (point.save)
      emitSave(point);
}

} // namespace het::transforms
