// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids that begin before those have ended that they depend on.

#ifndef HET_LIB_FRONTEND_GRIDDEPENDENCIES_H
#define HET_LIB_FRONTEND_GRIDDEPENDENCIES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace het {

/// Functions that stand for hetir.grid_dependency_wait and hetir.grid_dependency_trigger.
inline constexpr llvm::StringLiteral gridWaitFunction = "__het_grid_dependency_wait";
inline constexpr llvm::StringLiteral gridTriggerFunction =
    "__het_grid_dependency_trigger";

/// Keeps accesses from passing the wait, where a module has one. Before optimisation.
void keepBehindWaits(llvm::Module &module);

} // namespace het

#endif // HET_LIB_FRONTEND_GRIDDEPENDENCIES_H
