// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the polls of a loop that threads leave apart ones that all come to: behind each
// strip, those that have left the loop and those that go on vote whether any goes on.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_VOTEONLOOPS_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_VOTEONLOOPS_H

#include "PollPlan.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace het::transforms {

struct LoopVote {
  mlir::Block *vote;                   ///< Its first argument: the thread goes on.
  mlir::Block *leave;                  ///< All threads go on from here.
  mlir::Operation *place;              ///< The poll's.
  llvm::SmallVector<mlir::Value> idle; ///< The vote's arguments, if nothing is known.
  llvm::SmallVector<unsigned> headerArguments; ///< Their places among these.

  /// Lets a block, without an end, be a strip's end: the header is to get `values` next.
  /// Returns the poll's place.
  mlir::Operation *endStripIn(mlir::ImplicitLocOpBuilder &builder, mlir::Block *block,
                              mlir::ValueRange values) const;
};

/// Whether it is the loop around a vote: its polls are points enough.
bool isAroundVote(mlir::CFGLoop *loop);

/// Whether all that lives behind the loop can be kept until the vote's end.
bool hasPlaceForVote(mlir::LLVM::LLVMFuncOp kernel, mlir::CFGLoop *loop,
                     mlir::Block *guard);

/// Puts a vote around a loop of the plan that has no strips yet. What others of the plan
/// know of values that are used behind it is kept up.
LoopVote voteOn(mlir::ImplicitLocOpBuilder &builder, mlir::LLVM::LLVMFuncOp kernel,
                const PolledLoop &loop, PollPlan &plan);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_VOTEONLOOPS_H
