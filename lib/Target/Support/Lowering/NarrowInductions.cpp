// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `table[i & 3]` in a loop over i: LLVM sees a counter of two bits, and the vectoriser
// loads neighbours at once where a test before the loop says that the counter does not
// wrap. LLVM 22 leaves that test out if there is one for a wider counter of the loop,
// which says nothing of a narrow one (mended in LLVM's pull request 191498). The wider
// counter may be one that shows only once the narrow one is taken not to wrap, as in
// `table[2 * i - (i & 3)]`. So where numbers of several widths are extended, whatever a
// counter makes of all but the widest is frozen, and counts no more. LLVM's clean-up
// after the vectoriser takes the `freeze` away.

#include "NarrowInductions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace het::target {
namespace {

/// Looks for numbers that a loop counts with and that are extended.
class CounterSearch {
public:
  CounterSearch(const Loop &loop, ScalarEvolution &evolution)
      : loop(loop), evolution(evolution) {}

  /// The bits of each that the value is made of, before they are extended.
  SmallVector<unsigned> bitsIn(Value *value) const {
    SmallVector<unsigned> found;
    if (value->getType()->isIntegerTy() || value->getType()->isPointerTy())
      SCEVExprContains(evolution.getSCEV(value), [&](const SCEV *part) {
        if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(part))
          if (const SCEV *operand = cast<SCEVCastExpr>(part)->getOperand();
              SCEVExprContains(operand, [&](const SCEV *one) { return isCounter(one); }))
            found.push_back(operand->getType()->getIntegerBitWidth());
        return false;
      });
    return found;
  }

private:
  bool isCounter(const SCEV *part) const {
    if (auto *counter = dyn_cast<SCEVAddRecExpr>(part))
      return counter->getLoop() == &loop;
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    auto *value = unknown ? dyn_cast<PHINode>(unknown->getValue()) : nullptr;
    return value && value->getParent() == loop.getHeader();
  }

  const Loop &loop;
  ScalarEvolution &evolution;
};

/// A value that goes on in the next round is one of the loop's own counters.
bool isHeadOf(const Loop &loop, const Instruction &value) {
  return isa<PHINode>(value) && value.getParent() == loop.getHeader();
}

bool hideIn(const Loop &loop, ScalarEvolution &evolution) {
  CounterSearch search(loop, evolution);
  unsigned widest = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &value : *block)
      for (unsigned bits : search.bitsIn(&value))
        widest = std::max(widest, bits);
  auto hasNarrow = [&](Value *value) {
    return any_of(search.bitsIn(value), [&](unsigned bits) { return bits < widest; });
  };
  // Values made of a frozen one need not be frozen.
  SmallVector<Instruction *> narrow;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &value : *block)
      if (value.getType()->isIntegerTy() && !isHeadOf(loop, value) && hasNarrow(&value) &&
          none_of(value.operand_values(), hasNarrow))
        narrow.push_back(&value);
  bool changed = false;
  for (Instruction *value : narrow) {
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
