// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads from shared memory that lanes make of places which are not their own, and that
// are pending until the next sync point: what is read of a sum, say, before the next
// round stores its summands.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_PENDINGLOADS_H
#define HET_LIB_TRANSFORMS_ANALYSIS_PENDINGLOADS_H

#include "LoneBlocks.h"
#include "SharedAccesses.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace het::transforms {

/// The volatile ones, and those of one place for all lanes; not those of the first lane
/// alone, which no lane comes before. Stops are blocks whose beginning is a sync point.
class PendingLoads {
public:
  PendingLoads(mlir::LLVM::LLVMFuncOp kernel, const SharedAccesses &accesses,
               const LoneBlocks &loneBlocks,
               const llvm::SmallPtrSetImpl<mlir::Block *> &stops);

  struct Load {
    const Access *access;
    mlir::Block *block;
  };

  /// That of an operation, if it is one of them.
  std::optional<Load> of(mlir::Operation &op) const;
  /// Those that are pending where a block begins.
  llvm::SmallVector<Load> at(mlir::Block *block) const;

private:
  struct Effect {
    bool isSync = false;
    llvm::BitVector loads; ///< Behind the last sync point.
  };

  void collect(mlir::Block &block);
  bool update(mlir::Block &block);

  const SharedAccesses &accesses;
  const LoneBlocks &loneBlocks;
  llvm::SmallVector<Load> loads;
  llvm::DenseMap<mlir::Block *, Effect> effects;
  llvm::DenseMap<mlir::Block *, llvm::BitVector> entries;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_PENDINGLOADS_H
