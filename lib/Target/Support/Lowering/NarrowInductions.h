// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_NARROWINDUCTIONS_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_NARROWINDUCTIONS_H

#include "llvm/IR/PassManager.h"

namespace het::target {

/// Hides from the vectoriser that a value counts in few bits, where it would take the
/// value for one that does not wrap. Directly before the vectoriser.
class HideNarrowInductions : public llvm::PassInfoMixin<HideNarrowInductions> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_NARROWINDUCTIONS_H
