// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts safe points at given places and routes every value that lives across one
// through it, as an operand and a result: afterwards no value crosses a safe point in
// any other way, but for those that can be recomputed (Recompute.h) and local objects,
// whose memory is in the frame.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_ROUTEVALUES_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_ROUTEVALUES_H

#include "het/IR/Module.h"
#include "llvm/ADT/MapVector.h"

namespace het::transforms {

/// A place that gets a safe point, and what lives there.
struct SafePointPlace {
  mlir::Operation *before;
  ir::SafePointReason reason;
  llvm::SmallVector<mlir::Value> live = {};
};

/// Returns an id that is greater than those of all the kernel's safe points.
unsigned nextSafePointId(mlir::LLVM::LLVMFuncOp kernel);

class ValueRouter {
public:
  /// Finds what lives at each place. The kernel is not changed until route().
  ValueRouter(mlir::LLVM::LLVMFuncOp kernel, llvm::ArrayRef<SafePointPlace> places);

  /// Makes route() keep live addresses of the kernel's own objects as distances. Returns
  /// false, and changes nothing, where an address may be that of several objects.
  bool encodeAddresses();

  /// Inserts the safe points, in the order of the code, with ids and slots from these
  /// numbers on.
  void route(unsigned firstId, unsigned firstSlot);

  llvm::ArrayRef<ir::SafePointOp> safePoints() const { return inserted; }
  llvm::ArrayRef<mlir::Type> typesOfSlots() const { return slotTypes; }

private:
  void sortPoints();
  void numberValues();
  void findLiveValues();
  void assignSlots();
  void createVariables();
  void demote(mlir::Value value);
  void insert(const SafePointPlace &point, unsigned id, unsigned firstSlot);
  mlir::Type slotType(mlir::Value value);

  mlir::LLVM::LLVMFuncOp kernel;
  mlir::Region &body;
  llvm::SmallVector<SafePointPlace> points;
  llvm::SmallVector<ir::SafePointOp> inserted;  ///< One for each point.
  llvm::DenseMap<mlir::Value, unsigned> order;  ///< Place of each value in the code.
  llvm::MapVector<mlir::Value, unsigned> slots; ///< Slot of each live value.
  llvm::SmallVector<mlir::Type> slotTypes;
  llvm::DenseMap<mlir::Value, mlir::LLVM::AllocaOp> variables;
  llvm::DenseMap<mlir::Value, mlir::Value> objects; ///< Object of each live address.
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_ROUTEVALUES_H
