// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which form a kernel takes. OpenCL promises less than CUDA: all work-items of a group
// must reach a barrier together, what a sub-group operation does in divergent control
// flow is each device's affair, and work-items need not make progress independently of
// each other. Where the analyses prove that a kernel asks for no more, it runs natively;
// otherwise it is segmented, where all of that is done by generated code.

#include "ConvertToSPIRV.h"
#include "het/IR/Matrix.h"
#include "het/Transforms/LockstepHazards.h"
#include "het/Transforms/UniformityAnalysis.h"
#include "het/Transforms/WaitingLoops.h"
#include "mlir/Analysis/CallGraph.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het::spirv {
namespace {

/// Operations in a module that matter here, a kernel's callees included.
struct Contents {
  bool hasBarriers = false, hasTeams = false, ends = false, hasHeap = false;
  bool hasGridBarriers = false, hasNamedBarriers = false, usesClusters = false;
  bool syncsInCallee = false, waits = false, recurs = false, hasWideAtomics = false;
  bool hasMatrices = false;

  void note(ir::SyncPointOpInterface sync) {
    if (sync.getSyncScope() == ir::SyncScope::Team)
      hasTeams = true;
    else if (sync.getSyncScope() == ir::SyncScope::Grid)
      hasGridBarriers = true;
    else
      (sync.isWholeBarrier() ? hasBarriers : hasNamedBarriers) = true;
  }
};

bool hasWaitingLoop(LLVM::LLVMFuncOp function) {
  if (function.getBody().hasOneBlock())
    return false;
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
  return llvm::any_of(loops.getLoopsInPreorder(), [&](CFGLoop *loop) {
    switch (transforms::findWait(loop, dominance)) {
    case transforms::LoopWait::Never:
      return false;
    case transforms::LoopWait::Sometimes:
      return transforms::mayBeReleased(loop, dominance);
    case transforms::LoopWait::Always:
      return true;
    }
    llvm_unreachable("a loop that waits in no way");
  });
}

bool isRecursive(ModuleOp module) {
  const CallGraph graph(module);
  for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it)
    if (it.hasCycle())
      return true;
  return false;
}

/// Whether it is an atomic of 128 bits, which goes by a lock.
bool isWideAtomic(Operation *op) {
  Type type =
      llvm::TypeSwitch<Operation *, Type>(op)
          .Case([](LLVM::AtomicRMWOp update) { return update.getVal().getType(); })
          .Case(
              [](LLVM::AtomicCmpXchgOp exchange) { return exchange.getCmp().getType(); })
          .Case([](LLVM::LoadOp load) {
            return load.getOrdering() == LLVM::AtomicOrdering::not_atomic
                       ? Type()
                       : load.getType();
          })
          .Case([](LLVM::StoreOp store) {
            return store.getOrdering() == LLVM::AtomicOrdering::not_atomic
                       ? Type()
                       : store.getValue().getType();
          })
          .Default(Type());
  return type && type.isInteger(128);
}

Contents contentsOf(LLVM::LLVMFuncOp kernel) {
  Contents found;
  found.recurs = isRecursive(kernel->getParentOfType<ModuleOp>());
  for (auto function : kernel->getParentOfType<ModuleOp>().getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    found.waits |= hasWaitingLoop(function);
    function.walk([&](Operation *op) {
      found.syncsInCallee |= ir::isSyncPoint(op) && function != kernel;
      found.hasWideAtomics |= isWideAtomic(op);
      found.hasMatrices |= ir::isMatrixOperation(op);
      found.usesClusters |= ir::usesCluster(op);
      llvm::TypeSwitch<Operation *>(op)
          .Case([&](ir::SyncPointOpInterface sync) { found.note(sync); })
          .Case<ir::AssertFailOp, ir::TrapOp>([&](auto) { found.ends = true; })
          .Case<ir::MallocOp, ir::FreeOp>([&](auto) { found.hasHeap = true; })
          .Case<ir::LaneIdOp, ir::TeamIdOp>([&](auto) { found.hasTeams = true; });
    });
  }
  return found;
}

bool isOfAllLanes(ir::SyncPointOpInterface op) {
  Value mask = op.getTeamMask();
  return !mask || ir::namesAllLanes(mask);
}

/// `isSplit`: the sub-groups of a team meet at barriers of the block.
bool arrivesTogether(Operation *op, const UniformityAnalysis &uniformity, bool isSplit) {
  ir::Level control = uniformity.controlLevel(op->getBlock());
  switch (ir::syncScope(op)) {
  case ir::SyncScope::None:
    return true;
  case ir::SyncScope::Team:
    return control <= (isSplit ? ir::Level::Block : ir::Level::Team) &&
           isOfAllLanes(cast<ir::SyncPointOpInterface>(op));
  default:
    return control <= ir::Level::Block;
  }
}

/// Names an operation that generated code alone does right, whoever arrives where; empty:
/// none.
StringRef needsSegments(const Contents &contents, unsigned lanes) {
  const std::pair<bool, StringRef> reasons[] = {
      {contents.waits, "threads wait for each other in memory"},
      {contents.recurs, "its functions are recursive"},
      {contents.hasHeap, "it allocates memory"},
      {contents.hasWideAtomics, "it has atomics of 128 bits"},
      {contents.usesClusters, "its blocks are in clusters"},
      {contents.hasMatrices, "it multiplies matrices"},
      {contents.hasGridBarriers, "it has grid barriers"},
      {contents.hasNamedBarriers, "it has barriers of some threads of a block"},
      {contents.syncsInCallee, "there are barriers or team operations in functions that "
                               "stay calls"},
      {contents.hasTeams && !lanes, "the device's sub-groups are no teams"},
      {(contents.hasBarriers || contents.hasTeams) && contents.ends,
       "threads may end by a trap, and others reach a barrier or a team operation"}};
  for (auto [holds, reason] : reasons)
    if (holds)
      return reason;
  return "";
}

/// Why not all threads are sure to come to barriers and team operations together.
StringRef findStragglers(LLVM::LLVMFuncOp kernel, const UniformityAnalysis &uniformity,
                         bool isSplit) {
  // Work-items that have ended reach no barrier.
  if (uniformity.hasDivergentReturn())
    return "some threads may end before a barrier or a team operation";
  bool together = true;
  kernel.walk([&](Operation *op) {
    together = together && arrivesTogether(op, uniformity, isSplit);
  });
  return together ? "" : "not all threads may come to a barrier or a team operation";
}

} // namespace

FormChoice chooseForm(LLVM::LLVMFuncOp kernel, unsigned lanes) {
  Contents contents = contentsOf(kernel);
  if (StringRef reason = needsSegments(contents, lanes); !reason.empty())
    return {Form::Segmented, reason.str()};
  UniformityAnalysis uniformity(kernel);
  if (!transforms::findLockstepHazards(kernel, uniformity).empty())
    return {Form::Segmented,
            "threads of a team exchange data with nothing that orders them"};
  if (!contents.hasBarriers && !contents.hasTeams)
    return {Form::Native, ""};
  bool isSplit = lanes < ir::teamSize;
  if (StringRef reason = findStragglers(kernel, uniformity, isSplit); !reason.empty())
    return {Form::Segmented, reason.str()};
  if (!contents.hasTeams)
    return {Form::Native, ""};
  return {isSplit ? Form::Split : Form::Flat, ""};
}

} // namespace het::spirv
