// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polls: places in loops at which a kernel that runs for long can be parked
// (docs/design/moving.md, Points).

#ifndef HET_LIB_TRANSFORMS_INSERTPOLLS_H
#define HET_LIB_TRANSFORMS_INSERTPOLLS_H

#include "het/Transforms/UniformityAnalysis.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// Whether all threads of a block that have not ended go round a loop together.
bool isGoneRoundTogether(mlir::CFGLoop *loop, const UniformityAnalysis &uniformity);

/// Puts a poll on the way back of each loop that does not wait for others: its block is
/// entered when the loop has done some `pollInterval` of work. Returns the operations
/// before which safe points belong. Where threads go round together that is a block
/// barrier, which this adds.
llvm::SmallVector<mlir::Operation *> insertPolls(mlir::LLVM::LLVMFuncOp kernel);

/// In about the time of a simple operation.
constexpr unsigned pollInterval = 8192;

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_INSERTPOLLS_H
