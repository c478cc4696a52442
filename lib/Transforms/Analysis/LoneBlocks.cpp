// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds branches on `lane == n`.

#include "LoneBlocks.h"
#include "SharedAccesses.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace het::transforms;

/// Where the branch leads those for which the comparison says that both are equal.
static Block *takenByEqual(LLVM::CondBrOp branch, LLVM::ICmpOp compare) {
  if (compare.getPredicate() == LLVM::ICmpPredicate::eq)
    return branch.getTrueDest();
  return compare.getPredicate() == LLVM::ICmpPredicate::ne ? branch.getFalseDest()
                                                           : nullptr;
}

LoneBlocks::LoneBlocks(LLVM::LLVMFuncOp kernel, DominanceInfo &dominance)
    : dominance(dominance) {
  for (Block &block : kernel.getBody()) {
    auto branch = dyn_cast<LLVM::CondBrOp>(block.getTerminator());
    auto compare =
        branch ? branch.getCondition().getDefiningOp<LLVM::ICmpOp>() : LLVM::ICmpOp();
    if (!compare || !isLaneNumber(compare.getLhs()))
      continue;
    Block *taken = takenByEqual(branch, compare);
    if (!taken || !taken->getSinglePredecessor())
      continue;
    Head head{taken, std::nullopt};
    APInt constant;
    if (matchPattern(compare.getRhs(), m_ConstantInt(&constant)))
      head.lane = Lane{withoutCasts(compare.getLhs()), constant.getSExtValue()};
    heads.push_back(head);
  }
}

bool LoneBlocks::haveBoth(Block *first, Block *second) const {
  return llvm::any_of(heads, [&](const Head &head) {
    return dominance.dominates(head.block, first) &&
           dominance.dominates(head.block, second);
  });
}

std::optional<LoneBlocks::Lane> LoneBlocks::laneOf(Block *block) const {
  for (const Head &head : heads)
    if (head.lane && dominance.dominates(head.block, block))
      return head.lane;
  return std::nullopt;
}
