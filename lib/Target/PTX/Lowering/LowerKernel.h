// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX lowering, stage by stage; Plugin.cpp offers it to the runtime.

#ifndef HET_LIB_TARGET_PTX_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_PTX_LOWERING_LOWERKERNEL_H

#include "../../Support/Lowering/LaunchConstants.h"
#include "ConvertToPTX.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"

namespace het::ptx {

/// From a kernel's hetIR bytecode to an artifact with PTX text (PTXArtifact.h), for
/// launches with these constants.
llvm::Expected<llvm::SmallVector<char, 0>>
lowerKernel(llvm::StringRef code, llvm::StringRef kernel, const Machine &machine,
            const target::LaunchConstants &constants, llvm::StringRef devicelibPath);

/// Makes the kernels ones of blocks of this shape. After the device library is linked.
void setBlockShape(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                   const std::array<uint32_t, 3> &block);

/// Makes conversions that saturate the machine's own.
void convertSaturating(llvm::Module &module);
/// Makes loops of atomic operations on shared memory that the machine does not have.
void expandSharedAtomics(llvm::Module &module);
/// Gives atomic operations their order by fences.
void orderAtomics(llvm::Module &module);
/// Has lanes that call a function that may call itself meet behind the call.
void meetAfterRecursiveCalls(llvm::Module &module);
/// Keeps products whose upper halves are 64-bit numbers from becoming `mul.hi`.
void keepWideProducts(llvm::Module &module);
/// Keeps differences of shifted numbers from becoming rotations.
void keepShiftedDifferences(llvm::Module &module);

/// Has the loops that read memory unrolled further than LLVM would.
void chooseUnrollCounts(llvm::PassBuilder &builder);

/// Optimises for the machine and gives PTX text.
llvm::Expected<llvm::SmallVector<char, 0>>
generatePTX(llvm::Module &module, llvm::ArrayRef<std::string> kernels, const Machine &machine,
            const target::LaunchConstants &constants, llvm::StringRef devicelibPath);

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_LOWERING_LOWERKERNEL_H
