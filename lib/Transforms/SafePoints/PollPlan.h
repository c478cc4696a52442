// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops of a kernel are polled, and how (docs/design/moving.md, Points).

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
  unsigned cost; ///< Of a round, without polled loops inside of it.
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
  bool together = true;
  mlir::SmallVector<PolledLoop, 2> loops; ///< Outer ones before those inside of them.
};

/// Whether all threads of a block that have not ended go round a loop together.
bool isGoneRoundTogether(mlir::CFGLoop *loop, const UniformityAnalysis &uniformity);

/// Loops that wait for others have safe points of their own; those that take but few
/// rounds, known beforehand, need none.
PollPlan planPolls(mlir::LLVM::LLVMFuncOp kernel, unsigned interval);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_POLLPLAN_H
