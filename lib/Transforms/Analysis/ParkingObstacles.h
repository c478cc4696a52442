// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps blocks of a kernel from being parked inside, as far as its code says.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_PARKINGOBSTACLES_H
#define HET_LIB_TRANSFORMS_ANALYSIS_PARKINGOBSTACLES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <optional>
#include <string>

namespace het::transforms {

struct ParkingObstacle {
  std::string reason;
  mlir::Operation *at; ///< Null: no one place is to blame.
};

std::optional<ParkingObstacle> findParkingObstacle(mlir::LLVM::LLVMFuncOp kernel);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_PARKINGOBSTACLES_H
