// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for what another thread does in memory: spin locks, flags, turns.
// Since Volta the lanes of a team make progress independently of each other; a
// machine that runs lanes one after another has to let the others run in between.

#ifndef HET_TRANSFORMS_WAITINGLOOPS_H
#define HET_TRANSFORMS_WAITINGLOOPS_H

#include "het/IR/Module.h"
#include "mlir/Analysis/CFGLoopInfo.h"

namespace het::transforms {

/// How a loop may go round until another thread writes something.
enum class LoopWait {
  Never,     ///< It ends by itself, or each round shows that another thread got on.
  Sometimes, ///< It looks for a place that is free: few rounds mostly, and yet it may be
             ///< others' turn.
  Always,    ///< It looks at one place until that changes.
};

LoopWait findWait(mlir::CFGLoop *loop, mlir::DominanceInfo &dominance);

/// The operation of a loop of LoopWait::Always before which others are to have their turn
/// in each round. A thread that draws a number and gives it back has none then.
mlir::Operation *placeOfWait(mlir::CFGLoop *loop, mlir::DominanceInfo &dominance);

/// Whether threads of a grid that run this module's code may make a loop of
/// LoopWait::Sometimes end: by an operation other than those by which it looks, unless
/// these may leave anything. Different arguments of a kernel are taken for different
/// objects, but where an operation looks like the release of a lock: these may be one.
bool mayBeReleased(mlir::CFGLoop *loop, mlir::DominanceInfo &dominance);

/// A loop of a function that looks at one place until that changes (LoopWait::Always), by
/// itself or by a function that it calls: what stands first in it; null: there is none.
mlir::Operation *findWaitingLoop(mlir::LLVM::LLVMFuncOp function);

} // namespace het::transforms

#endif // HET_TRANSFORMS_WAITINGLOOPS_H
