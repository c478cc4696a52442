// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores to shared memory that lanes which have gone apart made before they met again,
// and the blocks to which one lane comes alone.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_METSTORES_H
#define HET_LIB_TRANSFORMS_ANALYSIS_METSTORES_H

#include "SharedAccesses.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/BitVector.h"

#include <optional>

namespace het::transforms {

/// Blocks to which one lane of a team comes: behind `lane == n`.
class LoneBlocks {
public:
  LoneBlocks(mlir::LLVM::LLVMFuncOp kernel, mlir::DominanceInfo &dominance);
  /// Whether both are behind one such condition: they are one lane's.
  bool haveBoth(mlir::Block *first, mlir::Block *second) const;

private:
  mlir::DominanceInfo &dominance;
  llvm::SmallVector<mlir::Block *> heads;
};

/// Stores that are pending at the beginning of blocks, but those to a thread's own
/// array. What counts is where lanes have met again since, in a join or behind a loop,
/// and the steps of a reduction by ever fewer lanes.
class MetStores {
public:
  MetStores(mlir::LLVM::LLVMFuncOp kernel, mlir::DominanceInfo &dominance,
            const mlir::DataLayout &layout);

  /// Whether another lane may have made one to where the load of a block leads.
  bool mayReach(mlir::Block *block, const Place &load) const;

private:
  struct Store {
    Place place;
    mlir::Block *block;
  };
  /// What a block does: whether it has a sync point, and its stores behind that.
  struct Effect {
    bool isSync = false;
    llvm::SmallVector<unsigned> stores;
  };
  struct Entry {
    llvm::BitVector all;    ///< By any way.
    llvm::BitVector direct; ///< By ways forward that meet no other.
    llvm::BitVector met;    ///< By other ways forward.
  };

  bool mayReach(const Store &store, const Entry &entry, unsigned number,
                mlir::Block *block, const Place &load) const;
  bool isBehindLoop(mlir::Block *store, mlir::Block *load) const;
  void collect(mlir::Block &block, const mlir::DataLayout &layout);
  Entry endOf(mlir::Block *block) const;
  bool update(mlir::Block &block);

  mlir::DominanceInfo &dominance;
  LoneBlocks loneBlocks;
  std::optional<mlir::CFGLoopInfo> loops;
  llvm::SmallVector<Store> stores;
  llvm::DenseMap<mlir::Block *, Effect> effects;
  llvm::DenseMap<mlir::Block *, Entry> entries;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_METSTORES_H
