// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX lowering, stage by stage; Plugin.cpp offers it to the runtime.

#ifndef HET_LIB_TARGET_PTX_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_PTX_LOWERING_LOWERKERNEL_H

#include "ConvertToPTX.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace het::ptx {

/// From a kernel's hetIR bytecode to an artifact with PTX text (PTXArtifact.h).
llvm::Expected<llvm::SmallVector<char, 0>>
lowerKernel(llvm::StringRef code, llvm::StringRef kernel, const Machine &machine,
            llvm::StringRef devicelibPath);

/// Optimises for the machine and gives PTX text.
llvm::Expected<llvm::SmallVector<char, 0>>
generatePTX(llvm::Module &module, const Machine &machine,
            llvm::StringRef devicelibPath);

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_LOWERING_LOWERKERNEL_H
