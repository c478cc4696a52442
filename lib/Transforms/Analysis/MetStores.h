// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores to shared memory that lanes which have gone apart made before they met again.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_METSTORES_H
#define HET_LIB_TRANSFORMS_ANALYSIS_METSTORES_H

#include "LoneBlocks.h"
#include "SharedAccesses.h"
#include "het/Transforms/UniformityAnalysis.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace het::transforms {

/// Stores that are pending at the beginning of blocks, but those to a thread's own
/// array. Stops are blocks whose beginning is a sync point. What counts is where lanes
/// have met again since, in a join, behind a loop or in the next round of one that they
/// go round together, and the steps of a reduction by ever fewer lanes.
class MetStores {
public:
  MetStores(mlir::LLVM::LLVMFuncOp kernel, const SharedAccesses &accesses,
            const LoneBlocks &loneBlocks, const UniformityAnalysis &uniformity,
            mlir::DominanceInfo &dominance,
            const llvm::SmallPtrSetImpl<mlir::Block *> &stops);

  /// Whether another lane may have made one to where the load of a block leads.
  bool mayReach(mlir::Block *block, const Access &load) const;

private:
  struct Store {
    Access access;
    mlir::Block *block;
  };
  /// What a block does: whether it has a sync point, and its stores behind that.
  struct Effect {
    bool isSync = false;
    llvm::SmallVector<unsigned> stores;
  };
  struct Entry {
    llvm::BitVector all;    ///< By any way.
    llvm::BitVector direct; ///< By ways onward that meet no other.
    llvm::BitVector met;    ///< By other ways onward.
  };

  bool mayReach(const Store &store, const Entry &entry, unsigned number,
                mlir::Block *block, const Access &load) const;
  bool isBehindLoop(mlir::Block *store, mlir::Block *load) const;
  void findCommonRounds(const UniformityAnalysis &uniformity);
  void collect(mlir::Block &block, const SharedAccesses &accesses);
  Entry endOf(mlir::Block *block) const;
  bool update(mlir::Block &block);
  void updateAll(mlir::Region &body, const llvm::SmallPtrSetImpl<mlir::Block *> &stops);

  mlir::DominanceInfo &dominance;
  const LoneBlocks &loneBlocks;
  std::optional<mlir::CFGLoopInfo> loops;
  /// Headers of loops that lanes which enter them together leave together.
  llvm::DenseSet<mlir::Block *> commonRounds;
  llvm::SmallVector<Store> stores;
  llvm::DenseMap<mlir::Block *, Effect> effects;
  llvm::DenseMap<mlir::Block *, Entry> entries;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_METSTORES_H
