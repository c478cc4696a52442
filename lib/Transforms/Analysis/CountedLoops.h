// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that count: what MLIR's loop information does not say of control flow between
// blocks, and LLVM's scalar evolution says of LLVM IR only.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_COUNTEDLOOPS_H
#define HET_LIB_TRANSFORMS_ANALYSIS_COUNTEDLOOPS_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <optional>

namespace het::transforms {

/// A loop whose only latch leaves it once a value that each round changes by the same
/// step is beyond a bound that no round changes.
struct CountedLoop {
  mlir::Block *header, *latch;
  mlir::LLVM::ICmpOp test; ///< What the latch's branch asks.
  unsigned stay;           ///< The latch's successor that is the header.
  mlir::LLVM::ICmpPredicate
      predicate;     ///< Between `counted` and `bound`: true for one more round.
  unsigned argument; ///< The header's, that counts.
  bool testsNext;    ///< `counted` is what the next round gets.
  mlir::Value counted, bound, step;
  std::optional<int64_t> constantStep; ///< Added to the argument by a round.

  bool isIncreasing() const;

  /// How many rounds there are each time, where that is known and not 0.
  std::optional<uint64_t> constantRounds() const;

  /// How many rounds there are at most, where constants bound what is counted.
  std::optional<uint64_t> maxRounds() const;

private:
  std::optional<uint64_t> roundsBetween(const llvm::APInt &entry,
                                        const llvm::APInt &end) const;
};

std::optional<CountedLoop> findCountedLoop(mlir::CFGLoop *loop);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_COUNTEDLOOPS_H
