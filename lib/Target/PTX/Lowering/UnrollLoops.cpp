// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often LLVM's unroller repeats a loop that reads memory. A multiprocessor hides the
// latency of a load by having several under way, so such a loop is worth more copies
// than the unroller's own limits for NVPTX give (75 instructions, and none where the
// number of rounds takes a division), and with four copies four loads are under way.
// Nor does the unroller like bounds that are the lesser of two, as those of loops that
// are cut into strips (docs/design/safe-points.md, Polls) are.
//
// ptxas unrolls what LLVM has left, and the loops that were chosen here further: it knows
// how many registers there are for loads under way. LLVM would have it leave them. Of a
// short loop with products of matrices, whose sums fill the registers, the copies take so
// many more that fewer blocks share a multiprocessor: such loops tell it not to.

#include "Passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace het::ptx {
namespace {

/// Instructions of all copies together.
constexpr unsigned kLargestBody = 320;
/// Copies where the number of rounds is known, and where it is not.
constexpr unsigned kMostKnownCopies = 32, kMostCopies = 4;
/// Marks loops that were chosen, but not the loops of LLVM's for the rounds that are
/// left.
constexpr StringLiteral kChosen = "het.unrolled";
/// The unroller's own limits.
constexpr unsigned kLargestPlainBody = 75, kMostPlainCopies = 8;

struct Body {
  unsigned instructions = 0;
  bool loads = false;
  /// Copies of it would be wrong, or would gain nothing.
  bool fixed = false;
};

Body inspect(const Loop &loop) {
  Body body;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction))
        continue;
      ++body.instructions;
      if (const auto *load = dyn_cast<LoadInst>(&instruction)) {
        body.loads = true;
        body.fixed |= !load->isSimple();
      }
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        body.fixed |=
            call->isConvergent() || call->isInlineAsm() || !isa<IntrinsicInst>(call);
    }
  return body;
}

unsigned wholePower(unsigned copies) { return copies < 2 ? 1 : 1u << Log2_32(copies); }

unsigned copiesOf(Loop &loop, ScalarEvolution &evolution) {
  if (!loop.isInnermost() || !loop.getLoopLatch() ||
      hasUnrollTransformation(&loop) != TM_Unspecified ||
      !evolution.hasLoopInvariantBackedgeTakenCount(&loop))
    return 1;
  const Body body = inspect(loop);
  if (body.fixed)
    return 1;
  if (!body.loads) {
    const bool isLesser =
        SCEVExprContains(evolution.getBackedgeTakenCount(&loop),
                         [](const SCEV *count) { return isa<SCEVMinMaxExpr>(count); });
    return isLesser ? wholePower(std::min(kLargestPlainBody / body.instructions,
                                          kMostPlainCopies))
                    : 1;
  }
  unsigned rounds = evolution.getSmallConstantTripCount(&loop);
  unsigned copies = rounds ? std::min(rounds, kMostKnownCopies) : kMostCopies;
  copies = std::min(copies, kLargestBody / body.instructions);
  return wholePower(copies);
}

class ChooseUnrollCounts : public PassInfoMixin<ChooseUnrollCounts> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      if (unsigned copies = copiesOf(*loop, evolution); copies > 1) {
        addStringMetadataToLoop(loop, "llvm.loop.unroll.count", copies);
        addStringMetadataToLoop(loop, kChosen.data(), 1);
      }
    return PreservedAnalyses::all();
  }
};

/// Whether the machine multiplies matrices in a loop whose number of rounds is not known.
bool multipliesMatrices(Loop &loop, ScalarEvolution &evolution) {
  if (!loop.isInnermost() || evolution.getSmallConstantTripCount(&loop))
    return false;
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &instruction) {
      auto *call = dyn_cast<CallBase>(&instruction);
      auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      return code && code->getAsmString().starts_with("mma.sync.");
    });
  });
}

class ChooseLoopsOfPtxas : public PassInfoMixin<ChooseLoopsOfPtxas> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      if (multipliesMatrices(*loop, evolution))
        loop->setLoopAlreadyUnrolled();
      else if (getOptionalIntLoopAttribute(loop, kChosen) &&
               !evolution.getSmallConstantTripCount(loop))
        loop->setLoopID(
            makePostTransformationMetadata(function.getContext(), loop->getLoopID(),
                                           {"llvm.loop.unroll.", kChosen}, {}));
    return PreservedAnalyses::all();
  }
};

} // namespace

void chooseLoopsOfPtxas(PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        passes.addPass(createModuleToFunctionPassAdaptor(ChooseLoopsOfPtxas()));
      });
}

void chooseUnrollCounts(PassBuilder &builder) {
  // Loops are rotated there, and the unroller comes after it.
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(ChooseUnrollCounts());
      });
}

} // namespace het::ptx
