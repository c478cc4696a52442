// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a parked block in the device's memory: where a thread finds its parts, and
// how they are copied. Each function emits at the builder's place, as ParkingCode's do.

#ifndef HET_LIB_TRANSFORMS_PARKING_PARKEDSTATE_H
#define HET_LIB_TRANSFORMS_PARKING_PARKEDSTATE_H

#include "ParkingCode.h"

namespace het::transforms {

class ParkedState {
public:
  /// The state at an address, an i64.
  ParkedState(ParkingCode &code, mlir::Value address);
  /// That of the thread's block, which gets a place for it if it has none.
  static ParkedState takePlace(ParkingCode &code);
  /// That in a place, an i32 other than HET_SUSPEND_NO_PLACE.
  static ParkedState inPlace(ParkingCode &code, mlir::Value place);

  /// Where the thread's pc is, and its copy of a slot.
  mlir::Value pcAddress() const;
  mlir::Value slotAddress(unsigned slot) const;
  /// Copies the thread's local objects.
  void copyLocals(bool save) const;
  /// Copies the shared objects, all threads of `step` together, of which this one is
  /// number `first` (both i64).
  void copyShared(mlir::Value first, mlir::Value step, bool save) const;

  const mlir::Value address;

private:
  mlir::Value inFrame(uint64_t offset, uint64_t size, uint64_t inside = 0) const;
  void copyDynamic(mlir::Value first, mlir::Value step, bool save) const;

  ParkingCode &code;
  mlir::ImplicitLocOpBuilder &builder;
};

/// Greatest alignment of a slot in a state.
constexpr unsigned maxSlotAlignment = 16;

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_PARKING_PARKEDSTATE_H
