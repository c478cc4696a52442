// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions of half precision and bfloat16, alone and in pairs: `atomicrmw fadd`
// of half, bfloat, <2 x half> and <2 x bfloat>.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_SMALLATOMICS_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_SMALLATOMICS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace het::target {

bool isSmallAddition(const llvm::Instruction &instruction);

/// Makes loops around a compare and swap of those of types that the machine does not add
/// atomically. Before the device library is linked.
void expandSmallAdditions(llvm::Module &module,
                          llvm::function_ref<bool(llvm::Type *)> isNative);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_SMALLATOMICS_H
