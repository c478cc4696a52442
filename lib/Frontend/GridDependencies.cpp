// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `__restrict__` says that nobody else writes to what a pointer leads to while the kernel
// runs. In one that waits for the grid before it, that grid does: until the wait is over.
// LLVM would move loads in front of the wait.

#include "GridDependencies.h"

#include "llvm/IR/Module.h"

using namespace llvm;

void het::keepBehindWaits(Module &module) {
  const Function *wait = module.getFunction(gridWaitFunction);
  if (!wait || wait->use_empty())
    return;
  for (Function &function : module)
    for (Argument &argument : function.args())
      argument.removeAttr(Attribute::NoAlias);
}
