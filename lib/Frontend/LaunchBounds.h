// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HET_LIB_FRONTEND_LAUNCHBOUNDS_H
#define HET_LIB_FRONTEND_LAUNCHBOUNDS_H

#include "llvm/IR/PassManager.h"

namespace het {

/// Adds the ranges that follow from launch bounds to reads of threadIdx and blockDim.
struct LaunchBoundsPass : llvm::PassInfoMixin<LaunchBoundsPass> {
  static llvm::PreservedAnalyses run(llvm::Function &function,
                                     llvm::FunctionAnalysisManager &);
};

} // namespace het

#endif // HET_LIB_FRONTEND_LAUNCHBOUNDS_H
