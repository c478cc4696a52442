// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the blocks of a parkable kernel begin, and how parked ones are resumed.

#ifndef HET_LIB_TRANSFORMS_PARKING_KERNELENTRY_H
#define HET_LIB_TRANSFORMS_PARKING_KERNELENTRY_H

#include "ParkableKernel.h"

namespace het::transforms {

class ParkedState;
class ResumedCopy;

class KernelEntry {
public:
  explicit KernelEntry(ParkableKernel &kernel);

  /// For launches in which no block has begun.
  void emitFresh();
  /// For all launches; the block where resumed threads begin.
  mlir::Block *emitResuming(const ResumedCopy &copy);
  /// For a kernel whose blocks are not parked inside. With `allOrNone` all of them begin
  /// or none.
  void emitUnparkable(bool allOrNone);

private:
  mlir::Block *addReturn();
  mlir::Value readStatus();
  mlir::Value readPlace(mlir::Value isParked);
  mlir::Value agreeWithGrid(mlir::Value flag);
  void agreeToBegin(mlir::Value status, bool allOrNone);
  void leaveAsItStands(mlir::Block *block, mlir::Value status);
  void restore(mlir::Value place, const ResumedCopy &copy);
  void jump(mlir::Value pc, const ParkedState &state, const ResumedCopy &copy);

  ParkableKernel &kernel;
  ParkingCode &code;
  mlir::ImplicitLocOpBuilder &builder;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_PARKING_KERNELENTRY_H
