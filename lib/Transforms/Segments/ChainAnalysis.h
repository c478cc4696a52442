// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel's segments can be chained (ChainSegments.cpp), and what is the same
// for a whole block.

#ifndef HET_LIB_TRANSFORMS_SEGMENTS_CHAINANALYSIS_H
#define HET_LIB_TRANSFORMS_SEGMENTS_CHAINANALYSIS_H

#include "Segments.h"
#include "het/Transforms/UniformityAnalysis.h"
#include "llvm/ADT/BitVector.h"

namespace het::transforms {

class ChainAnalysis {
protected:
  explicit ChainAnalysis(SegmentedKernel &segments)
      : segments(segments), kernel(segments.kernel), uniformity(kernel) {}

  bool isChainable();
  bool isUniform(mlir::Value value) const {
    return uniformity.valueLevel(value) <= ir::Level::Block;
  }
  /// Whether threads that come to its end together go on apart: by a branch, or into a
  /// loop that each leaves in its own time.
  bool goesOnApart(mlir::Block *block) const;
  mlir::Block *joinOf(mlir::Block *block, bool &valid) const;
  std::optional<unsigned> onlyWayOn(mlir::Block *block) const;
  bool isScalar(mlir::Operation &op) const;
  bool mayEndEarly(const SegmentPoint &point) const;

  SegmentedKernel &segments;
  mlir::LLVM::LLVMFuncOp kernel;
  UniformityAnalysis uniformity;
  /// For each point, a bit for each live value: whether it is uniform. Set by
  /// isChainable().
  llvm::SmallVector<llvm::BitVector> uniform;

private:
  void markUniformLiveValues();
  bool branchesAreUniform(const SegmentPoint &point) const;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SEGMENTS_CHAINANALYSIS_H
