// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that exits returns from its kernel. Functions in which threads exit have been
// inlined, as they may keep others waiting; where they could not be, the exit stays, to
// be refused later.

#include "ThreadExits.h"
#include "Optimize.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace het;
using namespace llvm;

void het::returnFromExits(Module &module) {
  for (Function &function : module) {
    if (!isKernelFunction(function))
      continue;
    // The first of each block.
    SmallMapVector<BasicBlock *, Instruction *, 4> exits;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->getCalledFunction() &&
          call->getCalledFunction()->getName() == exitMarker)
        exits.insert({call->getParent(), call});
    for (auto [block, exit] : exits) {
      // What stood behind is not reached.
      changeToUnreachable(exit);
      block->getTerminator()->eraseFromParent();
      IRBuilder<>(block).CreateRetVoid();
    }
  }
}
