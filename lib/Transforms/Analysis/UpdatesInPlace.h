// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores to shared memory whose value was made of what other lanes' places held:
// `m[row + lane] = m[row + lane] / m[row + pivot]`, `sums[lane] += sums[lane - by]`.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_UPDATESINPLACE_H
#define HET_LIB_TRANSFORMS_ANALYSIS_UPDATESINPLACE_H

#include "LoneBlocks.h"
#include "SharedAccesses.h"
#include "het/Transforms/UniformityAnalysis.h"

namespace het::transforms {

class UpdatesInPlace {
public:
  UpdatesInPlace(const SharedAccesses &accesses, const LoneBlocks &loneBlocks,
                 const UniformityAnalysis &uniformity)
      : accesses(accesses), loneBlocks(loneBlocks), uniformity(uniformity) {}

  /// Whether an operation is a store that may overwrite what a later lane has yet to load
  /// to make its own value: a load that the value comes from, with no sync point since,
  /// whose address does not depend on the lane, or is lower by a distance that is one
  /// for all lanes.
  bool has(mlir::Operation &op) const;

  /// Whether a store goes to a lane's own place in an array, and a load comes from one of
  /// another lane that may have had its turn: any, or a lower one.
  bool isOfOtherLane(const Access &store, const Access &load) const;

private:
  llvm::SmallVector<mlir::Operation *> sourcesOf(mlir::Value value) const;

  const SharedAccesses &accesses;
  const LoneBlocks &loneBlocks;
  const UniformityAnalysis &uniformity;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_UPDATESINPLACE_H
