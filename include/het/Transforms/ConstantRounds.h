// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass over LLVM IR that tells LLVM how often loops run that begin at threads' numbers.

#ifndef HET_TRANSFORMS_CONSTANTROUNDS_H
#define HET_TRANSFORMS_CONSTANTROUNDS_H

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
class LPMUpdater;
} // namespace llvm

namespace het {

/// Counts the rounds of loops that all threads run equally often, to a constant.
struct ConstantRoundsPass : llvm::PassInfoMixin<ConstantRoundsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses,
                              llvm::LPMUpdater &);
};

} // namespace het

#endif // HET_TRANSFORMS_CONSTANTROUNDS_H
