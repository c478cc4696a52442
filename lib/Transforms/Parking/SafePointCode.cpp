// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How threads find out at a safe point whether they are parked there.

#include "SafePointCode.h"

using namespace mlir;
using het::ir::SafePointReason;

namespace het::transforms {

SafePointCode::SafePointCode(ParkingCode &code, ParkablePoint &point)
    : code(code), builder(code.builder), form(code.form), point(point) {}

/// The place where a thread that parks at this point goes, with what lives there.
Block *SafePointCode::save() {
  if (!point.save)
    point.save = code.addBlock(point.block->getArgumentTypes());
  return point.save;
}

/// Goes on where the condition is true.
void SafePointCode::parkUnless(Value condition) {
  code.continueIf(condition, save(), point.block->getArguments());
}

/// All come together: each looks, and the barrier has them do the same. To choose some
/// that look would keep what they are chosen by in a register.
void SafePointCode::pollConvergent() {
  Value flag = code.lookAtFlag(code.keptFlagAddress());
  auto told = ir::BarrierReduceOp::create(builder, ir::BarrierReduceKind::Or, flag);
  if (Attribute aligned = point.sync->getAttr(ir::alignedAttrName))
    told->setAttr(ir::alignedAttrName, aligned);
  point.sync->erase();
  Value none = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, told.getResult(),
                                    code.constant32(0));
  parkUnless(none);
}

/// A thread that sees the flag goes, whatever the others do.
void SafePointCode::pollPerThread() {
  Value flag = code.lookAtFlag(code.keptFlagAddress());
  Block *next = code.addBlock();
  LLVM::CondBrOp::create(builder, flag, save(), point.block->getArguments(), next,
                         ValueRange{}, std::pair<int32_t, int32_t>(1, 1 << 20));
  builder.setInsertionPointToEnd(next);
}

/// Goes on where no thread has parked before the latest barrier: it would have been
/// missing there, and has left before the others could pass. Those that park behind the
/// barrier have counted it.
void SafePointCode::checkBlock() {
  Value areAll =
      LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::uge,
                           code.read(ParkingCode::ParkedAt), code.barriersBefore());
  parkUnless(areAll);
}

/// Lanes of the mask that did not come and are parked are missing. Lanes that came and
/// have parked since are not.
void SafePointCode::checkTeam(Value mask) {
  Value yes =
      LLVM::ConstantOp::create(builder, builder.getI1Type(), builder.getBoolAttr(true));
  Value came = ir::BallotOp::create(builder, mask, yes);
  Value absent = LLVM::XOrOp::create(builder, came, code.constant32(~0u));
  Value missing = LLVM::AndOp::create(builder, LLVM::AndOp::create(builder, mask, absent),
                                      code.read(ParkingCode::Lanes));
  Value none =
      LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, missing, code.constant32(0));
  parkUnless(none);
}

Value teamMask(Operation *op) {
  auto sync = dyn_cast<ir::SyncPointOpInterface>(op);
  return sync ? sync.getTeamMask() : Value();
}

void SafePointCode::emit() {
  builder.setInsertionPointToEnd(point.block);
  Operation *sync = point.sync;
  if (sync)
    builder.setLoc(sync->getLoc());
  const bool isConvergent =
      point.reason == SafePointReason::Poll && sync && !form.perThread;
  if (isConvergent) {
    pollConvergent();
    LLVM::BrOp::create(builder, point.next);
    return;
  }
  if (point.reason == SafePointReason::Poll || point.reason == SafePointReason::Yield)
    pollPerThread();
  if (form.perThread && sync) {
    Value mask = teamMask(sync);
    if (mask) {
      checkTeam(mask);
    } else if (ir::syncScope(sync) != ir::SyncScope::Team) {
      ir::BarrierOp::create(builder, 0, Value());
      code.countBarrier();
      checkBlock();
    }
  }
  if (sync && isa<ir::GridBarrierOp>(sync))
    waitForGrid();
  else if (sync && isa<ir::BarrierOp>(sync) && form.perThread)
    sync->erase(); // there has been one
  else if (sync)
    sync->moveBefore(builder.getInsertionBlock(), builder.getInsertionBlock()->end());
  builder.setInsertionPointToEnd(builder.getInsertionBlock());
  LLVM::BrOp::create(builder, point.next);
}

} // namespace het::transforms
