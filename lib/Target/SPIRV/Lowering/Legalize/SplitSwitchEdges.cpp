// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A switch may lead to one block by several cases. LLVM's phi there has a value
// for each of them, SPIR-V's one for the block that they come from; Intel's
// compiler for GPUs makes LLVM's of it again with one value, and crashes when
// it inlines the function. So such cases meet in a block of their own.

#include "../Passes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace het::spirv {

/// A block that only one other leads to needs no phis.
static void foldPhis(llvm::BasicBlock &block) {
  for (llvm::PHINode &phi : llvm::make_early_inc_range(block.phis())) {
    phi.replaceAllUsesWith(phi.getIncomingValue(0));
    phi.eraseFromParent();
  }
}

static void splitEdges(llvm::Instruction &branch) {
  llvm::CriticalEdgeSplittingOptions merging;
  merging.setMergeIdenticalEdges();
  llvm::DenseMap<llvm::BasicBlock *, unsigned> edges;
  for (llvm::BasicBlock *block : llvm::successors(&branch))
    ++edges[block];
  for (unsigned index = 0; index < branch.getNumSuccessors(); ++index) {
    llvm::BasicBlock *block = branch.getSuccessor(index);
    if (edges.lookup(block) < 2 || block->phis().empty())
      continue;
    if (block->getUniquePredecessor())
      foldPhis(*block);
    else
      llvm::SplitCriticalEdge(&branch, index, merging);
  }
}

void splitSwitchEdges(llvm::Function &function) {
  llvm::SmallVector<llvm::Instruction *> branches;
  for (llvm::BasicBlock &block : function)
    if (block.getTerminator()->getNumSuccessors() > 1)
      branches.push_back(block.getTerminator());
  for (llvm::Instruction *branch : branches)
    splitEdges(*branch);
}

} // namespace het::spirv
