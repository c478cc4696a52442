// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the values of a segment were when it began.

#ifndef HET_LIB_TRANSFORMS_SEGMENTS_SEGMENTORIGINS_H
#define HET_LIB_TRANSFORMS_SEGMENTS_SEGMENTORIGINS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace het::transforms {

class SegmentOrigins {
public:
  /// Looks at the segment that begins with `start` and has the blocks `inside`, which
  /// outlive this. Where ways from other segments join it, nothing comes from these.
  SegmentOrigins(mlir::Block *start, const llvm::SmallPtrSetImpl<mlir::Block *> &inside)
      : start(start), inside(inside) {}

  /// The value that this one comes from whichever way a thread has gone through the
  /// segment; itself where that is not known. Where that is a value from before the
  /// segment, both are equal; one of a loop within it may have been of an earlier round.
  /// A distance from an object that had become an address is the distance again. Not
  /// known either where there are too many ways to look at.
  mlir::Value originOf(mlir::Value value) const;

private:
  mlir::Value findOrigin(mlir::Value value) const;
  bool addIncoming(mlir::BlockArgument argument,
                   llvm::SmallVectorImpl<mlir::Value> &values) const;
  mlir::Value throughAddress(mlir::Value distance) const;

  mlir::Block *start;
  const llvm::SmallPtrSetImpl<mlir::Block *> &inside;
  mutable llvm::DenseMap<mlir::Value, mlir::Value> origins; ///< What has been found.
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SEGMENTS_SEGMENTORIGINS_H
