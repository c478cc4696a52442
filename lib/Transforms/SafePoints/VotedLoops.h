// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops that a block's threads enter together and leave apart can be polled
// together (docs/design/safe-points.md, Convergent exit): those that have left wait at
// the loop's polls, where all vote whether any goes on.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_VOTEDLOOPS_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_VOTEDLOOPS_H

#include "het/Transforms/UniformityAnalysis.h"
#include "mlir/Analysis/CFGLoopInfo.h"

namespace het::transforms {

class VotedLoops {
public:
  VotedLoops(mlir::LLVM::LLVMFuncOp kernel, const UniformityAnalysis &uniformity,
             mlir::CFGLoopInfo &loops)
      : kernel(kernel), uniformity(uniformity), loops(loops) {}

  /// A loop that waits for others (WaitingLoops.h).
  void addWaiting(mlir::CFGLoop *loop) {
    waiting.insert(loop->block_begin(), loop->block_end());
  }

  /// Whether a vote may hold up the threads that have left `loop`: no thread waits for
  /// what another one does behind it.
  bool canBeVotedOn(mlir::CFGLoop *loop);

  /// Whether threads may wait before `loop`, behind the last barrier, in a loop for
  /// others: then one that has come may not wait for them.
  bool isBehindWait(mlir::CFGLoop *loop) const {
    return mayWaitBefore(loop, /*inLoopsOnly=*/true);
  }

  /// Whether threads that leave `loop` end without meeting others or waiting. Then they
  /// need not vote: those that have not ended come to its polls together.
  bool isLeftToEnd(mlir::CFGLoop *loop);

  /// The block from which a part of the threads that come there together enters the loop,
  /// while the others pass it by; null: there is none, or all enter.
  mlir::Block *guardOf(mlir::CFGLoop *loop) const;

private:
  bool mayBeHeldUp(mlir::CFGLoop *loop);
  bool isEnteredTogether(mlir::CFGLoop *loop) const;
  bool isReachedByEnding(mlir::Block *header);
  bool mayWait(mlir::Operation &op) const;
  bool mayWaitBefore(mlir::CFGLoop *loop, bool inLoopsOnly) const;

  mlir::LLVM::LLVMFuncOp kernel;
  const UniformityAnalysis &uniformity;
  mlir::CFGLoopInfo &loops;
  llvm::DenseSet<mlir::Block *> waiting; ///< Blocks of loops that wait for others.
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_VOTEDLOOPS_H
