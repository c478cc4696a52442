// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over LLVM IR that tell LLVM how often loops run whose bounds are threads'
// numbers.

#ifndef HET_TRANSFORMS_CONSTANTROUNDS_H
#define HET_TRANSFORMS_CONSTANTROUNDS_H

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
class LPMUpdater;
} // namespace llvm

namespace het {

/// Gives reads of threadIdx and blockDim in kernels the ranges that follow from the
/// launch bounds.
struct LaunchBoundsPass : llvm::PassInfoMixin<LaunchBoundsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Gives loops that all threads run equally often a counter with a constant bound.
struct ConstantRoundsPass : llvm::PassInfoMixin<ConstantRoundsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses,
                              llvm::LPMUpdater &);
};

} // namespace het

#endif // HET_TRANSFORMS_CONSTANTROUNDS_H
