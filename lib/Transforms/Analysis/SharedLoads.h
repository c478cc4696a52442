// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads from a block's shared memory that give all its threads the same
// (docs/spec/hetir.md, Divergence).

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_SHAREDLOADS_H
#define HET_LIB_TRANSFORMS_ANALYSIS_SHAREDLOADS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// The loads from shared objects that nobody writes from the barrier before to
/// the one behind, if all threads come to each barrier together.
llvm::DenseSet<mlir::Operation *> findSettledLoads(mlir::LLVM::LLVMFuncOp kernel);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_SHAREDLOADS_H
