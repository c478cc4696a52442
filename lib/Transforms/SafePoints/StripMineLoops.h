// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts loops into strips and puts polls between these: places at which a kernel that runs
// for long can be parked (docs/design/safe-points.md, Polls).

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_STRIPMINELOOPS_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_STRIPMINELOOPS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

struct Polls {
  llvm::SmallVector<mlir::Operation *> places; ///< Safe points belong before these.
  llvm::SmallVector<mlir::Block *>
      headers; ///< Headers of their loops; null: others are inside.
  /// All threads of a block that have not ended come to each poll together: it is a
  /// block barrier, which has been added.
  bool convergent = false;
};

/// Puts polls into the loops that need one: a poll's block is entered when the loop has
/// done about `interval` of work. None where the kernel is to be parked at barriers only.
Polls stripMineLoops(mlir::LLVM::LLVMFuncOp kernel, unsigned interval);

/// Makes loops whose polls are of single threads what they were without strips. What the
/// strips have counted stays as it is: who goes on from there with strips begins one.
void joinStrips(mlir::LLVM::LLVMFuncOp kernel);

/// Makes joinStrips() pass over these loops, by their place among Polls::headers.
void keepStrips(mlir::LLVM::LLVMFuncOp kernel, llvm::ArrayRef<unsigned> loops);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_STRIPMINELOOPS_H
