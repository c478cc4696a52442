// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks to which one lane of a team comes alone.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_LONEBLOCKS_H
#define HET_LIB_TRANSFORMS_ANALYSIS_LONEBLOCKS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"

#include <optional>

namespace het::transforms {

/// Blocks to which one lane of a team comes: behind `lane == n`.
class LoneBlocks {
public:
  LoneBlocks(mlir::LLVM::LLVMFuncOp kernel, mlir::DominanceInfo &dominance);
  /// Whether both are behind one such condition: they are one lane's.
  bool haveBoth(mlir::Block *first, mlir::Block *second) const;

  /// A lane's number and what it is known to be.
  struct Lane {
    mlir::Value number;
    int64_t constant;
  };
  /// The lane that comes to a block alone, if it is known.
  std::optional<Lane> laneOf(mlir::Block *block) const;

private:
  struct Head {
    mlir::Block *block;
    std::optional<Lane> lane;
  };

  mlir::DominanceInfo &dominance;
  llvm::SmallVector<Head> heads;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_LONEBLOCKS_H
