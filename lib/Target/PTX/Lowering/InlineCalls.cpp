// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the program's functions are inlined, however large they are. A call costs more
// here than its instructions: objects whose addresses are passed, and kernels' arguments
// among them, lie in memory and are read by generic accesses. So functions are inlined as
// long as the code stays small enough for ptxas; LLVM's inliner would stop far before.

#include "Passes.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace het::ptx {
namespace {

/// Instructions of a function with all that is inlined into it.
constexpr uint64_t kMaxInstructions = 10000;

/// Sizes of functions with what is inlined into them; none for those that call
/// themselves.
using Sizes = DenseMap<const Function *, uint64_t>;

/// Marks the calls that are inlined into a function, and returns its size with them.
uint64_t markCalls(Function &function, const Sizes &sizes) {
  uint64_t size = function.getInstructionCount();
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    const auto known = sizes.find(callee);
    if (known == sizes.end() || call->isNoInline() ||
        size + known->second > kMaxInstructions)
      continue;
    call->addFnAttr(Attribute::AlwaysInline);
    size += known->second;
  }
  return size;
}

} // namespace

void inlineWhatFits(Module &module) {
  CallGraph graph(module);
  Sizes sizes;
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    Function *function = component->front()->getFunction();
    if (!component.hasCycle() && function && !function->isDeclaration())
      sizes[function] = markCalls(*function, sizes);
  }
}

} // namespace het::ptx
