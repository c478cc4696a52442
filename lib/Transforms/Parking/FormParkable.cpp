// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes kernels that a machine with SIMT hardware runs as they are ones whose blocks can
// be parked and gone on with (docs/design/suspending-on-gpus.md). Before: each sync
// point behind a safe point. After: the kernel has one more argument
// (DeviceABI/SuspendRecord.h) and no safe points.
//
//   entry      how does the block stand? Ended: return. Else all threads agree whether
//              the flag is set: leave the block so. Parked: load shared memory, a pc, the
//              local objects, and jump. Not started: begin.
//   point      a block whose arguments are what lives there. Where threads look at the
//              flag, or find that some have parked, they go to the point's
//   save       which stores the pc and what lives there, then
//   out        local objects and shared memory; return.
//
// A kernel that is parked inside has two forms (DeviceABI/SuspendRecord.h): the one that
// most launches are given has no jump, and so its values are what they are in the plain
// kernel. In the other one the ways in by the jump would take loops' shapes away, and
// with them what a compiler makes of loops. So a point inside of a loop is gone on with
// in a copy of the code from there on, which leads back into the kernel's own code where
// that is in no loop or begins an outermost one (ResumeParked.cpp). Not so where lanes of
// a team may be apart and yet have to carry out one operation together: the machine takes
// an operation and its copy for two.

#include "FormParkable.h"
#include "ParkedState.h"
#include "het/IR/Module.h"
#include "het/Transforms/Passes.h"
#include "het/Transforms/UniformityAnalysis.h"
#include "mlir/Pass/Pass.h"
#include <cstddef>

namespace het::transforms {
#define GEN_PASS_DEF_FORMPARKABLE
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;
using namespace het;
using namespace het::transforms;
using ir::SafePointReason;

namespace het::transforms {

ParkableKernel::ParkableKernel(LLVM::LLVMFuncOp kernel, const SharedObjects &shared,
                               const ParkingForm &form, Launches launches)
    : kernel(kernel), form(form), launches(launches), layout(kernel), shared(shared) {}

/// Each safe point becomes the beginning of a block whose arguments take the place of
/// its results.
void ParkableKernel::splitPoints() {
  SmallVector<ir::SafePointOp> ops;
  kernel.walk([&](ir::SafePointOp op) { ops.push_back(op); });
  for (ir::SafePointOp op : ops) {
    if (op.getReason() == SafePointReason::Entry ||
        (op.getReason() != SafePointReason::Poll &&
         kernel->hasAttr(ir::parksAtPollsAttrName))) {
      op->replaceAllUsesWith(op.getLive());
      op->erase();
      continue;
    }
    Block *before = op->getBlock(), *block = before->splitBlock(op);
    OpBuilder builder = OpBuilder::atBlockEnd(before);
    LLVM::BrOp::create(builder, op.getLoc(), op.getLive(), block);
    ParkablePoint point{static_cast<uint32_t>(op.getId()),
                        op.getReason(),
                        nullptr,
                        block,
                        nullptr,
                        nullptr,
                        {}};
    for (Value result : op->getResults())
      result.replaceAllUsesWith(block->addArgument(result.getType(), op.getLoc()));
    llvm::append_range(
        point.slots,
        op->getAttrOfType<DenseI32ArrayAttr>(ir::slotsAttrName).asArrayRef());
    point.sync = op.getSyncPoint();
    op->erase();
    point.next =
        block->splitBlock(point.sync ? point.sync->getNextNode() : &block->front());
    points.push_back(std::move(point));
  }
}

/// A block before all others, with the arguments and the local objects.
void ParkableKernel::createEntry() {
  Region &body = kernel.getBody();
  begin = &body.front();
  entry = new Block;
  body.push_front(entry);
  for (BlockArgument argument : begin->getArguments())
    argument.replaceAllUsesWith(
        entry->addArgument(argument.getType(), argument.getLoc()));
  begin->eraseArguments([](BlockArgument) { return true; });
  for (auto local : llvm::make_early_inc_range(begin->getOps<LLVM::AllocaOp>())) {
    Operation *count = local.getArraySize().getDefiningOp();
    if (count->getBlock() == begin)
      count->moveBefore(entry, entry->end());
    local->moveBefore(entry, entry->end());
  }
}

void ParkableKernel::addParameter() {
  ImplicitLocOpBuilder builder(kernel.getLoc(), kernel.getContext());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = kernel.getFunctionType();
  SmallVector<Type> types(type.getParams());
  types.push_back(pointer);
  SmallVector<Attribute> attributes;
  if (ArrayAttr old = kernel.getArgAttrsAttr())
    llvm::append_range(attributes, old);
  else
    attributes.assign(type.getNumParams(), builder.getDictionaryAttr({}));
  constexpr unsigned fields = sizeof(HetSuspendRecord) / sizeof(uint64_t);
  auto record = LLVM::LLVMArrayType::get(builder.getI64Type(), fields);
  attributes.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr(LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(record)),
       builder.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                            builder.getI64IntegerAttr(8)),
       builder.getNamedAttr(ir::gridConstantAttrName, builder.getUnitAttr())}));
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(type.getReturnType(), types));
  kernel.getBody().front().addArgument(pointer, kernel.getLoc());
  kernel.setArgAttrsAttr(builder.getArrayAttr(attributes));
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// The place where a thread that parks at this point goes, with what lives there.
Block *ParkableKernel::saveOf(ParkablePoint &point) {
  if (!point.save)
    point.save = code->addBlock(point.block->getArgumentTypes());
  return point.save;
}

/// All come together: each looks, and the barrier has them do the same. To choose some
/// that look would keep what they are chosen by in a register.
void ParkableKernel::pollConvergent(ParkablePoint &point) {
  ImplicitLocOpBuilder &builder = code->builder;
  Value flag = code->lookAtFlag(code->keptFlagAddress());
  auto told = ir::BarrierReduceOp::create(builder, ir::BarrierReduceKind::Or, flag);
  if (Attribute aligned = point.sync->getAttr(ir::alignedAttrName))
    told->setAttr(ir::alignedAttrName, aligned);
  point.sync->erase();
  Value none = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, told.getResult(),
                                    code->constant32(0));
  code->continueIf(none, saveOf(point), point.block->getArguments());
}

/// A thread that sees the flag goes, whatever the others do.
void ParkableKernel::pollPerThread(ParkablePoint &point) {
  ImplicitLocOpBuilder &builder = code->builder;
  Value flag = code->lookAtFlag(code->keptFlagAddress());
  Block *next = code->addBlock();
  LLVM::CondBrOp::create(builder, flag, saveOf(point), point.block->getArguments(), next,
                         ValueRange{}, std::pair<int32_t, int32_t>(1, 1 << 20));
  builder.setInsertionPointToEnd(next);
}

/// Goes on where no thread has parked before the latest barrier: it would have been
/// missing there, and has left before the others could pass. Those that park behind the
/// barrier have counted it.
void ParkableKernel::checkBlock(ParkablePoint &point) {
  ImplicitLocOpBuilder &builder = code->builder;
  Value areAll =
      LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::uge,
                           code->read(ParkingCode::ParkedAt), code->barriersBefore());
  code->continueIf(areAll, saveOf(point), point.block->getArguments());
}

/// Lanes of the mask that did not come and are parked are missing. Lanes that came and
/// have parked since are not.
void ParkableKernel::checkTeam(ParkablePoint &point, Value mask) {
  ImplicitLocOpBuilder &builder = code->builder;
  Value yes =
      LLVM::ConstantOp::create(builder, builder.getI1Type(), builder.getBoolAttr(true));
  Value came = ir::BallotOp::create(builder, mask, yes);
  Value absent = LLVM::XOrOp::create(builder, came, code->constant32(~0u));
  Value missing = LLVM::AndOp::create(builder, LLVM::AndOp::create(builder, mask, absent),
                                      code->read(ParkingCode::Lanes));
  Value none = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, missing,
                                    code->constant32(0));
  code->continueIf(none, saveOf(point), point.block->getArguments());
}

/// The mask of an operation whose lanes wait for each other, or null.
static Value maskOf(Operation *op) {
  auto sync = dyn_cast<ir::SyncPointOpInterface>(op);
  return sync ? sync.getTeamMask() : Value();
}

void ParkableKernel::formPoint(ParkablePoint &point) {
  ImplicitLocOpBuilder &builder = code->builder;
  builder.setInsertionPointToEnd(point.block);
  Operation *sync = point.sync;
  if (sync)
    builder.setLoc(sync->getLoc());
  const bool isConvergent =
      point.reason == SafePointReason::Poll && sync && !form.perThread;
  if (isConvergent) {
    pollConvergent(point);
    LLVM::BrOp::create(builder, point.next);
    return;
  }
  if (point.reason == SafePointReason::Poll || point.reason == SafePointReason::Yield)
    pollPerThread(point);
  if (form.perThread && sync) {
    Value mask = maskOf(sync);
    if (mask) {
      checkTeam(point, mask);
    } else if (ir::syncScope(sync) != ir::SyncScope::Team) {
      ir::BarrierOp::create(builder, 0, Value());
      code->countBarrier();
      checkBlock(point);
    }
  }
  if (sync && isa<ir::GridBarrierOp>(sync))
    waitForGrid(point);
  else if (sync && isa<ir::BarrierOp>(sync) && form.perThread)
    sync->erase(); // there has been one
  else if (sync)
    sync->moveBefore(builder.getInsertionBlock(), builder.getInsertionBlock()->end());
  builder.setInsertionPointToEnd(builder.getInsertionBlock());
  LLVM::BrOp::create(builder, point.next);
}

//===----------------------------------------------------------------------===//
// Out
//===----------------------------------------------------------------------===//

/// Local objects, then how a thread goes that parks: together all copy shared memory,
/// alone the last of the block does.
void ParkableKernel::formOut() {
  ImplicitLocOpBuilder &builder = code->builder;
  builder.setLoc(kernel.getLoc());
  out = code->addBlock(builder.getI64Type());
  builder.setInsertionPointToEnd(out);
  ParkedState state(*code, out->getArgument(0));
  state.copyLocals(/*save=*/true);
  Value after =
      code->global(code->field(offsetof(HetSuspendRecord, after)), code->block());
  Value parked = LLVM::ConstantOp::create(
      builder, builder.getI8Type(), builder.getI8IntegerAttr(HET_SUSPEND_SUSPENDED + 1));
  LLVM::StoreOp::create(builder, parked, after);
  if (form.perThread) {
    if (form.countsBarriers)
      LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::umin,
                                code->word(ParkingCode::ParkedAt), code->barriersBefore(),
                                LLVM::AtomicOrdering::acq_rel, "block");
    if (form.marksLanes) {
      Value lane = LLVM::ShlOp::create(builder, code->constant32(1),
                                       ir::LaneIdOp::create(builder));
      LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::_or,
                                code->word(ParkingCode::Lanes), lane,
                                LLVM::AtomicOrdering::acq_rel, "block");
    }
    leavePerThread(code->constant32(1 << 16));
    return;
  }
  if (form.usesShared) {
    Value yes =
        LLVM::ConstantOp::create(builder, builder.getI1Type(), builder.getBoolAttr(true));
    Value step = ir::BarrierReduceOp::create(builder, ir::BarrierReduceKind::Count, yes);
    Value rank = code->add(ParkingCode::Rank, code->constant32(1));
    auto wide = [&](Value value) -> Value {
      return LLVM::ZExtOp::create(builder, builder.getI64Type(), value);
    };
    state.copyShared(wide(rank), wide(step), /*save=*/true);
  }
  LLVM::ReturnOp::create(builder, ValueRange{});
}

/// Counts the thread among those that are gone; the last one, if any of them is parked,
/// saves shared memory.
void ParkableKernel::leavePerThread(Value one) {
  ImplicitLocOpBuilder &builder = code->builder;
  if (form.countsEnded) {
    Block *leave = code->addBlock();
    Value before = code->add(ParkingCode::Gone, one);
    Value gone = LLVM::AddOp::create(builder, before, one);
    Value parked = LLVM::LShrOp::create(builder, gone, code->constant32(16));
    Value ended = LLVM::AndOp::create(builder, gone, code->constant32(0xFFFF));
    Value sum = LLVM::AddOp::create(builder, parked, ended);
    Value isLast =
        LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, sum, code->threadCount());
    code->continueIf(isLast, leave);
    code->continueIf(code->isNotZero(parked), leave);
    ParkedState state = ParkedState::inPlace(*code, code->read(ParkingCode::Place));
    state.copyShared(code->constant64(0), code->constant64(1), /*save=*/true);
    LLVM::BrOp::create(builder, leave);
    builder.setInsertionPointToEnd(leave);
  }
  if (form.perThread) // others learn of it by a barrier
    ir::FenceOp::create(builder, ir::FenceScope::Block);
  LLVM::ReturnOp::create(builder, ValueRange{});
}

void ParkableKernel::formSave(ParkablePoint &point) {
  ImplicitLocOpBuilder &builder = code->builder;
  builder.setInsertionPointToEnd(point.save);
  ParkedState state = ParkedState::takePlace(*code);
  LLVM::StoreOp::create(builder, code->constant32(point.id), state.pcAddress());
  for (auto [argument, slot] : llvm::zip(point.save->getArguments(), point.slots))
    LLVM::StoreOp::create(builder, argument, state.slotAddress(slot),
                          std::min<uint64_t>(layout.slot(slot).size, maxSlotAlignment));
  LLVM::BrOp::create(builder, ValueRange{state.address}, out);
}

/// Threads that end count themselves.
void ParkableKernel::formReturns() {
  SmallVector<LLVM::ReturnOp> returns(kernel.getBody().getOps<LLVM::ReturnOp>());
  ImplicitLocOpBuilder &builder = code->builder;
  if (form.countsEnded) {
    ended = code->addBlock();
    builder.setInsertionPointToEnd(ended);
    leavePerThread(code->constant32(1));
    for (LLVM::ReturnOp op : returns) {
      OpBuilder atReturn(op);
      LLVM::BrOp::create(atReturn, op.getLoc(), ended);
      op->erase();
    }
    return;
  }
  ended = code->addBlock();
  builder.setInsertionPointToEnd(ended);
  LLVM::ReturnOp::create(builder, ValueRange{});
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void ParkableKernel::createCounter() {
  ImplicitLocOpBuilder &builder = code->builder;
  builder.setInsertionPointToEnd(entry);
  code->barriers =
      LLVM::AllocaOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()),
                             builder.getI32Type(), code->constant32(1));
  LLVM::StoreOp::create(builder, code->constant32(0), code->barriers);
}

void ParkableKernel::readIntervals() {
  ImplicitLocOpBuilder &builder = code->builder;
  kernel.walk([&](ir::PollIntervalOp op) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    Value wide = code->field(offsetof(HetSuspendRecord, pollInterval));
    op.replaceAllUsesWith(
        LLVM::TruncOp::create(builder, builder.getI32Type(), wide).getResult());
    op.erase();
  });
}

LogicalResult ParkableKernel::run() {
  splitPoints();
  createEntry();
  addParameter();
  ParkingCode ofKernel(kernel, layout, shared, form);
  code = &ofKernel;
  if (form.countsBarriers)
    createCounter();
  readIntervals();
  formReturns();
  for (ParkablePoint &point : points)
    formPoint(point);
  if (llvm::any_of(points, [](ParkablePoint &point) { return point.save; }))
    formOut();
  for (ParkablePoint &point : points)
    if (point.save)
      formSave(point);
  if (launches == Launches::Fresh)
    formFreshEntry();
  else
    formEntry();
  code = nullptr;
  return repairValues();
}

} // namespace het::transforms

namespace {

/// Why a kernel's blocks are not parked inside; empty: they are.
std::string findReason(LLVM::LLVMFuncOp kernel) {
  if (auto known = kernel->getAttrOfType<StringAttr>(ir::unparkableAttrName))
    return known.str();
  std::string reason;
  if (kernel.getBody().front().getOps<ir::SafePointOp>().empty())
    reason = "it has no safe point at its entry";
  kernel.walk([&](Operation *op) {
    if (ir::isSyncPoint(op) && !isa_and_nonnull<ir::SafePointOp>(op->getPrevNode()))
      reason = "a sync point has no safe point";
  });
  return reason;
}

ParkingForm chooseForm(LLVM::LLVMFuncOp kernel, const SharedObjects &shared) {
  ParkingForm form;
  UniformityAnalysis uniformity(kernel);
  bool hasBarriers = false, hasTeams = false, exchanges = false, polls = false,
       isApart = false;
  kernel.walk([&](Operation *op) {
    exchanges |= maskOf(op) || isa<ir::BarrierReduceOp>(op);
    polls |= isa<ir::GridBarrierOp>(op);
    hasBarriers |= ir::syncScope(op) >= ir::SyncScope::Block;
    hasTeams |= maskOf(op) != nullptr;
    auto point = dyn_cast<ir::SafePointOp>(op);
    if (!point)
      return;
    isApart |= uniformity.controlLevel(point->getBlock()) > ir::Level::Team;
    polls |= point.getReason() == SafePointReason::Poll;
    form.perThread |=
        point.getReason() == SafePointReason::Yield ||
        (point.getReason() == SafePointReason::Poll && !point.getSyncPoint());
  });
  kernel->getParentOfType<ModuleOp>().walk(
      [&](ir::DynamicSharedOp) { form.usesDynamic = true; });
  form.usesShared = form.usesDynamic || !shared.objects.empty();
  // Lanes of a team that have been parked at different points elsewhere do not come to
  // one operation together.
  form.perThread |= isApart && polls && (hasBarriers || hasTeams);
  form.countsEnded = form.perThread && form.usesShared;
  form.countsBarriers = form.perThread && hasBarriers;
  form.marksLanes = form.perThread && hasTeams;
  form.keepsTeamsConvergent = !form.perThread && !isApart;
  form.copies = form.keepsTeamsConvergent || !exchanges;
  return form;
}

struct FormParkable : het::transforms::impl::FormParkableBase<FormParkable> {
  using FormParkableBase::FormParkableBase;

  LogicalResult formKernel(LLVM::LLVMFuncOp kernel, const SharedObjects &shared) {
    Builder builder(kernel.getContext());
    std::string reason = findReason(kernel);
    if (!reason.empty()) {
      kernel->setAttr(ir::unparkableAttrName, builder.getStringAttr(reason));
      kernel->removeAttr(ir::layoutAttrName);
    }
    if (!kernel->hasAttr(ir::layoutAttrName)) {
      ParkableKernel(kernel, shared, {}, Launches::Any).runEntryOnly();
      return success();
    }
    SmallVector<Operation *> lifetimes;
    kernel.walk([&](Operation *op) {
      if (isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op))
        lifetimes.push_back(op);
    });
    for (Operation *op : lifetimes)
      op->erase();
    const ParkingForm form = chooseForm(kernel, shared);
    if (!form.keepsTeamsConvergent) // lanes of a team come to a barrier apart
      kernel.walk([](Operation *op) { op->removeAttr(ir::alignedAttrName); });
    LLVM::LLVMFuncOp resumed = kernel.clone();
    resumed.setSymName((kernel.getSymName() + HET_SUSPEND_RESUME).str());
    kernel->getBlock()->getOperations().insertAfter(kernel->getIterator(), resumed);
    ParkableKernel parkable(kernel, shared, form, Launches::Fresh);
    kernel->setAttr(
        ir::frameAttrName,
        builder.getDictionaryAttr(
            {builder.getNamedAttr("thread_bytes", builder.getI64IntegerAttr(
                                                      parkable.layout.bytesPerThread())),
             builder.getNamedAttr("shared_bytes",
                                  builder.getI64IntegerAttr(shared.bytes))}));
    if (failed(parkable.run()))
      return failure();
    return ParkableKernel(resumed, shared, form, Launches::Any).run();
  }

  void runOnOperation() override {
    const SharedObjects shared(getOperation());
    SmallVector<LLVM::LLVMFuncOp> kernels;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (ir::isKernel(function) && !function.isExternal())
        kernels.push_back(function);
    for (LLVM::LLVMFuncOp kernel : kernels)
      if (failed(formKernel(kernel, shared)))
        return signalPassFailure();
  }
};

} // namespace
