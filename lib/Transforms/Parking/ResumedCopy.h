// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy of a kernel's code that only resumed threads run: from the points in loops on,
// up to blocks of the kernel's own code that may be entered from elsewhere.

#ifndef HET_LIB_TRANSFORMS_PARKING_RESUMEDCOPY_H
#define HET_LIB_TRANSFORMS_PARKING_RESUMEDCOPY_H

#include "ParkableKernel.h"

namespace het::transforms {

class ResumedCopy {
public:
  /// Copies what is needed. The points, the saves and the returns are complete.
  explicit ResumedCopy(ParkableKernel &kernel);

  /// Where a thread that was parked at the point goes on.
  mlir::Block *wayIn(const ParkablePoint &point) const;
  /// Computes recomputable values anew for uses that they no longer reach. Resumed
  /// threads begin in `resumed`.
  mlir::LogicalResult repairValues(mlir::Block *resumed);

private:
  void findWaysIn();
  void copyReached();

  ParkableKernel &kernel;
  llvm::DenseSet<mlir::Block *> waysIn; ///< blocks that resumed threads may enter
  llvm::DenseMap<mlir::Block *, mlir::Block *> copies;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_PARKING_RESUMEDCOPY_H
