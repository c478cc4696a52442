// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel on its way to a parkable form (FormParkable.cpp), as the parts of its code
// find it.

#ifndef HET_LIB_TRANSFORMS_PARKING_PARKABLEKERNEL_H
#define HET_LIB_TRANSFORMS_PARKING_PARKABLEKERNEL_H

#include "ParkingCode.h"
#include "het/IR/Module.h"

namespace het::transforms {

struct ParkablePoint {
  uint32_t id;
  ir::SafePointReason reason;
  mlir::Operation *sync; ///< the sync operation behind it, or null
  mlir::Block *block;    ///< its arguments are what lives there
  mlir::Block *next;     ///< what follows
  mlir::Block *save;     ///< null: nobody parks here
  llvm::SmallVector<unsigned> slots;
};

class ParkableKernel {
public:
  ParkableKernel(mlir::LLVM::LLVMFuncOp function, const SharedObjects &shared,
                 const ParkingForm &form);
  ParkableKernel(const ParkableKernel &) = delete;

  /// Each safe point becomes the beginning of a block whose arguments take the place of
  /// its results.
  void splitPoints();
  /// The other way: no thread is parked inside.
  void removePoints();
  /// Adds a block before all others, with the arguments and the local objects.
  void createEntry();
  /// Adds the record, the last parameter.
  void addParameter();
  /// The record says how often loops poll.
  void readIntervals();

  mlir::LLVM::LLVMFuncOp function;
  const ParkingForm form;
  const FrameLayout layout;
  ParkingCode code;
  llvm::SmallVector<ParkablePoint> points;
  mlir::Block *entry = nullptr; ///< of the function
  mlir::Block *begin = nullptr; ///< of the kernel's own code
  mlir::Block *out = nullptr;   ///< where threads that park leave; null: none does
  mlir::Block *ended = nullptr; ///< where a thread that has ended goes
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_PARKING_PARKABLEKERNEL_H
