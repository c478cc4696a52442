// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of a loop that wait for each other, as those of lists and trees do: however many
// threads there are, a round takes as long as memory.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_LOADCHAINS_H
#define HET_LIB_TRANSFORMS_ANALYSIS_LOADCHAINS_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

class LoadChains {
public:
  explicit LoadChains(mlir::CFGLoop *loop);

  /// Whether its address depends on what a load of the round before gave.
  bool isLink(mlir::LLVM::LoadOp load) const { return chained.contains(load.getAddr()); }

private:
  llvm::DenseSet<mlir::Value> chained; ///< Values that do.
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_LOADCHAINS_H
