// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safe points beside those that all targets know: for one form of a kernel, which runs
// segments and does not park there.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_LOOPPOINTS_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_LOOPPOINTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// Of such a point.
constexpr llvm::StringLiteral besideAttrName = "hetir.beside";

/// Puts points into all loops that a block goes round together and that have none. Their
/// ids follow those of the others, their slots' numbers begin with `firstSlot`. Returns
/// the slots' types.
llvm::SmallVector<mlir::Type> insertLoopPoints(mlir::LLVM::LLVMFuncOp kernel,
                                               unsigned firstSlot);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_LOOPPOINTS_H
