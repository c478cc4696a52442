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
// that is in no loop or begins an outermost one (ResumedCopy.h). Not so where lanes of
// a team may be apart and yet have to carry out one operation together: the machine takes
// an operation and its copy for two.

#include "KernelEntry.h"
#include "KernelExit.h"
#include "ResumedCopy.h"
#include "SafePointCode.h"
#include "het/Transforms/Passes.h"
#include "het/Transforms/UniformityAnalysis.h"
#include "mlir/Pass/Pass.h"

namespace het::transforms {
#define GEN_PASS_DEF_FORMPARKABLE
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;
using namespace het;
using namespace het::transforms;
using ir::SafePointReason;

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
    exchanges |= teamMask(op) || isa<ir::BarrierReduceOp>(op);
    polls |= isa<ir::GridBarrierOp>(op);
    hasBarriers |= ir::syncScope(op) >= ir::SyncScope::Block;
    hasTeams |= teamMask(op) != nullptr;
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

/// Whether its blocks wait for each other.
bool hasWaitingBlocks(LLVM::LLVMFuncOp kernel) {
  bool found = false;
  kernel.walk([&](Operation *op) {
    found |= isa<ir::GridBarrierOp>(op) && !ir::usesCluster(op);
    if (auto point = dyn_cast<ir::SafePointOp>(op))
      found |= point.getReason() == SafePointReason::Yield;
  });
  return found;
}

void formUnparkable(LLVM::LLVMFuncOp function, const SharedObjects &shared) {
  const bool allOrNone = hasWaitingBlocks(function);
  ParkableKernel kernel(function, shared, {});
  kernel.removePoints();
  kernel.createEntry();
  kernel.addParameter();
  kernel.readIntervals();
  KernelEntry(kernel).emitUnparkable(allOrNone);
}

/// All but the entry.
void formBody(ParkableKernel &kernel) {
  kernel.splitPoints();
  kernel.createEntry();
  kernel.addParameter();
  if (kernel.form.countsBarriers) {
    kernel.code.builder.setInsertionPointToEnd(kernel.entry);
    kernel.code.createCounter();
  }
  kernel.readIntervals();
  KernelExit exit(kernel);
  exit.emitReturns();
  for (ParkablePoint &point : kernel.points)
    SafePointCode(kernel.code, point).emit();
  exit.emitSaves();
}

/// The form for all launches.
LogicalResult formResuming(LLVM::LLVMFuncOp function, const SharedObjects &shared,
                           const ParkingForm &form) {
  ParkableKernel kernel(function, shared, form);
  formBody(kernel);
  ResumedCopy copy(kernel);
  Block *resumed = KernelEntry(kernel).emitResuming(copy);
  return copy.repairValues(resumed);
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
      formUnparkable(kernel, shared);
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
    ParkableKernel fresh(kernel, shared, form);
    kernel->setAttr(
        ir::frameAttrName,
        builder.getDictionaryAttr(
            {builder.getNamedAttr("thread_bytes", builder.getI64IntegerAttr(
                                                      fresh.layout.bytesPerThread())),
             builder.getNamedAttr("shared_bytes",
                                  builder.getI64IntegerAttr(shared.bytes))}));
    formBody(fresh);
    KernelEntry(fresh).emitFresh();
    return formResuming(resumed, shared, form);
  }

  void runOnOperation() override {
    const SharedObjects shared(getOperation());
    SmallVector<LLVM::LLVMFuncOp> kernels;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (ir::isKernel(function) && !function.isExternal())
        kernels.push_back(function);
    for (LLVM::LLVMFuncOp kernel : kernels)
      if (failed(checkSlots(kernel)) || failed(checkLocalObjects(kernel)) ||
          failed(formKernel(kernel, shared)))
        return signalPassFailure();
  }
};

} // namespace
