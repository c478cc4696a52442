// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safe points where ways from many safe points meet, for forms that have a copy of the
// code behind a point for each point that leads there. Without them the copies grow with
// the square of a kernel whose every barrier can be skipped.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_INSERTJOINPOINTS_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_INSERTJOINPOINTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// Returns the first operations of blocks to which ways lead from more points than a
/// block should have copies. None for a kernel whose copies are few without that. Where a
/// block's threads come to all points together they come to these together, too.
llvm::SmallVector<mlir::Operation *> findJoinPlaces(mlir::LLVM::LLVMFuncOp kernel);

/// Puts points there, as insertLoopPoints() does.
llvm::SmallVector<mlir::Type> insertJoinPoints(mlir::LLVM::LLVMFuncOp kernel,
                                               unsigned firstSlot);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_INSERTJOINPOINTS_H
