// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about memory that are answered before a program runs.

#ifndef HET_LIB_FRONTEND_ADDRESSSPACES_H
#define HET_LIB_FRONTEND_ADDRESSSPACES_H

#include "llvm/IR/PassManager.h"

namespace het {

/// Answers `isspacep` where it shows what the pointer leads to.
struct AddressSpacesPass : llvm::PassInfoMixin<AddressSpacesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace het

#endif // HET_LIB_FRONTEND_ADDRESSSPACES_H
