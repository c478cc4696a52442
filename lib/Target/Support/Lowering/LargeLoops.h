// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps passes of LLVM from loops and functions on which they would spend minutes. What
// is left out depends on their sizes alone, so that equal hetIR becomes equal code.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_LARGELOOPS_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_LARGELOOPS_H

#include "llvm/IR/PassManager.h"

namespace het::target {

/// Marks large innermost loops as ones that are not to be vectorised: the vectoriser's
/// time grows with the square of a loop's size, and so does that of what follows where
/// the loop has many branches, which become masks. Marks the loops of a function that has
/// many as ones that are not to be unrolled: each forgets what is known of all. Before
/// the vectoriser.
class KeepLargeLoops : public llvm::PassInfoMixin<KeepLargeLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Leaves out passes on functions that are large for them.
void boundPasses(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_LARGELOOPS_H
