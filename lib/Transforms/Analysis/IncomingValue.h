// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a block argument is given by one of the ways into its block.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_INCOMINGVALUE_H
#define HET_LIB_TRANSFORMS_ANALYSIS_INCOMINGVALUE_H

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace het::transforms {

/// By the edge from a predecessor of the argument's block; null where the terminator
/// itself makes it.
inline mlir::Value incomingValue(mlir::BlockArgument argument,
                                 mlir::Block::pred_iterator from) {
  auto branch = mlir::dyn_cast<mlir::BranchOpInterface>((*from)->getTerminator());
  return branch ? branch.getSuccessorOperands(
                      from.getSuccessorIndex())[argument.getArgNumber()]
                : mlir::Value();
}

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_INCOMINGVALUE_H
