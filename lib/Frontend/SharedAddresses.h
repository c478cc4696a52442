// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HET_LIB_FRONTEND_SHAREDADDRESSES_H
#define HET_LIB_FRONTEND_SHAREDADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace het {

/// Makes pointers of addresses of shared memory that went through 32 bits, where it shows
/// which pointer they were made of (SharedAddresses.cpp).
struct SharedAddressesPass : llvm::PassInfoMixin<SharedAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Where the launch's shared memory begins, which all of a block's lies around.
inline constexpr llvm::StringLiteral sharedWindowName = "__het_shared_window";

} // namespace het

#endif // HET_LIB_FRONTEND_SHAREDADDRESSES_H
