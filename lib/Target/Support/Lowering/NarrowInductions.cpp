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

  /// The bits of the least and the greatest number that an expression is made of, before
  /// they are extended.
  struct Widths {
    unsigned least = ~0u, most = 0;
  };
  Widths widthsIn(Value *value) {
    if (!value->getType()->isIntegerTy() && !value->getType()->isPointerTy())
      return {};
    return find(evolution.getSCEV(value)).widths;
  }

private:
  struct Found {
    bool counts = false; ///< A counter is a part.
    Widths widths;
  };

  /// Operands first, each expression once: those of unrolled code have most in common.
  Found find(const SCEV *whole) {
    SmallVector<const SCEV *> work{whole};
    while (!work.empty()) {
      const SCEV *part = work.back();
      if (found.contains(part)) {
        work.pop_back();
        continue;
      }
      const size_t before = work.size();
      for (const SCEV *operand : part->operands())
        if (!found.contains(operand))
          work.push_back(operand);
      if (work.size() != before)
        continue;
      work.pop_back();
      found.try_emplace(part, combine(part));
    }
    return found.lookup(whole);
  }

  Found combine(const SCEV *part) const {
    Found result{isCounter(part), {}};
    for (const SCEV *operand : part->operands()) {
      const Found &other = found.find(operand)->second;
      result.counts |= other.counts;
      widen(result.widths, other.widths);
      if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(part) && other.counts) {
        const unsigned bits = operand->getType()->getIntegerBitWidth();
        widen(result.widths, {bits, bits});
      }
    }
    return result;
  }

  static void widen(Widths &widths, const Widths &other) {
    widths = {std::min(widths.least, other.least), std::max(widths.most, other.most)};
  }

  bool isCounter(const SCEV *part) const {
    if (auto *counter = dyn_cast<SCEVAddRecExpr>(part))
      return counter->getLoop() == &loop;
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    auto *value = unknown ? dyn_cast<PHINode>(unknown->getValue()) : nullptr;
    return value && value->getParent() == loop.getHeader();
  }

  const Loop &loop;
  ScalarEvolution &evolution;
  DenseMap<const SCEV *, Found> found;
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
      widest = std::max(widest, search.widthsIn(&value).most);
  auto hasNarrow = [&](Value *value) { return search.widthsIn(value).least < widest; };
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
