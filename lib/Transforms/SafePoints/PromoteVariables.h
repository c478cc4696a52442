// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes SSA values of variables: local objects that hold one value each and are only
// loaded and stored whole. All are done in one walk over the code, so that thousands of
// variables cost no more than a few; MLIR's mem2reg goes over the code once for each.
//
// Source: R. Cytron et al., "Efficiently Computing Static Single Assignment Form and the
// Control Dependence Graph", TOPLAS 1991; pruned as LLVM's PromoteMemoryToRegister.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_PROMOTEVARIABLES_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_PROMOTEVARIABLES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// Replaces all loads of `variables`, and erases these with their loads and stores.
/// A load that no store reaches becomes undefined. The variables have no other users.
void promoteVariables(mlir::Region &body, llvm::ArrayRef<mlir::LLVM::AllocaOp> variables);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_PROMOTEVARIABLES_H
