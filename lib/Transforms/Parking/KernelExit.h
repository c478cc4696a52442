// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How threads leave a parkable kernel: parked, with their state saved, or ended.

#ifndef HET_LIB_TRANSFORMS_PARKING_KERNELEXIT_H
#define HET_LIB_TRANSFORMS_PARKING_KERNELEXIT_H

#include "ParkableKernel.h"

namespace het::transforms {

class KernelExit {
public:
  explicit KernelExit(ParkableKernel &kernel);

  /// Where threads end.
  void emitReturns();
  /// Where threads are parked: the points' saves, and what follows them.
  void emitSaves();

private:
  void emitSave(ParkablePoint &point);
  void emitOut();
  void waitForCopies();
  void leavePerThread(mlir::Value one);

  ParkableKernel &kernel;
  ParkingCode &code;
  mlir::ImplicitLocOpBuilder &builder;
  const ParkingForm &form;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_PARKING_KERNELEXIT_H
