// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs loops over lanes that contain loops for several lanes at a time. LLVM's own
// vectoriser takes innermost loops, so it does those without.

#include "VectorizeLanes.h"
#include "LanePlan.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace het::host {

static SmallVector<BasicBlock *> findLaneLoops(LoopInfo &loops) {
  SmallVector<BasicBlock *> headers;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (isLaneLoop(*loop) && !loop->isInnermost())
      headers.push_back(loop->getHeader());
  return headers;
}

/// Whether the function has changed.
static bool vectorize(Function &function, BasicBlock *header, LaneVectors choice,
                      FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<LoopAnalysis>(function);
  auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
  Loop *lanes = loops.getLoopFor(header);
  if (!lanes || lanes->getHeader() != header)
    return false;
  bool changed = simplifyLoop(lanes, &dominators, &loops, &evolution, nullptr, nullptr,
                              /*PreserveLCSSA=*/false);
  changed |= formLCSSARecursively(*lanes, dominators, &loops, &evolution);
  LaneAnalyses analyses{loops, dominators, evolution,
                        manager.getResult<TargetIRAnalysis>(function)};
  LanePlan plan(*lanes, analyses);
  if (!makePlan(plan) || (choice == LaneVectors::WhereFaster && !isWorthwhile(plan)))
    return changed;
  vectorizeLanes(plan);
  manager.invalidate(function, PreservedAnalyses::none());
  return true;
}

PreservedAnalyses VectorizeLanes::run(Function &function,
                                      FunctionAnalysisManager &manager) {
  bool changed = false;
  for (BasicBlock *header : findLaneLoops(manager.getResult<LoopAnalysis>(function)))
    changed |= vectorize(function, header, choice, manager);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace het::host
