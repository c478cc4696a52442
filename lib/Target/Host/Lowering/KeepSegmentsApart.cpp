// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The segments of a large kernel stay functions of their own. In one function they would
// share the block's size, its frame and the conditions of their loops, and what LLVM asks
// of a value it asks of all its uses.

#include "Passes.h"

namespace het::host {

void keepSegmentsApart(llvm::Module &module) {
  constexpr unsigned large = 4000; // instructions
  llvm::SmallVector<llvm::Function *> segments;
  unsigned size = 0;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getName().contains(".segment.")) {
      segments.push_back(&function);
      size += function.getInstructionCount();
    }
  if (size > large)
    for (llvm::Function *segment : segments)
      segment->addFnAttr(llvm::Attribute::NoInline);
}

} // namespace het::host
