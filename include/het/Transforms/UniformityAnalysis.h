// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Over which threads a kernel's values are the same, and which threads reach a block
// together. The answers are safe: a level may be higher than the truth, never lower.
//
// A value's level says that all threads of the grid, block or team that are at the
// value's place hold the same. A block's level says which threads reach it together,
// of those that go on: a thread that ends early is not waited for.
//
// Source: R. Karrenberg and S. Hack, "Improving Performance of OpenCL on CPUs", CC
// 2012 (divergence of values); docs/spec/hetir.md, Divergence.

#ifndef HET_TRANSFORMS_UNIFORMITYANALYSIS_H
#define HET_TRANSFORMS_UNIFORMITYANALYSIS_H

#include "het/IR/Module.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace het {

class UniformityAnalysis {
public:
  /// Analyses a kernel: its arguments are the same for the whole grid.
  explicit UniformityAnalysis(mlir::LLVM::LLVMFuncOp kernel);

  ir::Level valueLevel(mlir::Value value) const;
  /// Which threads that have not ended reach the block together.
  ir::Level controlLevel(mlir::Block *block) const;
  /// The level of what the block's terminator decides on.
  ir::Level branchLevel(mlir::Block *block) const;
  /// Whether threads that take this edge only go to the kernel's end, while others
  /// go on.
  bool isEndingEdge(mlir::Block *from, mlir::Block *to) const;
  /// Whether threads of one block may end while others go on.
  bool hasDivergentReturn() const { return divergentReturn; }

private:
  void numberBlocks();
  void findEnds();
  void findContinuingEdges();
  void findReachable();
  llvm::BitVector findLoopEnds() const;
  void findJoins();
  void findKnownLoads();
  /// By an ending edge threads leave for the kernel's end while others go on.
  bool isEndingEdge(unsigned block, unsigned successor) const {
    return !reachesSync.test(successor) &&
           (leadsToSync.test(block) ||
            (shortEnd.test(successor) && leadsFar.test(block)));
  }

  bool update();
  bool raiseResults(mlir::Operation &op);
  bool raise(mlir::Value value, ir::Level level);
  bool raiseControl(unsigned block, ir::Level level);
  ir::Level loadLevel(mlir::LLVM::LoadOp load, ir::Level address) const;
  ir::Level resultLevel(mlir::Operation &op) const;
  bool spreadBranch(unsigned block);
  bool spreadEnds(unsigned block, ir::Level level, llvm::BitVector &joins);
  bool spreadCycle(unsigned block, ir::Level level, unsigned stop,
                   const llvm::BitVector &region);
  llvm::BitVector reach(unsigned from, unsigned stop) const;
  llvm::BitVector cycleOf(unsigned block, unsigned stop) const;

  mlir::LLVM::LLVMFuncOp kernel;
  llvm::SmallVector<mlir::Block *> blocks;
  llvm::DenseMap<mlir::Block *, unsigned> numbers;
  llvm::DenseMap<mlir::Value, ir::Level> values;
  llvm::SmallVector<ir::Level> control;
  llvm::SmallVector<ir::Level> spread; // what branches have been spread at
  llvm::BitVector reachesSync;         // blocks from which a sync point can be reached
  llvm::BitVector shortEnd;    // blocks that end soon, without loops or sync points
  llvm::BitVector leadsToSync; // blocks with a successor of the first kind
  llvm::BitVector leadsFar;    // blocks with a successor not of the second
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> continuing;  // edges, not ending
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> continuedBy; // the same, turned
  // The nearest block that post-dominates each, or the number of blocks where only the
  // kernel's end does.
  llvm::SmallVector<unsigned> joins;
  llvm::SmallVector<llvm::BitVector> reachable;
  llvm::DenseSet<mlir::Operation *> constantLoads;
  llvm::DenseSet<mlir::Operation *> settledLoads; // from shared memory
  llvm::BitVector hasBarrier;      // blocks with barriers of the whole block
  bool barriersAreTogether = true; // all threads of a block come to these together
  bool divergentReturn = false;
};

} // namespace het

#endif // HET_TRANSFORMS_UNIFORMITYANALYSIS_H
