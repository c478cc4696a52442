// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel on its way to a parkable form (FormParkable.cpp).

#ifndef HET_LIB_TRANSFORMS_PARKING_FORMPARKABLE_H
#define HET_LIB_TRANSFORMS_PARKING_FORMPARKABLE_H

#include "ParkingCode.h"
#include "het/IR/Module.h"

namespace het::transforms {

class ParkedState;

struct ParkablePoint {
  uint32_t id;
  ir::SafePointReason reason;
  mlir::Operation *sync; ///< the sync operation behind it, or null
  mlir::Block *block;    ///< its arguments are what lives there
  mlir::Block *next;     ///< what follows
  mlir::Block *save;     ///< null: nobody parks here
  llvm::SmallVector<unsigned> slots;
};

/// Which launches a form of a kernel is for (DeviceABI/SuspendRecord.h).
enum class Launches { Fresh, Any };

class ParkableKernel {
public:
  ParkableKernel(mlir::LLVM::LLVMFuncOp kernel, const SharedObjects &shared,
                 const ParkingForm &form, Launches launches);

  mlir::LogicalResult run();
  /// For a kernel whose blocks are not parked inside.
  void runEntryOnly();

private:
  // FormParkable.cpp
  void splitPoints();
  void createEntry();
  void addParameter();
  mlir::Block *saveOf(ParkablePoint &point);
  void pollConvergent(ParkablePoint &point);
  void pollPerThread(ParkablePoint &point);
  void checkBlock(ParkablePoint &point);
  void checkTeam(ParkablePoint &point, mlir::Value mask);
  void formPoint(ParkablePoint &point);
  void formOut();
  void leavePerThread(mlir::Value one);
  void formSave(ParkablePoint &point);
  void formReturns();
  void createCounter();
  void readIntervals();

  // ParkAtGrid.cpp
  void waitForGrid(ParkablePoint &point);

  // ResumeParked.cpp
  void formFreshEntry();
  void formEntry();
  mlir::Value readStatus();
  void agreeToBegin(mlir::Value status, bool allOrNone);
  void leaveAsItStands(mlir::Block *block, mlir::Value status);
  void restore(mlir::Value place);
  void jump(mlir::Value pc, const ParkedState &state);
  void findWaysIn();
  void copyResumed();
  mlir::LogicalResult repairValues();

  mlir::LLVM::LLVMFuncOp kernel;
  ParkingForm form;
  const Launches launches;

public:
  const FrameLayout layout;

private:
  const SharedObjects &shared;
  llvm::SmallVector<ParkablePoint> points;
  ParkingCode *code = nullptr;
  mlir::Block *entry = nullptr;         ///< of the function
  mlir::Block *begin = nullptr;         ///< of the kernel's own code
  mlir::Block *out = nullptr;           ///< takes the state's address
  mlir::Block *ended = nullptr;         ///< where a thread that has ended goes
  mlir::Block *resumed = nullptr;       ///< dominates all that only resumed threads run
  llvm::DenseSet<mlir::Block *> waysIn; ///< blocks that resumed threads may enter
  llvm::DenseMap<mlir::Block *, mlir::Block *> copies;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_PARKING_FORMPARKABLE_H
