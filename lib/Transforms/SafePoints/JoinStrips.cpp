// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes back what StripMineLoops.cpp has done to loops, for a form of the kernel that is
// not parked in them.

#include "StripMineLoops.h"
#include "het/IR/Module.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace het::transforms {

static SmallVector<Operation *> findMarked(LLVM::LLVMFuncOp kernel) {
  SmallVector<Operation *> marked;
  kernel.walk([&](Operation *op) {
    if (op->hasAttr(ir::stripAttrName))
      marked.push_back(op);
  });
  return marked;
}

/// What is kept of it, and its loop.
static std::pair<unsigned, unsigned> markOf(Operation *op) {
  ArrayRef<int32_t> mark = op->getAttrOfType<DenseI32ArrayAttr>(ir::stripAttrName);
  return {mark[0], mark[1]};
}

void keepStrips(LLVM::LLVMFuncOp kernel, ArrayRef<unsigned> loops) {
  if (loops.empty())
    return;
  for (Operation *op : findMarked(kernel))
    if (llvm::is_contained(loops, markOf(op).second))
      op->removeAttr(ir::stripAttrName);
}

void joinStrips(LLVM::LLVMFuncOp kernel) {
  for (Operation *op : findMarked(kernel)) {
    const unsigned kept = markOf(op).first;
    if (auto branch = dyn_cast<LLVM::CondBrOp>(op)) {
      OpBuilder builder(branch);
      LLVM::BrOp::create(builder, branch.getLoc(),
                         kept ? branch.getFalseDestOperands()
                              : branch.getTrueDestOperands(),
                         branch->getSuccessor(kept));
    } else {
      op->replaceAllUsesWith(ValueRange{op->getOperand(kept)});
    }
    op->erase();
  }
  IRRewriter rewriter(kernel.getContext());
  (void)eraseUnreachableBlocks(rewriter, kernel.getBody());
}

} // namespace het::transforms
