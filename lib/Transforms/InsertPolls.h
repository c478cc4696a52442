// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polls: places in loops at which a kernel that runs for long can be parked
// (docs/design/moving.md, Points).

#ifndef HET_TRANSFORMS_INSERTPOLLS_H
#define HET_TRANSFORMS_INSERTPOLLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// Puts polls into the loops that need one: a poll's block is entered when the loop has
/// done some `pollInterval` of work. Returns the operations before which safe points
/// belong. Where threads go round together that is a block barrier, which this adds.
llvm::SmallVector<mlir::Operation *> insertPolls(mlir::LLVM::LLVMFuncOp kernel);

} // namespace het::transforms

#endif // HET_TRANSFORMS_INSERTPOLLS_H
