// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of one safe point: a thread that comes to it goes on, or to the point's save
// to be parked.

#ifndef HET_LIB_TRANSFORMS_PARKING_SAFEPOINTCODE_H
#define HET_LIB_TRANSFORMS_PARKING_SAFEPOINTCODE_H

#include "ParkableKernel.h"

namespace het::transforms {

class SafePointCode {
public:
  SafePointCode(ParkingCode &code, ParkablePoint &point);

  /// Fills the point's block. A point where threads may be parked gets a save.
  void emit();

private:
  void parkUnless(mlir::Value condition);
  mlir::Block *save();
  void pollConvergent();
  void pollPerThread();
  void checkBlock();
  void checkTeam(mlir::Value mask);
  void waitForGrid(); // ParkAtGrid.cpp

  ParkingCode &code;
  mlir::ImplicitLocOpBuilder &builder;
  const ParkingForm &form;
  ParkablePoint &point;
};

/// The mask of an operation whose lanes wait for each other, or null.
mlir::Value teamMask(mlir::Operation *op);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_PARKING_SAFEPOINTCODE_H
