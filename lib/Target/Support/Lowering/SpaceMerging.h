// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address spaces of hetIR that a machine does not tell apart become one.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_SPACEMERGING_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_SPACEMERGING_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace het::target {

/// hetIR's data layout in LLVM's words, for targets whose LLVM IR has hetIR's address
/// spaces and pointers of 64 bits until their own passes change them.
constexpr llvm::StringLiteral plainLayout = "e-i64:64-i128:128-n8:16:32:64";

/// Loads of constants may be moved and merged.
void markConstantLoads(mlir::ModuleOp module);

/// Every pointer and object of the module is in the space that `spaceOf` gives for its
/// own. hetIR's data layout goes: it speaks of the spaces.
void mergeSpaces(mlir::ModuleOp module, llvm::function_ref<unsigned(unsigned)> spaceOf);

/// The module's data layout is plainLayout.
void setPlainLayout(mlir::ModuleOp module);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_SPACEMERGING_H
