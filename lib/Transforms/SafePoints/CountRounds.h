// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in loops that wait for other threads only sometimes (LoopWait::Sometimes): to
// let others run costs far more than a round, so it is done after many.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_COUNTROUNDS_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_COUNTROUNDS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// Counts the rounds of such loops, and lets every so many lead to the next one by a
/// block of its own. Loops that are counted already stay as they are.
void countRounds(mlir::LLVM::LLVMFuncOp kernel);

/// The branches of those blocks.
llvm::SmallVector<mlir::Operation *> findCountedPlaces(mlir::LLVM::LLVMFuncOp kernel);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_COUNTROUNDS_H
