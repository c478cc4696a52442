// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `table[i & 3]` in a loop over i: LLVM sees a counter of two bits, and the vectoriser
// loads neighbours at once where a test before the loop says that the counter does not
// wrap. LLVM 22 leaves that test out if there is one for a wider counter of the loop,
// which says nothing of a narrow one (mended in LLVM's pull request 191498). So where
// counters of several widths may wrap, all but the widest are frozen, and are no
// counters any more. LLVM's clean-up after the vectoriser takes the `freeze` away.

#include "NarrowInductions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace het::target {
namespace {

/// The bits of the counter of this loop that the value is, extended; 0 if it is none.
unsigned bitsOfCounter(Instruction &value, const Loop &loop, ScalarEvolution &evolution) {
  if (!value.getType()->isIntegerTy())
    return 0;
  auto *extended = dyn_cast<SCEVIntegralCastExpr>(evolution.getSCEV(&value));
  if (!extended)
    return 0;
  auto *counter = dyn_cast<SCEVAddRecExpr>(extended->getOperand());
  if (!counter || counter->getLoop() != &loop)
    return 0;
  return counter->getType()->getIntegerBitWidth();
}

/// A value that goes on in the next round is one of the loop's own counters.
bool isHeadOf(const Loop &loop, const Instruction &value) {
  return isa<PHINode>(value) && value.getParent() == loop.getHeader();
}

bool hideIn(const Loop &loop, ScalarEvolution &evolution) {
  SmallVector<std::pair<Instruction *, unsigned>> counters;
  unsigned widest = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &value : *block)
      if (unsigned bits = bitsOfCounter(value, loop, evolution)) {
        widest = std::max(widest, bits);
        if (!isHeadOf(loop, value))
          counters.emplace_back(&value, bits);
      }
  bool changed = false;
  for (auto [value, bits] : counters) {
    if (bits == widest)
      continue;
    auto place = value->getInsertionPointAfterDef();
    if (!place)
      continue;
    auto *frozen = new FreezeInst(value, value->getName() + ".frozen", *place);
    value->replaceUsesWithIf(frozen,
                             [&](const Use &use) { return use.getUser() != frozen; });
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses HideNarrowInductions::run(Function &function,
                                            FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && hideIn(*loop, evolution))
      changed = true;
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace het::target
