// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over a thread's share of a constant number of elements: `for (i = threadIdx.x;
// i < 512; i += 256)`. Where the launch bounds say that threadIdx.x is less than 256,
// each thread makes two rounds, wherever it begins. LLVM's scalar evolution has the
// number of rounds as an expression of threadIdx.x whose range is one number, and does
// not look upon it as a constant; so such loops get a counter of their own, and can be
// unrolled.

#include "het/Transforms/ConstantRounds.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

namespace het {
namespace {

/// How often the loop goes back, if that is the same for all threads and little enough to
/// be unrolled.
std::optional<uint64_t> constantBackedges(Loop &loop, ScalarEvolution &evolution) {
  if (evolution.getSmallConstantTripCount(&loop) != 0)
    return std::nullopt; // LLVM knows.
  const SCEV *count = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(count))
    return std::nullopt;
  const ConstantRange range =
      evolution.getUnsignedRange(evolution.applyLoopGuards(count, &loop));
  constexpr unsigned maxRounds = 64;
  const APInt *only = range.getSingleElement();
  return only && only->ult(maxRounds) ? std::optional(only->getZExtValue())
                                      : std::nullopt;
}

} // namespace

PreservedAnalyses ConstantRoundsPass::run(Loop &loop, LoopAnalysisManager &,
                                          LoopStandardAnalysisResults &analyses,
                                          LPMUpdater &) {
  BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!before || !branch || branch->isUnconditional() || loop.getExitingBlock() != latch)
    return PreservedAnalyses::all();
  const auto backedges = constantBackedges(loop, analyses.SE);
  if (!backedges)
    return PreservedAnalyses::all();
  IRBuilder<> builder(&loop.getHeader()->front());
  PHINode *round = builder.CreatePHI(builder.getInt32Ty(), 2, "round");
  builder.SetInsertPoint(branch);
  Value *next = builder.CreateNUWAdd(round, builder.getInt32(1));
  round->addIncoming(builder.getInt32(0), before);
  round->addIncoming(next, latch);
  Value *last = builder.getInt32(*backedges);
  branch->setCondition(loop.contains(branch->getSuccessor(0))
                           ? builder.CreateICmpNE(round, last)
                           : builder.CreateICmpEQ(round, last));
  analyses.SE.forgetLoop(&loop);
  return getLoopPassPreservedAnalyses();
}

} // namespace het
