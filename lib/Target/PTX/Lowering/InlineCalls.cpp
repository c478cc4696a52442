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

/// Instructions of all copies of one function.
constexpr uint64_t kMostInstructions = 8000;

/// Sizes of functions with what is inlined into them.
using Sizes = DenseMap<const Function *, uint64_t>;

uint64_t sizeOf(const Function &function, const Sizes &sizes) {
  uint64_t size = function.getInstructionCount();
  for (const Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (const Function *callee = call->getCalledFunction();
          callee && callee->hasFnAttribute(Attribute::AlwaysInline))
        size += sizes.lookup(callee);
  return size;
}

/// Direct calls of a function; 0 where it is used otherwise, too.
uint64_t countCalls(const Function &function) {
  for (const Use &use : function.uses())
    if (auto *call = dyn_cast<CallBase>(use.getUser()); !call || !call->isCallee(&use))
      return 0;
  return function.getNumUses();
}

} // namespace

void inlineWhatFits(Module &module) {
  CallGraph graph(module);
  Sizes sizes;
  for (auto it = scc_begin(&graph); !it.isAtEnd(); ++it) {
    if (it.hasCycle())
      continue; // recursive
    Function *function = it->front()->getFunction();
    if (!function || function->isDeclaration())
      continue;
    const uint64_t size = sizeOf(*function, sizes);
    sizes[function] = size;
    const uint64_t calls = countCalls(*function);
    if (calls && size * calls <= kMostInstructions &&
        !function->hasFnAttribute(Attribute::NoInline))
      function->addFnAttr(Attribute::AlwaysInline);
  }
}

} // namespace het::ptx
