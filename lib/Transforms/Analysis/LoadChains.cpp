// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows what is loaded to the end of a round, and what of it the next round gets to
// addresses.

#include "LoadChains.h"

using namespace mlir;

namespace het::transforms {

/// Gives `take` each value that a use of another one makes in the same round.
static void forEachUse(Value value, CFGLoop *loop, llvm::function_ref<void(Value)> take) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (!loop->contains(user->getBlock()))
      continue;
    for (Value result : user->getResults())
      take(result);
    if (auto branch = dyn_cast<BranchOpInterface>(user))
      if (auto argument = branch.getSuccessorBlockArgument(use.getOperandNumber()))
        take(*argument);
  }
}

LoadChains::LoadChains(CFGLoop *loop) {
  Block *header = loop->getHeader();
  llvm::DenseSet<Value> loaded;
  SmallVector<Value> left, carried;
  auto follow = [&](llvm::DenseSet<Value> &known, Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value); argument) {
      if (!loop->contains(argument.getOwner()))
        return;
      if (argument.getOwner() == header) // of the next round
        return carried.push_back(value);
    }
    if (known.insert(value).second)
      left.push_back(value);
  };
  auto followAll = [&](llvm::DenseSet<Value> &known) {
    while (!left.empty())
      forEachUse(left.pop_back_val(), loop, [&](Value value) { follow(known, value); });
  };
  for (Block *block : loop->getBlocks())
    for (auto load : block->getOps<LLVM::LoadOp>())
      follow(loaded, load);
  followAll(loaded);
  chained.insert_range(carried);
  left = std::move(carried);
  carried = {};
  followAll(chained);
}

} // namespace het::transforms
