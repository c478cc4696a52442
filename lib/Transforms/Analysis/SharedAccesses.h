// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to shared memory, and the places that they lead to.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_SHAREDACCESSES_H
#define HET_LIB_TRANSFORMS_ANALYSIS_SHAREDACCESSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <limits>

namespace het::transforms {

struct Access {
  mlir::Value pointer;
  bool isStore, isVolatile;
};

using AccessList = llvm::SmallVector<Access, 2>;

/// Those of an operation, in the order in which it makes them: a copy loads, then stores.
AccessList accessesOf(mlir::Operation &op);

/// Where an access leads: `base + index * stride + offset`, in bytes.
struct Place {
  mlir::Value base, index; ///< The index may be null.
  int64_t stride = 1, offset = 0;
  /// Variable that the base points into, if it is known.
  mlir::Operation *variable = nullptr;
  bool isOwn = false;     ///< Whether it is in a thread's own array.
  bool isUniform = false; ///< Whether it is one place for all lanes of a team.
  bool isVolatile = false;

  /// Equal for places that are a constant distance apart.
  std::pair<mlir::Value, mlir::Value> origin() const { return {base, index}; }
  /// How far apart, in bytes, the places of a team's lanes are less than.
  int64_t reach() const {
    return index ? 32 * stride : std::numeric_limits<int64_t>::max();
  }
};

Place placeOf(const Access &access, const mlir::DataLayout &layout);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_SHAREDACCESSES_H
