// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the values of a segment were when it began.

#ifndef HET_LIB_TRANSFORMS_SEGMENTORIGINS_H
#define HET_LIB_TRANSFORMS_SEGMENTORIGINS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace het::transforms {

class SegmentOrigins {
public:
  /// `blocks` are a segment's; it begins with `start`. Where ways from other segments join
  /// it, nothing comes from these.
  SegmentOrigins(mlir::Block *start, llvm::ArrayRef<mlir::Block *> blocks);

  /// The value that this one is equal to whichever way a thread has come through the
  /// segment, as early as that is known; itself where nothing is. A distance from an object
  /// that had become an address is the distance again.
  mlir::Value originOf(mlir::Value value) const;

private:
  bool addIncoming(mlir::BlockArgument argument,
                   llvm::SmallVectorImpl<mlir::Value> &values) const;
  mlir::Value throughAddress(mlir::Value distance) const;

  mlir::Block *start;
  llvm::SmallPtrSet<mlir::Block *, 16> inside;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SEGMENTORIGINS_H
