// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses as Vulkan has them: a step of lowerAddresses.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_WORDACCESS_H
#define HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_WORDACCESS_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace het::spirv {

/// Makes loads and stores ones of integers at their natural alignment, in global memory,
/// or of words. `isGenericGlobal`: generic pointers lead to global memory alone.
llvm::Error lowerAccesses(llvm::Module &module, bool isGenericGlobal);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_WORDACCESS_H
