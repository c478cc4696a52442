// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts instructions and loops.

#include "LargeLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace het::target {

static bool isLarge(const llvm::Loop &loop) {
  constexpr size_t large = 8000; // instructions
  size_t size = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) {
    size += block->size();
    if (size > large)
      return true;
  }
  return false;
}

llvm::PreservedAnalyses KeepLargeLoops::run(llvm::Function &function,
                                            llvm::FunctionAnalysisManager &analyses) {
  constexpr size_t many = 200;
  const auto loops =
      analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder();
  for (llvm::Loop *loop : loops) {
    if (loop->isInnermost() && isLarge(*loop))
      llvm::addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    if (loops.size() > many)
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
  }
  return llvm::PreservedAnalyses::all();
}

void boundPasses(llvm::PassInstrumentationCallbacks &callbacks) {
  // Each way that it shortens makes it look for the values of all that lie behind.
  constexpr unsigned large = 10000; // instructions
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, const llvm::Any &unit) {
        const auto *function = llvm::any_cast<const llvm::Function *>(&unit);
        return pass != "JumpThreadingPass" || !function ||
               (*function)->getInstructionCount() <= large;
      });
}

} // namespace het::target
