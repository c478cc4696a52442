// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core's stack: it ends at HET_TENSIX_LOWEST_DATA, and nothing guards that. What calls
// need is computed where they end, and checked by the running kernel where they may not:
// functions that may call themselves, or that are called by their address, look whether
// there is room for what follows up to the next such check, and end with a fault if not.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_STACK_H
#define HET_LIB_TARGET_TENSIX_LOWERING_STACK_H

#include "EmitObject.h"
#include "llvm/ADT/DenseSet.h"

namespace het::tensix {

class Stack {
public:
  /// Adds the checks to a module whose pointers have been narrowed.
  explicit Stack(llvm::Module &module);

  /// With its frames known: the address below which the stack may not be at a check.
  /// Fails where what the core's library calls needs more than there is. `library` is
  /// what calls of the core's library need at most.
  llvm::Expected<uint32_t> limit(const Frames &frames, uint64_t library) const;

private:
  using Functions = llvm::SmallVector<const llvm::Function *>;

  void findChecked();
  void addCheck(llvm::Function &function);
  Functions calleesOf(const llvm::Function &function) const;

  llvm::Module &module;
  llvm::DenseSet<const llvm::Function *> checked, byAddress;
};

/// The sum of all frames of an object that was compiled with -fstack-size-section.
llvm::Expected<uint64_t> sumOfFrames(llvm::StringRef object);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_STACK_H
