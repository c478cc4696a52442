// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's passes over a kernel's LLVM IR.

#ifndef HET_LIB_TARGET_HOST_LOWERING_PASSES_H
#define HET_LIB_TARGET_HOST_LOWERING_PASSES_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace het::host {

/// Sets the attributes by which functions use all of the machine's features. `tune` is
/// the processor to tune for; empty: the machine's own.
void setFunctionAttributes(llvm::Module &module, const llvm::TargetMachine &machine,
                           llvm::StringRef tune);

/// Gives fused multiply-adds of types of 16 bits, where the machine has none, to the
/// device library, which is yet to be linked.
void lowerSmallFloatProducts(llvm::Module &module, const llvm::TargetMachine &machine);

/// Makes atomics on a block's shared memory plain accesses.
void lowerSharedAtomics(llvm::Module &module);

/// Keeps the segments of a large kernel functions of their own.
void keepSegmentsApart(llvm::Module &module);

/// Makes segments that are kept apart share the code of those that are like them.
void shareSegments(llvm::Module &module);

/// Makes calls of a function of the device library share copies of it where a kernel has
/// many: one for each set of constants.
void shareTeamOperations(llvm::Module &module);

/// Refuses a shared object that would be bound to anything else of the process that loads
/// it.
llvm::Error checkImports(llvm::StringRef shared, const llvm::Triple &triple);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_PASSES_H
