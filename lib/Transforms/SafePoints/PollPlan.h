// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops of a kernel are polled, and how (docs/design/safe-points.md, Polls).

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_POLLPLAN_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_POLLPLAN_H

#include "../Analysis/CountedLoops.h"
#include "het/Transforms/UniformityAnalysis.h"

namespace het::transforms {

/// A loop that gets a poll.
struct PolledLoop {
  mlir::Block *header;
  mlir::SmallVector<mlir::Block *> latches;
  /// Where it is left: blocks, and which of their successors.
  mlir::SmallVector<std::pair<mlir::Block *, unsigned>> exits;
  unsigned cost; ///< Cost of a round, without polled loops inside of it.
  bool hasInner; ///< A loop inside of it is polled, or waits.
  /// The plan's loop around it, if its strips count for that one.
  std::optional<int> outer;
  std::optional<CountedLoop> counted;
  bool isInside =
      false; ///< The poll is in the loop: what asks for it costs little there.
  /// Threads leave it apart, and those that have left wait at its polls (VotedLoops.h).
  bool isVotedOn = false;
  mlir::Block *guard = nullptr; ///< Likewise; some threads pass the loop by from there.
  std::optional<int> outerOfVote = std::nullopt; ///< Likewise, instead of `outer`.
};

struct PollPlan {
  /// Lanes that are apart run one after another, and come together again at polls: they
  /// do this part of the work between two.
  static constexpr unsigned apart = 4;
  /// Expected between polls, in about the time of a simple operation.
  unsigned interval = 0;
  /// All threads of a block that have not ended come to each poll together.
  bool convergent = true;
  mlir::SmallVector<PolledLoop, 2> loops; ///< Outer ones before those inside of them.
};

/// Whether all threads of a block that have not ended go round a loop together.
bool isConvergentLoop(mlir::CFGLoop *loop, const UniformityAnalysis &uniformity);

/// Loops that wait for others have safe points of their own; those that take but few
/// rounds, known beforehand, need none. No loop is polled where the kernel is to be
/// suspended at barriers only, or `interval` is 0 or `noPolls`.
PollPlan planPolls(mlir::LLVM::LLVMFuncOp kernel, unsigned interval);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_POLLPLAN_H
