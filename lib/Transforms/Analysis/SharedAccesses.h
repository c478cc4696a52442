// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to shared memory, and the places that they lead to.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_SHAREDACCESSES_H
#define HET_LIB_TRANSFORMS_ANALYSIS_SHAREDACCESSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace het::transforms {

struct Access {
  mlir::Value pointer;
  bool isStore, isVolatile;
};

using AccessList = llvm::SmallVector<Access, 2>;

/// Those of an operation, in the order in which it makes them: a copy loads, then stores.
AccessList accessesOf(mlir::Operation &op);

/// Where an access leads: a base, and a constant distance from it in bytes.
struct Place {
  mlir::Value base;
  int64_t offset = 0;
  mlir::Operation *variable =
      nullptr;        ///< Variable that the base points into, if it is known.
  bool isOwn = false; ///< Whether it is in a thread's own array.
  bool isVolatile = false;
};

Place placeOf(const Access &access, const mlir::DataLayout &layout);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_SHAREDACCESSES_H
